/** Lists that were made ready: what is left out because of a tool's or a program's name would have said no. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RuleCall } from '../../src/permission/call.ts'
import { readingOf } from '../../src/permission/call.ts'
import { joinLists, listHostRules } from '../../src/permission/host-rules.ts'
import { judgeRules, type ListedRule } from '../../src/permission/judge-rules.ts'
import { lookAt, patternOf } from '../../src/permission/look.ts'
import { parseRule } from '../../src/permission/parse-rule.ts'
import { lookAtPath } from '../../src/permission/path-rule.ts'
import { rulesAbout } from '../../src/permission/rule-table.ts'
import { coversCommand } from '../../src/permission/shell/covers.ts'
import { writtenBy } from '../../src/permission/targets.ts'
import { namesTool } from '../../src/permission/tool-name.ts'

function listed(list: ListedRule['list'], text: string): ListedRule {
  const parsed = parseRule(text)
  if (parsed.kind === 'fault') throw new Error(parsed.message)
  return { list, rule: parsed.rule }
}

/** The same judgement with every rule looked at. */
function judgeByAll(lists: readonly ListedRule[], call: RuleCall): { behavior: string; rule?: string } {
  for (const list of ['deny', 'ask'] as const) {
    const said = lists.filter((one) => one.list === list).map((one) => ({ text: one.rule.text, ...lookAt(one.rule, call, 'restrict') }))
    const hit = said.find(({ answer }) => answer === 'yes') ?? said.find(({ answer }) => answer === 'cannot-tell')
    if (hit !== undefined) return { behavior: list, rule: hit.text }
  }
  const allowed = lists.filter(({ list }) => list === 'allow')
  const single = allowed.find(({ rule }) => lookAt(rule, call, 'grant').answer === 'yes')
  if (single !== undefined) return { behavior: 'allow', rule: single.rule.text }
  const reading = readingOf(call)
  const shell = allowed.filter(({ rule }) => rule.specifier !== undefined && namesTool(rule.tool, call, 'grant'))
  if (reading === undefined || shell.length === 0 || (call.tool !== 'Bash' && call.tool !== 'Monitor')) return { behavior: 'passthrough' }
  const edits = allowed.filter(({ rule }) => rule.tool === 'Edit')
  const mayWrite = (raw: string) =>
    writtenBy(call).some(
      ({ shown, path }) =>
        shown === raw &&
        path !== undefined &&
        edits.some(({ rule }) => rule.specifier === undefined || lookAtPath(rule, { path }, { call, use: 'grant' }).answer === 'yes'),
    )
  const patterns = shell.map(({ rule }) => patternOf(rule))
  return { behavior: coversCommand(reading, patterns, ({ raw }) => mayWrite(raw)).answer === 'yes' ? 'allow' : 'passthrough' }
}

const texts = [
  ...[
    'Bash',
    'Bash(git push *)',
    'Bash(git:*)',
    'Bash(git status)',
    'Bash(git*)',
    'Bash(* --force)',
    'Bash(FOO=1 npm test *)',
    'Bash(FOO=*)',
    'Bash(npm test:*)',
  ],
  ...[
    'Bash(timeout 5 git push *)',
    'Bash(ls \\* x)',
    'Bash(\\*x)',
    'Bash("git" push)',
    'Bash($X push)',
    'Bash(run_in_background:true)',
    'Bash(timeout:5)',
    'Bash(sudo *)',
  ],
  ...[
    'Bash(git push && ls)',
    'Bash(xargs *)',
    'Bash(rm *)',
    'Bash(cat:*)',
    'Monitor(git push *)',
    'PowerShell(git *)',
    'Edit(out/**)',
    'Edit(/src/**)',
    'Edit',
    'Read(*.env)',
    'Read(~/**)',
  ],
  ...[
    'Write(a)',
    'Grep(src/**)',
    'WebFetch(domain:example.com)',
    'WebFetch(domain:*.example.com)',
    'mcp__gh',
    'mcp__gh__*',
    'mcp__gh__get_*',
    'mcp__*',
    'Agent(Explore)',
    'Task(Explore)',
  ],
  ...['Skill(pdf)', 'Skill(pdf:*)', 'Cd(/tmp)', 'Ba*', '*', 'Other(x)'],
]
const parts = [
  'git push',
  'git',
  'git status',
  'npm test --force',
  'ls * x',
  'ls',
  '"git" push',
  "g'it' push",
  '/usr/bin/git push',
  'timeout 5 git push',
  'sudo git push',
  'echo a > out/b',
]
const more = [
  'FOO=1 npm test',
  'FOO=1',
  '$X push',
  'xargs rm',
  'sh -c "git push"',
  'cat a',
  '*x',
  'X=git; $X push',
  'git $(ls)',
  'ls $(',
  'GIT push',
  'git-push',
  '{git,push}',
  'nocorrect git push',
]
const rule = fc.tuple(fc.constantFrom('deny', 'ask', 'allow'), fc.constantFrom(...texts)).map(([list, text]) => listed(list as ListedRule['list'], text))
const command = fc
  .array(fc.tuple(fc.constantFrom(...parts, ...more), fc.constantFrom(' && ', ' | ', '; ', '\n', ' || ')), { minLength: 1, maxLength: 3 })
  .map((all) =>
    all
      .map(([part, join]) => part + join)
      .join('')
      .replace(/(?: && | \| |; |\n| \|\| )$/, ''),
  )
