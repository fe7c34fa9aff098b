/** Loads everything that people wrote, from every place of design §5, into one frozen snapshot. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { EventDef } from '../protocol/event-types.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookInfo, SourceKind } from '../protocol/hook.ts'
import { composeSnapshot } from './compose.ts'
import { comesWithFolder } from './env-block.ts'
import type { LoadedSource } from './loaded-source.ts'
import { managedSource } from './managed-object.ts'
import { readPlugin } from './plugin-hooks.ts'
import { findPlugins } from './plugins.ts'
import type { LoadPorts, Places } from './ports.ts'
import { readContent } from './read-content.ts'
import type { LastGood } from './read-file.ts'
import type { Snapshot } from './snapshot.ts'
import { type FoundFile, findSettings } from './sources.ts'

/** What is to be loaded. */
export interface LoadRequest {
  readonly places: Places
  /** Which kinds of places are read; default all but `session`. `settings` and `managed` below are read in any case. */
  readonly kinds?: readonly SourceKind[]
  /** More settings: files, JSON text or objects, source kind `session`. */
  readonly settings?: readonly (string | object)[]
  /** Policy of the embedding program, the strongest source. */
  readonly managed?: object
  /** Folders of plugins, besides those that settings switch on. */
  readonly pluginDirs?: readonly string[]
  readonly events?: readonly EventDef[]
  /** Whether hooks of a kind of source need consent; default: what comes with a folder does. */
  readonly trustOf?: (kind: SourceKind) => HookInfo['trust']
  /** The snapshot in force: a file that is broken now keeps what it gave then. */
  readonly last?: Snapshot
}

const everyPlace: readonly SourceKind[] = ['builtin', 'plugin', 'user', 'project', 'local', 'managed']
const texts = new WeakMap<Snapshot, ReadonlyMap<string, LastGood>>()

/**
 * Loads the settings.
 * @throws HooklineError `policy-unreadable` when a policy file cannot be relied on, `invalid-option` when settings that were given
 * are not there.
 */
export async function loadSnapshot(request: LoadRequest, ports: LoadPorts): Promise<Snapshot> {
  const { places, settings = [], kinds = everyPlace } = request
  const last = (request.last === undefined ? undefined : texts.get(request.last)) ?? new Map<string, LastGood>()
  const events = (request.events ?? []) as unknown as readonly NamedRow[]
  const found = await findSettings({ files: ports.files, places, kinds, settings, last })
  const sources = readFound(found, { places, ports, events })
  if (request.managed !== undefined) sources.push(managedSource(request.managed, managedOptions(request, { ports, sources })))
  const plugins = kinds.includes('plugin') ? await loadPlugins(sources, { request, ports, last, events }) : noPlugins
  const snapshot = composeSnapshot([...plugins.sources, ...sources], {
    ...(request.trustOf === undefined ? {} : { trustOf: request.trustOf }),
    diagnostics: plugins.diagnostics,
    watched: watchedOf(found, places),
  })
  const good = new Map(plugins.texts)
  for (const { path, file } of found)
    if (path !== undefined && (file.kind === 'sound' || file.kind === 'kept')) good.set(path, { text: file.text, realPath: file.realPath })
  texts.set(snapshot, good)
  return snapshot
}

interface Reading {
  readonly places: Places
  readonly ports: LoadPorts
  readonly events: readonly NamedRow[]
}

