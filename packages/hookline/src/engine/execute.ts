/** Runs the selected hooks side by side and keeps their results in configuration order; the one place of the corridor that waits. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import { PendingResult, type ResultListener } from '../protocol/pending-result.ts'
import type { HandlerRunner, RawResult } from '../protocol/runner.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { type Execution, readEnded } from './execution.ts'
import { HookRun, type RunDesk, thrown } from './hook-run.ts'
import { traceOf } from './trace.ts'

/** What running needs beside the hooks and the call. */
export interface ExecutionContext<T> {
  readonly engine: Engine
  /** Takes over the runs that nobody waits for. */
  readonly jobs: Jobs
  /** What becomes of the list; it is called once, in the turn in which the last hook ended. `waited`: there was something to wait for. */
  readonly conclude: (ran: readonly Execution[], waited: boolean) => T | Promise<T>
}

/**
 * Starts every hook, then waits for all. Nothing is promised where nothing was asynchronous; elsewhere there is one promise for the
 * whole, whatever the number of hooks.
 */
export function execute<T>(hooks: readonly ConfiguredHook[], call: OpenCall, context: ExecutionContext<T>): T | Promise<T> {
  const round = new Round(hooks, call, context)
  for (let index = 0; index < hooks.length; index++) round.start(hooks[index] as ConfiguredHook, index)
  if (!round.waits) return context.conclude(round.ran, false)
  return new Promise<T>((resolve, reject) => {
    round.whenOver(() => {
      try {
        resolve(context.conclude(round.ran, true))
      } catch (error) {
        reject(error as Error)
      }
    })
  })
}

/** The running of one call's hooks. */
class Round implements ResultListener, RunDesk {
  declare readonly call: OpenCall
  declare readonly jobs: Jobs
  declare readonly engine: Engine
  declare readonly budgetMs?: number
  readonly #hooks: readonly ConfiguredHook[]
  /** When each hook that is waited for began. */
  readonly #startedAt: number[] = []
  /** By the place of the hook; whole once nothing is left. */
  readonly ran: Execution[] = []
  /** Something is asynchronous. */
  waits = false
  /** Hooks that still run. */
  #left = 0
  #over: (() => void) | undefined
  #broken: RawResult | undefined
  /** The clock as it was last read: one reading serves the end of a hook and the start of the next. */
  #clock: number

  constructor(hooks: readonly ConfiguredHook[], call: OpenCall, { engine, jobs }: Pick<ExecutionContext<unknown>, 'engine' | 'jobs'>) {
    this.#hooks = hooks
    this.call = call
    this.jobs = jobs
    this.engine = engine
    this.#clock = call.startedAt
    if (call.row.budgetMs !== undefined) this.budgetMs = budgetOf(hooks, call, engine)
  }

  start(hook: ConfiguredHook, index: number): void {
    const { trace, runners } = this.engine
    const runner = runners.get(hook.type)
    if (trace.active) {
      trace.write({
        kind: 'started',
        ...traceOf(this.call),
        hook: hook.info,
        ...(hook.statusMessage === undefined ? {} : { statusMessage: hook.statusMessage }),
      })
    }
    const startedAt = this.#clock
    const preparing = runner?.readsPayload ? this.call.preparePayload() : undefined
    const raw = preparing === undefined ? this.#begin(hook, runner) : preparing.then(() => this.#begin(hook, runner))
    if (!isPending(raw)) {
      this.ran[index] = this.#end(hook, startedAt, raw)
      return
    }
    this.waits = true
    this.#left += 1
    this.#startedAt[index] = startedAt
    if (raw instanceof PendingResult) raw.tell(this, index)
    else
      void Promise.resolve(raw)
        .catch(thrown)
        .then((result) => this.arrive(result, index))
  }

  arrive(result: RawResult, index: number): void {
    this.ran[index] = this.#end(this.#hooks[index] as ConfiguredHook, this.#startedAt[index] as number, result)
    this.#left -= 1
    if (this.#left === 0) this.#over?.()
  }

  /** Calls `over` when the last hook has ended, at once if it has. */
  whenOver(over: () => void): void {
    this.#over = over
    if (this.#left === 0) over()
  }

  #begin(hook: ConfiguredHook, runner: HandlerRunner | undefined): RawResult | PromiseLike<RawResult> {
    return this.#endsEarly(hook, runner) ?? this.#run(hook, runner as HandlerRunner)
  }

  #run(hook: ConfiguredHook, runner: HandlerRunner): RawResult | PromiseLike<RawResult> {
    try {
      return runner.run(hook, new HookRun(hook, this.call, { desk: this }))
    } catch (error) {
      return thrown(error)
    }
  }

  /** What ends a hook before its handler is asked. */
  #endsEarly(hook: ConfiguredHook, runner: HandlerRunner | undefined): RawResult | undefined {
    if (runner === undefined) return { ending: { kind: 'refused', why: `there is no handler for ${hook.type} hooks` } }
    if (runner.readsPayload) this.#broken ??= payloadFault(this.call)
    if (runner.readsPayload && this.#broken !== undefined) return this.#broken
    return hook.background === undefined ? undefined : startInBackground(hook, this, runner)
  }

  #end(hook: ConfiguredHook, startedAt: number, raw: RawResult): Execution {
    const endedAt = performance.now()
    this.#clock = endedAt
    return readEnded({ hook, raw, startedAt, endedAt }, this.call, this.engine)
  }
}

/** Starts a hook that nobody waits for. Its life is its scope's: the host's signal ends the call, not the job. */
function startInBackground(hook: ConfiguredHook, round: Round, runner: HandlerRunner): RawResult {
  const abort = new AbortController()
  const run = new HookRun(hook, round.call, { desk: round, signal: abort.signal })
  const result = Promise.resolve()
    .then(() => runner.run(hook, run))
    .catch(thrown)
  const jobId = round.jobs.take({ hook, call: round.call, result, cancel: () => abort.abort() })
  return { ending: { kind: 'deferred', jobId } }
}

const longestBudgetMs = 60_000

/** The shared budget: raised to the largest timeout written in a settings file, at most 60 s; plugins do not raise it (protocol §2.9). */
function budgetOf(hooks: readonly ConfiguredHook[], call: OpenCall, engine: Engine): number {
  if (engine.budgetMs !== undefined) return engine.budgetMs
  const written = hooks.filter((hook) => hook.ownTimeout && hook.info.source.kind !== 'plugin').map((hook) => hook.timeoutMs)
  return Math.min(longestBudgetMs, Math.max(call.row.budgetMs ?? 0, ...written))
}

function payloadFault(call: OpenCall): RawResult | undefined {
  try {
    void call.payload
    return undefined
  } catch (error) {
    return {
      ending: { kind: 'refused', why: `the input cannot be written as JSON: ${error instanceof Error ? firstLine(error.message) : String(error)}` },
      unasked: true,
    }
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}

function isPending(value: RawResult | PromiseLike<RawResult>): value is PromiseLike<RawResult> {
  return 'then' in value
}
