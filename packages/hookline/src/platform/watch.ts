/** Watches a few known files through their folders, so that atomic replacement and files that do not exist yet are seen too. */
import { createHash } from 'node:crypto'
import { existsSync, type FSWatcher, readdirSync, readFileSync, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, sep } from 'node:path'

/** What watching takes. */
export interface WatchOptions {
  /** Quiet time before files are read again, in milliseconds. */
  readonly debounceMs?: number
}

/** How often a folder is looked at when the system cannot watch it (network mounts, exhausted watches). */
const pollMs = 2_000

/**
 * Calls `changed` with the paths whose content differs from before: written, made, replaced or removed. A folder among the paths stands
 * for the files in it. Does not keep the process alive. Returns its undo.
 */
export function watchFiles(paths: readonly string[], changed: (paths: readonly string[]) => void, { debounceMs = 75 }: WatchOptions = {}): () => void {
  const prints = new Map(paths.map((path) => [path, printOf(path)]))
  const folders = new Map<string, () => void>()
  const wanted = new Map<string, Set<string>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const look = () => {
    timer = undefined
    if (closed) return
    attach()
    const differing = paths.filter((path) => {
      const print = printOf(path)
      const differs = print !== prints.get(path)
      prints.set(path, print)
      return differs
    })
    if (differing.length > 0) changed(differing)
  }
  const soon = () => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(look, debounceMs)
    timer.unref()
  }
  /** Watches the folder of every file, or the nearest one above that exists; drops those no longer needed. */
  const attach = () => {
    wanted.clear()
    for (const [folder, name] of paths.flatMap(seatsOf)) wanted.set(folder, (wanted.get(folder) ?? new Set()).add(name))
    for (const [folder, stop] of folders) {
      if (wanted.has(folder)) continue
      stop()
      folders.delete(folder)
    }
    for (const folder of wanted.keys()) if (!folders.has(folder)) folders.set(folder, watchFolder(folder, eventsOf(folder)))
  }
  const eventsOf = (folder: string): FolderEvents => ({
    event(name) {
      const names = wanted.get(folder)
      // In a project or home folder many files change that are none of ours.
      if (name === null || names?.has(name) || names?.has(everyName)) soon()
    },
    gone() {
      folders.get(folder)?.()
      folders.delete(folder)
      soon()
    },
  })

  attach()
  return () => {
    closed = true
    clearTimeout(timer)
    for (const stop of folders.values()) stop()
    folders.clear()
  }
}

/** Stands for any name in a folder. */
const everyName = ''

/** The folders to watch for a path, each with the name to look out for in it. */
function seatsOf(path: string): [folder: string, name: string][] {
  const seats: [string, string][] = isFolder(path) ? [[path, everyName]] : []
  const real = realOf(path)
  if (real !== undefined && real !== path) seats.push([dirname(real), basename(real)])
  let name = basename(path)
  let folder = dirname(path)
  while (!existsSync(folder) && folder !== dirname(folder)) {
    name = basename(folder)
    folder = dirname(folder)
  }
  return [...seats, [folder, name]]
}

/** Where a linked file really is; `undefined` when nothing is there. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

interface FolderEvents {
  event(name: string | null): void
  gone(): void
}

function watchFolder(folder: string, { event, gone }: FolderEvents): () => void {
  let watcher: FSWatcher
  try {
    watcher = watch(folder, { persistent: false }, (kind, name) => {
      // A watched folder that is removed reports its own name.
      if (kind === 'rename' && !existsSync(folder)) gone()
      else event(name)
    })
    watcher.on('error', gone)
    return () => watcher.close()
  } catch {
    const poll = setInterval(() => event(null), pollMs)
    poll.unref()
    return () => clearInterval(poll)
  }
}

/** A digest of what is there; a folder's covers the files in it. */
function printOf(path: string): string {
  try {
    if (!isFolder(path)) return createHash('sha256').update(readFileSync(path)).digest('hex')
    const names = readdirSync(path).sort()
    return names.map((name) => `${name} ${isFolder(`${path}${sep}${name}`) ? '' : printOf(`${path}${sep}${name}`)}`).join('\n')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
