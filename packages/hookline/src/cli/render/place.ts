/** Short forms of places: a file as seen from the folder or from home, a hook as `project .claude/settings.json:8 guard.sh`. */
import { homedir } from 'node:os'
import { isAbsolute, relative, sep } from 'node:path'
import type { HookInfo, Source } from '../../index.ts'
import { shownLine } from './shown.ts'

/** From where files are named. */
export interface Viewpoint {
  readonly cwd: string
}

/** The file relative to the folder, or from home, or as it is. */
export function shortFile(file: string, { cwd }: Viewpoint): string {
  if (!isAbsolute(file)) return shownLine(file)
  const inside = relative(cwd, file)
  if (inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..' && !inside.startsWith(sep)) return shownLine(inside)
  const home = homedir()
  return shownLine(home !== '' && home !== sep && file.startsWith(`${home}${sep}`) ? `~${file.slice(home.length)}` : file)
}

/** `.claude/settings.json:8`, or `''` when a source has no file. */
export function shortPlace({ file, line }: Pick<Source, 'file' | 'line'>, view: Viewpoint): string {
  if (file === undefined) return ''
  return line === undefined ? shortFile(file, view) : `${shortFile(file, view)}:${line}`
}

/** `project .claude/settings.json:8 guard.sh`. */
export function hookName({ source, label }: Pick<HookInfo, 'source' | 'label'>, view: Viewpoint): string {
  return [source.file === undefined ? source.id : source.kind, shortPlace(source, view), shownLine(label, 80)].filter((part) => part !== '').join(' ')
}
