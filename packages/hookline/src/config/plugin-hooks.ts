/** Reads the hooks of one plugin: `hooks/hooks.json`, and what its manifest names or holds. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import { diagnose, Findings, quoted } from './findings.ts'
import { type LoadedSource, onlyHooks } from './loaded-source.ts'
import { isInside, resolvePath, shownPath } from './paths.ts'
import type { Plugin } from './plugins.ts'
import type { LoadPorts, Places } from './ports.ts'
import { checkTopLevel } from './read-content.ts'
import { type LastGood, readFile, type SettingsFile } from './read-file.ts'
import { readHooks } from './read-hooks.ts'
import { kindWord, memberOf, type ObjectTree, type Tree } from './tree.ts'

/** What reading takes. */
export interface PluginOptions {
  readonly ports: LoadPorts
  readonly places: Places
  /** Source id of the plugin; further files of it get "~2" and so on. */
  readonly id: string
  readonly events?: readonly NamedRow[]
  /** Options that settings give the plugin. */
  readonly options?: Readonly<Record<string, string>>
  readonly last: ReadonlyMap<string, LastGood>
}

/** The sources of one plugin, and the texts to keep for the next load. */
export interface PluginHooks {
  readonly sources: readonly LoadedSource[]
  readonly diagnostics: readonly Diagnostic[]
  readonly texts: ReadonlyMap<string, LastGood>
}

/** Reads them. Every file once; a file outside the plugin never. */
export async function readPlugin(plugin: Plugin, given: PluginOptions): Promise<PluginHooks> {
  const { files } = given.ports
  const found: Found[] = []
  const diagnostics: Diagnostic[] = []
  const texts = new Map<string, LastGood>()
  const read = async (path: string) => {
    const shown = shownPath(given.places.projectDir, path)
    const file = await readFile(path, { files, shown, last: given.last.get(path) })
    if (file.kind === 'sound' || file.kind === 'kept') texts.set(path, { text: file.text, realPath: file.realPath })
    return { path, shown, file }
  }
  const own = await read(`${plugin.root}/hooks/hooks.json`)
  if (own.file.kind !== 'absent') found.push(own)
  const manifest = await read(`${plugin.root}/.claude-plugin/plugin.json`)
  if (manifest.file.kind === 'broken') diagnostics.push(...manifest.file.diagnostics)
  const root = (await files.realPath(plugin.root)) ?? plugin.root
  for (const part of partsOf(manifest.file)) {
    if (part.kind === 'object') {
      found.push({ ...manifest, inline: part })
      continue
    }
    const say = (code: 'plugin-file' | 'plugin-hooks-twice', message: string) =>
      diagnostics.push(diagnose(code, message, { file: manifest.shown, ...placeOf(manifest.file, part.at) }))
    if (part.kind !== 'text') {
      say('plugin-file', `hooks of plugin ${plugin.name}: expected a path or an object, got ${kindWord(part)}`)
      continue
    }
    const path = resolvePath(plugin.root, part.value)
    const real = await files.realPath(path)
    if (found.some((one) => one.path === path && one.inline === undefined)) {
      say(
        'plugin-hooks-twice',
        path === own.path ? 'hooks/hooks.json is loaded by itself; the manifest need not name it' : `${quoted(part.value)} is named twice; it is loaded once`,
      )
    } else if (!isInside(plugin.root, path) || (real !== undefined && !isInside(root, real)))
      say('plugin-file', `${quoted(part.value)} lies outside plugin ${plugin.name}; it is not read`)
    else if (real === undefined) say('plugin-file', `plugin ${plugin.name} has no file ${quoted(part.value)}`)
    else found.push(await read(path))
  }
  const extra = { root: plugin.root, variables: variablesOf(plugin, given), forced: plugin.forced }
  const sources = found.map((one, number) => ({ ...sourceOf(one, number === 0 ? given.id : `${given.id}~${number + 1}`, { plugin, given }), plugin: extra }))
  return { sources, diagnostics, texts }
}

interface Found {
  readonly path: string
  readonly shown: string
  readonly file: SettingsFile
  /** The hooks stand in the manifest itself. */
  readonly inline?: ObjectTree
}

/** The manifest's `hooks`: a path, an object, or a list of these. */
function partsOf(manifest: SettingsFile): readonly Tree[] {
  const hooks = manifest.kind === 'sound' || manifest.kind === 'kept' ? memberOf(manifest.tree, 'hooks') : undefined
  if (hooks === undefined) return []
  return hooks.kind === 'list' ? hooks.items : [hooks]
}

function placeOf(file: SettingsFile, at: number): { line?: number; column?: number } {
  return (file.kind === 'sound' || file.kind === 'kept' ? file.findings.locate(at) : undefined) ?? {}
}

function sourceOf({ file, path, shown, inline }: Found, id: string, { plugin, given }: { plugin: Plugin; given: PluginOptions }): Omit<LoadedSource, 'plugin'> {
  const source = { id, kind: 'plugin' as const, file: shown }
  if (file.kind === 'absent' || file.kind === 'broken')
    return { state: { ...source, path, state: file.kind }, diagnostics: file.kind === 'broken' ? file.diagnostics : [] }
  // The manifest is read once but may give several sources: each keeps findings of its own.
  const findings = inline === undefined ? file.findings : new Findings(shown, file.findings.locate)
  const { bounded, files } = given.ports
  const site = {
    source,
    findings,
    around: {
      projectDir: given.places.projectDir,
      pluginRoot: plugin.root,
      exists: files.exists.bind(files),
      ...(files.onPath === undefined ? {} : { onPath: files.onPath.bind(files) }),
    },
    ...(bounded === undefined ? {} : { bounded }),
    ...(given.events === undefined ? {} : { events: given.events }),
  }
  const whole = inline ?? file.tree
  const nested = memberOf(whole, 'hooks')
  const ours = inline !== undefined || checkTopLevel(whole, site)
  const seeds = ours ? readHooks(inline !== undefined && nested?.kind !== 'object' ? inline : nested, site) : []
  return { state: { ...source, path, state: file.kind === 'kept' ? 'kept-last-good' : 'loaded' }, content: onlyHooks(seeds), diagnostics: findings.list }
}

function variablesOf({ root, id }: Plugin, { places, options = {} }: PluginOptions): Record<string, string> {
  return {
    CLAUDE_PLUGIN_ROOT: root,
    ...(places.plugins === undefined ? {} : { CLAUDE_PLUGIN_DATA: `${places.plugins}/data/${id.replaceAll(/[^\w-]/g, '-')}` }),
    ...Object.fromEntries(Object.entries(options).map(([key, value]) => [`CLAUDE_PLUGIN_OPTION_${key.toUpperCase().replaceAll(/\W/g, '_')}`, value])),
  }
}
