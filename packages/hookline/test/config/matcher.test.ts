/** Matchers: the shared cases, the rules beside them, and the limits. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchValue } from '../../src/config/match-value.ts'
import { compileMatcher } from '../../src/config/matcher.ts'
import { runsBounded } from '../../src/config/pattern-cost.ts'
import { createBoundedRegex } from '../../src/platform/bounded-regex.ts'

interface Case {
  id: string
  kind: string
  event: 'PreToolUse'
  matcher: unknown
  value: string
  matchesExtended: boolean | null
  error?: string | null
  warn?: boolean
  maxMs?: number
}
const { cases } = JSON.parse(readFileSync(new URL('../data/cases/matchers.json', import.meta.url), 'utf8')) as { cases: Case[] }
const bounded = createBoundedRegex()

describe('the shared cases', () => {
  test('are all here', () => {
    expect(cases.length).toBeGreaterThan(60)
  })
  test.each(cases.map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const start = performance.now()
    const answer = matchValue(row.event, row.matcher, { value: row.value, bounded })
    if (row.maxMs !== undefined) {
      expect([row.matchesExtended, null]).toContain(answer.matches)
      expect(performance.now() - start).toBeLessThan(row.maxMs * 10)
    } else expect(answer.matches).toBe(row.matchesExtended)
    if (row.kind === 'invalid') expect(answer).toMatchObject({ kind: 'invalid', error: row.error })
    if (row.warn) expect(compileMatcher(row.matcher, { bounded }).warning).toBeDefined()
  })
})

describe('names', () => {
  const tools: [string, string, boolean][] = [
    ['Task', 'Agent', true],
    ['Agent', 'Task', true],
    ['Bash, Task', 'Agent', true],
    ['^Task$', 'Agent', true],
    ['^Agent$', 'Task', true],
    ['Task', 'TaskCreate', false],
  ]
  test.each(tools)('of tools: %s against %s is %s', (matcher, value, expected) => {
    expect(compileMatcher(matcher, { tools: true }).test(value)).toBe(expected)
  })
  test('of other things have no aliases', () => {
    expect(compileMatcher('Task').test('Agent')).toBe(false)
  })
  test.each(['Edit|', '|Edit', 'Edit,,Write', '|', ' '])('an empty member in "%s" matches nothing and is mentioned', (matcher) => {
    const compiled = compileMatcher(matcher)
    expect(compiled.test('')).toBe(false)
    expect(compiled.warning).toBeDefined()
  })
  test('in the narrow set only bars separate', () => {
    expect(compileMatcher('a|b', { narrow: true })).toMatchObject({ kind: 'list', names: ['a', 'b'] })
    expect(compileMatcher('a,b', { narrow: true }).kind).toBe('regex')
    expect(compileMatcher('a-b', { narrow: true }).test('xa-by')).toBe(true)
  })
})

describe('patterns', () => {
  const native = ['^mcp__', 'Edit.*', '^(Read|Glob|Grep)$', '[Bb]ash', 'a{3}', 'a+?b', '\\bEdit\\b', '^(?:Edit|Write)', '[*+(]x*', 'Bash?', '(?<name>x)']
  test.each(native)('"%s" runs without a limit', (pattern) => {
    expect(runsBounded(pattern)).toBe(true)
    expect(compileMatcher(pattern).kind).toBe('regex')
  })
  const needLimit = [
    '(a+)+',
    '^(?!Read$).*',
    'a*b*',
    '(ab)*',
    '(x)\\1',
    '(?<=a)b',
    '(?<!a)b',
    '(?<n>a)\\k<n>',
    'a+b{2,}',
    `${'(a|a)'.repeat(30)}b`,
    `${'a?'.repeat(30)}b`,
  ]
  test.each(needLimit)('"%s" needs a limit, and is refused where there is none', (pattern) => {
    expect(runsBounded(pattern)).toBe(false)
    expect(compileMatcher(pattern)).toMatchObject({ kind: 'invalid', error: 'unbounded' })
    expect(compileMatcher(pattern, { bounded }).kind).toBe('regex')
  })
  test('a value over 256 characters cannot be told', () => {
    expect(compileMatcher('x.*', { bounded }).test('x'.repeat(257))).toBe(null)
    expect(compileMatcher('x.*', { bounded }).test('x'.repeat(256))).toBe(true)
  })
  test('a pattern that does not end cannot be told, and is asked again later', () => {
    let calls = 0
    const slow = compileMatcher('(a+)+$', {
      bounded: () => {
        calls += 1
        return calls === 1 ? null : true
      },
    })
    expect([slow.test('a'), slow.test('a'), slow.test('a')]).toEqual([null, true, true])
    expect(calls).toBe(2)
  })
  test('what looks like a permission rule is mentioned', () => {
    expect(compileMatcher('Bash(git push*)').warning).toContain('"if"')
  })
  test('an unknown event is a mistake of the caller', () => {
    expect(() => matchValue('PreToolUze' as 'PreToolUse', 'Bash', 'Bash')).toThrow(
      expect.objectContaining({ code: 'unknown-event', hint: 'Did you mean "PreToolUse"?' }),
    )
  })
})
