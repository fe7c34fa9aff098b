/** What validation may ask about this machine: whether a file is there, whether a program is on the path. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { sandboxFault } from '../node.ts'

/** The ports of `validateSettings`. */
export interface Machine {
  readonly exists: (path: string) => boolean
  readonly onPath: (name: string) => boolean
  readonly sandboxFault: typeof sandboxFault
}

/** This machine, with the PATH that this process has. Each name is looked up once. */
export function thisMachine(): Machine {
  const found = new Map<string, boolean>()
  return {
    exists: (path) => existsSync(path),
    onPath: (name) => {
      const known = found.get(name) ?? folders().some((folder) => endings.some((ending) => isProgram(join(folder, name + ending))))
      found.set(name, known)
      return known
    },
    sandboxFault,
  }
}

const endings = process.platform === 'win32' ? ['', '.exe', '.com', '.cmd', '.bat'] : ['']

function folders(): string[] {
  return (process.env['PATH'] ?? '/bin:/usr/bin').split(delimiter).filter((folder) => folder !== '')
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
