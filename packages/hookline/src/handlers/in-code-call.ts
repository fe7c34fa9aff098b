/** One call of a hook in code: what the function sees beside its input, and everything that can end it early. */
import type { HookContext, Locals } from '../protocol/answering.ts'
import type { Deadlines } from '../protocol/deadlines.ts'
import type { Ending } from '../protocol/ending.ts'
import { onAbort } from '../protocol/on-abort.ts'
import { PendingResult } from '../protocol/pending-result.ts'
import type { RawResult, RunContext } from '../protocol/runner.ts'
import { answered, threw } from './in-code-result.ts'

/** What the calls of one handler share while they wait. */
export interface WaitingRoom {
  readonly deadlines: Deadlines
  /** The calls that are still at work. */
  readonly watched: Set<InCodeCall>
}

/** The context a hook in code receives. A controller, a deadline and a listener exist only once somebody needs them. */
export class InCodeCall implements HookContext {
  declare readonly toolUseId?: string
  readonly #run: RunContext
  #over = false
  #pending: PendingResult | undefined
  #extra: Extra | undefined

  constructor(run: RunContext) {
    this.#run = run
    const id = run.input['tool_use_id']
    if (typeof id === 'string') this.toolUseId = id
  }

  get callId(): string {
    return this.#run.callId
  }
  get sessionId(): string {
    return this.#run.sessionId
  }
  get locals(): Locals {
    return this.#run.locals
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

  /** Whether nothing can end it any more. */
  get over(): boolean {
    return this.#over
  }

  /** The hook answered at once. */
  finish(): void {
    if (!this.#over) this.#letGo()
  }

  /** Waits for an answer, or for what ends the call before it comes. Whatever comes later is heard by nobody. */
  follow(answer: PromiseLike<unknown>): PendingResult {
    const pending = new PendingResult()
    this.#pending = pending
    if (this.#extra?.reason !== undefined) pending.settle({ ending: { kind: 'aborted' } })
    try {
      answer.then(
        (value) => this.#settle(answered(value)),
        (error: unknown) => this.#settle(threw(error)),
      )
    } catch (error) {
      this.#settle(threw(error))
    }
    return pending
  }

  /** The hook is still at work: keeps its deadline from now on, hears of aborts, and is among `watched` until it is over. */
  watch({ deadlines, watched }: WaitingRoom): void {
    if (this.#over) return
    this.#extra ??= new Extra()
    const extra = this.#extra
    this.#listen(extra)
    if (this.#over) return
    const { timeoutMs } = this.#run
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
    this.#pending?.settle({ ending })
  }

  #settle(result: RawResult): void {
    if (this.#over) return
    this.#letGo()
    this.#pending?.settle(result)
  }

  #listen(extra: Extra): void {
    if (this.#over || extra.unlisten !== undefined) return
    const { signal } = this.#run
    const unlisten = onAbort(signal, () => this.end({ kind: 'aborted' }, signal.reason))
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
}
