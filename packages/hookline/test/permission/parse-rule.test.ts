/** Reading one rule: what it names, and what is said about a text that is none. */
import { describe, expect, test } from 'vitest'
import { parseRule } from '../../src/permission/parse-rule.ts'

describe('a rule is read as a tool and what stands between its brackets', () => {
  test.each([
    ['a bare tool', 'Bash', { text: 'Bash', tool: 'Bash' }],
    ['blanks around it', '  Bash ', { text: 'Bash', tool: 'Bash' }],
    ['a pattern', 'Bash(git push *)', { text: 'Bash(git push *)', tool: 'Bash', specifier: 'git push *' }],
    ['a star alone is the bare tool', 'Bash(*)', { text: 'Bash(*)', tool: 'Bash' }],
    ['a path', 'Edit(//etc/**)', { text: 'Edit(//etc/**)', tool: 'Edit', specifier: '//etc/**' }],
    ['brackets in pairs', 'Bash(echo (a) b)', { text: 'Bash(echo (a) b)', tool: 'Bash', specifier: 'echo (a) b' }],
    ['brackets written with a backslash', 'Bash(echo \\) \\()', { text: 'Bash(echo \\) \\()', tool: 'Bash', specifier: 'echo ) (' }],
    ['an MCP tool', 'mcp__my-mem__create_note', { text: 'mcp__my-mem__create_note', tool: 'mcp__my-mem__create_note' }],
    ['an MCP server', 'mcp__my-mem', { text: 'mcp__my-mem', tool: 'mcp__my-mem' }],
    ['all tools of an MCP server', 'mcp__my-mem__*', { text: 'mcp__my-mem__*', tool: 'mcp__my-mem__*' }],
    ['a glob over names', '*', { text: '*', tool: '*' }],
    ['joiners inside a pattern', 'Bash(a or b, c || d)', { text: 'Bash(a or b, c || d)', tool: 'Bash', specifier: 'a or b, c || d' }],
    ['a domain', 'WebFetch(domain:example.com)', { text: 'WebFetch(domain:example.com)', tool: 'WebFetch', specifier: 'domain:example.com' }],
  ])('%s', (_, text, rule) => {
    expect(parseRule(text)).toEqual({ kind: 'rule', rule })
  })
})

describe('several rules in one text are one fault, whatever joins them', () => {
  test.each([
    ['or', 'Bash(git commit*) or Bash(git status*)'],
    ['OR', 'Bash(a) OR Bash(b)'],
    ['and', 'Bash(a) and Edit(b)'],
    ['&&', 'Bash(a) && Edit(b)'],
    ['||', 'Bash(a)||Edit(b)'],
    ['a comma', 'Bash(a), Bash(b)'],
    ['a semicolon', 'Bash(a); Bash(b)'],
    ['a bar', 'Bash(a)|Bash(b)'],
    ['a blank', 'Bash(a) Bash(b)'],
    ['a bar between names', 'Bash|Edit'],
    ['a comma between names', 'Bash, Edit'],
    ['a blank between names', 'Bash Edit'],
    ['or between names', 'Bash or Edit(x)'],
  ])('%s', (_, text) => {
    expect(parseRule(text)).toMatchObject({ kind: 'fault', message: expect.stringContaining('`if` takes exactly one rule') })
  })

  test('a list of texts is the same fault', () => {
    expect(parseRule(['Bash', 'Edit'])).toMatchObject({ kind: 'fault', message: expect.stringContaining('exactly one rule') })
  })

  test('the fault stands where the second rule begins', () => {
    expect(parseRule('Bash(a) or Bash(b)')).toMatchObject({ offset: 7 })
  })
})

describe('a text that is no rule is a fault with a place', () => {
  test.each([
    ['empty', '', 'empty', 0],
    ['only blanks', '   ', 'empty', 0],
    ['an unclosed bracket', 'Bash(git push *', 'never closed', 4],
    ['text behind the bracket', 'Bash(a)!', 'after the closing bracket', 7],
    ['empty brackets', 'Bash()', 'are empty', 5],
    ['blank brackets', 'Bash( )', 'are empty', 5],
    ['no tool', '(git push)', 'no tool name', 0],
    ['a blank before the bracket', 'Bash (git push *)', 'blank between', 4],
    ['a regular expression', 'mcp__.*', 'regular expression', 5],
    ['the main field by name', 'Bash(command:git push*)', 'main field', 5],
    ['the path by name', 'Edit(file_path:/x)', 'main field', 5],
    ['no command before the star', 'Bash(:*)', 'no command', 5],
    ['a negated path', 'Edit(!src/**)', 'negated', 5],
    ['an address', 'WebFetch(https://x.test/*)', 'name a host', 9],
  ])('%s', (_, text, says, offset) => {
    expect(parseRule(text)).toMatchObject({ kind: 'fault', message: expect.stringContaining(says), offset })
  })

  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [7, 'number'],
    [{}, 'object'],
    [true, 'boolean'],
  ])('%s is no text', (value, named) => {
    expect(parseRule(value)).toMatchObject({ kind: 'fault', message: expect.stringContaining(`not ${named}`) })
  })
})
