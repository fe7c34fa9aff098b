/** Reading settings text: places, what is tolerated, what is refused, and keys that must stay data. */
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../src/config/read-settings.ts'
import { plainOf } from '../../src/config/tree.ts'

const read = (text: string) => {
  const { tree, findings } = readSettings(text, 's.json')
  return { value: tree === undefined ? undefined : plainOf(tree), findings: findings.list, tree, locate: findings.locate }
}
const summary = (text: string) => read(text).findings.map(({ severity, code, line, column }) => `${line}:${column} ${severity} ${code}`)

describe('a text', () => {
  const rows: [name: string, text: string, value: unknown, findings: string[]][] = [
    ['a sound object', '{"a": [1, true, null, "x"]}', { a: [1, true, null, 'x'] }, []],
    ['a byte-order mark and CRLF', '\uFEFF{\r\n "a": 1\r\n}\r\n', { a: 1 }, []],
    ['a line comment', '{\n  // why\n  "a": 1 }', { a: 1 }, ['2:3 warning comment']],
    ['several comments are mentioned once', '/* x */ { // y\n "a": 1 }', { a: 1 }, ['1:1 warning comment']],
    ['a trailing comma', '{"a": [1,],\n}', { a: [1] }, ['1:9 warning trailing-comma', '1:11 warning trailing-comma']],
    ['a comma before a comment and a bracket', '{"a": 1, /* x */ }', { a: 1 }, ['1:8 warning trailing-comma', '1:10 warning comment']],
    ['a key that stands twice: the last counts', '{"a": 1,\n"b": 2,\n"a": 3}', { b: 2, a: 3 }, ['3:1 warning duplicate-key']],
    ['an escaped spelling of the same key', '{"a": 1, "\\u0061": 2}', { a: 2 }, ['1:10 warning duplicate-key']],
    ['nothing', '', undefined, ['1:1 error invalid-json']],
    ['blanks', ' \n', undefined, ['1:1 error invalid-json']],
    ['null', 'null\n', undefined, ['1:1 error not-an-object']],
    ['a list', '\n []', undefined, ['2:2 error not-an-object']],
    ['a half-written file', '{"hooks": {"Stop": [{', undefined, ['1:22 error invalid-json']],
    ['text after the object', '{} x', undefined, ['1:4 error invalid-json']],
    ['single quotes', "{'a': 1}", undefined, ['1:2 error invalid-json']],
    ['an unclosed comment', '{} /* x', undefined, ['1:4 warning comment', '1:4 error invalid-json']],
  ]
  test.each(rows)('%s', (_name, text, value, findings) => {
    const got = read(text)
    expect(got.value === undefined ? undefined : JSON.parse(JSON.stringify(got.value))).toEqual(value)
    expect(summary(text).sort()).toEqual([...findings].sort())
  })
})

describe('places', () => {
  const line = '{ "é😀": "x",'
  const newlines: [string, string][] = [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ]
  test.each(newlines)('count from 1, in UTF-16 units, over %s', (_name, newline) => {
    const { tree, locate } = read(['\uFEFF{', '  "a": 1,', '  "é😀": "b", "c": {', '    "d": 2 } }'].join(newline))
    const entries = tree?.entries ?? []
    expect(entries.map(({ keyAt }) => locate(keyAt))).toEqual([
      { line: 2, column: 3 },
      { line: 3, column: 3 },
      { line: 3, column: 15 },
    ])
    const inner = entries[2]?.value
    expect(inner?.kind === 'object' ? locate(inner.entries[0]?.keyAt ?? -1) : undefined).toEqual({ line: 4, column: 5 })
  })
  test('of the first key after a byte-order mark do not count the mark', () => {
    const { tree, locate } = read(`\uFEFF${line} "b": 1 }`)
    expect(locate(tree?.entries[0]?.keyAt ?? -1)).toEqual({ line: 1, column: 3 })
  })
})

describe('limits', () => {
  test('a file over 10 MB is refused', () => {
    expect(summary(`{"a": "${'x'.repeat(10_000_000)}"}`)).toEqual(['undefined:undefined error too-large'])
  })
  test('the limit counts bytes, not characters', () => {
    expect(read(`{"a": "${'é'.repeat(5_000_000)}"}`).findings[0]?.code).toBe('too-large')
    expect(read(`{"a": "${'é'.repeat(4_000_000)}"}`).findings).toEqual([])
  })
  test('64 levels are read, 65 are refused, and 100,000 do not exhaust the stack', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(read(nested(64)).findings).toEqual([])
    expect(read(nested(65)).findings.map(({ code }) => code)).toEqual(['too-deep'])
    expect(read('['.repeat(100_000)).findings.map(({ code }) => code)).toEqual(['too-deep'])
  })
  test('a file that is wrong in a million places does not fill the memory', () => {
    expect(read(`{${'"a": 1,'.repeat(100_000)} "b": 1}`).findings.length).toBe(1_000)
  })
})

describe('keys that every object has', () => {
  test('are data, and no prototype is set', () => {
    const { value } = read('{"__proto__": {"polluted": 1}, "constructor": 2, "prototype": 3}')
    expect(Object.getPrototypeOf(value)).toBe(null)
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'prototype'])
    expect((value as { polluted?: unknown }).polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
