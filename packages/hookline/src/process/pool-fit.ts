/** Which runs the pool can do exactly as a process of their own would do them; all others are left to such a process. */
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { Environment } from './environment.ts'
import { ownPrefix, variableName } from './pool-script.ts'

// A worker reads its line byte by byte, so a long command is not faster there. What is near the limits of the system, only the system can say.
const longestCommand = 8_000
const longestText = 40_000
const longestSum = 400_000
// Names that mean something to a shell that exports them, so that a worker could not just hand them on.
const shellNames = new Set(['OPTIND', 'LINENO', 'PPID', 'UID', 'EUID', 'GROUPS', 'SHELLOPTS', 'BASHOPTS', 'BASH_VERSINFO', 'POSIXLY_CORRECT'])
// A shell says nothing about a child that one of these two ended, so their codes, 130 and 141, could be either. A command that sends one is run where the system tells.
const quietSignals = /\bkill\s+-(?:s\s*|n\s*)?(?:SIG)?(?:INT|PIPE|2|13)\b/i

/** The command that the shell is to run, when the pool can do that. */
export function fitShell(program: string, args: readonly string[], { cwd, env }: { cwd: string; env: Environment }): string | undefined {
  const [option, command] = args
  if (program !== '/bin/sh' || option !== '-c' || command === undefined || args.length !== 2) return undefined
  if (command.length > longestCommand || !fits(command) || !cwd.startsWith('/') || !fits(cwd) || quietSignals.test(command)) return undefined
  return command.length + sizeOf(env) > longestSum ? undefined : command
}

// Of those that never change.
const sizes = new WeakMap<Environment, number>()

/** How long all variables are together; without end when one of them does not fit. */
function sizeOf(env: Environment): number {
  let size = sizes.get(env)
  if (size !== undefined) return size
  size = measure(env)
  if (Object.isFrozen(env)) sizes.set(env, size)
  return size
}

function measure(env: Environment): number {
  let sum = 0
  for (const name of Object.keys(env)) {
    const value = env[name] as string
    // A shell that drops such names itself leaves nothing to hand on.
    if (!variableName.test(name) && (name.includes('\0') || !dropsOddNames())) return Number.POSITIVE_INFINITY
    if (shellNames.has(name) || name.startsWith(ownPrefix) || !fits(value)) return Number.POSITIVE_INFINITY
    sum += name.length + value.length
  }
  return sum
}

function fits(text: string): boolean {
  return text.length <= longestText && !text.includes('\0')
}

let shellDrops: boolean | undefined

function dropsOddNames(): boolean {
  if (shellDrops === undefined) {
    try {
      shellDrops = basename(realpathSync('/bin/sh')) === 'dash'
    } catch {
      shellDrops = false
    }
  }
  return shellDrops
}
