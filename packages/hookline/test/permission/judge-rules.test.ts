/** Lists of rules: deny, then ask, then allow, whatever their order and how exact they are. */
import { describe, expect, test } from 'vitest'
import { judgeRules, type ListedRule } from '../../src/permission/judge-rules.ts'
import { parseRule } from '../../src/permission/parse-rule.ts'

function list(rules: Partial<Record<'deny' | 'ask' | 'allow', string[]>>, more: Partial<ListedRule> = {}): ListedRule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((name) =>
    (rules[name] ?? []).map((text) => {
      const parsed = parseRule(text)
      if (parsed.kind === 'fault') throw new Error(parsed.message)
      return { list: name, rule: parsed.rule, ...more }
    }),
  )
}

const bash = (command: string) => ({ tool: 'Bash', input: { command }, cwd: '/repo/app' })

describe('the first list with a hit decides', () => {
  test.each([
    ['deny over allow', { deny: ['Bash(curl *)'], allow: ['Bash(curl *)'] }, 'curl x', 'deny'],
    ['a wide deny over a narrow allow', { deny: ['Bash'], allow: ['Bash(git status)'] }, 'git status', 'deny'],
    ['ask over allow', { ask: ['Bash(git push *)'], allow: ['Bash(git *)'] }, 'git push', 'ask'],
    ['deny over ask', { deny: ['Bash(git push *)'], ask: ['Bash'] }, 'git push', 'deny'],
    ['allow alone', { allow: ['Bash(git *)'] }, 'git status', 'allow'],
    ['no hit', { deny: ['Bash(curl *)'], allow: ['Bash(git *)'] }, 'ls', 'passthrough'],
    ['no rules', {}, 'ls', 'passthrough'],
    ['one denied part of many', { deny: ['Bash(curl *)'], allow: ['Bash'] }, 'ls && curl x', 'deny'],
    ['a command that cannot be read', { deny: ['Bash(curl *)'], allow: ['Bash(ls *)'] }, 'ls $(', 'deny'],
    ['several allow rules together', { allow: ['Bash(npm test *)', 'Bash(git status)'] }, 'npm test && git status', 'allow'],
    ['a part that no allow rule covers', { allow: ['Bash(npm test *)', 'Bash(git status)'] }, 'npm test && git push', 'passthrough'],
    ['a redirect without a permission', { allow: ['Bash(echo *)'] }, 'echo x > out/a', 'passthrough'],
    ['a redirect with a permission', { allow: ['Bash(echo *)', 'Edit(out/**)'] }, 'echo x > out/a', 'allow'],
    ['a redirect to another place', { allow: ['Bash(echo *)', 'Edit(out/**)'] }, 'echo x > /etc/a', 'passthrough'],
    ['a redirect that is denied', { deny: ['Edit(*.env)'], allow: ['Bash(echo *)', 'Edit'] }, 'echo x > .env', 'deny'],
    ['an Edit rule alone permits no command', { allow: ['Edit'] }, 'echo x > a', 'passthrough'],
  ])('%s', (_, rules, command, behavior) => {
    expect(judgeRules(list(rules), bash(command)).behavior).toBe(behavior)
  })
})

test('the reason names the rule, its place, and what it saw', () => {
  const lists = list({ deny: ['Bash(git push *)'] }, { source: { id: 'project', kind: 'project', file: '.claude/settings.json', line: 4, column: 7 } })
  const { rule, reason } = judgeRules(lists, bash('sudo git push origin'))
  expect(rule?.text).toBe('Bash(git push *)')
  expect(reason).toBe('Denied by the rule "Bash(git push *)" (project settings, .claude/settings.json:4): "git push origin" is covered by "git push *"')
})

test('a rule that is sure gives the reason before one that only cannot tell', () => {
  expect(judgeRules(list({ deny: ['Bash(curl *)', 'Bash(ls *)'] }), bash('ls $(')).rule?.text).toBe('Bash(ls *)')
})

test('a path with one slash is relative to the folder of the rule', () => {
  const call = { tool: 'Edit', input: { file_path: '/repo/app/pkg/src/a.ts' }, cwd: '/repo/app' }
  expect(judgeRules(list({ allow: ['Edit(/src/**)'] }, { root: '/repo/app/pkg' }), call).behavior).toBe('allow')
  expect(judgeRules(list({ allow: ['Edit(/src/**)'] }, { root: '/repo/app' }), call).behavior).toBe('passthrough')
})

describe('a rule below a home folder that is a link', () => {
  const realPath = (path: string) => path.replace(/^\/home\/ann(?=\/|$)/, '/data/ann')
  const read = (path: string) => ({ tool: 'Read', input: { file_path: path }, cwd: '/repo/app', root: '/repo', home: '/home/ann', realPath })

  test.each([
    ['as the rule has it', ['Read(~/private/**)'], '~/private/a', 'deny'],
    ['through the link', ['Read(~/private/**)'], '/home/ann/private/a', 'deny'],
    ['where it really is', ['Read(~/private/**)'], '/data/ann/private/a', 'deny'],
    ['beside other rules, which know of no home', ['Read(/secret/**)', 'Read(src/**)', 'Read(~/private/**)'], '/data/ann/private/a', 'deny'],
    ['under an absolute rule', ['Read(//data/ann/private/**)'], '~/private/a', 'deny'],
    ['of a folder beside it', ['Read(~/private/**)'], '/data/ann/public/a', 'passthrough'],
    ['of a path that only ends alike', ['Read(src/**)', 'Read(~/private/**)'], '/private/a', 'passthrough'],
  ])('%s', (_, deny, path, behavior) => {
    expect(judgeRules(list({ deny }), read(path)).behavior).toBe(behavior)
    expect(judgeRules(list({ deny: [...deny].reverse() }), read(path)).behavior).toBe(behavior)
  })
})
