/** The one starter of processes: so many at a time, and none left when it is closed. */
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

const defaultLimit = 64

/** Makes a starter. `limit` is how many programs run at once. */
export function createStarter({ limit = defaultLimit }: { limit?: number } = {}): Starter {
  const running = new Set<Run>()
  const waiting = new Set<Turn>()
  let closed = false

  const begin = (program: string, args: readonly string[], options: RunOptions): Run => {
    const run = startRun(program, args, options)
    running.add(run)
    const makeRoom = () => {
      running.delete(run)
      const next = waiting.values().next().value
      if (next === undefined) return
      waiting.delete(next)
      next.take()
    }
    run.done.then(makeRoom, makeRoom)
    return run
  }

  return {
    start(program, args, options) {
      if (closed) return { done: Promise.resolve({ ending: { kind: 'aborted' } }), abort: () => {} }
      if (running.size < limit) return begin(program, args, options)
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
