/** Text for a terminal: nothing steers it, nothing hides, and a line stays one line. */
import { describe, expect, test } from 'vitest'
import { isDumb, oneLine, paintFor, safe, safeJson, safePieces } from '../../../src/faces/terminal/text.ts'

const hostile: [string, string, string][] = [
  ['colours', '\u001b[31mred', '\\u001b[31mred'],
  ['the title', '\u001b]0;x\u0007', '\\u001b]0;x\\u0007'],
  ['a carriage return', 'rm -rf /\rls', 'rm -rf /\\u000dls'],
  ['a backspace', 'abc\b\b', 'abc\\u0008\\u0008'],
  ['the 8-bit control sequence', '\u009b2J', '\\u009b2J'],
  ['a turned direction', 'a\u202eb', 'a\\u202eb'],
  ['an isolate', 'a\u2066b', 'a\\u2066b'],
  ['no width', 'a\u200bb', 'a\\u200bb'],
  ['tag letters', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['half a pair', 'a\ud83db', 'a\\ud83db'],
]

describe('A text', () => {
  test.each(hostile)('shows %s instead of obeying', (_, text, expected) => {
    expect(safe(text)).toBe(expected)
  })
  test.each([
    ['lines and tabs', 'a\n\tb'],
    ['letters of everywhere', 'é 完成 שלום ß'],
    ['pictures', '✅ 🎉'],
  ])('keeps %s', (_, text) => {
    expect(safe(text)).toBe(text)
  })
  test('that comes in pieces may be cut anywhere', () => {
    const piece = safePieces()
    expect(['a\r', '\nb\r', 'c', '\ud83c', '\udf89'].map(piece).join('')).toBe('a\nb\\u000dc🎉')
  })
})

describe('JSON', () => {
  test.each(hostile)('with %s steers no terminal and says the same', (_, text) => {
    const json = safeJson(JSON.stringify({ text }))
    expect(JSON.parse(json)).toEqual({ text })
    expect(json).toMatch(/^[\u0020-\u007e]*$/)
  })
})

describe('One line', () => {
  test.each<[string, string, number, string]>([
    ['that fits', 'ls -la', 10, 'ls -la'],
    ['that fits exactly', 'ls -la', 6, 'ls -la'],
    ['that is too long', 'ls -la /tmp', 6, 'ls -l…'],
    ['of several', ' a\n  b\t c ', 10, 'a b c'],
    ['of letters two cells wide', '完成完成', 5, '完成…'],
    ['of such letters that fit', '完成', 4, '完成'],
    ['with marks that take no cell', 'e\u0301e\u0301', 2, 'e\u0301e\u0301'],
    ['without any room', 'abc', 0, ''],
    ['with less than no room', 'abc', -3, ''],
    ['with room for one', 'abc', 1, '…'],
  ])('%s', (_, text, width, expected) => {
    expect(oneLine(text, width)).toBe(expected)
  })
})

describe('Colours', () => {
  test.each<[string, Record<string, string>, boolean, boolean]>([
    ['are there', {}, true, true],
    ['are off with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['are there with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['are off where the terminal is dumb', { TERM: 'dumb' }, true, false],
    ['are off when the words say so', {}, false, false],
  ])('%s', (_, env, wanted, expected) => {
    expect(paintFor(env, wanted)('red', 'x').includes('\u001b')).toBe(expected)
  })
  test('and lines that move need a terminal that can', () => {
    expect([isDumb({ TERM: 'dumb' }), isDumb({ TERM: 'xterm' }), isDumb({})]).toEqual([true, false, false])
  })
})
