/** One call of a hook in code: what the function sees beside its input, and everything that can end it early. */
import type { HookContext, Locals } from '../protocol/answering.ts'
import type { Ending } from '../protocol/ending.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { RawResult, RunContext } from '../protocol/runner.ts'
import { answered, threw } from './in-code-result.ts'

// The longest a timer can wait; asked for more, it would fire at once.
const longestTimeoutMs = 2_147_483_647

/** The context a hook in code receives. A controller, a timer and a listener exist only once somebody needs them. */
export class InCodeCall implements HookContext {
  declare readonly toolUseId?: string
  readonly #run: RunContext
  #over = false
  #tell: ((result: RawResult) => void) | undefined
  #controller: AbortController | undefined
  #reason: unknown
  #unlisten: (() => void) | undefined
  #unwatch: (() => void) | undefined

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
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
      else if (!this.#over) this.#listen()
    }
    return this.#controller.signal
  }

  /** The hook answered at once: nothing can end it any more. */
  finish(): void {
    if (!this.#over) this.#letGo()
  }

  /** Waits for an answer, or for what ends the call before it comes. Whatever comes later is heard by nobody. */
  follow(answer: PromiseLike<unknown>): Promise<RawResult> {
    return new Promise((resolve) => {
      this.#tell = resolve
      if (this.#reason !== undefined) resolve({ ending: { kind: 'aborted' } })
      try {
        answer.then(
          (value) => this.#settle(answered(value)),
          (error: unknown) => this.#settle(threw(error)),
        )
      } catch (error) {
        this.#settle(threw(error))
      }
    })
  }

  /** The hook is still at work: keeps its deadline from now on, hears of aborts, and is among `watched` until it is over. */
  watch(watched: Set<InCodeCall>): void {
    this.#listen()
    if (this.#over) return
    const { timeoutMs } = this.#run
    const expire = () => this.end({ kind: 'timedOut', afterMs: timeoutMs }, new DOMException(`The hook took longer than its ${timeoutMs} ms.`, 'TimeoutError'))
    const timer = setTimeout(expire, Math.min(timeoutMs, longestTimeoutMs))
    watched.add(this)
    this.#unwatch = () => {
      clearTimeout(timer)
      watched.delete(this)
    }
  }

  /** Ends the call, unless it is over: the first cause wins. */
  end(ending: Ending, reason: unknown): void {
    if (this.#over) return
    this.#letGo()
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#tell?.({ ending })
  }

  #settle(result: RawResult): void {
    if (this.#over) return
    this.#letGo()
    this.#tell?.(result)
  }

  #listen(): void {
    if (this.#over || this.#unlisten !== undefined) return
    const { signal } = this.#run
    const unlisten = onAbort(signal, () => this.end({ kind: 'aborted' }, signal.reason))
    if (!this.#over) this.#unlisten = unlisten
  }

  #letGo(): void {
    this.#over = true
    this.#unlisten?.()
    this.#unwatch?.()
  }
}
