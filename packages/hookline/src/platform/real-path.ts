/** Where a path really leads, links followed, also when the file at its end, or what a link points at, is not there. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'

// As many as Linux follows.
const mostLinks = 40

// Paths that were there when they were last asked for: folders above all, and files that are worked on.
const wereThere = new Set<string>()
const mostKnown = 1_000

/** The real path of an absolute path; of one that is not there, its nearest folder's with the rest behind it. `undefined` when it cannot be told. */
export function realPathOf(path: string): string | undefined {
  return lead(path, { links: 0 })
}

/** The disk in one moment. */
export interface Moment {
  /** As `realPathOf`. */
  realPath(path: string): string | undefined
  /** As `twinOf`. */
  twin(path: string, others: readonly string[]): string | undefined
}

/** Looks at each path and each folder once: for one decision, in which nothing should change its mind. */
export function momentOf(): Moment {
  const known = new Map<string, string | undefined>()
  const alone = new Set<string>()
  return {
    realPath: (path) => lead(path, { links: 0, known, alone }),
    twin: (path, others) => (alone.has(path) ? undefined : twinOf(path, others)),
  }
}

interface Way {
  /** How many links were followed to get here. */
  readonly links: number
  readonly known?: Map<string, string | undefined>
  /** Real paths at which there is nothing, a folder, or a file without a second name. */
  readonly alone?: Set<string>
}

function lead(path: string, way: Way): string | undefined {
  const { known } = way
  if (known === undefined) return follow(path, way)
  if (!known.has(path)) known.set(path, follow(path, way))
  return known.get(path)
}

function follow(path: string, way: Way): string | undefined {
  if (!isAbsolute(path) || way.links > mostLinks || path.includes('\0')) return undefined
  const inside = insideOf(path, way)
  if (inside !== undefined) return inside
  let isThere = true
  try {
    // What may not be there is looked for first, since a call that fails takes several times as long as one that tells.
    isThere = wereThere.has(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (isThere) return expectNextTime(path, realpathSync.native(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES' && code !== 'EPERM') return undefined
  }
  wereThere.delete(path)
  // Written by hand, not `resolve`: "link/.." is the folder above where the link leads.
  const parent = dirname(path)
  if (parent === path) return path
  const folder = lead(parent, way)
  if (folder === undefined) return undefined
  const name = basename(path)
  if (name === '..') return dirname(folder)
  if (name === '.') return folder
  const here = join(folder, name)
  const led = isThere ? linkAt(here) : undefined
  if (!isThere) way.alone?.add(here)
  return led === undefined ? here : lead(isAbsolute(led) ? led : `${folder}/${led}`, { links: way.links + 1 })
}

/** Of a path in a folder that is known already, one look tells all; `undefined` when it is a link, or nothing is known. */
function insideOf(path: string, { known, alone }: Way): string | undefined {
  const folder = known?.get(dirname(path))
  const name = basename(path)
  // With a slash at its end a link is followed by the look itself.
  if (folder === undefined || name === '..' || name === '.' || path.endsWith('/')) return undefined
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) return undefined
    const here = join(folder, name)
    if (stats === undefined || stats.isDirectory() || stats.nlink < 2) alone?.add(here)
    return here
  } catch {
    return undefined
  }
}

function expectNextTime(path: string, real: string): string {
  if (wereThere.size > mostKnown) wereThere.clear()
  wereThere.add(path)
  return real
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The one of these paths that is the same file on disk as `path`: a hard link has no real path that would tell. */
export function twinOf(path: string, others: readonly string[]): string | undefined {
  const own = look(path)
  if (own === undefined || own.nlink < 2 || own.isDirectory()) return undefined
  return others.find((other) => {
    const theirs = look(other)
    return theirs !== undefined && theirs.ino === own.ino && theirs.dev === own.dev
  })
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
