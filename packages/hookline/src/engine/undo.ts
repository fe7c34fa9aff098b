/** Makes the undo that everything that attaches returns: harmless to call twice, and usable with `using`. */
import type { Undo } from '../protocol/answering.ts'

/** Wraps a step back so that it happens at most once. */
export function undo(back: () => void): Undo {
  let done = false
  const once = () => {
    if (done) return
    done = true
    back()
  }
  return Object.assign(once, { [Symbol.dispose]: once })
}
