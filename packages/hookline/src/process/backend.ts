/** Chooses how a program is run: in the shell pool where that gives the same, else in a process of its own. */
import { Cause } from './cause.ts'
import { createPool, type Pool } from './pool.ts'
import { fitShell } from './pool-fit.ts'
import { perform, type Run, type RunOptions, startRun } from './run.ts'

/**
 * When the shell pool is started: with its host, while that is small; at the first run, which does not wait for it; or never.
 * It is used on Linux only, and wherever it cannot be, processes are started as if it were off.
 */
export type PoolMode = 'eager' | 'lazy' | 'off'

/** Starts runs, each in its own way. */
export interface Backend {
  start(program: string, args: readonly string[], options: RunOptions): Run
  /** Frees what is held. Nothing may run any more. */
  close(): void
}

// Three nurseries and one worker to spare: enough for twenty hooks that wait at once, and small.
const mostWorkers = 28
// The hooks of an event are seldom all meant for the same call.
const mostExpected = 21

export interface BackendOptions {
  /** How many programs may run at once. */
  readonly limit: number
  /** How many are likely to be started at once, as far as is known. Default 1. */
  readonly expected?: number | undefined
}

/** Makes a backend. */
export function createBackend(mode: PoolMode, { limit, expected = 1 }: BackendOptions): Backend {
  if (mode === 'off' || process.platform !== 'linux') return { start: startRun, close: () => {} }
  const pool = createPool({ most: Math.min(limit, mostWorkers), expected: Math.min(expected, mostExpected) })
  let isOpen = mode === 'eager'
  if (isOpen) pool.begin()
  return {
    start(program, args, options) {
      // A worker of the pool is behind no fence.
      const command = options.fence === undefined ? fitShell(program, args, options) : undefined
      if (command !== undefined && isOpen) return startPooled(pool, command, { program, args, options })
      const run = startRun(program, args, options)
      if (command !== undefined) {
        // The first run is on its way; whoever comes next finds a pool.
        isOpen = true
        setImmediate(pool.begin)
      }
      return run
    },
    close: pool.close,
  }
}

interface Asked {
  readonly program: string
  readonly args: readonly string[]
  readonly options: RunOptions
}

function startPooled(pool: Pool, command: string, { program, args, options }: Asked): Run {
  let cause = new Cause()
  const follow = async () => {
    const result = await pool.run(command, { ...options, cause })
    if (result !== undefined) return result
    if (cause.ending !== undefined) return { ending: cause.ending }
    // What was learnt of a run that never began is not said of this one.
    cause = new Cause()
    return perform(program, args, { ...options, cause })
  }
  return { done: follow(), abort: () => cause.name({ kind: 'aborted' }) }
}
