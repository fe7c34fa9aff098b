/** Bytes become text, and say when they were none. */
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/process/decode.ts'

describe('decoding what a process wrote', () => {
  const euro = [0xe2, 0x82, 0xac]
  const face = [0xf0, 0x9f, 0x98, 0x80]
  it.each<[name: string, bytes: number[], cut: boolean, text: string, replaced: boolean]>([
    ['keeps what is UTF-8', [0x61, ...euro, ...face], false, 'a€😀', false],
    ['leaves a byte order mark to the reader', [0xef, 0xbb, 0xbf, 0x7b], false, '\uFEFF{', false],
    ['replaces a byte that is no UTF-8 and says so', [0x61, 0xff, 0x62], false, 'a\uFFFDb', true],
    ['replaces half a code point at the end of a process that ended so', [0x61, 0xe2, 0x82], false, 'a\uFFFD', true],
    ['leaves out two bytes of three where reading stopped', [0x61, 0xe2, 0x82], true, 'a', false],
    ['leaves out one byte of three where reading stopped', [0x61, 0xe2], true, 'a', false],
    ['leaves out three bytes of four where reading stopped', [0x61, 0xf0, 0x9f, 0x98], true, 'a', false],
    ['keeps a whole code point where reading stopped', [0x61, ...face], true, 'a😀', false],
    ['does not take a lone continuation byte for half a code point', [0x61, 0x82], true, 'a\uFFFD', true],
    ['is nothing for nothing', [], true, '', false],
    ['keeps NUL', [0x61, 0x00, 0x62], false, 'a\0b', false],
  ])('%s', (_name, bytes, cut, text, replaced) => {
    expect(decode(Uint8Array.from(bytes), { cut })).toEqual({ text, replaced })
  })
})
