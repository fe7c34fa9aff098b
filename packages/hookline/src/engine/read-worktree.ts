/** Reads a path that a hook printed or answered: the last line that says something, resolved against the hook's folder. */
import { cleanText } from './clean-text.ts'

/** A usable absolute path, or why there is none. */
export type ReadPath = { readonly path: string } | { readonly why: string }

/** The path in what was printed: the last line that is not blank, colours and other sequences removed (protocol §1.3). */
export function pathIn(printed: string): string {
  return (
    cleanText(printed)
      .trimEnd()
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

/**
 * Makes a path absolute. A relative one is resolved against `cwd`; an absolute one with `.` or `..` in it is refused,
 * because what it names depends on links along the way.
 */
export function readPath(said: string, cwd: string | undefined): ReadPath {
  if (said === '') return { why: 'gave no path' }
  if (/[\u0000-\u001f\u007f]/.test(said)) return { why: 'gave a path with control characters in it' }
  const absolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(said)
  const dotted = said.split(/[\\/]/).some((segment) => segment === '.' || segment === '..')
  if (absolute) return dotted ? { why: `gave the absolute path "${said}" with dot segments in it` } : { path: said }
  if (cwd === undefined || cwd === '') return { why: `gave the relative path "${said}", and there is no folder to resolve it against` }
  return { path: resolve(cwd, said) }
}

function resolve(cwd: string, relative: string): string {
  const segments: string[] = []
  for (const segment of `${cwd}/${relative}`.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return /^[A-Za-z]:/.test(segments[0] ?? '') ? segments.join('/') : `/${segments.join('/')}`
}
