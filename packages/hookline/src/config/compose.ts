/** Composes sources into the frozen snapshot: policy over all of them, hooks compiled in configuration order, rules, mode. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookInfo, Skipped, SourceKind } from '../protocol/hook.ts'
import { assembleHook, type HookHome } from './compile-hook.ts'
import { dedupKeyOf } from './dedup-key.ts'
import { comesWithFolder } from './env-block.ts'
import { diagnose } from './findings.ts'
import { freezeDeep } from './freeze.ts'
import { type LoadedSource, trustBefore } from './loaded-source.ts'
import { type FoldedPolicy, foldPolicy } from './policy.ts'
import type { ConfiguredEnv, ConfiguredHook, ConfiguredMode, FolderSwitch, Snapshot, SourceState } from './snapshot.ts'

/** What composing takes beside the sources. */
export interface ComposeOptions {
  readonly trustOf?: (kind: SourceKind) => HookInfo['trust']
  readonly watched?: readonly string[]
  readonly diagnostics?: readonly Diagnostic[]
}

/** Composes. The sources come in configuration order (design decision 1). */
export function composeSnapshot(sources: readonly LoadedSource[], { trustOf = trustBefore, watched = [], diagnostics = [] }: ComposeOptions = {}): Snapshot {
  const folded = foldPolicy(sources.map(({ state, content }) => ({ source: state, keys: content?.policy ?? {} })))
  const env = sources.flatMap(({ state, content }): ConfiguredEnv[] =>
    content === undefined || Object.keys(content.env).length === 0 ? [] : [{ source: sourceOf(state), values: content.env }],
  )
  const folders = sources.flatMap(({ content }) => content?.permissions.folders ?? [])
  const folderSwitch = folded.folderSwitch === undefined ? undefined : { source: folded.folderSwitch, fault: Object.freeze({ ...byFolder }) }
  const hooks = sources.flatMap((source) => compileSource(source, { folded, trustOf, env, folderSwitch }))
  const bypassDisabled = sources.some(({ content }) => content?.permissions.bypassDisabled)
  const { mode, warning } = modeOf(sources, bypassDisabled)
  const unread = unreadOf(sources)
  return freezeDeep({
    sources: sources.map(({ state }) => ({ ...stateOf(state, folded, sources), trust: trustOf(state.kind) })),
    hooks,
    rules: sources.flatMap(({ content }) => content?.permissions.rules ?? []),
    ...(mode === undefined ? {} : { mode }),
    modes: modesOf(sources, bypassDisabled),
    ...(unread === undefined ? {} : { unread }),
    ...(folderSwitch === undefined ? {} : { folderSwitch }),
    policy: { ...folded.policy, ...(bypassDisabled ? { bypassDisabled: true as const } : {}) },
    diagnostics: [
      ...diagnostics,
      ...sources.flatMap((source) => source.diagnostics),
      ...folded.diagnostics,
      ...(warning === undefined ? [] : [warning]),
      ...sameInPlugin(hooks),
    ],
    ...(env.length === 0 ? {} : { env }),
    ...(folders.length === 0 ? {} : { folders }),
    watched,
  })
}

/** A file that cannot be read may hold the guard that would have said no. */
function unreadOf(sources: readonly LoadedSource[]): string | undefined {
  const broken = sources.filter(({ state }) => state.state === 'broken').map(({ state }) => state.file ?? state.id)
  if (broken.length === 0) return undefined
  return `${broken.join(' and ')} cannot be read, so what ${broken.length === 1 ? 'it forbids' : 'they forbid'} is not known.`
}

interface Composing {
  readonly folded: FoldedPolicy
  readonly trustOf: (kind: SourceKind) => HookInfo['trust']
  readonly env: readonly ConfiguredEnv[]
  readonly folderSwitch: FolderSwitch | undefined
}

const byFolder: Skipped = { why: 'policy', detail: 'disableAllHooks of this folder switches all hooks off but the managed ones' }

