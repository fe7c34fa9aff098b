/** What a `restricted` program sees of the file system: the system and the project, without home, sockets and settings it could change. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Sandbox } from '../protocol/sandbox.ts'
import { holdPlace, type Release } from './sandbox-place.ts'
import { cutOff } from './sandbox-tools.ts'

/** What a fence is built for. Paths are absolute. */
export interface Fence {
  readonly sandbox: Sandbox
  readonly projectDir: string
  readonly home: string
  /** Files and folders that the program needs, wherever they are: its own script, its plugin. */
  readonly readable?: readonly string[]
  /** Files that it is meant to write to. */
  readonly writable?: readonly string[]
  /** What it must never write to: where trust and logs are kept. */
  readonly guarded?: readonly string[]
}

/** The rules, in the words of bubblewrap; or why there can be none. */
export type Rules = { readonly kind: 'rules'; readonly words: readonly string[]; readonly release: Release } | { readonly kind: 'fault'; readonly why: string }

// Made for as long as the hook runs when they are missing: a folder that is not there could be made by the hook.
const settingsFolders = ['.claude', '.hookline']
// Kept as they are when they are there.
const editorFolders = ['.vscode', '.idea', '.cursor', '.zed', '.codex', '.gemini', '.husky', '.githooks']
const gitFiles = ['config', 'config.worktree']

/** Works out the rules for one run. */
export function restrictedRules(
  { sandbox, projectDir, home, readable = [], writable = [], guarded = [] }: Fence,
  { cwd, path }: { cwd: string; path: string },
): Rules {
  const held: Release[] = []
  const release = () => {
    for (const one of held.splice(0)) one()
  }
  try {
    const project = realpathSync(projectDir)
    const roots = [project, ...existing((sandbox.write ?? []).map((one) => inHome(one, home)))]
    const wide = roots.find((root) => isWithin(real(home), root))
    if (wide !== undefined)
      return fault(`${JSON.stringify(wide)} would be writable and holds the home folder, where start files of shells stand; begin in a folder of its own`)
    const hidden = outermost(existing(['/tmp', '/var/tmp', '/run', '/home', '/root', home]))
    const isHidden = (one: string) => hidden.some((folder) => isWithin(one, folder))
    const shown = [...path.split(delimiter).filter(isAbsolute), ...readable, ...(sandbox.read ?? []).map((one) => inHome(one, home)), cwd]
    const words = [...hidden.flatMap((folder) => ['--tmpfs', folder]), '--dir', real(home)]
    for (const one of new Set(shown)) {
      const target = existing([one])[0]
      if (target === undefined || roots.some((root) => isWithin(target, root))) continue
      if (isHidden(target)) words.push('--ro-bind', target, target)
      // The same place under the name that the hook knows it by.
      if (one !== target && isHidden(resolve(one))) words.push('--ro-bind', target, resolve(one))
    }
    for (const root of roots) words.push('--bind', root, root)
    if (project !== resolve(projectDir) && isHidden(resolve(projectDir))) words.push('--bind', project, resolve(projectDir))
    for (const file of existing(writable)) words.push('--bind', file, file)
    for (const root of roots) words.push(...protections(root, held))
    for (const one of existing(guarded)) if (roots.some((root) => isWithin(one, root))) words.push('--ro-bind', one, one)
    if (sandbox.network !== true) words.push(...cutOff)
    return { kind: 'rules', words: [...words, '--setenv', 'TMPDIR', '/tmp', '--chdir', cwd], release }
  } catch (error) {
    release()
    return fault(error instanceof Error ? error.message : String(error))
  }
}

/** What stays as it is inside of a folder that can be written to; `held` are folders that are there for it. @throws when a link stands where nothing can be mounted. */
function protections(root: string, held: Release[]): string[] {
  const words: string[] = []
  const keep = (path: string) => words.push('--ro-bind', path, path)
  const keepOrMake = (path: string) => {
    isThere(path)
    const { isEmpty, release } = holdPlace(path)
    held.push(release)
    if (isEmpty) words.push('--tmpfs', path, '--remount-ro', path)
    else keep(path)
  }
  for (const name of settingsFolders) keepOrMake(join(root, name))
  for (const name of editorFolders) if (isThere(join(root, name))) keep(join(root, name))
  const git = join(root, '.git')
  if (!isThere(git)) return words
  if (statSync(git).isFile()) return [...words, '--ro-bind', git, git]
  // A folder with mounts in it can be renamed; one that is a mount itself cannot.
  words.push('--bind', git, git)
  for (const name of gitFiles) if (isThere(join(git, name))) keep(join(git, name))
  keepOrMake(join(git, 'hooks'))
  return words
}

function isThere(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink()) throw new Error(`${JSON.stringify(path)} is a symbolic link, which cannot be kept from being replaced; put a folder there`)
  return stat !== undefined
}

function fault(why: string): Rules {
  return { kind: 'fault', why }
}

/** The real paths of those that are there. */
function existing(paths: readonly string[]): string[] {
  return paths.filter((one) => existsSync(one)).map(real)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)].filter((one) => one !== dirname(one))
  return all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)))
}

/** Whether `path` is `folder` or stands below it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function inHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path
}