/** Numbers the files of each kind, those that are there first, and reads what they hold. */
function readFound(found: readonly FoundFile[], { places, ports, events }: Reading): LoadedSource[] {
  const counts = new Map<SourceKind, number>()
  const ids = new Map<FoundFile, string>()
  for (const one of [...found.filter(({ file }) => file.kind !== 'absent'), ...found.filter(({ file }) => file.kind === 'absent')]) {
    const count = (counts.get(one.kind) ?? 0) + 1
    counts.set(one.kind, count)
    ids.set(one, one.kind === 'session' ? `session:${count}` : count === 1 ? one.kind : `${one.kind}~${count}`)
  }
  const { bounded, files } = ports
  return found.map((one) => {
    const { kind, root, path, shown, file } = one
    const source = { id: ids.get(one) ?? kind, kind, ...(shown === undefined ? {} : { file: shown }) }
    const state = { ...source, ...(path === undefined ? {} : { path }) }
    if (file.kind === 'absent' || file.kind === 'broken')
      return { state: { ...state, state: file.kind }, diagnostics: file.kind === 'broken' ? file.diagnostics : [] }
    const content = readContent(file.tree, {
      source,
      root,
      findings: file.findings,
      events,
      around: { projectDir: places.projectDir, exists: files.exists.bind(files), ...(files.onPath === undefined ? {} : { onPath: files.onPath.bind(files) }) },
      ...(bounded === undefined ? {} : { bounded }),
    })
    return { state: { ...state, state: file.kind === 'kept' ? ('kept-last-good' as const) : ('loaded' as const) }, content, diagnostics: file.findings.list }
  })
}

function managedOptions({ places, events }: LoadRequest, { ports, sources }: { ports: LoadPorts; sources: readonly LoadedSource[] }) {
  const before = sources.filter(({ state }) => state.kind === 'managed' && state.state !== 'absent').length
  return {
    root: places.projectDir,
    id: before === 0 ? 'managed' : `managed~${before + 1}`,
    ...(events === undefined ? {} : { events }),
    ...(ports.bounded === undefined ? {} : { bounded: ports.bounded }),
  }
}

interface LoadedPlugins {
  readonly sources: readonly LoadedSource[]
  readonly diagnostics: readonly Diagnostic[]
  readonly texts: ReadonlyMap<string, LastGood>
}
const noPlugins: LoadedPlugins = { sources: [], diagnostics: [], texts: new Map() }

async function loadPlugins(
  settings: readonly LoadedSource[],
  { request, ports, last, events }: { request: LoadRequest; ports: LoadPorts; last: ReadonlyMap<string, LastGood>; events: readonly NamedRow[] },
): Promise<LoadedPlugins> {
  const options = new Map<string, Readonly<Record<string, string>>>()
  for (const { state, content } of settings) {
    if (comesWithFolder(state.kind)) continue
    for (const [id, values] of content?.pluginOptions ?? []) options.set(id, { ...options.get(id), ...values })
  }
  const enabled = enabledPlugins(settings)
  const { plugins, diagnostics } = await findPlugins({ files: ports.files, places: request.places, enabled, folders: request.pluginDirs ?? [] })
  const names = new Map<string, number>()
  const read = await Promise.all(
    plugins.map((plugin) => {
      const count = (names.get(plugin.name) ?? 0) + 1
      names.set(plugin.name, count)
      const own = options.get(plugin.id)
      const id = `plugin:${plugin.name}${count === 1 ? '' : `@${count}`}`
      return readPlugin(plugin, { ports, places: request.places, id, events, last, ...(own === undefined ? {} : { options: own }) })
    }),
  )
  return {
    sources: read.flatMap(({ sources }) => sources),
    diagnostics: [...diagnostics, ...read.flatMap((one) => one.diagnostics)],
    texts: new Map(read.flatMap((one) => [...one.texts])),
  }
}

/** The plugins that are on: stronger sources have the last word, save that a project cannot switch off what its user switched on. */
function enabledPlugins(settings: readonly LoadedSource[]): Map<string, { forced: boolean }> {
  const enabled = new Map<string, { forced: boolean; by: SourceKind }>()
  for (const { state, content } of settings) {
    for (const [id, on] of content?.plugins ?? []) {
      if (on) enabled.set(id, { forced: state.kind === 'managed', by: enabled.get(id)?.by ?? state.kind })
      else if (state.kind !== 'project' || enabled.get(id)?.by !== 'user') enabled.delete(id)
    }
  }
  return enabled
}

function watchedOf(found: readonly FoundFile[], places: Places): string[] {
  const paths = found.flatMap(({ path }) => (path === undefined ? [] : [path]))
  return [...new Set([...paths, ...places.managed.map(({ folder }) => folder)])]
}
