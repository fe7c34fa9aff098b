/** The short way of `fire`: where it says that nothing has a say, the long way comes to the empty verdict. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EventName, eventNames, events, type FireInput, type NamedRow } from '../../src/index.ts'
import { countPassedBy, createHookline, resolveFor } from '../../src/node.ts'
import { example } from '../../src/testing.ts'

let cwd: string
let env: Record<string, string>
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-untouched-'))
  cwd = join(root, 'project')
  mkdirSync(cwd)
  env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home') }
})
afterEach(() => rmSync(dirname(cwd), { recursive: true, force: true }))

const rowOf = (event: EventName) => events[event] as unknown as NamedRow
const read = { tool_name: 'Read', tool_input: { file_path: 'a.txt' }, tool_use_id: 'toolu_1' }
const passedBy = (event: EventName, input: object = read, trusted = false) =>
  countPassedBy(rowOf(event), input as Record<string, unknown>, { cwd, env, trusted })
const untouched = (event: EventName, input?: object) => passedBy(event, input) === 0

describe('in a folder where nobody wrote anything', () => {
  test.each([...eventNames])('%s comes to the empty verdict, as is said', async (event) => {
    const input = example(event) as unknown as Record<string, unknown>
    const plain = event === 'PreToolUse' ? { ...input, ...read } : input
    expect(untouched(event, plain)).toBe(true)
    const hookline = await createHookline({ cwd, env, interactive: false, trust: 'pinned', pool: 'off' })
    const verdict = await hookline.fire(event, plain as FireInput<EventName>)
    expect(verdict).toMatchObject({ blocked: false, hooks: [], messages: [], warnings: [], conflicts: [], toModel: '', toUser: '' })
    expect(hookline.diagnostics).toEqual([])
    if (event === 'PreToolUse') expect(await resolveFor(hookline, verdict as never)).toEqual({ behavior: 'passthrough', cause: 'no-opinion' })
    await hookline.close()
  })

  test.each([
    ['a tool that writes', { ...read, tool_name: 'Write' }],
    ['a shell', { ...read, tool_name: 'Bash' }],
    ['a tool of a server', { ...read, tool_name: 'mcp__files__write' }],
    ['a tool that nobody knows', { ...read, tool_name: 'Foo' }],
    ['an input that does not fit', { ...read, tool_input: 'x' }],
    ['a common field that does not fit', { ...read, cwd: 1 }],
    ['an effort that is no object', { ...read, effort: 'high' }],
    ['a field that nobody knows and that is no text', { ...read, extra: 1 }],
  ])('nothing is said of %s', (_what, input) => {
    expect(untouched('PreToolUse', input)).toBe(false)
  })
})

test.each([
  ['user settings', '../home/.claude/settings.json'],
  ['our own user settings', '../home/.config/hookline/settings.json'],
  ['project settings', '.claude/settings.json'],
  ['our own project settings', '.hookline/settings.json'],
  ['local settings', '.claude/settings.local.json'],
])('nothing is said where there are %s, even empty ones', (_what, file) => {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), '')
  expect(untouched('PreToolUse')).toBe(false)
})

test('nothing is said where a place cannot be looked at', () => {
  mkdirSync(join(cwd, '.claude'))
  symlinkSync('settings.json', join(cwd, '.claude/settings.json'))
  expect(untouched('PreToolUse')).toBe(false)
})

const written = (file: string, text: string) => {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), text)
}
const user = '../home/.claude/settings.json'
const project = '.claude/settings.json'
const hook = '{"type":"command","command":"exit 0"}'
const groups = (matcher: string) => `{"hooks":{"PreToolUse":[{"matcher":${matcher},"hooks":[${hook},${hook}]}]}}`

describe('where settings say nothing about the call', () => {
  test.each([
    ['hooks of the user for other tools are counted', user, groups('"Write|Edit"'), false, 2],
    ['hooks of a folder that is vouched for are counted', project, groups('"Bash"'), true, 2],
    ['hooks of other events are passed by', project, groups('"Bash"').replace('PreToolUse', 'Stop'), false, 0],
    ['hooks of a folder that nobody vouched for are told of', project, groups('"Bash"'), false, undefined],
    ['a hook may match', user, groups('"Bash|Read"'), false, undefined],
    ['a hook for everything matches', user, groups('"*"'), false, undefined],
    ['a pattern takes the whole reading', user, groups('"Wri.*"'), false, undefined],
    ['a matcher of another type takes the whole reading', user, groups('7'), false, undefined],
    ['an event that does not exist takes the whole reading', user, groups('"Bash"').replace('PreToolUse', 'PreToolUze'), false, undefined],
    ['a name of all objects takes the whole reading', user, groups('"Bash"').replace('PreToolUse', '__proto__'), false, undefined],
    ['a field that stands twice takes the whole reading', user, groups('"Bash","matcher":"Bash"'), false, undefined],
    ['a file that stands twice takes the whole reading', user, `{"hooks":{},${groups('"Bash"').slice(1)}`, false, undefined],
    ['another field takes the whole reading', user, `{"disableAllHooks":true,${groups('"Bash"').slice(1)}`, false, undefined],
    ['a comment takes the whole reading', user, `// mine\n${groups('"Bash"')}`, false, undefined],
    ['an odd hook takes the whole reading', user, groups('"Bash"').replace('"exit 0"', '"exit 0","async":1'), false, undefined],
    ['a hook without a command takes the whole reading', user, groups('"Bash"').replace('"command":"exit 0"', '"timeout":5'), false, undefined],
  ])('%s', (_what, file, text, trusted, expected) => {
    written(file, text)
    expect(passedBy('PreToolUse', read, trusted)).toBe(expected)
  })

  test('a link to settings takes the whole reading', () => {
    written('kept.json', groups('"Bash"'))
    mkdirSync(join(cwd, '.claude'))
    symlinkSync('../kept.json', join(cwd, project))
    expect(passedBy('PreToolUse', read, true)).toBeUndefined()
  })

  test('whatever stands in the files, the count is that of a verdict without effect and of settings without an error', async () => {
    let seed = 20_261_130
    const pick = <T>(list: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return list[(seed >>> 8) % list.length] as T
    }
    const matchers = [
      '"Bash"',
      '"Write|Edit"',
      '"Read"',
      '"View"',
      '""',
      '"*"',
      '"B,ash"',
      '"mcp__a"',
      '"read"',
      '"("',
      'null',
      '["Read"]',
      '"startup"',
      '"Task"',
    ]
    const hooks = [
      hook,
      hook,
      hook,
      '{"type":"command","command":" "}',
      '{"type":"http","url":"x"}',
      '{"type":"command","command":"a","timeout":-1}',
      '{"command":"a"}',
      '7',
    ]
    const names = ['PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', 'Notification', 'PreToolUze', 'toString']
    const group = () =>
      `{${pick(['', `"matcher":${pick(matchers)},`, `"matcher":${pick(matchers)},`])}"hooks":[${pick(['', pick(hooks), `${pick(hooks)},${pick(hooks)}`])}]}`
    const event = () => `"${pick(names)}":${pick(['{}', '[]', `[${group()}]`, `[${group()}]`, `[${group()},${group()}]`])}`
    const file = () =>
      pick([
        '',
        '{}',
        '{"hooks":{}}',
        '{"hooks":[]}',
        `{"hooks":{${event()}}}`,
        `{"hooks":{${event()}}}`,
        `{"hooks":{${event()},${event()}}}`,
        `{"hooks":{${event()},${event()}},"env":{}}`,
      ])
    const tries: EventName[] = ['PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', 'Notification']
    let counted = 0
    for (let round = 0; round < 300; round++) {
      written(user, file())
      written(project, pick(['{}', file()]))
      const name = pick(tries)
      const trusted = pick([true, false])
      const input = { ...example(name), ...(name.endsWith('ToolUse') ? read : {}) }
      const count = passedBy(name, input, trusted)
      if (count === undefined) continue
      counted += 1
      const hookline = await createHookline({ cwd, env, interactive: false, trust: trusted ? 'implicit' : 'pinned', pool: 'off' })
      const verdict = await hookline.fire(name, input as FireInput<EventName>)
      const shown = JSON.stringify({ verdict: verdict.hooks, problems: hookline.diagnostics })
      expect(verdict.hooks.length, shown).toBe(count)
      expect(
        verdict.hooks.every((hook) => hook.status === 'skipped' && hook.skipped.why !== 'untrusted'),
        shown,
      ).toBe(true)
      expect(
        hookline.diagnostics.filter(({ severity }) => severity === 'error'),
        shown,
      ).toEqual([])
      expect(verdict).toMatchObject({ blocked: false, messages: [], warnings: [], conflicts: [], toModel: '', toUser: '' })
      await hookline.close()
    }
    expect(counted).toBeGreaterThan(30)
  })
})
