/** The PATH of hooks where a folder is not vouched for: without what the folder itself, or wherever an event stands, could put there. */
import { delimiter, isAbsolute } from 'node:path'
import type { RunnableHook } from '../protocol/runner.ts'
import { realPathOf } from './real-path.ts'

/** The folders of a PATH that are whole, and lie outside of this one. */
export function firmFolders(path: string, projectDir: string): string[] {
  const own = [projectDir, realPathOf(projectDir) ?? projectDir]
  const isOwn = (folder: string) => own.some((one) => folder === one || folder.startsWith(`${one.replace(/[\\/]+$/, '')}/`))
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isOwn(folder) && !isOwn(realPathOf(folder) ?? folder))
}

/** Gives every hook that a process runs a PATH of firm folders; `undefined` when the host's has no other. */
export function firmPath(env: Readonly<Record<string, string | undefined>>, projectDir: string): ((hook: RunnableHook) => RunnableHook) | undefined {
  const firm = (path: string) => firmFolders(path, projectDir).join(delimiter)
  const host = env['PATH'] ?? ''
  const own = firm(host)
  if (own === host) return undefined
  // A handler may know a hook by its identity.
  const known = new WeakMap<RunnableHook, RunnableHook>()
  return (hook) => {
    if (hook.spec?.type !== 'command') return hook
    const before = known.get(hook)
    if (before !== undefined) return before
    const path = hook.env?.['PATH']
    const placed = { ...hook, env: { ...hook.env, PATH: path === undefined ? own : firm(path) } }
    known.set(hook, placed)
    return placed
  }
}
