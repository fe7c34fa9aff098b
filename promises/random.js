/** Random choices that a seed brings back. */

/** A stream of choices; the same seed gives the same ones on every machine. */
export function randomFrom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below) => Math.floor(next() * below)
  return {
    next,
    /** A whole number from 0, below the bound. */
    int,
    chance: (part) => next() < part,
    pick: (list) => list[int(list.length)],
    /** Up to so many of a list, repeats allowed. */
    some: (list, most) => Array.from({ length: int(most + 1) }, () => list[int(list.length)]),
    shuffle: (list) => {
      const mixed = [...list]
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = int(at + 1)
        ;[mixed[at], mixed[other]] = [mixed[other], mixed[at]]
      }
      return mixed
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  }
}
