/** Runs the selected hooks side by side and keeps their results in configuration order; the one place of the corridor that waits. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { HandlerRunner, RawResult, RunContext } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { TraceSink } from './trace.ts'

/** One hook's run, read. `ms` is wall time in milliseconds. */
export interface Execution {
  readonly hook: ConfiguredHook
  readonly raw: RawResult
  readonly ms: number
  readonly said: Interpreted
}

/** What running needs beside the hooks and the call. */
export interface ExecutionContext {
  readonly runners: ReadonlyMap<string, HandlerRunner>
  readonly trace: TraceSink
  /** Takes over the runs that nobody waits for. */
  readonly jobs: Jobs
  /** Overrides the shared budget of events that have one, in milliseconds. */
  readonly budgetMs?: number
  /** Reads a result as soon as it is there, so that the trace tells the live order. */
  readonly read: (hook: ConfiguredHook, raw: RawResult, ms: number) => Execution
}

/** Starts every hook, then waits for all. Hands back a plain list when nothing was asynchronous. */
export function execute(hooks: readonly ConfiguredHook[], call: OpenCall, context: ExecutionContext): readonly Execution[] | Promise<readonly Execution[]> {
  const broken = hooks.some((hook) => context.runners.get(hook.type)?.readsPayload) ? payloadFault(call) : undefined
  const started = hooks.map((hook) => start(hook, call, { ...context, broken, budget: budgetOf(hooks, call, context) }))
  if (!started.some(isPending)) return started as readonly Execution[]
  return settleAll(started)
}

async function settleAll(started: readonly (Execution | Promise<Execution>)[]): Promise<readonly Execution[]> {
  const done: Execution[] = []
  // No runner rejects, so waiting in order leaves no rejection unhandled.
  for (const one of started) done.push(await one)
  return done
}

interface StartContext extends ExecutionContext {
  readonly broken: RawResult | undefined
  readonly budget: number
}

function start(hook: ConfiguredHook, call: OpenCall, context: StartContext): Execution | Promise<Execution> {
  const { trace } = context
  const runner = context.runners.get(hook.type)
  const startedAt = performance.now()
  if (trace.active) {
    trace.write({ kind: 'started', ...traceOf(call), hook: hook.info, ...(hook.statusMessage === undefined ? {} : { statusMessage: hook.statusMessage }) })
  }
  const end = (raw: RawResult): Execution => context.read(hook, raw, performance.now() - startedAt)
  if (runner?.readsPayload && context.broken !== undefined) return end(context.broken)
  if (hook.background !== undefined && runner !== undefined) return end(startInBackground(hook, call, { ...context, runner }))
  let raw: RawResult | PromiseLike<RawResult>
  try {
    raw = runner === undefined ? { ending: { kind: 'refused', why: `there is no handler for ${hook.type} hooks` } } : runner.run(hook, new HookRun(hook, call, context))
  } catch (error) {
    return end(thrown(error))
  }
  if (!isPending(raw)) return end(raw as RawResult)
  return Promise.resolve(raw).then(end, (error: unknown) => end(thrown(error)))
}

/** Starts a hook that nobody waits for. Its life is its scope's: the host's signal ends the call, not the job. */
function startInBackground(hook: ConfiguredHook, call: OpenCall, context: StartContext & { readonly runner: HandlerRunner }): RawResult {
  const abort = new AbortController()
  const run = new HookRun(hook, call, { ...context, signal: abort.signal })
  const result = Promise.resolve()
    .then(() => context.runner.run(hook, run))
    .catch(thrown)
  const jobId = context.jobs.take({ hook, call, result, cancel: () => abort.abort() })
  return { ending: { kind: 'deferred', jobId } }
}

/** The call as one handler sees it: everything costly stays lazy. */
class HookRun implements RunContext {
  readonly timeoutMs: number
  readonly #call: OpenCall
  readonly #hook: ConfiguredHook
  readonly #trace: TraceSink
  readonly #jobs: Jobs
  readonly #signal: AbortSignal | undefined

  constructor(hook: ConfiguredHook, call: OpenCall, context: StartContext & { readonly signal?: AbortSignal }) {
    this.#call = call
    this.#hook = hook
    this.#trace = context.trace
    this.#jobs = context.jobs
    this.#signal = context.signal
    this.timeoutMs = call.row.budgetMs === undefined ? hook.timeoutMs : Math.min(hook.ownTimeout ? hook.timeoutMs : context.budget, context.budget)
  }

  get row() {
    return this.#call.row
  }
  get callId() {
    return this.#call.callId
  }
  get sessionId() {
    return this.#call.sessionId
  }
  get input() {
    return this.#call.input
  }
  get payload() {
    return this.#call.payload
  }
  get signal() {
    return this.#signal ?? this.#call.signal
  }
  get locals() {
    return this.#call.origin.locals
  }
  get projectDir() {
    return this.#call.origin.projectDir
  }
  get cwd() {
    return String(this.#call.input['cwd'] ?? '')
  }
  get envFile() {
    return this.#call.row.envFile ? this.#call.origin.envFile : undefined
  }

  defer(later: Promise<RawResult>, cancel: () => void): RawResult {
    return { ending: { kind: 'deferred', jobId: this.#jobs.take({ hook: this.#hook, call: this.#call, result: later.catch(thrown), cancel }) } }
  }

  output(stream: 'stdout' | 'stderr', text: string): void {
    if (this.#trace.active) this.#trace.write({ kind: 'output', ...traceOf(this.#call), hook: this.#hook.info.id, stream, text })
  }
}

/** The fields that every trace line of a call has. */
export function traceOf(call: OpenCall): { event: string; callId: string; sessionId: string; agentId?: string } {
  const { agentId } = call.origin
  return { event: call.row.name, callId: call.callId, sessionId: call.sessionId, ...(agentId === undefined ? {} : { agentId }) }
}

const longestBudgetMs = 60_000

/** The shared budget: raised to the largest timeout written in a settings file, at most 60 s; plugins do not raise it (protocol §2.9). */
function budgetOf(hooks: readonly ConfiguredHook[], call: OpenCall, context: ExecutionContext): number {
  if (call.row.budgetMs === undefined) return Number.POSITIVE_INFINITY
  if (context.budgetMs !== undefined) return context.budgetMs
  const written = hooks.filter((hook) => hook.ownTimeout && hook.info.source.kind !== 'plugin').map((hook) => hook.timeoutMs)
  return Math.min(longestBudgetMs, Math.max(call.row.budgetMs, ...written))
}

function payloadFault(call: OpenCall): RawResult | undefined {
  try {
    void call.payload
    return undefined
  } catch (error) {
    return { ending: { kind: 'refused', why: `the input cannot be written as JSON: ${error instanceof Error ? firstLine(error.message) : String(error)}` }, unasked: true }
  }
}

function thrown(error: unknown): RawResult {
  return { ending: { kind: 'threw', error: error instanceof Error ? error.message : String(error) } }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}

function isPending(value: unknown): value is PromiseLike<never> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