const call: fc.Arbitrary<RuleCall> = fc.oneof(
  { weight: 6, arbitrary: command.map((text) => ({ tool: 'Bash', input: { command: text }, cwd: '/repo', home: '/home/someone' })) },
  fc.constantFrom(
    { tool: 'Bash', input: { command: 'git push', run_in_background: true }, cwd: '/repo' },
    { tool: 'Bash', input: {}, cwd: '/repo' },
    { tool: 'Monitor', input: { command: 'git push' }, cwd: '/repo' },
    { tool: 'PowerShell', input: { command: 'git push' }, cwd: '/repo' },
    { tool: 'Write', input: { file_path: 'out/a.env' }, cwd: '/repo' },
    { tool: 'Read', input: { file_path: '/repo/src/a' }, cwd: '/repo' },
    { tool: 'Grep', input: { pattern: 'x', path: 'src' }, cwd: '/repo' },
    { tool: 'WebFetch', input: { url: 'https://a.example.com/x' } },
    { tool: 'mcp__gh__get_me', input: {} },
    { tool: 'mcp__gh__get_me', input: {}, mcpServer: { name: 'gh' } },
    { tool: 'mcp__gh__get_me', input: {}, mcpServer: { name: 'gh__get' } },
    { tool: 'Agent', input: { subagent_type: 'Explore' } },
    { tool: 'Task', input: { subagent_type: 'Explore' } },
    { tool: 'Skill', input: { skill: 'pdf', args: 'x' } },
    { tool: 'Other', input: { x: 1 } },
  ),
)

test('judging by lists that were made ready is judging by every rule', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), call, (lists, one) => {
      const { behavior, rule: by } = judgeRules(lists, one)
      const all = judgeByAll(lists, one)
      expect(behavior, one.input['command'] as string).toBe(all.behavior)
      if (all.rule !== undefined) expect(by?.text).toBe(all.rule)
    }),
    { numRuns: 3_000 },
  )
})

test('of ten thousand rules only those about the tool and its programs are looked at', () => {
  const lists = Array.from({ length: 10_000 }, (_, at) => listed('deny', at % 2 === 0 ? `Bash(tool${at} *)` : `Read(/secrets/${at}/**)`))
  const one = { tool: 'Bash', input: { command: 'tool40 x && ls' } }
  expect(rulesAbout(lists, one).deny.rules).toHaveLength(5_000)
  expect(
    rulesAbout(lists, one)
      .deny.ruling(one)
      .map(({ rule: found }) => found.text),
  ).toEqual(['Bash(tool40 *)'])
  expect(judgeRules(lists, one).behavior).toBe('deny')
})

test('two servers with one tool name have their own rules', () => {
  const lists = [listed('allow', 'mcp__gh__*')]
  const about = (name: string) => judgeRules(lists, { tool: 'mcp__gh__get__me', input: {}, mcpServer: { name } }).behavior
  expect([about('gh'), about('gh__get'), about('gh')]).toEqual(['allow', 'passthrough', 'allow'])
})

test("the host's lists are read again when the host changes them", () => {
  const rules = { deny: ['Bash(git push *)'], allow: ['Bash(git *)'] }
  const settings: ListedRule[] = [listed('ask', 'Bash(rm *)')]
  const judged = (text: string) => judgeRules(joinLists(settings, listHostRules(rules)), { tool: 'Bash', input: { command: text } }).behavior
  expect([judged('git push'), judged('git status'), judged('rm x')]).toEqual(['deny', 'allow', 'ask'])
  expect(joinLists(settings, listHostRules(rules))).toBe(joinLists(settings, listHostRules(rules)))
  rules.deny.push('Bash(git status)')
  rules.allow.push('Bash(ls)')
  expect([judged('git status'), judged('ls')]).toEqual(['deny', 'allow'])
  rules.deny[0] = 'Bash(curl *)'
  expect([judged('git push'), judged('curl x')]).toEqual(['allow', 'deny'])
})
