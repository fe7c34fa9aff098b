/** Rules about tools other than the shell: names, families, MCP servers, paths, domains, arguments. */
import { describe, expect, test } from 'vitest'
import type { RuleCall } from '../../src/permission/call.ts'
import { matchRule } from '../../src/permission/match-rule.ts'

type Row = [rule: string, tool: string, input: Record<string, unknown>, expected: 'both' | 'deny' | 'allow' | 'none' | 'cannot tell']

function expectRow([rule, tool, input, expected]: Row, more: Partial<RuleCall> = {}) {
  const { deny, allow, certainty } = matchRule(rule, { tool, input, cwd: '/srv/app', root: '/srv/app', home: '/home/me', ...more })
  expect({ deny, allow, certainty }).toEqual({
    deny: expected === 'both' || expected === 'deny' || expected === 'cannot tell',
    allow: expected === 'both' || expected === 'allow',
    certainty: expected === 'cannot tell' ? 'conservative' : 'exact',
  })
}

const at = (file_path: string) => ({ file_path })

describe('a tool name', () => {
  test.each<Row>([
    ['Read', 'Read', at('/x'), 'both'],
    ['read', 'Read', at('/x'), 'none'],
    ['Edit', 'Write', at('/x'), 'both'],
    ['Edit', 'NotebookEdit', {}, 'both'],
    ['Edit', 'MultiEdit', at('/x'), 'both'],
    ['Write', 'Edit', at('/x'), 'none'],
    ['Read', 'Grep', {}, 'both'],
    ['Read', 'Glob', {}, 'both'],
    ['Read', 'LSP', {}, 'both'],
    ['Read', 'Edit', at('/x'), 'none'],
    ['Bash', 'Monitor', { command: 'x' }, 'both'],
    ['Bash(ls *)', 'Monitor', { command: 'ls -l' }, 'both'],
    ['Task', 'Agent', {}, 'both'],
    ['Agent', 'Task', {}, 'both'],
    ['*', 'Read', {}, 'deny'],
    ['Web*', 'WebSearch', {}, 'deny'],
    ['Bash', 'PowerShell', { command: 'x' }, 'none'],
  ])('%s against %s %j: %s', (...row) => expectRow(row))
})

describe('MCP servers and tools', () => {
  test.each<Row>([
    ['mcp__mem', 'mcp__mem__get', {}, 'both'],
    ['mcp__mem__*', 'mcp__mem__get', {}, 'both'],
    ['mcp__mem__get', 'mcp__mem__get', {}, 'both'],
    ['mcp__mem__get', 'mcp__mem__set', {}, 'none'],
    ['mcp__mem__get_*', 'mcp__mem__get_note', {}, 'both'],
    ['mcp__mem', 'mcp__memory__get', {}, 'none'],
    ['mcp__mem__*', 'mcp__memory__get', {}, 'none'],
    ['mcp__*', 'mcp__mem__get', {}, 'deny'],
    ['mcp__m*', 'mcp__mem__get', {}, 'deny'],
    ['mcp__*__delete', 'mcp__mem__delete', {}, 'deny'],
    ['mcp__mem__get(id:7)', 'mcp__mem__get', { id: 7 }, 'deny'],
    ['mcp__mem__get(id:7)', 'mcp__mem__get', { id: 8 }, 'none'],
  ])('%s against %s %j: %s', (...row) => expectRow(row))

  test('an allow rule for a server does not cover another server whose name goes on', () => {
    expectRow(['mcp__mem', 'mcp__mem__x__get', {}, 'deny'], { mcpServer: { name: 'mem__x' } })
    expectRow(['mcp__mem', 'mcp__mem__x__get', {}, 'both'], { mcpServer: { name: 'mem' } })
  })
})

