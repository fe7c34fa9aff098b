/** Telling printed text, one JSON object and broken output apart; decision fields that stand twice. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepStricter } from '../../src/engine/duplicate-keys.ts'
import { closesAt, scanObject, whereJsonBreaks } from '../../src/engine/read-json.ts'
import { readOutput } from '../../src/engine/read-output.ts'

describe('readOutput', () => {
  const rows: [string, string, object][] = [
    ['nothing', ' \n\t', { kind: 'empty' }],
    ['a byte order mark alone', '\ufeff', { kind: 'empty' }],
    ['text', 'hello', { kind: 'text', text: 'hello', braced: false }],
    ['a list', '[1]', { kind: 'text', braced: false }],
    ['a string', '"deny"', { kind: 'text', braced: false }],
    ['an object', '{"a":1}', { kind: 'object', value: { a: 1 }, repeated: [], depth: 1 }],
    ['an object followed by text', '{"continue":false} bye', { kind: 'text', braced: true, answerAt: 'start' }],
    ['an object followed by a zero byte', '{"continue":false}\u0000', { kind: 'text', braced: true, answerAt: 'start' }],
    ['text before an object', 'hi\n  {"continue":false}', { kind: 'text', braced: false, answerAt: 'inside' }],
    ['braces that are no object', '{hello} world', { kind: 'text', braced: true }],
    ['a brace in a string does not close', '{"a":"}" x', { kind: 'broken', why: expect.stringContaining('not complete') }],
    ['an object that never closes', '{"a":[1,', { kind: 'broken', braced: true }],
    ['an open string', '{"a":"', { kind: 'broken', braced: true }],
    ['a trailing comma', '{"a":1,}', { kind: 'broken', why: 'JSON that does not parse: "}" at position 7' }],
    ['a comment', '{"a":1 // x\n}', { kind: 'broken', why: 'JSON that does not parse: "/" at position 7' }],
    ['NaN', '{"a":NaN}', { kind: 'broken', why: 'JSON that does not parse: "N" at position 5' }],
    ['two objects on one line', '{"a":1}{"b":2}', { kind: 'broken' }],
    ['log lines that are JSON', '{"level":1}\n\n{"level":2}\r\n', { kind: 'text', braced: true }],
    ['log lines with an answer among them', '{"level":1}\n{"decision":"block"}', { kind: 'broken', why: expect.stringContaining('2 lines of JSON') }],
  ]
  it.each(rows)('%s', (_, printed, expected) => {
    expect(readOutput(printed, 'Stop')).toMatchObject(expected)
  })
})

describe('keepStricter', () => {
  const rows: [string, string, object, string[], boolean][] = [
    ['nothing twice', '{"decision":"block"}', { decision: 'block' }, [], false],
    ['an unknown key twice', '{"a":1,"a":2}', { a: 2 }, [], false],
    ['block before approve', '{"decision":"block","decision":"approve"}', { decision: 'block' }, ['decision'], true],
    ['false before true', '{"continue":false,"continue":true}', { continue: false }, ['continue'], true],
    ['not ok before ok', '{"ok":true,"ok":false}', { ok: false }, ['ok'], true],
    ['what nobody understands before what permits', '{"ok":"yes","ok":true}', { ok: 'yes' }, ['ok'], true],
    ['the same twice', '{"ok":true,"ok":true}', { ok: true }, ['ok'], false],
    ['an escaped spelling', '{"\\u006fk":true,"o\\u006b":false}', { ok: false }, ['ok'], true],
    [
      'deny before allow',
      '{"hookSpecificOutput":{"hookEventName":"E","permissionDecision":"deny","permissionDecision":"allow"}}',
      { hookSpecificOutput: { hookEventName: 'E', permissionDecision: 'deny' } },
      ['permissionDecision'],
      true,
    ],
    ['decline before accept', '{"hookSpecificOutput":{"action":"decline","action":"accept"}}', { hookSpecificOutput: { action: 'decline' } }, ['action'], true],
    [
      'a denied behavior',
      '{"hookSpecificOutput":{"decision":{"behavior":"deny","behavior":"allow"}}}',
      { hookSpecificOutput: { decision: { behavior: 'deny' } } },
      ['behavior'],
      true,
    ],
    [
      'a denied decision object',
      '{"hookSpecificOutput":{"decision":{"behavior":"deny"},"decision":{"behavior":"allow"}}}',
      { hookSpecificOutput: { decision: { behavior: 'deny' } } },
      ['decision'],
      true,
    ],
    [
      'the envelope that denies',
      '{"hookSpecificOutput":{"hookEventName":"E","permissionDecision":"deny"},"hookSpecificOutput":{"hookEventName":"E","permissionDecision":"allow"}}',
      { hookSpecificOutput: { hookEventName: 'E', permissionDecision: 'deny' } },
      ['hookSpecificOutput'],
      true,
    ],
    [
      'the envelope for this event',
      '{"hookSpecificOutput":{"hookEventName":"E","permissionDecision":"ask"},"hookSpecificOutput":{"hookEventName":"Other","permissionDecision":"deny"}}',
      { hookSpecificOutput: { hookEventName: 'E', permissionDecision: 'ask' } },
      ['hookSpecificOutput'],
      true,
    ],
  ]
  it.each(rows)('keeps %s', (_, text, value, repeated, contradicts) => {
    expect(keepStricter(text, 'E')).toMatchObject({ repeated, contradicts })
    expect(keepStricter(text, 'E').value).toEqual(value)
  })

  it('reads a decision nested elsewhere as no decision', () => {
    const text = '{"a":{"ok":false},"ok":true,"b":[{"ok":false}]}'
    expect(keepStricter(text, 'E')).toMatchObject({ value: { ok: true }, repeated: [] })
  })

  it('stays linear and never deep: 100,000 repetitions, 200,000 levels, a million backslashes', () => {
    const many = `{${'"ok":false,"x":"y",'.repeat(40_000)}"ok":true}`
    expect(keepStricter(many, 'E').value).toEqual({ ok: false, x: 'y' })
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"ok":false,"ok":true}`
    expect(keepStricter(deep, 'E')).toMatchObject({ repeated: ['ok'], depth: 200_001 })
    const slashes = `{"a":"${'\\\\'.repeat(400_000)}","ok":false,"ok":true}`
    expect(keepStricter(slashes, 'E').value['ok']).toBe(false)
    expect(whereJsonBreaks('{"a":'.repeat(100_000))).toBe(500_000)
    expect(closesAt('{'.repeat(500_000), 0)).toBe(-1)
  })
})

describe('the scanners', () => {
  it('find the members that JSON.parse finds, whatever the spacing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c"', '\\', 'é'), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { members } = scanObject(text, 0, new Set(['a', 'c"', '\\', 'é']))
        const found = Object.fromEntries(members.map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end)) as unknown]))
        const { b: _, ...rest } = JSON.parse(text) as Record<string, unknown>
        expect(found).toEqual(rest)
      }),
    )
  })

  it('agree with JSON.parse about whole texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(whereJsonBreaks(text)).toBe(text.length)
      }),
    )
  })

  it('point at or before the end of a cut text, and never at a place that is fine', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), fc.constantFrom('', '}', 'x', ',', '"'), (value, at, junk) => {
        const whole = JSON.stringify(value)
        const cut = whole.slice(0, at % whole.length)
        const where = whereJsonBreaks(cut + junk)
        expect(where).toBeLessThanOrEqual(cut.length + junk.length)
      }),
    )
  })

  it.each([
    ['{', 1],
    ['{"a"', 4],
    ['{"a":}', 5],
    ['{"a":1 "b":2}', 7],
    ['{a:1}', 1],
    ['{"a":01}', 6],
    ['[1,]', 3],
    ['{"a":1}}', 7],
    ['{"a":tru}', 5],
    ["{'a':1}", 1],
  ])('%s breaks at %i', (text, at) => {
    expect(whereJsonBreaks(text)).toBe(at)
  })
})
