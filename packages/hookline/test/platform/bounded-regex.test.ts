/** Patterns with a time limit. */
import { describe, expect, test } from 'vitest'
import { createBoundedRegex } from '../../src/platform/bounded-regex.ts'

describe('a bounded pattern', () => {
  const bounded = createBoundedRegex()
  test('answers as the pattern would', () => {
    expect([bounded('^(?!Read$).*', 'ReadMcp'), bounded('^(?!Read$).*', 'Read'), bounded('(a)\\1', 'aa')]).toEqual([true, false, true])
  })
  const endless: [string, string][] = [
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['(x+x+)+y', 'x'.repeat(60)],
    ['^(?:(?:a{1,20}){1,20}){1,20}$', `${'a'.repeat(40)}!`],
  ]
  test.each(endless)('ends %s at its limit', (source, value) => {
    const start = performance.now()
    expect(bounded(source, value)).toBe(null)
    expect(performance.now() - start).toBeLessThan(500)
  })
  test('answers again after one that was ended', () => {
    expect(bounded('b', 'abc')).toBe(true)
  })
  test('keeps answering for many patterns', () => {
    for (let index = 0; index < 500; index++) expect(bounded(`^x${index}$`, `x${index}`)).toBe(true)
  })
})