describe('paths', () => {
  test.each<Row>([
    ['Edit(*.ts)', 'Edit', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(src/a.ts)', 'Edit', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(./src/a.ts)', 'Edit', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(/src/**)', 'Edit', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(//srv/app/src/**)', 'Edit', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(~/**)', 'Edit', at('/home/me/x'), 'both'],
    ['Edit(~/**)', 'Edit', at('/srv/app/x'), 'none'],
    ['Edit(~/.ssh/**)', 'Edit', at('~/.ssh/id'), 'both'],
    ['Edit(src/**)', 'Edit', at('/srv/app/src/a/b.ts'), 'both'],
    ['Edit(src/**)', 'Edit', at('/srv/app/pkg/src/a.ts'), 'deny'],
    ['Edit(**/src/**)', 'Edit', at('/srv/app/pkg/src/a.ts'), 'both'],
    ['Edit(a/b/**)', 'Edit', at('/srv/app/x/a/b/c'), 'none'],
    ['Edit(src/**)', 'Edit', at('src/a.ts'), 'both'],
    ['Edit(src/**)', 'Edit', at('/srv/app/lib/../src/a.ts'), 'both'],
    ['Edit(src/**)', 'Edit', at('/srv/app/src/../secret'), 'none'],
    ['Edit(src/**)', 'Edit', at('/srv/app/src/../../../etc/x'), 'none'],
    ['Edit(src/**)', 'Edit', at('/srv/application/src/a'), 'none'],
    ['Edit(../lib/**)', 'Edit', at('/srv/lib/a'), 'both'],
    ['Read(.env)', 'Read', at('/srv/app/a/.env'), 'both'],
    ['Read(.env)', 'Read', at('/elsewhere/.env'), 'none'],
    ['Read(//**/.env)', 'Read', at('/elsewhere/.env'), 'both'],
    ['Read(secrets)', 'Read', at('/srv/app/secrets/x'), 'both'],
    ['Read(#notes)', 'Read', at('/srv/app/#notes'), 'both'],
    ['Edit(src/**)', 'Write', at('/srv/app/src/a.ts'), 'both'],
    ['Edit(src/**)', 'NotebookEdit', { notebook_path: '/srv/app/src/a.ipynb' }, 'both'],
    ['Read(secret/**)', 'Edit', at('/srv/app/secret/a'), 'deny'],
    ['Read(secret/**)', 'Write', at('/srv/app/secret/a'), 'deny'],
    ['Edit(src/**)', 'Read', at('/srv/app/src/a'), 'allow'],
    ['Read(src/**)', 'Grep', { pattern: 'x', path: 'src' }, 'both'],
    ['Read(src/**)', 'Grep', { pattern: 'x' }, 'none'],
    ['Read(**)', 'Grep', { pattern: 'x' }, 'both'],
    ['Read(src/**)', 'Glob', { pattern: '*.ts', path: '/srv/app/src' }, 'both'],
    ['Read(src/**)', 'Glob', { pattern: '../../../etc/*', path: '/srv/app/src' }, 'deny'],
    ['Read(//etc/**)', 'Glob', { pattern: '/etc/*' }, 'deny'],
    ['Write(src/**)', 'Write', at('/srv/app/src/a'), 'deny'],
    ['Edit(SRC/**)', 'Edit', at('/srv/app/src/a'), 'cannot tell'],
    ['Edit(src/**)', 'Edit', {}, 'cannot tell'],
    ['Edit(src/**)', 'Edit', { file_path: 7 }, 'cannot tell'],
    ['Edit(//c/work/**)', 'Edit', at('C:\\work\\a.ts'), 'both'],
    ['Edit(replace_all:true)', 'Edit', { file_path: '/x', replace_all: true }, 'deny'],
    ['Edit(replace_all:true)', 'Edit', { file_path: '/x' }, 'none'],
  ])('%s against %s %j: %s', (...row) => expectRow(row))

  test('without the folder that a rule is relative to it cannot tell, unless no folder would do', () => {
    for (const rule of ['Edit(src/**)', 'Edit(/src/**)', 'Edit(~/src/**)', 'Edit(./src/*)']) {
      expect(matchRule(rule, { tool: 'Edit', input: at('/a/src/b') }), rule).toMatchObject({ deny: true, allow: false, certainty: 'conservative' })
      expect(matchRule(rule, { tool: 'Edit', input: at('/a/lib/b') }), rule).toMatchObject({ deny: false, allow: false })
    }
    expect(matchRule('Edit(//a/**)', { tool: 'Edit', input: at('/a/b') })).toMatchObject({ deny: true, allow: true })
    expect(matchRule('Edit(src/**)', { tool: 'Edit', input: at('src/a.ts') })).toMatchObject({ deny: true, allow: false })
    expect(matchRule('Edit(//etc/**)', { tool: 'Edit', input: at('~/x') })).toMatchObject({ deny: true, certainty: 'conservative' })
  })

  test.each<Row>([
    ['Edit(*.env)', 'Bash', { command: 'echo x > .env' }, 'deny'],
    ['Edit(*.env)', 'Bash', { command: 'echo x >> a/b.env' }, 'deny'],
    ['Edit(*.env)', 'Bash', { command: 'echo x > out.txt' }, 'none'],
    ['Edit(*.env)', 'Bash', { command: 'cat .env' }, 'none'],
    ['Edit(*.env)', 'Bash', { command: 'echo x > $FILE' }, 'cannot tell'],
    ['Edit(//etc/**)', 'Bash', { command: 'cd /etc && echo x > passwd' }, 'cannot tell'],
    ['Edit(//etc/**)', 'Bash', { command: 'cd / && echo x > /etc/passwd' }, 'deny'],
    ['Edit(//dev/**)', 'Bash', { command: 'ls > /dev/null 2>&1' }, 'none'],
  ])('a redirect is an edit: %s against %s %j: %s', (...row) => expectRow(row))
})

describe('domains, subagents, skills, arguments', () => {
  const web = (url: string) => ({ url, prompt: 'p' })
  test.each<Row>([
    ['WebFetch(domain:example.com)', 'WebFetch', web('https://example.com/x'), 'both'],
    ['WebFetch(domain:Example.COM)', 'WebFetch', web('https://EXAMPLE.com./x'), 'both'],
    ['WebFetch(domain:example.com)', 'WebFetch', web('https://a.example.com'), 'none'],
    ['WebFetch(domain:example.com)', 'WebFetch', web('https://example.com.evil.test'), 'none'],
    ['WebFetch(domain:example.com)', 'WebFetch', web('https://example.com@evil.test'), 'none'],
    ['WebFetch(domain:*.example.com)', 'WebFetch', web('https://a.b.example.com'), 'both'],
    ['WebFetch(domain:*.example.com)', 'WebFetch', web('https://example.com'), 'none'],
    ['WebFetch(domain:*.example.com)', 'WebFetch', web('https://evilexample.com'), 'none'],
    ['WebFetch(domain:api-*.example.com)', 'WebFetch', web('https://api-1.example.com'), 'both'],
    ['WebFetch(domain:api-*.example.com)', 'WebFetch', web('https://api-1.x.example.com'), 'none'],
    ['WebFetch(domain:münchen.test)', 'WebFetch', web('https://xn--mnchen-3ya.test'), 'both'],
    ['WebFetch(domain:example.com)', 'WebFetch', web('no address'), 'cannot tell'],
    ['WebFetch(prompt:p)', 'WebFetch', web('https://x.test'), 'deny'],
    ['Agent(Explore)', 'Agent', { subagent_type: 'Explore' }, 'both'],
    ['Agent(Explore)', 'Agent', { subagent_type: 'Plan' }, 'none'],
    ['Task(Explore)', 'Agent', { subagent_type: 'Explore' }, 'both'],
    ['Agent(team:review)', 'Agent', { subagent_type: 'team:review' }, 'both'],
    ['Agent(model:opus)', 'Agent', { subagent_type: 'x', model: 'opus' }, 'deny'],
    ['Skill(commit)', 'Skill', { skill: 'commit' }, 'both'],
    ['Skill(commit)', 'Skill', { skill: '/commit' }, 'both'],
    ['Skill(commit)', 'Skill', { skill: 'commit', args: '-a' }, 'deny'],
    ['Skill(review *)', 'Skill', { skill: 'review', args: '7' }, 'both'],
    ['Skill(review *)', 'Skill', { skill: 'reviewer' }, 'none'],
    ['WebSearch(query:secret*)', 'WebSearch', { query: 'secret plans' }, 'deny'],
    ['WebSearch(query:secret*)', 'WebSearch', { query: 'weather' }, 'none'],
    ['WebSearch(query:x)', 'WebSearch', {}, 'none'],
    ['WebSearch(query:x)', 'WebSearch', { query: ['x'] }, 'none'],
    ['MyTool(something)', 'MyTool', {}, 'cannot tell'],
    ['Bash(run_in_background:true)', 'Bash', { command: 'ls', run_in_background: true }, 'deny'],
    ['Bash(timeout:*)', 'Bash', { command: 'ls', timeout: 5 }, 'none'],
    ['Bash(ls *)', 'Bash', {}, 'cannot tell'],
    ['PowerShell(Get-ChildItem *)', 'PowerShell', { command: 'get-childitem x' }, 'both'],
    ['PowerShell(Get-ChildItem *)', 'PowerShell', { command: 'get-childitem x; rm y' }, 'deny'],
    ['PowerShell(Remove-Item *)', 'PowerShell', { command: 'iex $x' }, 'cannot tell'],
    ['PowerShell(Remove-Item *)', 'PowerShell', { command: 'Get-Date' }, 'none'],
  ])('%s against %s %j: %s', (...row) => expectRow(row))
})

test('a rule that does not parse matches nothing and says why', () => {
  expect(matchRule('Bash(git push', { tool: 'Bash', input: { command: 'git push' } })).toMatchObject({
    deny: false,
    allow: false,
    why: expect.stringContaining('never closed'),
  })
})

test('an argument that only the prototype has is no argument', () => {
  expectRow(['MyTool(toString:*)', 'MyTool', {}, 'none'])
})

test('a call that the host changes and asks about again is looked at anew', () => {
  const call = { tool: 'Edit', input: { file_path: 'a.ts' }, cwd: '/repo/src', realPath: (path: string) => path }
  expect(matchRule('Edit(//repo/src/**)', call).deny).toBe(true)
  call.cwd = '/repo/docs'
  expect(matchRule('Edit(//repo/src/**)', call).deny).toBe(false)
  call.realPath = (path) => path.replace('/repo/docs', '/repo/src')
  expect(matchRule('Edit(//repo/src/**)', call).deny).toBe(true)
})
