/** Finds the plugins that settings switch on: the installed copy, else the one of its marketplace (protocol §5.1). */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { diagnose } from './findings.ts'
import { isInside, nameIn, resolvePath } from './paths.ts'
import type { FilesPort, Places } from './ports.ts'
import { readSettings } from './read-settings.ts'
import { entryOf, memberOf, type ObjectTree, type Tree, textOf } from './tree.ts'

/** A plugin whose hooks are to be read. */
export interface Plugin {
  readonly name: string
  /** `name@marketplace`; of a folder that was given, its name. */
  readonly id: string
  readonly root: string
  /** Managed settings switched it on. */
  readonly forced: boolean
}

/** What finding takes. */
export interface FindPlugins {
  readonly files: FilesPort
  readonly places: Places
  /** Plugins switched on, by id, with whether managed settings did it. */
  readonly enabled: ReadonlyMap<string, { readonly forced: boolean }>
  /** Folders of plugins that the host gives. */
  readonly folders: readonly string[]
}

const maxIndex = 10_000_000

/** Finds the folders. A plugin whose folder is not there is reported and left out. */
export async function findPlugins(options: FindPlugins): Promise<{ plugins: Plugin[]; diagnostics: Diagnostic[] }> {
  const { files, places, enabled, folders } = options
  const plugins: Plugin[] = []
  const diagnostics: Diagnostic[] = []
  for (const [id, { forced }] of enabled) {
    const name = id.replace(/@[^@]*$/, '')
    const root = await locate(id, options)
    if (root === undefined)
      diagnostics.push(
        diagnose('plugin-gone', `plugin ${name} is switched on, but it is not installed`, { hint: 'Install it, or switch it off in "enabledPlugins".' }),
      )
    else if (!files.exists(root)) diagnostics.push(gone(name, root))
    else plugins.push({ name, id, root, forced })
  }
  for (const folder of folders) {
    const root = resolvePath(places.projectDir, folder)
    const name = (await readJson(`${root}/.claude-plugin/plugin.json`, files, (tree) => textOf(memberOf(tree, 'name')))) ?? nameIn(root)
    if (files.exists(root)) plugins.push({ name, id: name, root, forced: false })
    else diagnostics.push(gone(name, root))
  }
  return { plugins, diagnostics }
}

function gone(name: string, root: string): Diagnostic {
  return diagnose('plugin-gone', `the folder of plugin ${name} is gone: ${root}; its hooks are skipped`, {
    hint: 'Install it again, or switch it off in "enabledPlugins".',
  })
}

/** The folder of a plugin; it need not be there any more. */
async function locate(id: string, { files, places }: FindPlugins): Promise<string | undefined> {
  const base = places.plugins
  const [, name = '', market = ''] = /^(.+)@([^@]+)$/.exec(id) ?? []
  if (base === undefined || !/^[\w.-]+$/.test(name) || !/^[\w.-]+$/.test(market) || /^\.+$/.test(name) || /^\.+$/.test(market)) return undefined
  const installed = await readJson(`${base}/installed_plugins.json`, files, (tree) =>
    installedAt(entryOf(memberOf(tree, 'plugins'), id)?.value, places.projectDir),
  )
  return installed ?? (await newestIn(`${base}/cache/${market}/${name}`, files)) ?? (await inMarketplace({ base, market, name }, files))
}

/** An entry is an object, or one object per scope. */
function installedAt(entry: Tree | undefined, projectDir: string): string | undefined {
  const copies = entry?.kind === 'list' ? entry.items : entry === undefined ? [] : [entry]
  const projectOf = (copy: Tree) => textOf(memberOf(copy, 'projectPath'))
  const copy = copies.find((one) => projectOf(one) === projectDir) ?? copies.find((one) => projectOf(one) === undefined)
  return textOf(memberOf(copy, 'installPath'))
}

async function newestIn(folder: string, files: FilesPort): Promise<string | undefined> {
  const listed = await files.list(folder)
  if (listed.kind !== 'names') return undefined
  const newest = listed.names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  return newest === undefined ? undefined : `${folder}/${newest}`
}

async function inMarketplace({ base, market, name }: { base: string; market: string; name: string }, files: FilesPort): Promise<string | undefined> {
  const known = await readJson(`${base}/known_marketplaces.json`, files, (tree) => textOf(memberOf(memberOf(tree, market), 'installLocation')))
  const folder = known ?? `${base}/marketplaces/${market}`
  return readJson(`${folder}/.claude-plugin/marketplace.json`, files, (tree) => {
    const listed = memberOf(tree, 'plugins')
    const entry = listed?.kind === 'list' ? listed.items.find((one) => textOf(memberOf(one, 'name')) === name) : undefined
    const source = textOf(memberOf(entry, 'source'))
    if (source === undefined) return undefined
    const pluginRoot = textOf(memberOf(memberOf(tree, 'metadata'), 'pluginRoot')) ?? '.'
    const root = resolvePath(source.startsWith('.') ? folder : resolvePath(folder, pluginRoot), source)
    return isInside(folder, root) ? root : undefined
  })
}

/** Reads an index file that other programs keep; one that cannot be read says nothing. */
async function readJson<T>(path: string, files: FilesPort, pick: (tree: ObjectTree) => T | undefined): Promise<T | undefined> {
  const read = await files.read(path, maxIndex)
  const tree = read.kind === 'text' ? readSettings(read.text).tree : undefined
  return tree === undefined ? undefined : pick(tree)
}
