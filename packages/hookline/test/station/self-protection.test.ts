/** Self-protection on a real disk: what guards a session cannot be changed by its tools, through any name, and people still can. */
import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../src/index.ts'
import { createHookline, readAuditLog } from '../../src/node.ts'
import { type Guarded, type GuardedOptions, guarded } from './guarded.ts'

const guard = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/scripts/guard.sh' }] }] } }
const files = {
  '.claude/settings.json': JSON.stringify(guard),
  'scripts/guard.sh': '#!/bin/sh\nexit 0\n',
  'scripts/other.sh': '#!/bin/sh\nexit 0\n',
  'src/a.ts': 'x',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '~/.claude/settings.json': JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'node ~/bin/notify.js' }] }] } }),
  '~/bin/notify.js': '',
}
const protection = { id: 'builtin:PreToolUse:0:0', label: 'self-protection', source: { kind: 'builtin' }, status: 'ran', outcome: 'blocking' }
const open = (more: GuardedOptions = {}) => guarded({ ...more, files: { ...files, ...more.files } })
const tool = (name: string, input: Record<string, unknown>) => ({ tool_name: name, tool_input: input, tool_use_id: 'toolu_1' })
const write = (path: string) => tool('Write', { file_path: path, content: '{}' })
const bash = (command: string) => tool('Bash', { command })
const refused = async (h: Guarded, input: ReturnType<typeof tool>) => {
  const verdict = await h.fire('PreToolUse', input as never)
  return verdict.permission.by.includes(protection.id)
}

describe('is refused, whatever is there and whatever it is called', () => {
  test.each<[what: string, input: (h: Guarded) => ReturnType<typeof tool>]>([
    ['the settings of the project', (h) => write(join(h.cwd, '.claude/settings.json'))],
    ['settings that are not there', () => write('.claude/settings.local.json')],
    ['our own twin of the settings', () => bash('mkdir -p .hookline && echo {} > .hookline/settings.json')],
    ["the person's settings", (h) => write(join(h.home, '.claude/settings.json'))],
    ["the person's settings by another tool", () => tool('mcp__fs__edit_file', { path: '~/.claude/settings.json' })],
    ['the policy', () => write('/etc/claude-code/managed-settings.json')],
    ['a policy of ours', () => bash('sudo cp x.json /etc/hookline/managed-settings.d/10-x.json')],
    ['a script that a hook runs', () => write('scripts/guard.sh')],
    ['a script that a hook of the person runs', (h) => write(join(h.home, 'bin/notify.js'))],
    ['the trust records', (h) => bash(`rm -r ${h.home}/.local/state/hookline/trust`)],
    ['the audit log', (h) => bash(`sed -i /deny/d ${h.home}/.local/state/hookline/log/*.jsonl`)],
    ['a git hook', () => write('.git/hooks/pre-commit')],
    ['the place of git hooks', () => bash('git config core.hooksPath .hooks')],
    ['the folder of the settings', () => bash('mv .claude .claude-old && mkdir .claude')],
  ])('%s', async (_, input) => {
    await using h = await open()
    expect(await refused(h, input(h))).toBe(true)
  })

  test('a link that was there before', async () => {
    await using h = await open()
    symlinkSync('.claude/settings.json', join(h.cwd, 'innocent.json'))
    symlinkSync(join(h.cwd, '.claude'), join(h.cwd, 'conf'))
    symlinkSync('.claude/settings.local.json', join(h.cwd, 'dangling.json'))
    for (const path of ['innocent.json', 'conf/settings.json', 'conf/settings.local.json', 'dangling.json', 'src/../conf/settings.json']) {
      expect(await refused(h, write(path)), path).toBe(true)
      expect(await refused(h, bash(`echo x > ${path}`)), path).toBe(true)
    }
    expect(await refused(h, tool('Read', { file_path: 'innocent.json' }))).toBe(false)
  })

  test('a settings folder that is a link itself', async () => {
    await using h = await open({ files: { 'dotfiles/settings.json': '{}' } })
    symlinkSync(join(h.cwd, 'dotfiles'), join(h.cwd, '.hookline'))
    await h.reload()
    expect(await refused(h, write('dotfiles/settings.json'))).toBe(true)
    expect(await refused(h, write('.hookline/settings.json'))).toBe(true)
  })

  test('a second name that it had before', async () => {
    await using h = await open()
    linkSync(join(h.cwd, '.claude/settings.json'), join(h.cwd, 'hard.json'))
    linkSync(join(h.cwd, 'src/a.ts'), join(h.cwd, 'b.ts'))
    expect(await refused(h, write('hard.json'))).toBe(true)
    expect(await refused(h, bash('echo x >> hard.json'))).toBe(true)
    expect(await refused(h, write('b.ts'))).toBe(false)
  })

  test('making a second name for it', async () => {
    await using h = await open()
    expect(await refused(h, bash('ln .claude/settings.json copy.json'))).toBe(true)
    expect(await refused(h, bash('ln -s ../.claude/settings.json src/copy.json'))).toBe(true)
    expect(await refused(h, bash('cp -l scripts/guard.sh g.sh'))).toBe(true)
  })
})

