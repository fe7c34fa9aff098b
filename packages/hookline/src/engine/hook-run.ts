/** One call as one handler sees it: everything costly stays lazy. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { RawResult, RunContext } from '../protocol/runner.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { traceOf } from './trace.ts'

/** What runs of one call share. */
export interface RunDesk {
  readonly engine: Engine
  /** Takes over the runs that nobody waits for. */
  readonly jobs: Jobs
  /** What all hooks of the call have together, where the event has a shared budget. */
  readonly budgetMs?: number
}

/** The context of one run. */
export class HookRun implements RunContext {
  readonly #hook: ConfiguredHook
  readonly #call: OpenCall
  readonly #desk: RunDesk
  readonly #signal: AbortSignal | undefined

  /** `signal` stands in for that of the call. */
  constructor(hook: ConfiguredHook, call: OpenCall, { desk, signal }: { desk: RunDesk; signal?: AbortSignal | undefined }) {
    this.#hook = hook
    this.#call = call
    this.#desk = desk
    this.#signal = signal
  }

  get timeoutMs() {
    const { budgetMs } = this.#desk
    if (budgetMs === undefined) return this.#hook.timeoutMs
    return this.#hook.ownTimeout ? Math.min(this.#hook.timeoutMs, budgetMs) : budgetMs
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
  whenAborted(act: () => void): () => void {
    return this.#signal === undefined ? this.#call.whenAborted(act) : onAbort(this.#signal, act)
  }
  get locals() {
    return this.#call.locals
  }
  get projectDir() {
    return this.#call.origin.projectDir
  }
  get cwd() {
    return String(this.#call.input['cwd'] ?? '')
  }
  get envFile() {
    return this.#call.row.envFile ? (this.#call.origin.envFile ?? undefined) : undefined
  }

  defer(later: Promise<RawResult>, cancel: () => void): RawResult {
    return { ending: { kind: 'deferred', jobId: this.#desk.jobs.take({ hook: this.#hook, call: this.#call, result: later.catch(thrown), cancel }) } }
  }

  output(stream: 'stdout' | 'stderr', text: string): void {
    const { trace } = this.#desk.engine
    if (trace.active) trace.write({ kind: 'output', ...traceOf(this.#call), hook: this.#hook.info.id, stream, text })
  }
}

/** The result of a handler that threw or rejected, which none should. */
export function thrown(error: unknown): RawResult {
  return { ending: { kind: 'threw', error: error instanceof Error ? error.message : String(error) } }
}
