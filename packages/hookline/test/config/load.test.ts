/** Loading from real folders: which files count, in which order, what happens to broken ones, plugins, env, rules. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LoadRequest, loadSnapshot } from '../../src/config/load.ts'
import { loadManaged } from '../../src/config/managed-object.ts'
import type { Places } from '../../src/config/ports.ts'
import type { Snapshot } from '../../src/config/snapshot.ts'
import { watchedNames } from '../../src/config/watched-names.ts'
import { findPlaces } from '../../src/platform/places.ts'
import { nodePorts } from '../../src/platform/ports.ts'

let root = ''
let places: Places
const ports = nodePorts()

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'load ')))
  for (const folder of ['proj', 'home', 'etc']) mkdirSync(join(root, folder))
  const found = findPlaces({ cwd: join(root, 'proj'), env: { HOME: join(root, 'home') } })
  places = {
    ...found,
    managed: ['claude-code', 'hookline'].map((name) => ({
      path: join(root, 'etc', name, 'managed-settings.json'),
      root: join(root, 'etc', name),
      folder: join(root, 'etc', name, 'managed-settings.d'),
    })),
    policyOwners: [process.getuid?.() ?? 0],
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: unknown): string {
  const whole = join(root, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content))
  return whole
}
const load = (request: Partial<LoadRequest> = {}) => loadSnapshot({ places, ...request }, ports)
const stop = (...commands: string[]) => ({
  hooks: { Stop: [{ hooks: commands.map((command) => ({ type: 'command', command: /^\w+$/.test(command) ? `echo ${command}` : command })) }] },
})
const ids = (snapshot: Snapshot) => snapshot.hooks.map(({ info }) => info.id)
const live = (snapshot: Snapshot) => snapshot.hooks.filter(({ fault }) => fault === undefined).map(({ info }) => info.id)
const found = (snapshot: Snapshot) => snapshot.diagnostics.map(({ severity, code }) => `${severity} ${code}`)
const stateOf = (snapshot: Snapshot, id: string) => snapshot.sources.find((source) => source.id === id)?.state

const projectFile = 'proj/.claude/settings.json'
const policyFile = 'etc/claude-code/managed-settings.json'

describe('the places', () => {
  test('are read in configuration order, the Claude file before our twin', async () => {
    write('home/.claude/settings.json', stop('a'))
    write('home/.config/hookline/settings.json', stop('b'))
    write(projectFile, stop('c'))
    write('proj/.hookline/settings.json', stop('d'))
    write('proj/.claude/settings.local.json', stop('e'))
    write('proj/.hookline/settings.local.json', stop('f'))
    write('extra.json', stop('g'))
    write(policyFile, stop('i'))
    write('etc/claude-code/managed-settings.d/20.json', stop('k'))
    write('etc/claude-code/managed-settings.d/10.json', stop('j'))
    write('etc/claude-code/managed-settings.d/readme.txt', 'x')
    write('etc/hookline/managed-settings.json', stop('l'))
    const snapshot = await load({ settings: ['../extra.json', stop('h'), JSON.stringify(stop('h2'))], managed: stop('m') })
    expect(snapshot.hooks.map(({ info, spec }) => `${info.source.id} ${(spec as { command: string }).command.replace('echo ', '')}`)).toEqual([
      'user a',
      'user~2 b',
      'project c',
      'project~2 d',
      'local e',
      'local~2 f',
      'session:1 g',
      'session:2 h',
      'session:3 h2',
      'managed i',
      'managed~2 j',
      'managed~3 k',
      'managed~4 l',
      'managed~5 m',
    ])
    expect(snapshot.diagnostics).toEqual([])
  })
  test('that are not there are listed as absent, and the first file that is there has the plain id', async () => {
    write('proj/.hookline/settings.json', stop('a'))
    const snapshot = await load()
    expect(ids(snapshot)).toEqual(['project:Stop:0:0'])
    expect(snapshot.sources.filter(({ kind }) => kind === 'project').map(({ id, file, state }) => `${id} ${file} ${state}`)).toEqual([
      'project~2 .claude/settings.json absent',
      'project .hookline/settings.json loaded',
    ])
    expect(snapshot.watched).toContain(join(root, projectFile))
  })
  test('can be chosen', async () => {
    write('home/.claude/settings.json', stop('a'))
    write(projectFile, stop('c'))
    expect(ids(await load({ kinds: ['project'] }))).toEqual(['project:Stop:0:0'])
  })
  test('reached twice are loaded once, as the earlier source', async () => {
    write('home/.claude/settings.json', stop('a'))
    const home = findPlaces({ cwd: join(root, 'home'), env: { HOME: join(root, 'home') } })
    const inHome = await loadSnapshot({ places: { ...places, ...home, managed: [] } }, ports)
    expect(ids(inHome)).toEqual(['user:Stop:0:0'])
    expect(found(inHome)).toEqual(['info same-file'])
    mkdirSync(join(root, 'proj/.claude'))
    symlinkSync(join(root, 'home/.claude/settings.json'), join(root, projectFile))
    expect(ids(await load())).toEqual(['user:Stop:0:0'])
  })
  test('give every hook its file, line and column', async () => {
    write(
      projectFile,
      '{\n  "hooks": {\n    "Stop": [{ "hooks": [\n      { "type": "command", "command": "echo a" },\n      { "type": "command", "command": "echo b" }] }]\n  }\n}',
    )
    const [, second] = (await load()).hooks
    expect(second?.info.source).toEqual({ id: 'project', kind: 'project', file: '.claude/settings.json', line: 5, column: 7 })
  })
  test('bring hooks that need consent, or not', async () => {
    write('home/.claude/settings.json', stop('a'))
    write(projectFile, stop('b'))
    write('proj/.claude/settings.local.json', stop('c'))
    write(policyFile, stop('d'))
    const snapshot = await load({ settings: [stop('e')] })
    expect(snapshot.hooks.map(({ info }) => `${info.source.kind} ${info.trust}`)).toEqual([
      'user not-needed',
      'project untrusted',
      'local untrusted',
      'session not-needed',
      'managed not-needed',
    ])
    const vouched = await load({ trustOf: () => 'trusted' })
    expect(new Set(vouched.hooks.map(({ info }) => info.trust))).toEqual(new Set(['trusted']))
  })
  test('that the host names must be there', async () => {
    await expect(load({ settings: ['gone.json'] })).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining('gone.json') })
    await expect(load({ settings: ['{"hooks": '] })).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining('line 1') })
    await expect(load({ managed: [] as object })).rejects.toMatchObject({ code: 'invalid-option' })
  })
})

describe('a broken file', () => {
  test('costs only itself at the first load', async () => {
    write(projectFile, '{"hooks": {')
    write('home/.claude/settings.json', stop('a'))
    const snapshot = await load()
    expect(live(snapshot)).toEqual(['user:Stop:0:0'])
    expect(stateOf(snapshot, 'project')).toBe('broken')
    expect(snapshot.diagnostics).toEqual([expect.objectContaining({ code: 'invalid-json', severity: 'error', file: '.claude/settings.json', line: 1 })])
  })
  const damages: [name: string, damage: () => void][] = [
    ['that is half written', () => write(projectFile, '{"hooks": {"Stop": [{')],
    ['that is empty', () => write(projectFile, '')],
    ['that holds a list', () => write(projectFile, '[]')],
    ['that is no text', () => writeFileSync(join(root, projectFile), Buffer.from([0xff, 0xfe, 0x7b]))],
    [
      'that became a folder',
      () => {
        rmSync(join(root, projectFile))
        mkdirSync(join(root, projectFile))
      },
    ],
  ]
  test.each(damages)('%s keeps the last good hooks and says so', async (_name, damage) => {
    write(projectFile, { ...stop('a'), permissions: { deny: ['Bash(curl *)'] }, env: { A: '1' } })
    const first = await load()
    damage()
    const second = await load({ last: first })
    expect(live(second)).toEqual(['project:Stop:0:0'])
    expect(second.hooks[0]?.env).toEqual({ A: '1' })
    expect(second.rules.map(({ rule }) => rule.text)).toEqual(['Bash(curl *)'])
    expect(stateOf(second, 'project')).toBe('kept-last-good')
    expect(second.diagnostics).toEqual([
      expect.objectContaining({ code: 'kept-last-good', severity: 'warning', message: expect.stringContaining('kept the last good hooks') }),
    ])
    const third = await load({ last: second })
    expect(live(third)).toEqual(['project:Stop:0:0'])
    rmSync(join(root, projectFile), { recursive: true })
    write(projectFile, stop('b', 'c'))
    const fourth = await load({ last: third })
    expect([live(fourth), fourth.diagnostics, stateOf(fourth, 'project')]).toEqual([['project:Stop:0:0', 'project:Stop:0:1'], [], 'loaded'])
  })
  test('that is removed is gone', async () => {
    write(projectFile, stop('a'))
    const first = await load()
    rmSync(join(root, projectFile))
    expect(live(await load({ last: first }))).toEqual([])
  })
  test('leaves the hooks beside a broken part in force', async () => {
    write(projectFile, {
      hooks: {
        PreToolUse: [
          { matcher: { type: 'always' }, hooks: [{ type: 'command', command: 'echo a' }] },
          { matcher: 'Bash', hooks: [{ type: 'command' }, { type: 'command', command: 'echo b' }] },
        ],
        Stop: 7,
      },
      permissions: { deny: ['Bash(', 'Edit'] },
    })
    const snapshot = await load()
    expect(live(snapshot)).toEqual(['project:PreToolUse:1:1'])
    expect(snapshot.hooks.filter(({ fault }) => fault?.why === 'invalid').map(({ info }) => info.id)).toEqual([
      'project:PreToolUse:0:0',
      'project:PreToolUse:1:0',
    ])
    expect(snapshot.rules.map(({ rule }) => rule.text)).toEqual(['Edit'])
  })
})

describe('a file that holds too much', () => {
  const many = (count: number) => stop(...Array.from({ length: count }, (_, at) => `a${at}`))

  test.each<[what: string, content: () => object]>([
    ['hooks', () => many(10_003)],
    ['groups', () => ({ hooks: { Stop: Array.from({ length: 10_003 }, (_, at) => ({ matcher: `a${at}`, hooks: [{ type: 'command', command: 'true' }] })) } })],
  ])('of %s is read up to its limit when it comes with a folder, and says so once', async (what, content) => {
    write(projectFile, content())
    const snapshot = await load()
    expect(snapshot.hooks).toHaveLength(10_000)
    expect(found(snapshot).filter((one) => one.includes('too-many'))).toEqual(['error too-many'])
    expect(snapshot.diagnostics.find(({ code }) => code === 'too-many')?.message).toContain(`more than 10,000 ${what}`)
  })

  test('of rules likewise, list by list', async () => {
    const rules = (count: number) => Array.from({ length: count }, (_, at) => `Bash(a${at})`)
    write(projectFile, { permissions: { deny: rules(10_001), allow: rules(3) } })
    const snapshot = await load()
    expect(snapshot.rules).toHaveLength(10_003)
    expect(found(snapshot)).toEqual(['error too-many'])
  })

  test('is read whole when the user wrote it', async () => {
    write('home/.claude/settings.json', many(10_003))
    const snapshot = await load()
    expect(snapshot.hooks).toHaveLength(10_003)
    expect(found(snapshot)).toEqual([])
  })
})

describe('a policy file', () => {
  const damages: [name: string, damage: (path: string) => void, says: string][] = [
    ['does not parse', (path) => writeFileSync(path, '{"hooks": '), 'not valid JSON'],
    ['holds a list', (path) => writeFileSync(path, '[]'), 'expected an object'],
    ['can be written by its group', (path) => chmodSync(path, 0o664), 'other users can write it'],
    ['can be written by all', (path) => chmodSync(path, 0o646), 'other users can write it'],
    ['stands in a folder that its group can write', (path) => chmodSync(dirname(path), 0o775), 'other users can write it'],
    [
      'is a link that leads to nothing',
      (path) => {
        rmSync(path)
        symlinkSync('gone.json', path)
      },
      'a link that leads to nothing',
    ],
    [
      'is a folder',
      (path) => {
        rmSync(path)
        mkdirSync(path)
      },
      'a folder stands where a file is expected',
    ],
  ]
  test.each(damages)('that %s stops the start', async (_name, damage, says) => {
    damage(write(policyFile, stop('a')))
    await expect(load()).rejects.toMatchObject({
      code: 'policy-unreadable',
      message: expect.stringContaining(says),
      file: expect.stringContaining(dirname(join(root, policyFile))),
    })
  })
  test.each<[what: string, damage: (folder: string) => void]>([
    ['can be written by all', (folder) => chmodSync(folder, 0o1777)],
    ['holds a link that leads to nothing', (folder) => symlinkSync('gone', join(folder, '10.json'))],
  ])('stops the start when the folder beside it for drop-ins %s', async (_what, damage) => {
    damage(dirname(write('etc/claude-code/managed-settings.d/20.json', stop('a'))))
    await expect(load()).rejects.toMatchObject({ code: 'policy-unreadable' })
  })
  test('that is not there stops the start where others could put one', async () => {
    chmodSync(dirname(write('etc/hookline/notes.txt', {})), 0o777)
    await expect(load()).rejects.toMatchObject({ code: 'policy-unreadable', file: join(root, 'etc/hookline') })
  })
  test('that belongs to somebody else stops the start', async () => {
    write(policyFile, stop('a'))
    await expect(load({ places: { ...places, policyOwners: [(process.getuid?.() ?? 0) + 1] } })).rejects.toMatchObject({ code: 'policy-unreadable' })
  })
  test('that breaks later keeps what it said before', async () => {
    const path = write(policyFile, { allowManagedHooksOnly: true })
    const first = await load()
    writeFileSync(path, '{')
    const second = await load({ last: first })
    expect(second.policy.allowManagedHooksOnly).toBe(true)
    expect(found(second)).toEqual(['warning kept-last-good'])
  })
  test('with one bad entry stands otherwise', async () => {
    write(policyFile, {
      allowManagedHooksOnly: 'x',
      requireFailClosed: ['PreToolUse'],
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'echo a', timeout: 0 },
              { type: 'command', command: 'echo b' },
            ],
          },
        ],
      },
    })
    write(projectFile, stop('c'))
    const snapshot = await load()
    expect(live(snapshot)).toEqual(['managed:Stop:0:1'])
    expect(stateOf(snapshot, 'project')).toBe('off-by-policy')
    expect(snapshot.hooks.find(({ info }) => info.id === 'project:Stop:0:0')?.fault?.why).toBe('policy')
    expect(found(snapshot)).toEqual(['error timeout-range', 'error policy-entry'])
  })
  test('switches hooks off for the embedding program too', () => {
    const snapshot = loadManaged({ disableAllHooks: true, ...stop('a') })
    expect(snapshot.policy.disableAllHooks).toBe('all')
    expect(live(snapshot)).toEqual([])
  })
  test('requires that hooks fail closed', async () => {
    write(policyFile, { requireFailClosed: ['PreToolUse'] })
    write(projectFile, {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo a' }] }], PreCompact: [{ hooks: [{ type: 'command', command: 'echo a' }] }] },
    })
    expect((await load()).hooks.map(({ event, failClosed, info }) => `${event} ${failClosed} ${info.onFailure}`)).toEqual([
      'PreToolUse true block',
      'PreCompact false undefined',
    ])
  })
})

describe('variables', () => {
  test('of a folder reach only its own hooks, stronger sources win, and reserved names are dropped', async () => {
    write('home/.claude/settings.json', { ...stop('a'), env: { A: 'user', B: 'user', NODE_OPTIONS: '--trace-warnings' } })
    write(projectFile, {
      ...stop('b'),
      env: {
        A: 'project',
        C: 'project',
        NODE_OPTIONS: '-r ./x',
        Ld_Preload: 'x',
        ANTHROPIC_BASE_URL: 'http://x',
        GIT_SSH_COMMAND: 'x',
        PATH: '.',
        CLAUDE_CONFIG_DIR: '.',
        https_proxy: 'x',
        MY_BASE_URL: 'x',
      },
    })
    write('proj/.claude/settings.local.json', { env: { C: 'local' } })
    write(policyFile, { env: { B: 'managed' } })
    const snapshot = await load()
    expect(Object.fromEntries(snapshot.hooks.map(({ info, env }) => [info.source.id, env]))).toEqual({
      user: { A: 'user', B: 'managed', NODE_OPTIONS: '--trace-warnings' },
      project: { A: 'project', B: 'managed', C: 'local', NODE_OPTIONS: '--trace-warnings' },
    })
    expect(found(snapshot)).toEqual(Array.from({ length: 8 }, () => 'warning reserved-env'))
    expect(snapshot.env?.map(({ source }) => source.id)).toEqual(['user', 'project', 'local', 'managed'])
  })
})

describe('permissions', () => {
  test('add up, each rule with its place and folder; the strongest mode counts', async () => {
    write('home/.claude/settings.json', { permissions: { deny: ['Read(/a)'], defaultMode: 'plan' } })
    write(projectFile, '{ "permissions": {\n "deny": ["Bash(curl *)"], "allow": ["Read"],\n "defaultMode": "acceptEdits" } }')
    const snapshot = await load()
    expect(snapshot.rules.map(({ list, rule, root: folder, source }) => [list, rule.text, folder, source.line])).toEqual([
      ['deny', 'Read(/a)', join(root, 'home/.claude'), 1],
      ['deny', 'Bash(curl *)', join(root, 'proj'), 2],
      ['allow', 'Read', join(root, 'proj'), 2],
    ])
    expect(snapshot.mode).toBe('acceptEdits')
  })
  test('a folder cannot choose the mode that asks nothing, and policy can take it away', async () => {
    write(projectFile, { permissions: { defaultMode: 'bypassPermissions' } })
    expect((await load()).mode).toBeUndefined()
    write('home/.claude/settings.json', { permissions: { defaultMode: 'bypassPermissions' } })
    expect((await load()).mode).toBe('bypassPermissions')
    write(policyFile, { permissions: { disableBypassPermissionsMode: 'disable' } })
    const snapshot = await load()
    expect(snapshot.mode).toBeUndefined()
    expect(snapshot.policy.bypassDisabled).toBe(true)
  })
})

describe('plugins', () => {
  const plugin = (folder: string, hooks: unknown, manifest?: object) => {
    if (hooks !== undefined) write(`${folder}/hooks/hooks.json`, hooks)
    if (manifest !== undefined) write(`${folder}/.claude-plugin/plugin.json`, manifest)
    return join(root, folder)
  }
  const enable = (...names: string[]) => write('home/.claude/settings.json', { enabledPlugins: Object.fromEntries(names.map((name) => [name, true])) })
  const install = (id: string, path: string) =>
    write('home/.claude/plugins/installed_plugins.json', { version: 2, plugins: { [id]: [{ scope: 'user', installPath: path }] } })

  test('that are installed and switched on bring their hooks first, with their variables', async () => {
    const path = plugin('home/.claude/plugins/cache/market/fmt/1.0.0', { description: 'x', ...stop('sh "$' + '{CLAUDE_PLUGIN_ROOT}/a.sh"') })
    write('home/.claude/plugins/cache/market/fmt/1.0.0/a.sh', '')
    install('fmt@market', path)
    write('home/.claude/settings.json', {
      ...stop('a'),
      enabledPlugins: { 'fmt@market': true, 'off@market': false },
      pluginConfigs: { 'fmt@market': { options: { 'line-width': 80 } } },
    })
    const snapshot = await load()
    expect(ids(snapshot)).toEqual(['plugin:fmt:Stop:0:0', 'user:Stop:0:0'])
    expect(snapshot.hooks[0]?.variables).toEqual({
      CLAUDE_PLUGIN_ROOT: path,
      CLAUDE_PLUGIN_DATA: join(root, 'home/.claude/plugins/data/fmt-market'),
      CLAUDE_PLUGIN_OPTION_LINE_WIDTH: '80',
    })
    expect(snapshot.hooks[0]?.info).toMatchObject({ trust: 'untrusted', label: 'a.sh' })
    expect(snapshot.hooks[1]?.variables).toBeUndefined()
    expect(snapshot.diagnostics).toEqual([])
  })
  test('known as a marketplace source and as an installed copy count once, as the installed one', async () => {
    plugin('home/.claude/plugins/marketplaces/market/plugins/fmt', stop('source'))
    write('home/.claude/plugins/marketplaces/market/.claude-plugin/marketplace.json', { plugins: [{ name: 'fmt', source: './plugins/fmt' }] })
    enable('fmt@market')
    const commands = async () => (await load()).hooks.map(({ spec }) => (spec as { command: string }).command.replace('echo ', ''))
    expect(await commands()).toEqual(['source'])
    install('fmt@market', plugin('home/.claude/plugins/cache/market/fmt/1', stop('installed')))
    expect(await commands()).toEqual(['installed'])
  })
  test('bring hooks from a file, a list and the manifest itself, each file once', async () => {
    plugin('p', stop('std'), { name: 'mine', hooks: ['./more.json', { Stop: stop('inline').hooks.Stop }, './more.json', './hooks/hooks.json'] })
    write('p/more.json', stop('more'))
    const snapshot = await load({ pluginDirs: ['../p'] })
    expect(snapshot.hooks.map(({ info, spec }) => `${info.id} ${(spec as { command: string }).command.replace('echo ', '')}`)).toEqual([
      'plugin:mine:Stop:0:0 std',
      'plugin:mine~2:Stop:0:0 more',
      'plugin:mine~3:Stop:0:0 inline',
    ])
    expect(snapshot.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('"./more.json" is named twice'),
      expect.stringContaining('hooks/hooks.json is loaded by itself'),
    ])
  })
  test('cannot reach outside their folder', async () => {
    write('outside.json', stop('x'))
    plugin('p', undefined, { name: 'mine', hooks: ['../outside.json', './link.json', './gone.json', 7] })
    symlinkSync(join(root, 'outside.json'), join(root, 'p/link.json'))
    const snapshot = await load({ pluginDirs: ['../p'] })
    expect(ids(snapshot)).toEqual([])
    expect(found(snapshot)).toEqual(['error plugin-file', 'error plugin-file', 'error plugin-file', 'error plugin-file'])
  })
  test('whose folder is gone are skipped with one notice', async () => {
    install('alpha@market', join(root, 'home/.claude/plugins/cache/market/alpha/1'))
    enable('alpha@market', 'beta@market')
    write(projectFile, stop('a'))
    const snapshot = await load()
    expect(live(snapshot)).toEqual(['project:Stop:0:0'])
    expect(snapshot.diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      expect.stringMatching(/^warning the folder of plugin alpha is gone/),
      expect.stringMatching(/^warning plugin beta .* not installed/),
    ])
  })
  test('with a command that settings have too are mentioned, and both run', async () => {
    plugin('p', stop('echo x'), { name: 'alpha' })
    write(projectFile, stop('echo x'))
    const snapshot = await load({ pluginDirs: ['../p'] })
    expect(new Set(snapshot.hooks.map(({ dedupKey }) => dedupKey)).size).toBe(2)
    expect(snapshot.diagnostics).toEqual([
      expect.objectContaining({ severity: 'info', message: expect.stringContaining('same command also in plugin alpha'), hook: 'project:Stop:0:0' }),
    ])
  })
  test('with a broken file keep its last good hooks', async () => {
    plugin('p', stop('a'), { name: 'alpha' })
    const first = await load({ pluginDirs: ['../p'] })
    write('p/hooks/hooks.json', '{')
    const second = await load({ pluginDirs: ['../p'], last: first })
    expect([live(second), stateOf(second, 'plugin:alpha')]).toEqual([['plugin:alpha:Stop:0:0'], 'kept-last-good'])
  })
  test('that managed settings switch on stay on when only managed hooks may run', async () => {
    install('fmt@market', plugin('home/.claude/plugins/cache/market/fmt/1', stop('a')))
    enable('fmt@market')
    write(policyFile, { allowManagedHooksOnly: true })
    expect(live(await load())).toEqual([])
    write(policyFile, { allowManagedHooksOnly: true, enabledPlugins: { 'fmt@market': true } })
    expect(live(await load())).toEqual(['plugin:fmt:Stop:0:0'])
  })
  test('that the person switched on cannot be switched off by the project', async () => {
    install('guard@market', plugin('home/.claude/plugins/cache/market/guard/1', stop('a')))
    enable('guard@market')
    write(projectFile, { enabledPlugins: { 'guard@market': false } })
    expect(live(await load())).toEqual(['plugin:guard:Stop:0:0'])
    write('proj/.claude/settings.local.json', { enabledPlugins: { 'guard@market': false } })
    expect(live(await load())).toEqual([])
  })
  test('with a name that is a path are not looked for', async () => {
    enable('../../x@market', 'x@../..')
    expect(found(await load())).toEqual(['warning plugin-gone', 'warning plugin-gone'])
  })
})

describe('a snapshot', () => {
  test('is frozen through and through, and its digests are worked out when read', async () => {
    write(projectFile, { ...stop('a'), permissions: { deny: ['Edit'] } })
    const snapshot = await load()
    const hook = snapshot.hooks[0]
    const parts: unknown[] = [
      snapshot,
      snapshot.hooks,
      hook,
      hook?.info,
      hook?.spec,
      hook?.matcher,
      snapshot.rules[0]?.rule,
      snapshot.policy,
      snapshot.policy.disabledHooks,
      snapshot.sources[0],
    ]
    expect(parts.map(Object.isFrozen)).toEqual(parts.map(() => true))
    expect(typeof Object.getOwnPropertyDescriptor(hook?.info, 'digest')?.get).toBe('function')
    expect(Object.keys(hook?.info ?? {})).toContain('digest')
    expect(hook?.info.digest).toBe(hook?.info.digest)
  })
  test('names the files that its file hooks watch', async () => {
    write(projectFile, {
      hooks: {
        FileChanged: [
          { matcher: '.envrc|.env', hooks: [{ type: 'command', command: 'echo a' }] },
          { matcher: '*', hooks: [{ type: 'command', command: 'echo b' }] },
          { hooks: [{ type: 'command', command: 'echo c' }] },
          { matcher: 'src/.*', hooks: [{ type: 'command', command: 'echo d' }] },
        ],
      },
    })
    expect(watchedNames((await load()).hooks, '/w')).toEqual(['/w/.envrc', '/w/.env'])
  })
  test('leaves no file changed', async () => {
    write(projectFile, 'null\n')
    await load()
    expect(existsSync(join(root, projectFile))).toBe(true)
  })
})
