/** Paths as people and models write them, made absolute. */
import { homedir } from 'node:os'
import { isAbsolute, join, normalize, resolve } from 'node:path'
import type { Workspace } from './tool.ts'

/** `~/x`, `./x`, `x` and `/x` as an absolute path without `..`. */
export function absolute(path: string, workspace: Pick<Workspace, 'cwd' | 'env'>): string {
  const home = workspace.env['HOME'] ?? homedir()
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? normalize(path) : resolve(workspace.cwd, path)
}
