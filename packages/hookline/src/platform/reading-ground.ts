/** The ground of a verifier: the folders below which its tools may look, and what rules keep from being read even there. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { realPathOf } from './real-path.ts'

/** Where tools look. Paths are real, links followed. */
export interface Ground {
  /** Where relative paths start. */
  readonly cwd: string
  readonly roots: readonly string[]
  readonly mayRead: (path: string) => boolean
}

/**
 * The event's folder and the project, and nothing above: an agent that changes to the root of the disk does not open it to its verifier.
 * `mayRead` is asked about every file.
 */
export function groundOf({ cwd, projectDir, mayRead = () => true }: { cwd: string; projectDir: string; mayRead?: Ground['mayRead'] }): Ground {
  const project = realPathOf(resolve(projectDir)) ?? resolve(projectDir)
  const here = cwd === '' ? project : (realPathOf(resolve(cwd)) ?? project)
  const above = here !== project && isBelow(project, here)
  return { cwd: above ? project : here, roots: above || here === project ? [project] : [here, project], mayRead }
}

/** The real path of what a tool was asked for. @throws Error, in words for the model, when it may not look there. */
export function placeOn(ground: Ground, path: string): string {
  const asked = resolve(ground.cwd, path)
  const real = path.includes('\0') ? undefined : realPathOf(asked)
  if (real === undefined || !ground.roots.some((root) => isBelow(real, root)))
    throw new Error(`${JSON.stringify(path)} is outside of the folders that can be looked at: ${ground.roots.join(', ')}.`)
  if (!ground.mayRead(asked) || !ground.mayRead(real)) throw new Error(`A rule denies reading ${JSON.stringify(path)}.`)
  return real
}

/** As tools show it: relative where that is shorter. */
export function shownPath(ground: Ground, path: string): string {
  const way = relative(ground.cwd, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? path : way.split(sep).join('/')
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
