/** The `sandbox` setting from the settings file to the process: who decides, what is shown, and what becomes of a hook whose fence cannot be built. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { compileHook } from '../../src/config/compile-hook.ts'
import { emptySnapshot } from '../../src/config/empty.ts'
import { validateSettings } from '../../src/index.ts'
import { createHookline, type Hookline, sandboxFault } from '../../src/node.ts'
import { events } from '../../src/protocol/events.ts'
import { call, scripted } from '../engine/opened.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-fenced-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const open: Hookline[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
let places = 0

/** A Hookline whose files are given by their place in the project, or in the home folder with `~/`. */
async function opened(files: Record<string, object | string>, more: object = {}) {
  const root = join(base, `p${++places}`)
  const [home, cwd] = [join(root, 'home'), join(root, 'home', 'work')]
  mkdirSync(cwd, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 })
  }
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
  }
  const hookline = await createHookline({ cwd, env, sources: ['user', 'project', 'local'], ...more })
  open.push(hookline)
  return { hookline, cwd }
}

const stop = (hook: object) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'readlink /proc/self/ns/pid', ...hook }] }] } })
const fire = (hookline: Hookline) => hookline.fire('Stop', { last_assistant_message: '' })
const here = async () => (await import('node:fs')).readlinkSync('/proc/self/ns/pid')

describe('who decides', () => {
  it.each<[what: string, files: Record<string, object>, sandbox: string | undefined]>([
    ['nobody: none', { '.claude/settings.json': stop({}) }, undefined],
    ['the hook', { '.claude/settings.json': stop({ sandbox: 'contained' }) }, 'contained'],
    ['the hook, as an object', { '.claude/settings.json': stop({ sandbox: { mode: 'restricted', network: true } }) }, 'restricted'],
    ['its file', { '.claude/settings.json': { hookSandbox: 'contained', ...stop({}) } }, 'contained'],
    ['its file, under the shorter name', { '.claude/settings.json': { sandbox: 'contained', ...stop({}) } }, 'contained'],
    ['not the settings that another agent keeps there', { '.claude/settings.json': { sandbox: { enabled: true }, ...stop({}) } }, undefined],
    ['the hook before its file', { '.claude/settings.json': { hookSandbox: 'restricted', ...stop({ sandbox: 'none' }) } }, undefined],
    ['not another file', { '.claude/settings.json': stop({}), '.claude/settings.local.json': { hookSandbox: 'contained' } }, undefined],
    [
      'the user, for what a project brings',
      { '~/.claude/settings.json': { hookSandbox: { project: 'contained' } }, '.claude/settings.json': stop({ sandbox: 'none' }) },
      'contained',
    ],
    [
      'whoever asks for more',
      { '~/.claude/settings.json': { hookSandbox: { project: 'contained' } }, '.claude/settings.json': stop({ sandbox: 'restricted' }) },
      'restricted',
    ],
    [
      'not a project, for what its user brings',
      { '.claude/settings.json': { hookSandbox: { user: 'restricted' } }, '~/.claude/settings.json': stop({}) },
      undefined,
    ],
    ['a file that says something unreadable: as tight as can be', { '.claude/settings.json': { hookSandbox: 'jail', ...stop({}) } }, 'restricted'],
  ])('%s', async (_what, files, sandbox) => {
    const { hookline } = await opened(files)
    expect(hookline.list().map((hook) => hook.sandbox)).toEqual([sandbox])
  })

  it('and a project makes no exceptions that its user does not make', async () => {
    const { hookline } = await opened({
      '~/.claude/settings.json': { hookSandbox: { project: { mode: 'restricted', read: ['~/a', '~/b'] } } },
      '.claude/settings.json': stop({ sandbox: { mode: 'restricted', read: ['~/b', '~/.ssh'], write: ['~/c'], network: true } }),
    })
    const scope = hookline as unknown as { snapshot: { hooks: { sandbox: unknown }[] } }
    expect(scope.snapshot.hooks.map((hook) => hook.sandbox)).toEqual([{ mode: 'restricted', read: ['~/b'] }])
  })

  it('and who loosens the sandbox of a file has changed its hooks', async () => {
    const digest = async (settings: object) => (await opened({ '.claude/settings.json': { ...settings, ...stop({}) } })).hookline.list()[0]?.digest
    expect(new Set([await digest({}), await digest({ hookSandbox: 'contained' }), await digest({ hookSandbox: 'restricted' })]).size).toBe(3)
  })
})