describe('is let pass', () => {
  test.each<[what: string, input: ReturnType<typeof tool>]>([
    ['reading the settings', tool('Read', { file_path: '.claude/settings.json' })],
    ['reading them in a shell', bash('cat .claude/settings.json scripts/guard.sh ~/.claude/settings.json')],
    ['running a script of a hook', bash('echo {} | scripts/guard.sh')],
    ['writing a script that no hook runs', write('scripts/other.sh')],
    ['writing sources', write('src/a.ts')],
    ['a command that has nothing to do with it', bash('npm test -- --run && git status')],
    ['committing the settings', bash('git add .claude/settings.json && git commit -m settings')],
  ])('%s', async (_, input) => {
    await using h = await open()
    const { permission, hooks } = await h.fire('PreToolUse', input as never)
    expect(permission.behavior).toBe('passthrough')
    expect(hooks.map((hook) => hook.id)).toEqual(['project:PreToolUse:0:0'])
  })
})

describe('who can switch it off', () => {
  test.each<[who: string, settings: GuardedOptions, on: boolean]>([
    ['nobody did', {}, true],
    ['the person', { files: { '~/.claude/settings.json': '{"selfProtection": false}' } }, false],
    ['the person, by its id', { files: { '~/.claude/settings.json': '{"disabledHooks": ["builtin:PreToolUse:0:0"]}' } }, false],
    ['the project', { files: { '.claude/settings.json': '{"selfProtection": false}' } }, true],
    ['the local settings', { files: { '.claude/settings.local.json': '{"selfProtection": false}' } }, true],
    ['settings that were given at the start', { settings: ['{"selfProtection": false}'] }, true],
    ['the policy', { managed: { selfProtection: false } }, false],
    ['the person, against the policy', { managed: { selfProtection: true }, files: { '~/.claude/settings.json': '{"selfProtection": false}' } }, true],
    ['the person, with something else', { files: { '~/.claude/settings.json': '{"selfProtection": "no"}' } }, true],
    ['the person, who has all hooks off', { files: { '~/.claude/settings.json': '{"disableAllHooks": true}' } }, true],
  ])('%s', async (_, settings, on) => {
    await using h = await open(settings)
    expect(await refused(h, write('.claude/settings.json'))).toBe(on)
    if (settings.files?.['.claude/settings.json'] !== undefined)
      expect(h.diagnostics).toContainEqual(expect.objectContaining({ code: 'policy-entry', message: expect.stringContaining('selfProtection') }))
  })

  test('a reload is enough', async () => {
    await using h = await open()
    expect(await refused(h, write('scripts/other.sh'))).toBe(false)
    const more = structuredClone(guard)
    more.hooks.PreToolUse[0]?.hooks.push({ type: 'command', command: 'sh scripts/other.sh' })
    writeFileSync(join(h.cwd, '.claude/settings.json'), JSON.stringify(more))
    await h.reload()
    expect(await refused(h, write('scripts/other.sh'))).toBe(true)
  })
})

