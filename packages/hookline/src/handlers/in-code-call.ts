/** One call of a hook in code, and everything that can end it early. */
import type { Deadlines } from '../protocol/deadlines.ts'
import type { Ending } from '../protocol/ending.ts'
import { onAbort } from '../protocol/on-abort.ts'
import { PendingResult } from '../protocol/pending-result.ts'
import type { ClosedCall, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import { answered, threw } from './in-code-result.ts'

/** What the calls of one handler share while they wait. */
export interface WaitingRoom {
  readonly deadlines: Deadlines
  /** The calls that are still at work. */
  readonly watched: Set<InCodeCall>
}

/** One call. The engine's call is opened, and a controller, a deadline and a listener exist, only once somebody needs them. */
export class InCodeCall extends PendingResult {
  readonly #hook: RunnableHook
  readonly #closed: ClosedCall
  #run: RunContext | undefined
  #over = false
  #extra: Extra | undefined

  constructor(hook: RunnableHook, closed: ClosedCall) {
    super()
    this.#hook = hook
    this.#closed = closed
  }

  /** The engine's side of the call. */
  get run(): RunContext {
    this.#run ??= this.#closed.contextFor(this.#hook)
    return this.#run
  }

  /** Fires at the deadline and when the host aborts; never after the hook has answered. */
  get signal(): AbortSignal {
    this.#extra ??= new Extra()
    const extra = this.#extra
    if (extra.controller === undefined) {
      extra.controller = new AbortController()
      if (extra.reason !== undefined) extra.controller.abort(extra.reason)
      else if (!this.#over) this.#listen(extra)
    }
    return extra.controller.signal
  }

  protected override get since(): number {
    return this.#extra === undefined ? 0 : this.#extra.since
  }

  /** Whether nothing can end it any more. */
  get over(): boolean {
    return this.#over
  }

  /** The hook answered at once. */
  finish(): void {
    if (!this.#over) this.#letGo()
  }

  /** Waits for an answer, or for what ends the call before it comes. Whatever comes later is heard by nobody. */
  follow(answer: PromiseLike<unknown>): this {
    if (this.#extra?.reason !== undefined) this.settle({ ending: { kind: 'aborted' } })
    try {
      answer.then(
        (value) => this.#answer(answered(value)),
        (error: unknown) => this.#answer(threw(error)),
      )
    } catch (error) {
      this.#answer(threw(error))
    }
    return this
  }

  /** The hook is still at work: keeps its deadline from now on, hears of aborts, and is among `watched` until it is over. */
  watch({ deadlines, watched }: WaitingRoom): void {
    if (this.#over) return
    this.#extra ??= new Extra()
    const extra = this.#extra
    extra.since = performance.now()
    this.#listen(extra)
    if (this.#over) return
    const { timeoutMs } = this.run
    const forget = deadlines.add(timeoutMs, () =>
      this.end({ kind: 'timedOut', afterMs: timeoutMs }, new DOMException(`The hook took longer than its ${timeoutMs} ms.`, 'TimeoutError')),
    )
    watched.add(this)
    extra.unwatch = () => {
      forget()
      watched.delete(this)
    }
  }

  /** Ends the call, unless it is over: the first cause wins. */
  end(ending: Ending, reason: unknown): void {
    if (this.#over) return
    this.#letGo()
    this.#extra ??= new Extra()
    this.#extra.reason = reason
    this.#extra.controller?.abort(reason)
    this.settle({ ending })
  }

  #answer(result: RawResult): void {
    if (this.#over) return
    this.#letGo()
    this.settle(result)
  }

  #listen(extra: Extra): void {
    if (this.#over || extra.unlisten !== undefined) return
    const { run } = this
    const act = () => this.end({ kind: 'aborted' }, run.signal.reason)
    const unlisten = run.whenAborted?.(act) ?? onAbort(run.signal, act)
    if (!this.#over) extra.unlisten = unlisten
  }

  #letGo(): void {
    this.#over = true
    this.#extra?.unlisten?.()
    this.#extra?.unwatch?.()
  }
}

/** What most calls never need. */
class Extra {
  controller: AbortController | undefined
  reason: unknown
  unlisten: (() => void) | undefined
  unwatch: (() => void) | undefined
  since = 0
}
