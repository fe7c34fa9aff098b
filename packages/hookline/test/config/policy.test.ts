/** Policy over several sources: it only becomes narrower, and nobody loosens what stands above. */
import { describe, expect, test } from 'vitest'
import { Findings } from '../../src/config/findings.ts'
import { foldPolicy } from '../../src/config/policy.ts'
import { readPolicyKeys } from '../../src/config/policy-keys.ts'
import { type ObjectTree, treeOf } from '../../src/config/tree.ts'
import type { SourceKind } from '../../src/protocol/hook.ts'

const order: readonly SourceKind[] = ['user', 'project', 'local', 'session', 'managed']
function fold(settings: Partial<Record<SourceKind, object>>) {
  return foldPolicy(
    order
      .filter((kind) => settings[kind] !== undefined)
      .map((kind) => ({ source: { id: kind, kind, file: `${kind}.json` }, keys: readPolicyKeys(treeOf(settings[kind]) as ObjectTree, kind, new Findings()) })),
  )
}

describe('disableAllHooks', () => {
  const rows: [settings: Parameters<typeof fold>[0], off: 'all' | 'unmanaged' | undefined][] = [
    [{}, undefined],
    [{ user: { disableAllHooks: true } }, 'unmanaged'],
    [{ project: { disableAllHooks: true } }, 'unmanaged'],
    [{ user: { disableAllHooks: true }, project: { disableAllHooks: false } }, 'unmanaged'],
    [{ user: { disableAllHooks: true }, local: { disableAllHooks: false } }, 'unmanaged'],
    [{ user: { disableAllHooks: true }, session: { disableAllHooks: false } }, undefined],
    [{ project: { disableAllHooks: true }, local: { disableAllHooks: false } }, undefined],
    [{ session: { disableAllHooks: true } }, 'unmanaged'],
    [{ managed: { disableAllHooks: true } }, 'all'],
    [{ user: { disableAllHooks: true }, managed: { disableAllHooks: false } }, undefined],
    [{ user: { disableAllHooks: 'yes' } }, undefined],
  ]
  test.each(rows)('%j gives %s', (settings, off) => {
    expect(fold(settings).policy.disableAllHooks).toBe(off)
  })
  test('that a folder tries to undo is mentioned', () => {
    const { diagnostics } = fold({ user: { disableAllHooks: true }, project: { disableAllHooks: false } })
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'policy-entry', severity: 'warning', file: 'project.json' })])
  })
})

describe('what is off', () => {
  const rows: [settings: Parameters<typeof fold>[0], off: SourceKind[]][] = [
    [{ user: { disableAllHooks: true } }, ['plugin', 'user', 'project', 'local', 'session']],
    [{ managed: { disableAllHooks: true } }, ['builtin', 'plugin', 'user', 'project', 'local', 'session', 'managed']],
    [{ managed: { allowManagedHooksOnly: true } }, ['plugin', 'user', 'project', 'local', 'session']],
    [{ managed: { allowManagedHooksOnly: 'yes' } }, ['plugin', 'user', 'project', 'local', 'session']],
    [{ managed: { allowManagedHooksOnly: false } }, []],
    [{ project: { allowManagedHooksOnly: true } }, []],
    [{ managed: { strictPluginOnlyCustomization: true } }, ['user', 'project', 'local', 'session']],
    [{ managed: { strictPluginOnlyCustomization: ['hooks'] } }, ['user', 'project', 'local', 'session']],
    [{ managed: { strictPluginOnlyCustomization: ['skills'] } }, []],
    [{ user: { strictPluginOnlyCustomization: true } }, []],
  ]
  test.each(rows)('under %j: %s', (settings, off) => {
    const { offFor } = fold(settings)
    const kinds: SourceKind[] = ['builtin', 'plugin', 'user', 'project', 'local', 'session', 'managed']
    expect(kinds.filter((kind) => offFor(kind) !== undefined)).toEqual(off)
  })
  test('a plugin that managed settings switch on stays on', () => {
    expect(fold({ managed: { allowManagedHooksOnly: true } }).offFor('plugin', true)).toBeUndefined()
    expect(fold({ managed: { disableAllHooks: true } }).offFor('plugin', true)).toBeDefined()
  })
  test('a single hook is off where user or managed settings list its id', () => {
    const { disabled } = fold({
      user: { disabledHooks: ['project:Stop:0:0', 'managed:Stop:0:0'] },
      project: { disabledHooks: ['user:Stop:0:0'] },
      managed: { disabledHooks: ['managed:Stop:0:1'] },
    })
    expect(disabled('project:Stop:0:0', 'project')?.why).toBe('disabled')
    expect(disabled('managed:Stop:0:1', 'managed')?.why).toBe('disabled')
    expect(disabled('managed:Stop:0:0', 'managed')).toBeUndefined()
    expect(disabled('user:Stop:0:0', 'user')).toBeUndefined()
  })
})

