/** Standard output and standard error without Node's streams, which take milliseconds to load, as long as nobody looks at them on a terminal. */
import { fstatSync, statSync, writeSync } from 'node:fs'
import type { Screen } from './terminal.ts'

/** Gives the stream of this process when it is needed after all. */
export type Stream = () => NodeJS.WriteStream

/** Writes to a descriptor at once where that is a file, a pipe, a socket or nothing; else to the stream. */
export function screenOf(descriptor: 1 | 2, stream: Stream): Screen {
  let plain = isPlain(descriptor)
  return {
    get isTTY() {
      return plain ? false : stream().isTTY
    },
    write(text) {
      if (!plain) return stream().write(text)
      const left = writeAll(descriptor, Buffer.from(text))
      if (left === undefined) return true
      // A full pipe that does not wait, or an error: the stream waits, and tells an error as it always does.
      plain = false
      return stream().write(left)
    },
  }
}

/** What could not be written; `undefined` when all is out. */
function writeAll(descriptor: number, bytes: Buffer): Buffer | undefined {
  let left = bytes
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left))
    return undefined
  } catch {
    return left
  }
}

function isPlain(descriptor: number): boolean {
  // Windows has other kinds.
  if (process.platform === 'win32') return false
  try {
    const stat = fstatSync(descriptor)
    return stat.isFile() || stat.isFIFO() || stat.isSocket() || (stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev)
  } catch {
    return false
  }
}
