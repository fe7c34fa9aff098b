/** Starts one process in a session of its own; a start that fails is an answer, not a throw. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Environment } from './environment.ts'
import { findProgram } from './find-program.ts'
import { explainSpawnError } from './spawn-error.ts'

/** A process that runs. Its id leads a group: the process and all it starts, save what starts a session of its own. */
export interface Opened {
  readonly kind: 'opened'
  readonly pid: number
  readonly child: ChildProcessWithoutNullStreams
}

/** A process that never was. `why` starts with the system's code. */
export interface Unspawnable {
  readonly kind: 'unspawnable'
  readonly why: string
}

export interface SpawnOptions {
  readonly cwd: string
  readonly env: Environment
}

/** Starts `program`, looked up on the PATH of `env`, with three pipes as its only descriptors. */
export async function open(program: string, args: readonly string[], { cwd, env }: SpawnOptions): Promise<Opened | Unspawnable> {
  // Looking up here instead of in the child spares it a failed exec per folder, and means the same on every platform.
  const file = findProgram(program, { cwd, path: env['PATH'] })
  const failed = (code: string): Unspawnable => ({
    kind: 'unspawnable',
    why: explainSpawnError(code, { program, args, cwd, ...(file === undefined ? {} : { file }) }),
  })
  if (program === '') return failed('EINVAL')
  if (file === undefined && process.platform !== 'win32') return failed('ENOENT')
  try {
    const child = spawn(file ?? program, args, {
      argv0: program,
      cwd,
      env,
      // Its own session and group: reachable as a whole, and without the terminal.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) {
      child.on('error', () => {})
      return { kind: 'opened', pid, child }
    }
    return failed(await new Promise<string>((resolve) => child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'UNKNOWN'))))
  } catch (error) {
    return failed((error as NodeJS.ErrnoException).code ?? 'UNKNOWN')
  }
}
