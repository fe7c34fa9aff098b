/** Starts one process in a session of its own; a start that fails is an answer, not a throw. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import type { Ending } from '../protocol/ending.ts'
import type { Environment } from './environment.ts'
import { findProgram } from './find-program.ts'
import { onlyPipes } from './inherited.ts'
import { explainFence, type Fence, type Fenced, type FenceStatus, fenceIn, followFence } from './sandbox.ts'
import { hostDescriptor, statusDescriptor } from './sandbox-shells.ts'
import { type Attempt, explainSpawnError } from './spawn-error.ts'

/** A process that runs. Its id leads a group: the process and all it starts, save what starts a session of its own. */
export interface Opened {
  readonly kind: 'opened'
  readonly pid: number
  readonly child: ChildProcessWithoutNullStreams
  /** Of a program behind a fence. */
  readonly fence?: OpenedFence
}

/** What the fence of a process says. */
export interface OpenedFence extends Pick<FenceStatus, 'ended'> {
  /** How the program itself ended, to be asked once the fence has ended with this code and that on stderr. */
  endingOf(code: number, stderr: string): Ending
  /** Nobody listens to it any more. */
  letGo(): void
}

/** A process that never was. `why` starts with the system's code. */
export interface Unspawnable {
  readonly kind: 'unspawnable'
  readonly why: string
}

export interface SpawnOptions {
  readonly cwd: string
  readonly env: Environment
  /** What it must be fenced in with. */
  readonly fence?: Fence | undefined
}

/** Starts `program`, looked up on the PATH of `env`, with three pipes as its only descriptors. */
export async function open(program: string, args: readonly string[], { cwd, env, fence }: SpawnOptions): Promise<Opened | Unspawnable> {
  // Looking up here instead of in the child spares it a failed exec per folder, and means the same on every platform.
  const file = findProgram(program, { cwd, path: env['PATH'] })
  const attempt: Attempt = { program, args, cwd, ...(file === undefined ? {} : { file }) }
  const failed = (code: string): Unspawnable => ({ kind: 'unspawnable', why: explainSpawnError(code, attempt) })
  if (program === '') return failed('EINVAL')
  if (file === undefined && process.platform !== 'win32') return failed('ENOENT')
  const line: Fenced =
    fence === undefined ? { kind: 'line', program: file ?? program, args, release: () => {} } : fenceIn(file ?? program, args, { fence, cwd, env })
  if (line.kind === 'fault') return { kind: 'unspawnable', why: `the sandbox could not be built: ${line.why}` }
  try {
    const child = spawn(line.program, line.args, {
      argv0: fence === undefined ? program : line.program,
      cwd,
      env,
      // Its own session and group: reachable as a whole, and without the terminal.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: onlyPipes(fence === undefined ? 3 : 5),
    }) as ChildProcessWithoutNullStreams
    const { pid } = child
    if (pid !== undefined) {
      child.on('error', () => {})
      return fence === undefined ? { kind: 'opened', pid, child } : { kind: 'opened', pid, child, fence: followOpened(child, line.release, attempt) }
    }
    line.release()
    return failed(await new Promise<string>((resolve) => child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'UNKNOWN'))))
  } catch (error) {
    line.release()
    return failed((error as NodeJS.ErrnoException).code ?? 'UNKNOWN')
  }
}

function followOpened({ stdio }: ChildProcessWithoutNullStreams, release: () => void, attempt: Attempt): OpenedFence {
  const told = stdio[statusDescriptor] as Readable
  const held = stdio[hostDescriptor] as Duplex
  held.on('error', () => {})
  const status = followFence(told)
  return {
    ended: status.ended,
    endingOf: (code, stderr) => status.endingOf(code, stderr) ?? { kind: 'unspawnable', why: explainFence(stderr, attempt) },
    letGo() {
      told.destroy()
      held.destroy()
      release()
    },
  }
}
