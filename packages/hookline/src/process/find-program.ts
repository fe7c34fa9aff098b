/** Looks a program up the way the system does: on PATH, in the environment the program will get. */
import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

// What execvp uses when PATH is not set.
const systemPath = '/bin:/usr/bin'

export interface Lookup {
  /** The folder that the program will start in; relative names and relative entries of PATH start there. */
  readonly cwd: string
  /** The PATH of the environment that the program will get. */
  readonly path: string | undefined
  readonly platform?: NodeJS.Platform
}

/** The file that `name` stands for, or `undefined` when no folder of PATH has such a program. A name with a slash stands for itself. */
export function findProgram(name: string, { cwd, path, platform = process.platform }: Lookup): string | undefined {
  const { sep, delimiter, resolve } = platform === 'win32' ? win32 : posix
  if (name.includes('/') || name.includes(sep)) return name
  for (const folder of (path ?? systemPath).split(delimiter)) {
    for (const ending of platform === 'win32' && win32.extname(name) === '' ? ['.exe', '.com'] : ['']) {
      const file = resolve(cwd, folder, name + ending)
      if (isProgram(file)) return file
    }
  }
  return undefined
}

/** True for a file that the system lets us execute. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
