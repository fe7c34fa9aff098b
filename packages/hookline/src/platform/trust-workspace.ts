/** Which folder is answered for: the path as the system spells it, the folder itself behind the path, and the folders that answer for it too. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** A folder that cannot be mistaken for another one at the same path. */
export interface Identity {
  /** Links followed, in the spelling of the disk. */
  readonly path: string
  readonly device: string
  readonly inode: string
  /** When it was made, in nanoseconds, where the file system tells: numbers of inodes are used again. */
  readonly born?: string
}

/** A folder as trust sees it. */
export interface Workspace {
  readonly identity: Identity
  /** Why it is trusted for one session only. */
  readonly sessionOnly?: string
  /** Its trusted parent, when it is a plain folder; its main checkout, when it is a worktree that this one knows. */
  readonly covering: readonly Identity[]
}

const mostLevels = 64
const longestPointer = 8_192

/**
 * Finds out. Git is not asked: its settings may name programs, so its files are read.
 * A folder that is not there has an identity of its own, which no record has.
 */
export function findWorkspace(folder: string, { home }: { home: string }): Workspace {
  const identity = identityOf(folder) ?? { path: resolve(folder), device: '', inode: '' }
  const sessionOnly = whySession(identity.path, home)
  if (sessionOnly !== undefined) return { identity, sessionOnly, covering: [] }
  const covering = hasGit(identity.path) ? mainCheckout(identity.path) : parents(identity.path, home)
  return { identity, covering }
}

/** The identity of a folder; `undefined` when it is not there. */
export function identityOf(folder: string): Identity | undefined {
  try {
    const path = realpathSync.native(folder)
    const stats = statSync(path, { bigint: true })
    if (!stats.isDirectory()) return undefined
    // Where a system does not know when a folder was made, Node tells when it was changed last.
    const born = stats.birthtimeNs > 0n && stats.birthtimeNs !== stats.ctimeNs ? String(stats.birthtimeNs) : undefined
    return { path, device: String(stats.dev), inode: String(stats.ino), ...(born === undefined ? {} : { born }) }
  } catch {
    return undefined
  }
}

/** Two looks at one folder. */
export function isSameFolder(a: Identity, b: Identity): boolean {
  return (
    a.path === b.path && a.inode !== '' && a.device === b.device && a.inode === b.inode && (a.born === undefined || b.born === undefined || a.born === b.born)
  )
}

/** Home, or any folder above it: to trust it would be to trust everything below. */
function whySession(path: string, home: string): string | undefined {
  if (dirname(path) === path) return 'it is the root of the disk'
  const homePath = identityOf(home)?.path ?? resolve(home)
  if (path === homePath) return 'it is the home folder'
  return isAbove(path, homePath) ? 'the home folder lies in it' : undefined
}

function isAbove(path: string, below: string): boolean {
  for (let at = dirname(below), level = 0; level < mostLevels; at = dirname(at), level++) {
    if (at === path) return true
    if (dirname(at) === at) return false
  }
  return false
}

function hasGit(folder: string): boolean {
  return statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
}

/** The folders above, up to the repository that holds them. What lies in somebody's home is never answered for by the home. */
function parents(path: string, home: string): Identity[] {
  const found: Identity[] = []
  for (let at = dirname(path), level = 0; level < mostLevels; at = dirname(at), level++) {
    if (whySession(at, home) !== undefined) break
    const identity = identityOf(at)
    if (identity === undefined) break
    found.push(identity)
    if (hasGit(at)) break
  }
  return found
}

/** The checkout that a linked worktree belongs to. The pointer's claim is a stranger's word; what counts is that the other side has it registered. */
function mainCheckout(folder: string): Identity[] {
  const pointer = readPointer(join(folder, '.git'))
  const admin = pointer?.startsWith('gitdir: ') ? realOf(resolve(folder, pointer.slice('gitdir: '.length))) : undefined
  if (admin === undefined) return []
  const common = realOf(dirname(dirname(admin)))
  if (common === undefined || basename(dirname(admin)) !== 'worktrees' || basename(common) !== '.git') return []
  const registered = readPointer(join(admin, 'gitdir'))
  const says = readPointer(join(admin, 'commondir'))
  if (registered === undefined || realOf(resolve(admin, registered)) !== join(folder, '.git') || realOf(resolve(admin, says ?? '../..')) !== common) return []
  const main = identityOf(dirname(common))
  return main === undefined ? [] : [main]
}

/** One line of a small file that is a file itself. */
function readPointer(path: string): string | undefined {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > longestPointer) return undefined
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