describe('nothing gets round it', () => {
  const target = { file_path: '.claude/settings.json', content: '{}' }

  test('not a hook that allows, an allow rule or a mode', async () => {
    await using h = await open({ permissions: { rules: { allow: ['Write', 'Edit(**)'] }, mode: 'bypassPermissions' } })
    h.on('PreToolUse', () => ({ permission: 'allow' }))
    expect(await h.permit({ name: 'Write', input: target, id: 'a' })).toMatchObject({ behavior: 'deny', cause: 'hook' })
  })

  test('not a hook or a middleware that rewrites the input', async () => {
    await using h = await open()
    const undo = h.on('PreToolUse', () => ({ permission: 'allow', updatedInput: target }))
    expect(await h.permit({ name: 'Write', input: { file_path: 'src/a.ts', content: '' }, id: 'a' })).toMatchObject({ behavior: 'deny' })
    undo()
    h.use('PreToolUse', (call, next) => next(call.with({ tool_input: target } as never)))
    expect(await h.permit({ name: 'Write', input: { file_path: 'src/a.ts', content: '' }, id: 'b' })).toMatchObject({ behavior: 'deny' })
  })

  test('not the answer of a person or of a hook in their place', async () => {
    await using h = await open({ permissions: { ask: () => ({ behavior: 'allow', updatedInput: target }) } })
    h.on('PreToolUse', () => ({ permission: 'ask' }))
    const call = { name: 'Write', input: { file_path: 'src/a.ts', content: '' }, id: 'a' }
    expect(await h.permit(call)).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('settings') })
    h.on('PermissionRequest', () => ({ permission: 'allow', updatedInput: target }))
    expect(await h.permit({ ...call, id: 'b' })).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('settings') })
  })

  test('not a host without any hook: the tool does not run, and the file stays as it was', async () => {
    await using h = await guarded({ files: { '.claude/settings.json': '{}' } })
    expect(h.has('PreToolUse')).toBe(true)
    let ran = 0
    const run = await h.runTool({ name: 'Write', input: target, id: 'a' }, () => ++ran)
    expect(run).toMatchObject({ kind: 'refused', toModel: expect.stringContaining('no tool may change it') })
    expect([ran, readFileSync(join(h.cwd, '.claude/settings.json'), 'utf8'), existsSync(join(h.cwd, '.claude/settings.local.json'))]).toEqual([0, '{}', false])
    expect(h.fireNow('PreToolUse', () => write('.claude/settings.json') as never)).toMatchObject({ blocked: true })
    expect(h.fireNow('PreToolUse', () => write('src/a.ts') as never)).toMatchObject({ blocked: false, hooks: [] })
  })
})

describe('it is told', () => {
  test('to the model: what it is, that reading is allowed, and what a person can do', async () => {
    await using h = await open()
    const { toModel, hooks } = await h.fire('PreToolUse', write('.claude/settings.json') as never)
    expect(toModel).toBe(
      `PreToolUse hook self-protection: ${join(h.cwd, '.claude/settings.json')} is a settings file of this folder's hooks, and no tool may change it: it is part of what guards this session. ` +
        'Reading it is allowed. If it should change, ask the person to change it: in an editor, or in a terminal of their own. ' +
        'They can switch this protection off with "selfProtection": false in their user settings.',
    )
    expect(hooks[0]).toMatchObject(protection)
  })

  test('how a folder is trusted instead', async () => {
    await using h = await open()
    const { permission } = await h.fire('PreToolUse', bash('hookline trust approve --yes') as never)
    expect(permission.reason).toContain('a person says so with "hookline trust" in a terminal of their own')
  })

  test('by explain, which refuses nothing', async () => {
    await using h = await open()
    expect(h.explain('PreToolUse', write('.claude/settings.json') as never).hooks[0]).toMatchObject({ id: protection.id, status: 'would-run' })
    expect(h.explain('PreToolUse', write('src/a.ts') as never).hooks.map((hook) => hook.id)).toEqual(['project:PreToolUse:0:0'])
  })

  test('in the audit log', async () => {
    await using h = await open()
    const log = join(h.cwd, 'log')
    await using logged = await createHookline({ cwd: h.cwd, env: { HOME: h.home, PATH: process.env['PATH'] }, sources: ['project'], audit: { path: log } })
    await logged.fire('PreToolUse', write('.claude/settings.json') as never)
    await logged.fire('PreToolUse', bash(`rm -r ${log}`) as never)
    await logged.close()
    const verdicts = [...readAuditLog(log)].filter((record) => record.kind === 'verdict')
    expect(verdicts).toMatchObject([{ decision: 'deny' }, { decision: 'deny' }])
    expect(JSON.stringify(verdicts[1])).toContain(protection.id)
  })
})

test('an engine without files has nothing to protect', async () => {
  await using h = createEngine({ cwd: '/p' })
  expect(h.has('PreToolUse')).toBe(false)
  expect((await h.fire('PreToolUse', write('.claude/settings.json') as never)).blocked).toBe(false)
})
