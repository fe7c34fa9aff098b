/** Policy as a whole, through the public door: who may say what, and what it does to hooks that would run. */
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/index.ts'
import { type GuardedOptions, guarded } from './guarded.ts'

const says = (word: string) => ({ Stop: [{ hooks: [{ type: 'command', command: `echo ${word} >> "$CLAUDE_PROJECT_DIR/ran.txt"` }] }] })
const files = (user: object = {}, project: object = {}, local: object = {}) => ({
  '~/.claude/settings.json': JSON.stringify({ hooks: says('user'), ...user }),
  '.claude/settings.json': JSON.stringify({ hooks: says('project'), ...project }),
  '.claude/settings.local.json': JSON.stringify({ hooks: says('local'), ...local }),
})
const who = (verdict: Verdict<'Stop'>) => verdict.hooks.flatMap((hook) => (hook.status === 'ran' ? [hook.source.id] : []))
const whyNot = (verdict: Verdict<'Stop'>) =>
  Object.fromEntries(verdict.hooks.flatMap((hook) => (hook.status === 'skipped' ? [[hook.source.id, hook.skipped.why]] : [])))
const managed = (more: object = {}) => ({ hooks: says('managed'), ...more })
const everybody = ['user', 'project', 'local', 'code', 'managed']

test.each<[what: string, options: GuardedOptions, ran: string[]]>([
  ['nothing is said', { files: files(), managed: managed() }, everybody],
  ['disableAllHooks of the user', { files: files({ disableAllHooks: true }), managed: managed() }, ['code', 'managed']],
  ['disableAllHooks of the project', { files: files({}, { disableAllHooks: true }), managed: managed() }, ['code', 'managed']],
  [
    'disableAllHooks of the user, undone by the project',
    { files: files({ disableAllHooks: true }, { disableAllHooks: false }), managed: managed() },
    ['code', 'managed'],
  ],
  [
    'disableAllHooks of the user, undone by local settings',
    { files: files({ disableAllHooks: true }, {}, { disableAllHooks: false }), managed: managed() },
    ['code', 'managed'],
  ],
  ['disableAllHooks of the policy', { files: files(), managed: managed({ disableAllHooks: true }) }, ['code']],
  ['disableAllHooks for one run', { files: files(), settings: ['{"disableAllHooks": true}'], managed: managed() }, ['code', 'managed']],
  [
    'no hooks for one run, which a project cannot undo',
    { files: files({}, { disableAllHooks: false }), settings: [{ disableAllHooks: true }], managed: managed() },
    ['code', 'managed'],
  ],
  ['allowManagedHooksOnly', { files: files(), managed: managed({ allowManagedHooksOnly: true }) }, ['code', 'managed']],
  ['allowManagedHooksOnly of a user', { files: files({ allowManagedHooksOnly: true }), managed: managed() }, everybody],
  ['allowManagedHooksOnly that is no flag', { files: files(), managed: managed({ allowManagedHooksOnly: 'no' }) }, ['code', 'managed']],
  ['strictPluginOnlyCustomization', { files: files(), managed: managed({ strictPluginOnlyCustomization: ['hooks'] }) }, ['code', 'managed']],
  ['strictPluginOnlyCustomization of other things', { files: files(), managed: managed({ strictPluginOnlyCustomization: ['skills'] }) }, everybody],
  ['disabledHooks of the user', { files: files({ disabledHooks: ['project:Stop:0:0', 'user:Stop:0:0'] }), managed: managed() }, ['local', 'code', 'managed']],
  ['disabledHooks of the user against a managed hook', { files: files({ disabledHooks: ['managed:Stop:0:0'] }), managed: managed() }, everybody],
  ['disabledHooks of the policy', { files: files(), managed: managed({ disabledHooks: ['managed:Stop:0:0', 'local:Stop:0:0'] }) }, ['user', 'project', 'code']],
  ['disabledHooks of a project', { files: files({}, { disabledHooks: ['user:Stop:0:0'] }), managed: managed() }, everybody],
])('%s', async (_, options, ran) => {
  await using h = await guarded(options)
  h.on('Stop', () => undefined)
  expect(who(await h.fire('Stop', {}))).toEqual(ran)
})

describe('why a hook is off is told', () => {
  test.each<[options: GuardedOptions, why: Record<string, string>]>([
    [{ files: files({ disableAllHooks: true }) }, { user: 'policy', project: 'policy', local: 'policy' }],
    [{ files: files({ disabledHooks: ['project:Stop:0:0'] }) }, { project: 'disabled' }],
    [
      { files: files(), managed: { allowManagedHooksOnly: true } },
      { user: 'policy', project: 'policy', local: 'policy' },
    ],
  ])('%#', async (options, why) => {
    await using h = await guarded(options)
    expect(whyNot(await h.fire('Stop', {}))).toEqual(why)
  })

  test.each<[key: string, value: unknown]>([
    ['allowManagedHooksOnly', true],
    ['strictPluginOnlyCustomization', true],
    ['requireFailClosed', true],
    ['disabledHooks', []],
    ['allowedHttpOrigins', []],
    ['selfProtection', false],
  ])('and so is %s where a project may not say it', async (key, value) => {
    await using h = await guarded({ files: files({}, { [key]: value }) })
    expect(h.diagnostics).toContainEqual(expect.objectContaining({ code: 'policy-entry', message: expect.stringMatching(new RegExp(`may set ${key}`)) }))
  })
})

describe('HTTP hooks', () => {
  const http = (url: string, more: object = {}) => ({ hooks: { Stop: [{ hooks: [{ type: 'http', url, ...more }] }] } })
  test.each<[what: string, options: GuardedOptions, why: RegExp]>([
    [
      'a URL that nobody lists',
      { files: { '.claude/settings.json': JSON.stringify({ ...http('https://a.example/x'), allowedHttpHookUrls: [] }) } },
      /not-listed/,
    ],
    [
      'a URL that the project lists and the user does not',
      {
        files: {
          '~/.claude/settings.json': JSON.stringify({ allowedHttpHookUrls: ['https://b.example/*'] }),
          '.claude/settings.json': JSON.stringify({ ...http('https://a.example/x'), allowedHttpHookUrls: ['https://a.example/*'] }),
        },
      },
      /not-listed/,
    ],
    [
      'an address that is not public',
      { files: { '.claude/settings.json': JSON.stringify({ ...http('http://127.0.0.1:8123/x'), allowedHttpOrigins: ['http://127.0.0.1:8123'] }) } },
      /loopback|not public|private/,
    ],
  ])('%s is refused', async (_, options, why) => {
    await using h = await guarded(options)
    const { hooks } = await h.fire('Stop', {})
    expect(JSON.stringify(hooks[0])).toMatch(why)
    expect(hooks).toMatchObject([{ ending: { kind: 'refused' } }])
  })
})

test('requireFailClosed closes the hooks of every source, and of no other event', async () => {
  const failing = { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 1' }] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 1' }] }] }
  await using h = await guarded({ files: { '~/.claude/settings.json': JSON.stringify({ hooks: failing }) }, managed: { requireFailClosed: ['PreToolUse'] } })
  expect((await h.permit({ name: 'Bash', input: { command: 'ls' }, id: 't' })).behavior).toBe('deny')
  expect((await h.fire('UserPromptSubmit', { prompt: 'x' })).blocked).toBe(false)
  expect(h.list({ event: 'PreToolUse' })).toMatchObject([{ onFailure: 'block' }])
})
