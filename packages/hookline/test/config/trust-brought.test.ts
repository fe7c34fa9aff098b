/** What a folder brings: which changes give it another digest and which do not, and how differences are told. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../src/config/load.ts'
import { findBrought } from '../../src/config/trust-brought.ts'
import { markChanges } from '../../src/config/trust-record.ts'
import { findPlaces } from '../../src/platform/places.ts'
import { nodePorts } from '../../src/platform/ports.ts'
import { nodeScripts } from '../../src/platform/trust-scripts.ts'
import type { TrustItem } from '../../src/protocol/ports.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'brought-')))
  write('proj/a.sh', 'echo a')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

async function look(settings: object, { user = {}, managed }: { user?: object; managed?: object } = {}) {
  write('proj/.claude/settings.json', settings)
  write('home/.claude/settings.json', user)
  const projectDir = join(root, 'proj')
  const places = { ...findPlaces({ cwd: projectDir, env: { HOME: join(root, 'home') } }), managed: [] }
  const snapshot = await loadSnapshot({ places, pluginDirs: [join(root, 'plug')], ...(managed === undefined ? {} : { managed }) }, nodePorts())
  return findBrought(snapshot, { projectDir, scripts: nodeScripts })
}

type Hook = Record<string, unknown>
const hooks = (hook: Hook = {}, group: object = {}, more: object = {}) => ({
  ...more,
  hooks: { PreToolUse: [{ matcher: 'Bash', ...group, hooks: [{ type: 'command', command: 'sh a.sh', ...hook }] }] },
})
const base = hooks()

describe('the digest of the folder', () => {
  const changes: [string, () => object][] = [
    ['the command', () => hooks({ command: 'sh a.sh x' })],
    ['its arguments', () => hooks({ args: ['x'] })],
    ['the matcher', () => hooks({}, { matcher: 'Bash|Read' })],
    ['the condition', () => hooks({ if: 'Bash(ls)' })],
    ['the timeout', () => hooks({ timeout: 5 })],
    ['what a failure means', () => hooks({ onFailure: 'block' })],
    ['waiting for it', () => hooks({ async: true })],
    ['another hook', () => ({ hooks: { ...base.hooks, Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } })],
    ['a variable', () => hooks({}, {}, { env: { A: '1' } })],
    ['a rule that permits', () => hooks({}, {}, { permissions: { allow: ['Read'] } })],
    ['a mode', () => hooks({}, {}, { permissions: { defaultMode: 'acceptEdits' } })],
    [
      'the bytes of a script',
      () => {
        write('proj/a.sh', 'echo b')
        return base
      },
    ],
  ]
  test.each(changes)('changes with %s', async (_, change) => {
    const before = await look(base)
    expect((await look(change())).digest).not.toBe(before.digest)
  })

  const harmless: [string, () => object, object?][] = [
    ['the order of keys', () => ({ hooks: { PreToolUse: [{ hooks: [{ command: 'sh a.sh', type: 'command' }], matcher: 'Bash' }] } })],
    ['a status message', () => hooks({ statusMessage: 'looking' })],
    ['rules that restrict', () => hooks({}, {}, { permissions: { deny: ['Read'], ask: ['Write'] } })],
    ['a mode that restricts', () => hooks({}, {}, { permissions: { defaultMode: 'plan' } })],
    ['settings that run nothing', () => hooks({}, {}, { theme: 'dark' })],
    ['what the user writes', () => base, { user: hooks({}, {}, { env: { B: '2' }, permissions: { allow: ['Bash'] } }) }],
    ['what is managed', () => base, { managed: hooks() }],
    ['hooks being switched off', () => base, { user: { disableAllHooks: true } }],
    [
      'a file that no hook names',
      () => {
        write('proj/b.sh', 'x')
        return base
      },
    ],
  ]
  test.each(harmless)('stays with %s', async (_, change, more = {}) => {
    const before = await look(base)
    expect((await look(change(), more)).digest).toBe(before.digest)
  })

  test('of a plugin covers its folder and its scripts', async () => {
    write('plug/.claude-plugin/plugin.json', { name: 'plug' })
    write('plug/run.sh', 'one')
    write('plug/hooks/hooks.json', { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/run.sh"' }] }] } })
    const before = await look({})
    expect(before.items).toMatchObject([
      { kind: 'command', hook: 'plugin:plug:Stop:0:0' },
      { kind: 'script', file: '${CLAUDE_PLUGIN_ROOT}/run.sh', text: 'one' },
    ])
    write('plug/run.sh', 'two')
    expect((await look({})).digest).not.toBe(before.digest)
  })
})

describe('an item', () => {
  test('says when a hook runs, in words', async () => {
    const { items } = await look(hooks({ if: 'Bash(git *)', timeout: 30, once: true, onFailure: 'block' }))
    expect(items[0]).toMatchObject({
      when: 'PreToolUse, matcher "Bash", if Bash(git *), timeout 30 s, once, fails closed',
      file: '.claude/settings.json',
      line: 1,
    })
  })
  const kinds: [object, Partial<TrustItem>][] = [
    [
      { command: 'a b', args: ["it's", 'c'] },
      { kind: 'command', text: "'a b' 'it'\\''s' c" },
    ],
    [
      { type: 'http', url: 'https://x.test/', headers: { A: '$B' }, allowedEnvVars: ['B'] },
      { kind: 'url', text: 'https://x.test/\nheader A: $B\nvariables B' },
    ],
    [
      { type: 'prompt', prompt: 'p' },
      { kind: 'prompt', text: 'p' },
    ],
    [
      { type: 'module', path: './a.mjs' },
      { kind: 'module', text: './a.mjs' },
    ],
    [
      { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } },
      { kind: 'command', text: 'MCP server s, tool t, with {"a":1}' },
    ],
  ]
  test.each(kinds)('%o', async (hook, item) => {
    expect((await look(hooks(hook as Hook))).items[0]).toMatchObject(item)
  })
  test('a script that is no text is told by its digest', async () => {
    writeFileSync(join(root, 'proj/a.sh'), Buffer.from([0, 1, 2]))
    expect((await look(base)).items[1]?.text).toMatch(/^\(3 bytes that are no text, SHA-256 [0-9a-f]{64}\)$/)
  })
})

describe('differences', () => {
  const command = (text: string, hook: string): TrustItem => ({ kind: 'command', text, hook, when: 'Stop' })
  const rows: [string, TrustItem[], TrustItem[], string[]][] = [
    ['nothing before', [], [command('a', '1')], ['added a']],
    ['the same', [command('a', '1')], [command('a', '1')], ['same a']],
    ['a hook that moved', [command('a', '1'), command('b', '2')], [command('b', '1'), command('a', '2')], ['same b', 'same a']],
    ['a hook that changed', [command('a', '1')], [command('b', '1')], ['changed b < a']],
    ['a hook that is gone', [command('a', '1'), command('b', '2')], [command('a', '1')], ['same a', 'removed b']],
    ['a rule is never the successor of another', [{ kind: 'rule', text: 'a' }], [{ kind: 'rule', text: 'b' }], ['added b', 'removed a']],
    [
      'a variable',
      [{ kind: 'env', text: 'A=1' }],
      [
        { kind: 'env', text: 'A=2' },
        { kind: 'env', text: 'B=1' },
      ],
      ['changed A=2 < A=1', 'added B=1'],
    ],
    [
      'a script',
      [{ kind: 'script', text: '1', file: 'a' }],
      [
        { kind: 'script', text: '2', file: 'a' },
        { kind: 'script', text: '1', file: 'b' },
      ],
      ['changed 2 < 1', 'added 1'],
    ],
  ]
  test.each(rows)('%s', (_, before, now, told) => {
    const marked = markChanges(now, before, { tellRemoved: true })
    expect(marked.map(({ change = 'same', text, before: old }) => `${change} ${text}${old === undefined ? '' : ` < ${old}`}`)).toEqual(told)
  })
})
