/** What settings say about a session's surroundings, as they are in force: its environment and the folders that it works in. */
import { join, resolve } from 'node:path'
import { additionalFoldersOf, homeFolder, settingsEnvOf } from 'hookline/node'
import type { Held } from './open.ts'

/** The environment of shell commands: the host's, and over it the `env` of the settings. */
export function environmentOf({ env, hookline }: Pick<Held, 'env' | 'hookline'>): Record<string, string | undefined> {
  const set = settingsEnvOf(hookline)
  return Object.keys(set).length === 0 ? env : { ...env, ...set }
}

/** The folders beside the root: those that were added to this session, and `additionalDirectories` of the settings. */
export function foldersOf({ root, env, hookline, folders }: Pick<Held, 'root' | 'env' | 'hookline' | 'folders'>): string[] {
  const absolute = additionalFoldersOf(hookline).map((path) => (/^~(?=\/|$)/.test(path) ? join(homeFolder(env), path.slice(1)) : resolve(root, path)))
  return [...new Set([...folders, ...absolute])].filter((folder) => folder !== root)
}
