/** Starts one process in a session of its own; a start that fails is an answer, not a throw. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Environment } from './environment.ts'
import { findProgram } from './find-program.ts'
import { explainFence, type Fence, type FenceStatus, fenceIn, followFence } from './sandbox.ts'
import { statusDescriptor } from './sandbox-tools.ts'
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
  /** Why the program itself was never run, to be asked once the fence has ended with that on stderr; `undefined` when it was. */
  fault(stderr: string): string | undefined
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
  let line = { program: file ?? program, args }
  if (fence !== undefined) {
    const fenced = fenceIn(line.program, args, { fence, cwd, path: env['PATH'] })
    if (fenced.kind === 'fault') return { kind: 'unspawnable', why: `the sandbox could not be built: ${fenced.why}` }
    line = fenced
  }
  try {
    const child = spawn(line.program, line.args, {
      argv0: fence === undefined ? program : line.program,
      cwd,
      env,
      // Its own session and group: reachable as a whole, and without the terminal.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: fence === undefined ? ['pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams
    const { pid } = child
    if (pid !== undefined) {
      child.on('error', () => {})
      if (fence === undefined) return { kind: 'opened', pid, child }
      const told = child.stdio[statusDescriptor] as Readable
      const status = followFence(told)
      const fault = (stderr: string) => (status.ran ? undefined : explainFence(stderr, attempt))
      return { kind: 'opened', pid, child, fence: { ended: status.ended, fault, letGo: () => void told.destroy() } }
    }
    return failed(await new Promise<string>((resolve) => child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'UNKNOWN'))))
  } catch (error) {
    return failed((error as NodeJS.ErrnoException).code ?? 'UNKNOWN')
  }
}