describe('a fence that can be built', () => {
  it.for(['contained', 'restricted'] as const)('is around a %s command, and is shown by explain', async (sandbox, ctx) => {
    const { hookline } = await opened({ '.claude/settings.json': stop({ sandbox }) })
    const [explained] = hookline.explain('Stop', { last_assistant_message: '' }).hooks
    const [report] = (await fire(hookline)).hooks
    const fault = sandboxFault({ mode: sandbox })
    if (fault !== undefined) {
      expect(report).toMatchObject({ status: 'skipped', skipped: { why: 'sandbox-unavailable', detail: fault } })
      console.log(`NOT RUN here: ${fault}`)
      return ctx.skip(fault)
    }
    expect(explained).toMatchObject({
      status: 'would-run',
      sandbox,
      checks: expect.arrayContaining([{ check: 'sandbox-unavailable', result: 'yes', detail: `its process can be ${sandbox}` }]),
    })
    expect(report).toMatchObject({ status: 'ran', sandbox, ending: { kind: 'exited', code: 0 } })
    expect((report as { stdout: string }).stdout.trim()).not.toBe(await here())
  })

  it('is around a command that stays, which answers one event after the other', async (ctx) => {
    const fault = sandboxFault({ mode: 'restricted' })
    if (fault !== undefined) return ctx.skip(fault)
    const answers = 'while read -r line; do echo "{\\"systemMessage\\":\\"$(readlink /proc/self/ns/pid) $$\\"}"; done'
    const { hookline } = await opened({ '.claude/settings.json': stop({ command: answers, persistent: true, sandbox: 'restricted' }) })
    const [one, two] = [await fire(hookline), await fire(hookline)]
    expect(one.toUser).toMatch(/^.*pid:\[\d+] [2-9]$/)
    expect(two.toUser).toBe(one.toUser)
    expect(one.toUser).not.toContain(await here())
  })

  it('lets a script of the home folder run that the command names', async (ctx) => {
    const fault = sandboxFault({ mode: 'restricted' })
    if (fault !== undefined) return ctx.skip(fault)
    const { hookline } = await opened({
      '~/.claude/hooks/guard.sh': '#!/bin/sh\necho "from home"; ls ~/.claude\n',
      '~/.claude/settings.json': stop({ command: '~/.claude/hooks/guard.sh', sandbox: 'restricted' }),
    })
    expect((await fire(hookline)).hooks[0]).toMatchObject({ ending: { kind: 'exited', code: 0 }, stdout: 'from home\nhooks\n' })
  })
})

