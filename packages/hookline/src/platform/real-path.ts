/** Where a path really leads, links followed, also when the file at its end, or what a link points at, is not there. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'

// As many as Linux follows.
const mostLinks = 40

/** The real path of an absolute path; of one that is not there, its nearest folder's with the rest behind it. `undefined` when it cannot be told. */
export function realPathOf(path: string, links = 0): string | undefined {
  if (!isAbsolute(path) || links > mostLinks || path.includes('\0')) return undefined
  let isThere = true
  try {
    // Asked first, since a call that fails takes several times as long as one that tells.
    isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (isThere) return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES' && code !== 'EPERM') return undefined
  }
  // Written by hand, not `resolve`: "link/.." is the folder above where the link leads.
  const parent = dirname(path)
  if (parent === path) return path
  const folder = realPathOf(parent, links)
  if (folder === undefined) return undefined
  const name = basename(path)
  if (name === '..') return dirname(folder)
  if (name === '.') return folder
  const here = join(folder, name)
  const led = isThere ? linkAt(here) : undefined
  return led === undefined ? here : realPathOf(isAbsolute(led) ? led : `${folder}/${led}`, links + 1)
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
