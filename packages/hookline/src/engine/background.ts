/** Background hooks: what still runs, what came in since the last drain, and how all of it ends with its scope. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { Outcome } from '../protocol/ending.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Job, Late } from '../protocol/trace.ts'
import type { Message } from '../protocol/verdict-parts.ts'
import { aggregate } from './aggregate.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { tellFailure } from './failing-hooks.ts'
import { interpret } from './interpret.ts'
import { shorten } from './shorten.ts'
import { tell } from './tell.ts'
import { modelText, userText } from './texts.ts'
import { traceOf } from './trace.ts'

/** A run that nobody waits for: where its result will come from, and how to end it. */
export interface BackgroundRun {
  readonly hook: ConfiguredHook
  readonly call: OpenCall
  readonly result: Promise<RawResult>
  cancel(): void
}

interface Running extends Job {
  readonly ended: Promise<void>
}

/** The background hooks of one session. */
export class Jobs {
  readonly #engine: Engine
  readonly #running = new Map<string, Running>()
  #ready: Late[] = []
  #count = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  get running(): readonly Job[] {
    return [...this.#running.values()].map(({ jobId, hook, event, startedAt, done, cancel }) => ({ jobId, hook, event, startedAt, done, cancel }))
  }

  /** Takes a run over; its answer leaves by `drain` or the rewake callback, once. */
  take({ hook, call, result, cancel }: BackgroundRun): string {
    const jobId = `${call.callId}-job-${++this.#count}`
    const read = result.then((raw) => this.#finish(jobId, { hook, call, raw }))
    const done = read.then((late) => late.ending)
    const job: Running = { jobId, hook: hook.info.id, event: call.row.name, startedAt: Date.now(), done, cancel, ended: read.then(() => undefined) }
    this.#running.set(jobId, job)
    return jobId
  }

  drain(): Late[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  /** Ends everything that still runs and waits until it is gone. */
  async cancelAll(): Promise<void> {
    const all = [...this.#running.values()]
    for (const job of all) job.cancel()
    await Promise.all(all.map((job) => job.ended))
  }

  #finish(jobId: string, { hook, call, raw }: { hook: ConfiguredHook; call: OpenCall; raw: RawResult }): Late {
    const startedAt = this.#running.get(jobId)?.startedAt ?? Date.now()
    this.#running.delete(jobId)
    const { late, outcome } = this.#read(jobId, { hook, call, raw })
    const { parts } = this.#engine
    const wrote = { ...(raw.stdout === undefined ? {} : { stdout: raw.stdout }), ...(raw.stderr === undefined ? {} : { stderr: raw.stderr }) }
    // Nothing waits for it; a log that cannot be written says so itself.
    this.#engine.mark({ kind: 'late', ...traceOf(call), late, outcome, ms: Date.now() - startedAt, ...wrote })?.catch(() => undefined)
    if (late.wake && parts.onRewake !== undefined) this.#wake(parts.onRewake, late)
    else if (late.wake || late.toModel !== '' || late.toUser !== '') this.#ready.push(late)
    return late
  }

  #read(jobId: string, { hook, call, raw }: { hook: ConfiguredHook; call: OpenCall; raw: RawResult }): { late: Late; outcome: Outcome } {
    const { row } = call
    const background = hook.background ?? 'async'
    const said = interpret(raw, { row, info: hook.info, failClosed: false, input: call.input, background })
    const folding = aggregate(row, [{ by: hook.info.id, said }], { spill: this.#engine.spill })
    const context = said.words.context === undefined ? [] : [shorten(said.words.context, hook.info.id, this.#engine.spill)]
    // What a background hook tells is for the model, with the next turn; what went wrong with it is for the person (protocol §2.10).
    const told: readonly Message[] = said.words.message === undefined ? [] : [{ text: said.words.message, to: 'model', level: 'info', by: hook.info.id }]
    const folded = { ...folding, blocks: [], context, messages: [...told, ...said.messages] }
    const failure = said.failure === undefined ? undefined : (said.messages[0]?.text ?? said.failure)
    if (failure === undefined) this.#engine.failing.succeeded(hook.info.id)
    else tellFailure(this.#engine, hook.info, { text: failure, aborted: raw.ending.kind === 'aborted' })
    // There is no verdict any more that could show them.
    for (const warning of said.warnings) if (warning.message !== failure) this.#engine.notice(warning)
    const wake = background === 'asyncRewake' && raw.ending.kind === 'exited' && raw.ending.code === 2
    const { label } = hook.info
    const late = {
      jobId,
      hook: hook.info.id,
      event: row.name,
      sessionId: call.sessionId,
      ending: raw.ending,
      wake,
      toModel: modelText(row, folded, () => label),
      toUser: userText(row, folded),
      context,
      messages: folded.messages,
    }
    return { late, outcome: said.outcome }
  }

  #wake(onRewake: (late: Late) => void, late: Late): void {
    tell(onRewake, late, (error) => {
      this.#engine.notice({
        severity: 'warning',
        code: 'rewake-threw',
        message: `onRewake threw: ${error instanceof Error ? error.message : String(error)}. The answer of ${late.hook} is kept for drain().`,
        hook: late.hook,
      })
      this.#ready.push(late)
    })
  }
}
