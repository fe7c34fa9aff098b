/** Hands a process its standard input. */
import type { Writable } from 'node:stream'

/** Writes the pieces in order and ends the stream. */
export function feed(stdin: Writable, pieces: readonly Uint8Array[]): void {
  // EPIPE and its kin: the process ended, or closed its input without reading all of it. That is its right.
  stdin.on('error', () => {})
  for (const piece of pieces) stdin.write(piece)
  stdin.end()
}
