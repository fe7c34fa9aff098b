/** Keeps a folder that must not be made by somebody else while it is needed, and leaves none behind where none was. */
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Ends the need for it. */
export type Release = () => void

/** A folder that is there until it is released. */
export interface Place {
  /** Nothing is in it that somebody means. */
  readonly isEmpty: boolean
  readonly release: Release
}

// In the folder while somebody needs it: one that is not empty cannot be removed. Whoever is fenced in does not see it. The last word stands for a folder that was there before.
const ownName = /^\.hookline-(\d+)-(\d+)-(\d+)-\d+(-kept)?$/
const mostTries = 100
let made = 0

/**
 * Sees that there is something at `path` until it is released. A file, or a folder that holds something else, is somebody's own, and stays by itself.
 * Several processes may need the same one at once: each puts a file into it, and whoever is the last to leave can remove it. Throws when it cannot be made.
 */
export function holdPlace(path: string): Place {
  for (let tries = 0; ; tries++) {
    try {
      const found = look(path)
      if (found === 'theirs') return { isEmpty: false, release: () => {} }
      const file = join(path, `.hookline-${namespace()}-${process.pid}-${startOf(process.pid)}-${++made}${found === 'empty' ? '-kept' : ''}`)
      closeSync(openSync(file, 'wx', 0o600))
      return { isEmpty: true, release: () => leave(path, file, { folder: found === 'ours' }) }
    } catch (error) {
      // Somebody left just now, and took it away.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries > mostTries) throw error
    }
  }
}

/** Whose folder it is: ours when there was none, and it was made. Files of processes that were killed are cleared away. */
function look(path: string): 'ours' | 'theirs' | 'empty' {
  try {
    mkdirSync(path)
    return 'ours'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (!lstatSync(path).isDirectory()) return 'theirs'
  const names = readdirSync(path)
  if (names.length === 0) return 'empty'
  if (names.some((name) => !ownName.test(name))) return 'theirs'
  for (const name of names) {
    const [, where, pid, start] = ownName.exec(name) ?? []
    // Whether a process lives, only those can tell who count as it does.
    if (where === namespace() && startOf(Number(pid)) !== start) remove(() => unlinkSync(join(path, name)))
  }
  return names.some((name) => ownName.exec(name)?.[4] !== undefined) ? 'empty' : 'ours'
}

function leave(path: string, file: string, { folder }: { folder: boolean }): void {
  remove(() => unlinkSync(file))
  if (folder) remove(() => rmdirSync(path))
}

function remove(act: () => void): void {
  try {
    act()
  } catch {
    // Somebody else did, or still needs it.
  }
}

/** When a process was started, as the system counts it: a number is given out again and again. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/** Where processes are counted. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return '0'
  }
}
