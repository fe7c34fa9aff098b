/** From the bytes a process wrote to text, saying so when they were not UTF-8. */
import { isUtf8 } from 'node:buffer'

export interface Decoded {
  readonly text: string
  /** Some bytes were not UTF-8; each became U+FFFD. */
  readonly replaced: boolean
}

/**
 * Decodes UTF-8. A byte order mark is left for the reader.
 * With `cut`, a code point that the end of the bytes splits is left out: the process did not write it so, we stopped reading.
 */
export function decode(bytes: Uint8Array, { cut }: { cut: boolean }): Decoded {
  const whole = cut ? bytes.subarray(0, bytes.length - splitTail(bytes)) : bytes
  return { text: Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString('utf8'), replaced: !isUtf8(whole) }
}

/** How many bytes at the end are the start of a code point whose rest is missing. */
function splitTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0
  }
  return 0
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
