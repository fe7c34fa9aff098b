/** One call of a hook in code: what the function sees beside its input, and everything that can end it early. */
import type { HookContext, Locals } from '../protocol/answering.ts'
import type { Ending } from '../protocol/ending.ts'
import type { RunContext } from '../protocol/runner.ts'
import { onAbort } from './on-abort.ts'

// The longest a timer can wait; asked for more, it would fire at once.
const longestTimeoutMs = 2_147_483_647

/** The context a hook in code receives. A controller, a timer and a listener exist only once somebody needs them. */
export class InCodeCall implements HookContext {
  declare readonly toolUseId?: string
  readonly #run: RunContext
  #controller: AbortController | undefined
  #unlisten: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #ending: Ending | undefined
  #reason: unknown
  #over = false
  #onEnd: ((ending: Ending) => void) | undefined

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
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ending !== undefined) this.#controller.abort(this.#reason)
      else if (!this.#over) this.#listen()
    }
    return this.#controller.signal
  }

  /** True once the hook has answered or was ended. */
  get over(): boolean {
    return this.#over
  }

  /** Calls back if the call is ended before `finish`, at once if it was already. */
  onEnd(tell: (ending: Ending) => void): void {
    if (this.#ending === undefined) this.#onEnd = tell
    else tell(this.#ending)
  }

  /** The hook is still at work: keeps its deadline from now on, and hears of aborts. */
  watch(): void {
    if (this.#over) return
    this.#listen()
    if (this.#over) return
    const { timeoutMs } = this.#run
    this.#timer = setTimeout(
      () => {
        this.end({ kind: 'timedOut', afterMs: timeoutMs }, new DOMException(`The hook took longer than its ${timeoutMs} ms.`, 'TimeoutError'))
      },
      Math.min(timeoutMs, longestTimeoutMs),
    )
  }

  /** The hook has answered: nothing can end it any more. False when something did before. */
  finish(): boolean {
    if (this.#over) return false
    this.#letGo()
    return true
  }

  /** Ends the call, unless it is over: the first cause wins. */
  end(ending: Ending, reason: unknown): void {
    if (this.#over) return
    this.#letGo()
    this.#ending = ending
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#onEnd?.(ending)
  }

  #listen(): void {
    if (this.#unlisten !== undefined) return
    const { signal } = this.#run
    const unlisten = onAbort(signal, () => this.end({ kind: 'aborted' }, signal.reason))
    if (!this.#over) this.#unlisten = unlisten
  }

  #letGo(): void {
    this.#over = true
    this.#unlisten?.()
    clearTimeout(this.#timer)
  }
}
