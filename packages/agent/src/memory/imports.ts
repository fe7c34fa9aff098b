/** `@path` in an instruction file pulls another file in; text in code is left alone. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** How deep imports may import. */
export const maximumDepth = 5
/** Larger files are no instructions. */
export const maximumBytes = 256 * 1024

/** The files that `text` imports, absolute, in order, each once; those that do not exist are left out: an `@name` may be just a name. */
export function importsOf(text: string, file: string, home: string): string[] {
  const found: string[] = []
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
  for (const [, , path = ''] of prose.matchAll(/(^|[\s(])@((?:\\ |[^\s)`"'<>])+)/g)) {
    const name = path.replaceAll('\\ ', ' ').replace(/[.,;:!?]+$/, '')
    const full = name.startsWith('~/') ? join(home, name.slice(2)) : isAbsolute(name) ? name : resolve(dirname(file), name)
    if (!found.includes(full) && isFile(full)) found.push(full)
  }
  return found
}

export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** The text of an instruction file; undefined when it cannot be read or is too large. */
export function readText(path: string): string | undefined {
  try {
    const { size } = statSync(path)
    return size > maximumBytes ? undefined : readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return undefined
  }
}
