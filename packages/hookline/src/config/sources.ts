/** Finds and reads the settings files of every kind, in configuration order, each file once (design decision 1). */
import { HooklineError } from '../errors.ts'
import type { SourceKind } from '../protocol/hook.ts'
import { diagnose } from './findings.ts'
import { folderOf, resolvePath, shownPath } from './paths.ts'
import { checkPolicyFile, checkPolicyFolder, listPolicyFiles } from './policy-files.ts'
import type { FilesPort, Place, Places } from './ports.ts'
import { type LastGood, readFile, type SettingsFile } from './read-file.ts'
import { readSettings } from './read-settings.ts'
import { treeOf } from './tree.ts'

/** One settings file, or an object in its place, with what reading it gave. */
export interface FoundFile {
  readonly kind: SourceKind
  readonly root: string
  /** Absent for objects and inline JSON. */
  readonly path?: string
  readonly shown?: string
  readonly file: SettingsFile
}

/** What finding takes. */
export interface FindOptions {
  readonly files: FilesPort
  readonly places: Places
  readonly kinds: readonly SourceKind[]
  readonly settings: readonly (string | object)[]
  /** What was good at the last load, by path. */
  readonly last: ReadonlyMap<string, LastGood>
}

/**
 * Reads user, project, local, session and managed settings, in this order.
 * @throws HooklineError `policy-unreadable` for a policy file that cannot be relied on, `invalid-option` for settings given that are not there.
 */
export async function findSettings(options: FindOptions): Promise<FoundFile[]> {
  const { places, kinds } = options
  const found: FoundFile[] = []
  for (const kind of ['user', 'project', 'local'] as const) {
    if (kinds.includes(kind)) found.push(...(await Promise.all(places[kind].map((place) => readPlace(kind, place, options)))))
  }
  for (const [index, given] of options.settings.entries()) found.push(await readGiven(given, index, options))
  if (kinds.includes('managed')) found.push(...(await readManaged(options)))
  return onceEach(found)
}

async function readPlace(kind: SourceKind, { path, root }: Place, { files, places, last }: FindOptions): Promise<FoundFile> {
  const shown = shownPath(places.projectDir, path)
  return { kind, root, path, shown, file: await readFile(path, { files, shown, last: last.get(path) }) }
}

/** Settings that the host or the command line brought: a file, JSON text, or an object. */
async function readGiven(given: string | object, index: number, options: FindOptions): Promise<FoundFile> {
  const { projectDir } = options.places
  const base = { kind: 'session' as const, root: projectDir }
  if (typeof given !== 'string') {
    const tree = treeOf(given)
    if (tree.kind !== 'object') throw new HooklineError('invalid-option', `Option "settings", entry ${index}: expected a file name, JSON text or an object.`)
    return { ...base, file: { kind: 'sound', text: '', tree, findings: readSettings('{}').findings, realPath: '' } }
  }
  if (/^\s*\uFEFF?\s*\{/.test(given)) {
    const { tree, findings } = readSettings(given)
    if (tree !== undefined) return { ...base, file: { kind: 'sound', text: given, tree, findings, realPath: '' } }
    const first = findings.list.find(({ severity }) => severity === 'error')
    throw new HooklineError(
      'invalid-option',
      `Option "settings", entry ${index}: ${first?.message ?? 'not usable'} (line ${first?.line}, column ${first?.column}).`,
    )
  }
  const path = resolvePath(projectDir, given)
  const found = await readPlace('session', { path, root: folderOf(path) }, options)
  if (found.file.kind === 'absent')
    throw new HooklineError('invalid-option', `There is no settings file ${found.shown ?? path}.`, {
      hint: 'Check the path; it is read from the current folder.',
      file: found.shown ?? path,
    })
  return found
}

async function readManaged(options: FindOptions): Promise<FoundFile[]> {
  const { files, places, last } = options
  const found: FoundFile[] = []
  for (const place of places.managed) {
    for (const folder of [folderOf(place.path), place.folder]) await checkPolicyFolder(folder, { files, places, reloading: last.size > 0 })
    for (const path of [place.path, ...(await listPolicyFiles(place.folder, files))]) {
      const file = await readPlace('managed', { path, root: place.root }, options)
      found.push({ ...file, file: checkPolicyFile(file.file, { path, places, reloading: last.has(path) }) })
    }
  }
  return found
}

/** A file that is reached as two sources, through a link or because the folder is the home folder, is loaded as the earlier one. */
function onceEach(found: readonly FoundFile[]): FoundFile[] {
  const seen = new Map<string, FoundFile>()
  return found.filter((one) => {
    if (one.file.kind === 'absent' || one.file.kind === 'broken' || one.file.realPath === '') return true
    const earlier = seen.get(one.file.realPath)
    if (earlier === undefined) {
      seen.set(one.file.realPath, one)
      return true
    }
    // Policy is never dropped for a file that anybody else may point at it.
    if (one.kind === 'managed' && earlier.kind !== 'managed') return true
    if (earlier.file.kind === 'sound' || earlier.file.kind === 'kept') {
      earlier.file.findings.list.push(
        diagnose(
          'same-file',
          `${one.shown} is reached as ${earlier.kind} and as ${one.kind} settings; it is loaded once, as ${earlier.kind}`,
          earlier.shown === undefined ? {} : { file: earlier.shown },
        ),
      )
    }
    return false
  })
}
