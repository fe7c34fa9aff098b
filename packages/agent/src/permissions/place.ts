/** Paths of a call, and whether they lie in the folders that the session works in, links followed. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ToolCall } from 'hookline'

/** The folders of a session. */
export interface Place {
  cwd: string
  root: string
  folders: readonly string[]
}

/** The path that a file tool is about; undefined for other tools, and where the tool's own default is meant. */
export function pathOf({ input }: Pick<ToolCall, 'input'>): string | undefined {
  const path = input['file_path'] ?? input['notebook_path'] ?? input['path']
  return typeof path === 'string' ? path : undefined
}

/** Whether a path lies in the workspace, both as it is written and where it leads. */
export function isInside(path: string, { cwd, root, folders }: Place): boolean {
  const absolute = isAbsolute(path) ? resolve(path) : resolve(cwd, path)
  const all = [root, ...folders]
  return all.some((folder) => isBelow(absolute, folder)) && all.some((folder) => isBelow(realOf(absolute), realOf(folder)))
}

/** Whether `path` is `folder` or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Where a path leads: of one that is not there, the nearest folder that is, and the rest. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), path.slice(parent.length))
  }
}

const guardedFolders = ['.git', '.vscode', '.idea', '.husky']
const guardedFiles = ['.gitconfig', '.gitmodules', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.profile', '.mcp.json']

/** Whether a path, as it is written or where it leads, is a file that steers tools or an agent; the case of letters does not count, as on some disks. */
export function isGuarded(path: string, { cwd }: Pick<Place, 'cwd'>): boolean {
  const absolute = resolve(cwd, path)
  return [absolute, realOf(absolute)].some((one) => {
    const parts = one.toLowerCase().split(sep)
    const name = basename(one).toLowerCase()
    const settings = parts.at(-2) === '.claude' && /^settings(\.local)?\.json$/.test(name)
    return settings || parts.some((part) => guardedFolders.includes(part)) || guardedFiles.includes(name)
  })
}
