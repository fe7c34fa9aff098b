/** The words of a shell command as paths: whether all that a plain command names lies in the workspace. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isBelow, isGuarded, isInside, type Place } from './place.ts'

/** Words without their quotes; an option gives what it may carry as well: `-fx` and `--file=x` name `x`. */
export function wordsOf(command: string): string[] {
  return command
    .split(/\s+/)
    .map((word) => word.replaceAll(/["']/g, ''))
    .filter((word) => word !== '')
    .flatMap((word) => [word, ...carried(word)])
}

function carried(word: string): string[] {
  const value = word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []
  if (!/^-[^-]/.test(word)) return value
  // Which letter of a bundle takes a value is the program's secret, so each may.
  return [...value, ...Array.from(word.slice(2, 200), (_, at) => word.slice(at + 2))]
}

/** Every word that may be a path lies in the workspace, links followed; a word that cannot be read counts as outside. */
export function namesOnlyInside(command: string, place: Place): boolean {
  if (/[$`*?~<>|&;(){}[\]\n\\]/.test(command)) return false
  return isInside('.', place) && wordsOf(command).every((word) => isInside(word, place))
}

/** Every file that a command redirects into lies in the workspace and steers nothing; names that cannot be read count as outside. */
export function writesOnlyInside(command: string, place: Place): boolean {
  // After a change of folder, or over a line that hides one, a relative name says nothing.
  if (/\bcd\b/.test(command.replaceAll(/["'\\]/g, ''))) return false
  const rest = command.replaceAll(/\d*>&\d|&?\d*>>?\s*\/dev\/null(?=\s|$|[;&|])/g, ' ')
  const targets = [...rest.matchAll(/>+[|&]?\s*([^\s<>|&;()"'\\$`*?~{}[\]]+)(?=\s|$|[;&|<>)])/g)].map(([, target = '']) => target)
  if (targets.length !== [...rest.matchAll(/>+/g)].length) return false
  return targets.every((target) => isInside(target, place) && !isGuarded(target, place))
}

/** Whether git would read its settings from no folder that a project can carry along: one that looks like a repository without being a checkout. */
export function gitIsPlain(command: string, { cwd, root }: Place): boolean {
  if (!/\bgit\b/.test(command)) return true
  for (let folder = resolve(cwd); isBelow(folder, root); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))) return false
    if (folder === dirname(folder)) break
  }
  return true
}
