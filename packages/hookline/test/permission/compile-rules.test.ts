/** Lists of rules that a host asks by itself. */
import { describe, expect, test } from 'vitest'
import { compileRules } from '../../src/index.ts'

const said = (rules: Parameters<typeof compileRules>[0], command: string) => compileRules(rules)({ tool: 'Bash', input: { command }, cwd: '/w' }).behavior

describe('Compiled rules', () => {
  test.each([
    ['an allow', { allow: ['Bash(ls:*)'] }, 'ls -l', 'allow'],
    ['two allows for two commands', { allow: ['Bash(ls:*)', 'Bash(pwd)'] }, 'ls && pwd', 'allow'],
    ['a command that no rule covers', { allow: ['Bash(ls:*)'] }, 'ls; rm x', 'passthrough'],
    ['a file that no rule covers', { allow: ['Bash(ls:*)'] }, 'ls > x', 'passthrough'],
    ['a deny before an allow', { allow: ['Bash'], deny: ['Bash(rm:*)'] }, 'ls; rm x', 'deny'],
    ['an ask before an allow', { allow: ['Bash'], ask: ['Bash(git push:*)'] }, 'git push', 'ask'],
    ['no rule', {}, 'ls', 'passthrough'],
  ] as const)('say of %s what permission lists would', (_, rules, command, expected) => {
    expect(said(rules, command)).toBe(expected)
  })

  test('that do not parse are a mistake of the host', () => {
    expect(() => compileRules({ deny: ['Bash('] })).toThrow('cannot be used')
  })
})
