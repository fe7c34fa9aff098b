/** One request to an endpoint and its reply, straight on the client's callbacks: no stream, no promise and no timer of its own. */
import type { Dispatcher } from 'undici'
import type { Deadlines } from '../../protocol/deadlines.ts'
import type { Ending } from '../../protocol/ending.ts'
import { onAbort } from '../../protocol/on-abort.ts'
import { PendingResult } from '../../protocol/pending-result.ts'
import type { RawResult, RunContext } from '../../protocol/runner.ts'
import { Body, type BodyRead, bodyLimit } from './body.ts'
import { failureOf, isStale } from './failure.ts'
import type { ReadUrl } from './judge-url.ts'

/** What is sent where. */
export interface Asking {
  readonly dispatcher: Dispatcher
  readonly read: ReadUrl
  /** Names and values in turn. */
  readonly headers: string[]
  readonly context: RunContext
  readonly deadlines: Deadlines
}

// A pool may hold a few kept connections, each of which can turn out to be closed.
const mostTries = 3

/** Sends the request. The result never rejects. */
export function exchange(asking: Asking): PendingResult {
  return new Exchange(asking).send()
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #asking: Asking
  readonly #options: Dispatcher.DispatchOptions
  readonly #pending = new PendingResult()
  readonly #undo: (() => void)[] = []
  #controller: Dispatcher.DispatchController | undefined
  #tries = 0
  #isOver = false
  #status: number | undefined
  #body: Body | undefined

  constructor(asking: Asking) {
    const { read, headers, context } = asking
    this.#asking = asking
    this.#options = {
      origin: read.url.origin,
      path: read.url.pathname + read.url.search,
      method: 'POST',
      headers,
      body: context.payload as Buffer,
      // One deadline is for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
  }

  send(): PendingResult {
    const { context, deadlines } = this.#asking
    const { timeoutMs } = context
    const abort = () => this.#stop({ ending: { kind: 'aborted' } })
    this.#undo.push(context.whenAborted?.(abort) ?? onAbort(context.signal, abort))
    if (this.#isOver) return this.#pending
    this.#undo.push(deadlines.add(timeoutMs, () => this.#stop({ ending: { kind: 'timedOut', afterMs: timeoutMs } })))
    this.#dispatch()
    return this.#pending
  }

  #dispatch(): void {
    this.#tries += 1
    try {
      this.#asking.dispatcher.dispatch(this.#options, this)
    } catch (error) {
      this.#finish({ ending: failureOf(error, this.#asking.read) })
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('nobody waits for it'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    if (status < 200 || this.#isOver) return
    this.#status = status
    if (status > 299) return this.#stop({ ending: { kind: 'replied', status } })
    this.#body = new Body(String(headers['content-encoding'] ?? ''))
    if (this.#body.fault !== undefined) this.#stop(this.#brokeOff(this.#body.fault))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.add(chunk) === false) this.#stop(overflowed)
  }

  onResponseEnd(): void {
    this.#body?.read((read) => this.#finish(this.#resultOf(read)))
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    if (this.#status !== undefined) return this.#finish(this.#brokeOff(error.message))
    if (this.#tries < mostTries && isStale(error)) return this.#dispatch()
    this.#finish({ ending: failureOf(error, this.#asking.read) })
  }

  #resultOf(read: BodyRead): RawResult {
    if (read.kind === 'overflowed') return overflowed
    if (read.kind === 'broken') return this.#brokeOff(read.why)
    return { ending: { kind: 'replied', status: this.#status as number }, stdout: read.text, ...(read.notUtf8 ? { notUtf8: true as const } : {}) }
  }

  #brokeOff(why: string): RawResult {
    return { ending: failureOf(new Error(`the reply broke off or cannot be decoded: ${why}`), this.#asking.read) }
  }

  /** Ends it before its end: what still comes is not wanted. */
  #stop(result: RawResult): void {
    this.#finish(result)
    this.#controller?.abort(new Error('nobody waits for it'))
  }

  #finish(result: RawResult): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const undo of this.#undo) undo()
    this.#pending.settle(result)
  }
}

const overflowed: { readonly ending: Ending } = { ending: { kind: 'overflowed', stream: 'body', limit: bodyLimit } }
