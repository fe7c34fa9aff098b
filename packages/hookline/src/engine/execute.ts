/** Runs the selected hooks side by side and keeps their results in configuration order; the one place of the corridor that waits. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import { onAbort } from '../protocol/on-abort.ts'
import { PendingResult } from '../protocol/pending-result.ts'
import type { HandlerRunner, RawResult, RunContext } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'

/** One hook's run, read. Times are those of `performance.now()`. */
export interface Execution {
  readonly hook: ConfiguredHook
  readonly raw: RawResult
  readonly said: Interpreted
  readonly startedAt: number
  readonly endedAt: number
}

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
class Round {
  declare readonly call: OpenCall
  declare readonly jobs: Jobs
  declare readonly engine: Engine
  declare readonly budgetMs: number
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
    this.call = call
    this.jobs = jobs
    this.engine = engine
    this.#clock = call.startedAt
    this.budgetMs = call.row.budgetMs === undefined ? Number.POSITIVE_INFINITY : budgetOf(hooks, call, engine)
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
    const arrive = (result: RawResult): void => {
      this.ran[index] = this.#end(hook, startedAt, result)
      this.#left -= 1
      if (this.#left === 0) this.#over?.()
    }
    if (raw instanceof PendingResult) raw.tell(arrive)
    else void Promise.resolve(raw).catch(thrown).then(arrive)
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
      return runner.run(hook, new HookRun(hook, this, undefined))
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

  #end(hook: ConfiguredHook, startedAt: number, result: RawResult): Execution {
    const said = this.engine.read(hook, result, this.call)
    const raw = said.judged === undefined ? result : { ...result, ending: said.judged }
    const endedAt = performance.now()
    this.#clock = endedAt
    const { trace } = this.engine
    if (trace.active)
      trace.write({ kind: 'ended', ...traceOf(this.call), hook: hook.info.id, ending: raw.ending, outcome: said.outcome, ms: endedAt - startedAt })
    return { hook, raw, said, startedAt, endedAt }
  }
}

/** Starts a hook that nobody waits for. Its life is its scope's: the host's signal ends the call, not the job. */
function startInBackground(hook: ConfiguredHook, round: Round, runner: HandlerRunner): RawResult {
  const abort = new AbortController()
  const run = new HookRun(hook, round, abort.signal)
  const result = Promise.resolve()
    .then(() => runner.run(hook, run))
    .catch(thrown)
  const jobId = round.jobs.take({ hook, call: round.call, result, cancel: () => abort.abort() })
  return { ending: { kind: 'deferred', jobId } }
}

/** The call as one handler sees it: everything costly stays lazy. */
class HookRun implements RunContext {
  readonly #hook: ConfiguredHook
  readonly #round: Round
  readonly #signal: AbortSignal | undefined

  constructor(hook: ConfiguredHook, round: Round, signal: AbortSignal | undefined) {
    this.#hook = hook
    this.#round = round
    this.#signal = signal
  }

  get timeoutMs() {
    const { budgetMs, call } = this.#round
    if (call.row.budgetMs === undefined) return this.#hook.timeoutMs
    return this.#hook.ownTimeout ? Math.min(this.#hook.timeoutMs, budgetMs) : budgetMs
  }
  get row() {
    return this.#round.call.row
  }
  get callId() {
    return this.#round.call.callId
  }
  get sessionId() {
    return this.#round.call.sessionId
  }
  get input() {
    return this.#round.call.input
  }
  get payload() {
    return this.#round.call.payload
  }
  get signal() {
    return this.#signal ?? this.#round.call.signal
  }
  whenAborted(act: () => void): () => void {
    return this.#signal === undefined ? this.#round.call.whenAborted(act) : onAbort(this.#signal, act)
  }
  get locals() {
    return this.#round.call.locals
  }
  get projectDir() {
    return this.#round.call.origin.projectDir
  }
  get cwd() {
    return String(this.#round.call.input['cwd'] ?? '')
  }
  get envFile() {
    return this.#round.call.row.envFile ? (this.#round.call.origin.envFile ?? undefined) : undefined
  }

  defer(later: Promise<RawResult>, cancel: () => void): RawResult {
    return { ending: { kind: 'deferred', jobId: this.#round.jobs.take({ hook: this.#hook, call: this.#round.call, result: later.catch(thrown), cancel }) } }
  }

  output(stream: 'stdout' | 'stderr', text: string): void {
    const { trace } = this.#round.engine
    if (trace.active) trace.write({ kind: 'output', ...traceOf(this.#round.call), hook: this.#hook.info.id, stream, text })
  }
}

/** The fields that every trace line of a call has. */
export function traceOf(call: OpenCall): { event: string; callId: string; sessionId: string; agentId?: string } {
  const { agentId } = call.origin
  return { event: call.row.name, callId: call.callId, sessionId: call.sessionId, ...(agentId === undefined ? {} : { agentId }) }
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

function thrown(error: unknown): RawResult {
  return { ending: { kind: 'threw', error: error instanceof Error ? error.message : String(error) } }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}

function isPending(value: RawResult | PromiseLike<RawResult>): value is PromiseLike<RawResult> {
  return 'then' in value
}
