/** What people read before they accept: no character hides, no line is lost. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differences } from '../../src/cli/render/differences.ts'
import { visible } from '../../src/cli/render/visible.ts'

describe('visible', () => {
  test('leaves what people read as it is', () => {
    const plain = 'echo "Grüße" | tr a-z A-Z > \'x\' # 日本語 ✓ é 👍'
    expect(visible(plain)).toBe(plain)
  })
  test.each([
    '\u0000',
    '\u001b',
    '\u007f',
    '\u009b',
    '\u00ad',
    '\u061c',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u2028',
    '\u202e',
    '\u2066',
    '\u00a0',
    '\u2003',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\ufeff',
    '\ufff9',
    '\u{e0020}',
    '\u{e0100}',
    '\ud800',
    '\t',
    '\r',
  ])('writes %j as its number', (char) => {
    expect(visible(`a${char}b`)).toBe(`a<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>b`)
  })
  test('never shows two texts alike that a shell tells apart by a hidden character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}]/u.test(visible(text))),
      { seed: 7 },
    )
  })
})

describe('differences', () => {
  test('hold both texts whole, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differences(before, after)
        const of = (left: string) =>
          lines
            .filter(({ kind }) => kind !== left)
            .map(({ line }) => `${line}\n`)
            .join('')
        expect(of('added')).toBe(before)
        expect(of('removed')).toBe(after)
      }),
      { seed: 7 },
    )
  })
  test('say what stayed', () => {
    expect(differences('a\nb\nc\n', 'a\nx\nc\n').map(({ kind, line }) => `${kind} ${line}`)).toEqual(['same a', 'removed b', 'added x', 'same c'])
  })
  test('of two long texts take no time', () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join('\n')
    expect(differences(long('a'), long('b'))).toHaveLength(40_000)
  })
})
