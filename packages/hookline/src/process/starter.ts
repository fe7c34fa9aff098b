/** The one starter of processes: so many at a time, and none left when it is closed. */
import type { Backend } from './backend.ts'
import { type Run, type RunOptions, startRun } from './run.ts'

export type { Run, RunOptions } from './run.ts'

/** Starts programs for one host. */
export interface Starter {
  /** Runs a program when its turn comes; waiting does not count towards its timeout. Never throws. */
  start(program: string, args: readonly string[], options: RunOptions): Run
  /** Ends what runs and what waits; settles when nothing is left. Later starts end as aborted. */
  close(): Promise<void>
  /** How many run now. */
  readonly running: number
}

export const defaultLimit = 64

/** What a starter may be told. */
export interface StarterOptions {
  /** How many programs run at once. Default 64. */
  readonly limit?: number
  /** How they are run; several starters may share one backend, and none closes it. Default: each in a process of its own. */
  readonly backend?: Pick<Backend, 'start'>
}

/** Makes a starter. */
export function createStarter({ limit = defaultLimit, backend = { start: startRun } }: StarterOptions = {}): Starter {
  const running = new Set<Run>()
  const waiting = new Set<Turn>()
  let taken = 0
  let closed = false
  let calling = false

  // Starting a process holds the event loop. Many places may become free at once, and what has to be ended in time must not wait until all are taken again.
  const callNext = () => {
    calling = false
    const next = taken < limit ? waiting.values().next().value : undefined
    if (next === undefined) return
    waiting.delete(next)
    next.take()
    callSoon()
  }
  const callSoon = () => {
    if (calling || waiting.size === 0) return
    calling = true
    setImmediate(callNext)
  }

  const begin = (program: string, args: readonly string[], options: RunOptions): Run => {
    taken++
    let hasPlace = true
    const makeRoom = () => {
      if (!hasPlace) return
      hasPlace = false
      taken--
      callSoon()
    }
    const run = backend.start(program, args, givingUpPlace(options, makeRoom))
    running.add(run)
    const end = () => {
      running.delete(run)
      makeRoom()
    }
    run.done.then(end, end)
    return run
  }

  return {
    start(program, args, options) {
      if (closed) return { done: Promise.resolve({ ending: { kind: 'aborted' } }), abort: () => {} }
      // Who waits already is first.
      if (taken < limit && waiting.size === 0) return begin(program, args, options)
      const turn = waitTurn(
        () => begin(program, args, options),
        () => waiting.delete(turn),
      )
      waiting.add(turn)
      return turn.run
    },
    async close() {
      closed = true
      const runs = [...running, ...[...waiting].map((turn) => turn.run)]
      for (const run of runs) run.abort()
      await Promise.all(runs.map((run) => run.done))
    },
    get running() {
      return running.size
    },
  }
}

/** The options of a run that gives up its place when it goes on in the background: nobody waits for it any more. */
function givingUpPlace(options: RunOptions, makeRoom: () => void): RunOptions {
  const { onFirstLine } = options
  if (onFirstLine === undefined) return options
  return {
    ...options,
    onFirstLine: (line) => {
      const ms = onFirstLine(line)
      if (ms !== undefined) makeRoom()
      return ms
    },
  }
}

/** A run that has not begun. */
interface Turn {
  readonly run: Run
  take(): void
}

function waitTurn(begin: () => Run, leave: () => void): Turn {
  let begun: Run | undefined
  let settle: (result: Awaited<Run['done']> | Run['done']) => void = () => {}
  const done: Run['done'] = new Promise((resolve) => {
    settle = resolve
  })
  return {
    take: () => {
      begun = begin()
      settle(begun.done)
    },
    run: {
      done,
      abort: () => {
        if (begun !== undefined) return begun.abort()
        leave()
        settle({ ending: { kind: 'aborted' } })
      },
    },
  }
}
