/** One record is one line, whatever is in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeLine, utf8Length } from '../../src/audit/encode.ts'

describe('text that would break, hide or turn a line is escaped', () => {
  test.each([
    ['a newline and a forged record', 'a\n{"v":1,"seq":2}'],
    ['a carriage return', 'a\rb'],
    ['NUL and other controls', '\u0000\u0007\u001b[2J\u007f'],
    ['C1: next line and CSI', 'a\u0085b\u009b31mc'],
    ['line and paragraph separator', 'a\u2028b\u2029c'],
    ['bidirectional controls', '\u202eexe.txt\u202c \u2066a\u2069 \u200f \u061c'],
    ['zero width', 'a\u200bb\u200c\u200d\u2060\ufeff\u00ad'],
    ['tags', 'a\u{e0041}\u{e007f}b'],
    ['half a pair', '\ud800 and \udc00'],
    ['quotes and backslashes', '"},"hash":"\\"'],
  ])('%s', (_what, text) => {
    const line = encodeLine({ text })
    expect(JSON.parse(line)).toEqual({ text })
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/)
    expect(line).not.toMatch(/[\u{e0001}\u{e0020}-\u{e007f}]/u)
    expect(Buffer.from(line).includes(10)).toBe(false)
  })
})

test('ordinary text of any language is written as it is', () => {
  expect(encodeLine({ text: 'naïve 日本語 🎉' })).toBe('{"text":"naïve 日本語 🎉"}')
})

test('every string survives, on one line of valid UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const line = encodeLine({ text })
      const bytes = Buffer.from(line)
      expect(bytes.toString('utf8')).toBe(line)
      expect(bytes.includes(10)).toBe(false)
      expect(JSON.parse(line)).toEqual({ text })
    }),
  )
})

test('the length in UTF-8 is counted without making the bytes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => utf8Length(text) === Buffer.byteLength(text)))
  for (const text of ['a\ud800', '\udc00b', '\ud800\ud800\udc00', '🎉é']) expect(utf8Length(text)).toBe(Buffer.byteLength(text))
})
