/** Watches the files that hooks asked for and fires FileChanged, one event at a time. */
import { dirname, resolve } from 'node:path'
import { watch as chokidar, type FSWatcher } from 'chokidar'
import type { Scope, Verdict } from 'hookline'

export interface FileWatch {
  /** Reads the list anew: after SessionStart, CwdChanged, FileChanged and a reload. Settles when the watcher listens. */
  refresh(): Promise<void>
  /** Settles when every change seen so far was told to the hooks. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface FileWatchContext {
  scope: Scope
  cwd: () => string
  /** What hooks said about a change. */
  onVerdict: (verdict: Verdict<'FileChanged'>) => void
  signal: AbortSignal
}

/** Watches the folders of the files, not the files: one that is deleted or does not exist yet is seen as well. */
export function watchFiles(context: FileWatchContext): FileWatch {
  let wanted = new Set<string>()
  let watcher: FSWatcher | undefined
  let folders = new Set<string>()
  let line: Promise<void> = Promise.resolve()

  const changed = (event: 'change' | 'add' | 'unlink', path: string): void => {
    if (!wanted.has(path)) return
    line = line.then(async () => {
      if (context.signal.aborted) return
      const verdict = await context.scope.fire('FileChanged', { file_path: path, event }, { signal: context.signal })
      context.onVerdict(verdict)
      if ('watchPaths' in verdict) await refresh()
    })
    line.catch(() => {})
  }

  const refresh = async (): Promise<void> => {
    wanted = new Set(context.scope.watchPaths.map((path) => resolve(context.cwd(), path)))
    const next = new Set([...wanted].map((path) => dirname(path)))
    if (next.size === 0 && watcher === undefined) return
    if (watcher === undefined) {
      // Short enough to be felt as at once, long enough that a file written in pieces is one change.
      const awaitWriteFinish = { stabilityThreshold: 100, pollInterval: 25 }
      watcher = chokidar([...next], {
        depth: 0,
        ignoreInitial: true,
        awaitWriteFinish,
        ignored: (path, stats) => stats?.isFile() === true && !wanted.has(path),
      })
      for (const event of ['change', 'add', 'unlink'] as const) watcher.on(event, (path) => changed(event, path))
      // A folder that vanishes or cannot be read is simply not watched.
      watcher.on('error', () => {})
      const opened = watcher
      await new Promise<void>((done) => opened.once('ready', () => done()))
    } else {
      const added = [...next].filter((folder) => !folders.has(folder))
      const gone = [...folders].filter((folder) => !next.has(folder))
      if (gone.length > 0) watcher.unwatch(gone)
      if (added.length > 0) watcher.add(added)
    }
    folders = next
  }

  return {
    refresh,
    idle: async () => {
      let seen: Promise<void> | undefined
      while (seen !== line) {
        seen = line
        await seen.catch(() => {})
      }
    },
    close: async () => {
      wanted = new Set()
      await watcher?.close()
      await line.catch(() => {})
    },
  }
}