function compileSource({ state, content, plugin }: LoadedSource, { folded, trustOf, env, folderSwitch }: Composing): ConfiguredHook[] {
  if (content === undefined) return []
  const variables = envFor(state.kind, env)
  const home: HookHome = {
    // Managed settings vouch for the plugins that they switch on.
    trust: plugin?.forced === true ? 'not-needed' : trustOf(state.kind),
    requireFailClosed: folded.policy.requireFailClosed,
    ...(plugin === undefined ? {} : { root: plugin.root, variables: plugin.variables }),
    ...(content.policy.sandbox?.here === undefined ? {} : { sandboxHere: content.policy.sandbox.here }),
    ...(folded.policy.hookSandbox[state.kind] === undefined ? {} : { sandboxFloor: folded.policy.hookSandbox[state.kind] }),
    ...(variables === undefined ? {} : { env: variables }),
  }
  const off = folded.offFor(state.kind, plugin?.forced)
  // Where the folder is not accepted, this alone is taken back.
  const switched = state.kind === 'managed' || state.kind === 'builtin' || plugin?.forced === true ? undefined : folderSwitch?.fault
  return content.seeds.map((seed) => {
    const skipped = off ?? folded.disabled(`${seed.source.id}:${seed.row.name}:${seed.group}:${seed.index}`, state.kind) ?? switched
    return assembleHook(seed, skipped === undefined ? home : { ...home, off: skipped })
  })
}

/** What a hook of this source gets: the blocks of all sources, stronger ones last; what a folder brings reaches only hooks of the folder. */
function envFor(kind: SourceKind, blocks: readonly ConfiguredEnv[]): Record<string, string> | undefined {
  const folder = kind === 'project' || kind === 'local'
  const meant = blocks.filter(({ source }) => folder || !comesWithFolder(source.kind))
  return meant.length === 0 ? undefined : Object.assign(Object.create(null), ...meant.map(({ values }) => values))
}

function sourceOf({ id, kind, file }: SourceState) {
  return { id, kind, ...(file === undefined ? {} : { file }) }
}

function stateOf(state: SourceState, { offFor, folderSwitch }: FoldedPolicy, sources: readonly LoadedSource[]): SourceState {
  const forced = sources.find((source) => source.state === state)?.plugin?.forced
  const read = state.state === 'loaded' || state.state === 'kept-last-good'
  const switched = folderSwitch !== undefined && state.kind !== 'managed' && state.kind !== 'builtin' && forced !== true
  return read && (switched || offFor(state.kind, forced) !== undefined) ? { ...state, state: 'off-by-policy' } : state
}

/** Every choice of a mode that is to be had. */
function modesOf(sources: readonly LoadedSource[], bypassDisabled: boolean): ConfiguredMode[] {
  return sources.flatMap(({ state, content }) => {
    const mode = content?.permissions.mode
    return mode === undefined || (mode === 'bypassPermissions' && bypassDisabled) ? [] : [{ mode, source: sourceOf(state) }]
  })
}

/** The mode of the strongest source that sets one. */
function modeOf(sources: readonly LoadedSource[], bypassDisabled: boolean): { mode?: string; warning?: Diagnostic } {
  const last = sources.findLast(({ content }) => content?.permissions.mode !== undefined)
  const mode = last?.content?.permissions.mode
  if (mode === undefined) return {}
  if (mode !== 'bypassPermissions' || !bypassDisabled) return { mode }
  const file = last?.state.file
  return {
    warning: diagnose(
      'policy-entry',
      'permissions.defaultMode: bypassPermissions is not available, settings switch it off',
      file === undefined ? {} : { file },
    ),
  }
}

/** Copies in settings files are one hook, but the copy of a plugin is another (design decision 2): nobody should be surprised. */
function sameInPlugin(hooks: readonly ConfiguredHook[]): Diagnostic[] {
  const key = (hook: ConfiguredHook) => `${hook.event} ${dedupKeyOf('', hook.type, (hook.spec ?? {}) as Readonly<Record<string, unknown>>)}`
  const inPlugins = new Map(hooks.filter(({ info, fault }) => info.source.kind === 'plugin' && fault === undefined).map((hook) => [key(hook), hook]))
  if (inPlugins.size === 0) return []
  return hooks.flatMap((hook) => {
    const twin = hook.info.source.kind === 'plugin' || hook.fault !== undefined ? undefined : inPlugins.get(key(hook))
    if (twin === undefined) return []
    const { file, line, column } = hook.info.source
    const name = twin.info.source.id.replace(/^plugin:|[~@]\d+$/g, '')
    return [
      diagnose('same-command-in-plugin', `same command also in plugin ${name}: both run`, {
        hint: 'Remove one of the two.',
        hook: hook.info.id,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      }),
    ]
  })
}
