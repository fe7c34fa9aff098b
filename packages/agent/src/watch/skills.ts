/** Watches skill and command files: a change fires ConfigChange with the source `skills`, and is taken over unless a hook blocks it. */
import { existsSync } from 'node:fs'
import { watch as chokidar, type FSWatcher } from 'chokidar'
import type { Scope } from 'hookline'

export interface SkillWatchContext {
  scope: Scope
  /** Folders `skills` and `commands` of every place. */
  folders: readonly string[]
  /** Called when a change stands: read the files again. */
  reload: (file: string) => void
  signal: AbortSignal
}

/** Starts watching; those folders that do not exist yet are left out. */
export async function watchSkills(context: SkillWatchContext): Promise<{ close(): Promise<void> }> {
  const folders = context.folders.filter((folder) => existsSync(folder))
  if (folders.length === 0) return { close: async () => {} }
  const watcher: FSWatcher = chokidar(folders, { depth: 3, ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: 200, pollInterval: 50 } })
  let line: Promise<void> = Promise.resolve()
  watcher.on('all', (event, path) => {
    if (!path.endsWith('.md') || !['add', 'change', 'unlink'].includes(event)) return
    line = line.then(async () => {
      if (context.signal.aborted) return
      const verdict = await context.scope.fire('ConfigChange', { source: 'skills', file_path: path }, { signal: context.signal })
      if (!verdict.blocked) context.reload(path)
    })
    line.catch(() => {})
  })
  watcher.on('error', () => {})
  await new Promise<void>((done) => watcher.once('ready', () => done()))
  return {
    close: async () => {
      await watcher.close()
      await line.catch(() => {})
    },
  }
}
