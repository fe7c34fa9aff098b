/** Reads the lines of a log file in pieces, each line with its newline; the last one may lack it. */
import type { LogFiles } from './log-files.ts'

const piece = 256 * 1_024
const longest = 16 * 1_024 * 1_024

/** The lines of some bytes. */
export function* splitLines(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start)
    const next = end === -1 ? bytes.length : end + 1
    yield bytes.subarray(start, next)
    start = next
  }
}

/** The lines of an opened file from byte `from` up to its end, or to byte `to`. */
export function* linesOf(files: LogFiles, fd: number, { from = 0, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number } = {}): Generator<Uint8Array> {
  let at = from
  let rest: Uint8Array = new Uint8Array(0)
  while (at < to) {
    const bytes = files.read(fd, at, Math.min(piece, to - at))
    if (bytes.length === 0) break
    at += bytes.length
    const joined = rest.length === 0 ? bytes : join(rest, bytes)
    const end = joined.lastIndexOf(10) + 1
    yield* splitLines(joined.subarray(0, end))
    rest = joined.subarray(end)
    if (rest.length <= longest) continue
    // No record is that long; whoever reads on must not gather the whole file.
    yield rest
    rest = new Uint8Array(0)
  }
  if (rest.length > 0) yield rest
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