describe('a fence that cannot be built', () => {
  /** An engine with one hook, on a machine that lets nobody make namespaces. */
  const without = (hook: object) => {
    const ran: string[] = []
    const row = events.PreToolUse
    const source = { id: 'project', kind: 'project' as const, file: '.claude/settings.json', line: 4, column: 9 }
    const compiled = compileHook({ row, source, group: 0, index: 0, spec: { type: 'command', command: './fmt.sh', ...hook }, trust: 'trusted' })
    const runner = {
      type: 'command',
      sandboxFault: () => 'this machine does not let us make namespaces (Operation not permitted); allow user namespaces for this user',
      run: () => {
        ran.push('ran')
        return { ending: { kind: 'exited' as const, code: 0 } }
      },
    }
    return { ran, hookline: scripted(() => ({ ending: { kind: 'returned' } }), { snapshot: { ...emptySnapshot, hooks: [compiled] }, runners: [runner] }) }
  }

  it('means that the hook does not run, and is told', async () => {
    const { hookline, ran } = without({ sandbox: 'restricted' })
    const verdict = await hookline.fire('PreToolUse', call())
    expect(ran).toEqual([])
    expect(verdict).toMatchObject({ blocked: false, permission: { behavior: 'passthrough' } })
    expect(verdict.hooks).toMatchObject([
      { status: 'skipped', sandbox: 'restricted', skipped: { why: 'sandbox-unavailable', detail: expect.stringContaining('allow user namespaces') } },
    ])
    expect(verdict.warnings).toMatchObject([
      { code: 'sandbox-unavailable', file: '.claude/settings.json', line: 4, message: expect.stringContaining('"fmt.sh" did not run') },
    ])
    expect(hookline.explain('PreToolUse', call()).hooks[0]).toMatchObject({ status: 'skipped', skipped: { why: 'sandbox-unavailable' } })
  })

  it.each([{}, { if: 'Bash(ls *)' }, { once: true }])('blocks when the hook fails closed (%j)', async (more) => {
    const { hookline, ran } = without({ sandbox: 'contained', onFailure: 'block', ...more })
    for (const _ of [1, 2]) {
      const verdict = await hookline.fire('PreToolUse', call('ls -l'))
      expect(ran).toEqual([])
      expect(verdict).toMatchObject({
        blocked: true,
        permission: { behavior: 'deny', reason: expect.stringContaining('sandbox cannot be built'), by: ['project:PreToolUse:0:0'] },
      })
      expect(verdict.hooks).toMatchObject([{ status: 'skipped', skipped: { why: 'sandbox-unavailable' } }])
    }
  })

  it('blocks nothing that the hook is not for', async () => {
    const { hookline } = without({ sandbox: 'contained', onFailure: 'block', if: 'Bash(rm *)' })
    expect((await hookline.fire('PreToolUse', call('ls'))).blocked).toBe(false)
  })

  it('does not touch hooks that ask for none', async () => {
    const { hookline, ran } = without({ sandbox: 'none' })
    await hookline.fire('PreToolUse', call())
    expect(ran).toEqual(['ran'])
  })

  it.each<[what: string, hook: object, detail: RegExp]>([
    ['a word that is none', { sandbox: 'jail' }, /cannot be read: expected "none" or "contained" or "restricted", got "jail"/],
    ['exceptions that are none', { sandbox: { mode: 'restricted', reads: [] } }, /unknown key "reads"/],
    ['paths that begin nowhere', { sandbox: { mode: 'restricted', read: ['x'] } }, /begin with "\/" or "~\/"/],
    ['a module', { type: 'module', path: 'guard.mjs', sandbox: 'contained' }, /make it a command/],
    ['a request', { type: 'http', url: 'https://example.com/', sandbox: 'restricted' }, /leave "sandbox" out/],
  ])('is that of %s, closed or not', async (_what, hook, detail) => {
    for (const onFailure of ['continue', 'block']) {
      const settings = { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo ran > ran', onFailure, ...hook }] }] } }
      const { hookline, cwd } = await opened({ '.claude/settings.json': settings })
      const verdict = await hookline.fire('UserPromptSubmit', { prompt: 'x' })
      expect(verdict.hooks).toMatchObject([{ status: 'skipped', skipped: { why: 'sandbox-unavailable', detail: expect.stringMatching(detail) } }])
      expect(verdict.blocked).toBe(onFailure === 'block')
      expect(existsSync(join(cwd, 'ran'))).toBe(false)
      expect(hookline.diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(1)
    }
  })

  it('is a finding of validate where the machine is known', () => {
    const text = JSON.stringify(stop({ sandbox: 'restricted' }))
    expect(validateSettings(text, { file: '.claude/settings.json' })).toEqual([])
    expect(
      validateSettings(text, { file: '.claude/settings.json', sandboxFault: () => 'there is no bubblewrap on this machine; install bubblewrap' }),
    ).toMatchObject([{ code: 'sandbox-unavailable', severity: 'warning', message: expect.stringContaining('install bubblewrap') }])
  })
})