test.each<[what: string, list: string[], says: string[]]>([
  ['a misspelt event', ['PreToolUze'], ['requireFailClosed: no event called "PreToolUze"; did you mean "PreToolUse"?']],
  ['an event of nobody', ['deploy'], ['requireFailClosed: no event called "deploy" is known here']],
  [
    'an event that no failure can hold up',
    ['Stop', 'Notification', 'PostToolUse'],
    ['Stop', 'Notification', 'PostToolUse'].map((name) => `requireFailClosed: a failure of a hook on ${name} cannot hold anything up, so this has no effect`),
  ],
  ['events that can', ['PreToolUse', 'PermissionRequest', 'WorktreeCreate'], []],
])('requireFailClosed with %s', (_, list, says) => {
  const findings = new Findings()
  expect(readPolicyKeys(treeOf({ requireFailClosed: list }) as ObjectTree, 'managed', findings).requireFailClosed).toEqual(list)
  expect(findings.list.map(({ severity, message }) => `${severity} ${message}`)).toEqual(says.map((text) => `warning ${text}`))
})

describe('lists', () => {
  const urls: [lists: Parameters<typeof fold>[0], list: string[] | undefined][] = [
    [{}, undefined],
    [{ user: { allowedHttpHookUrls: ['https://a/*'] } }, ['https://a/*']],
    [{ user: { allowedHttpHookUrls: [] }, project: { allowedHttpHookUrls: ['https://a/*'] } }, []],
    [{ user: { allowedHttpHookUrls: ['https://a/*'] }, project: { allowedHttpHookUrls: ['https://a/x', 'https://b/*'] } }, ['https://a/x']],
    [{ user: { allowedHttpHookUrls: ['https://a/x'] }, project: { allowedHttpHookUrls: ['https://*'] } }, ['https://a/x']],
    [{ user: { allowedHttpHookUrls: ['https://a/*'] }, project: { allowedHttpHookUrls: ['https://a/*'] } }, ['https://a/*']],
    [{ user: { allowedHttpHookUrls: ['*/x'] }, project: { allowedHttpHookUrls: ['https://*'] } }, []],
    [{ managed: { allowedHttpHookUrls: 'https://a/*' } }, []],
    [{ managed: { allowedHttpHookUrls: ['https://a/*', 7] } }, ['https://a/*']],
  ]
  test.each(urls)('of URLs narrow each other: %j', (lists, list) => {
    expect(fold(lists).policy.allowedHttpHookUrls).toEqual(list)
  })
  test('with many stars are judged in no time', () => {
    const start = performance.now()
    fold({ user: { allowedHttpHookUrls: ['*a'.repeat(400)] }, project: { allowedHttpHookUrls: ['a'.repeat(4_000)] } })
    expect(performance.now() - start).toBeLessThan(1_000)
  })
  test('of variables narrow each other', () => {
    expect(fold({ user: { httpHookAllowedEnvVars: ['A', 'B'] }, project: { httpHookAllowedEnvVars: ['B', 'C'] } }).policy.httpHookAllowedEnvVars).toEqual(['B'])
  })
  test('of origins come from user and managed settings only, and hold nothing but origins', () => {
    const { policy } = fold({
      user: { allowedHttpOrigins: ['http://localhost:8080', 'http://localhost/x', 'ftp://h', 'x'] },
      project: { allowedHttpOrigins: ['http://10.0.0.1'] },
      managed: { allowedHttpOrigins: ['https://in.example/'] },
    })
    expect(policy.allowedHttpOrigins).toEqual(['http://localhost:8080', 'https://in.example'])
  })
  test('of events that must fail closed come from managed settings only, and what cannot be read means all', () => {
    expect(fold({ user: { requireFailClosed: true } }).policy.requireFailClosed).toEqual([])
    expect(fold({ managed: { requireFailClosed: ['PreToolUse'] } }).policy.requireFailClosed).toEqual(['PreToolUse'])
    expect(fold({ managed: { requireFailClosed: 'PreToolUse' } }).policy.requireFailClosed).toBe(true)
    expect(fold({ managed: { requireFailClosed: false } }).policy.requireFailClosed).toEqual([])
  })
})
