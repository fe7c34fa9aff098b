/** One event that a module is asked about: its deadline, what was printed for it, and its result, given once. */
import { followLive, type Live } from '../process/live.ts'
import { afterPoll, deadlines } from '../process/wait.ts'
import type { Ending } from '../protocol/ending.ts'
import type { RawResult, RunContext } from '../protocol/runner.ts'
import type { WorkerAsk } from './module-worker.ts'

// Output is shown while a hook runs only when it takes long enough for somebody to wonder (protocol §3.5).
const showAfterMs = 1_000
const nothing = new Uint8Array()

let calls = 0

/** A call on its way. */
export class ModuleCall {
  readonly id = ++calls
  readonly done: Promise<RawResult>
  /** What the worker is told. */
  readonly ask: WorkerAsk & { readonly payload: Uint8Array }
  /** How often it was put to a worker. */
  tries = 0
  readonly #context: RunContext
  readonly #limit: number
  #settle: (result: RawResult) => void = () => {}
  #over = false
  /** Takes its deadline back. */
  #cancelDeadline: (() => void) | undefined
  #end: ((ending: Ending) => void) | undefined
  #live: Live | undefined
  #said: Buffer[] = []
  #length = 0

  /** @throws when the input cannot be written as JSON. */
  constructor(context: RunContext, limit: number) {
    this.#context = context
    this.#limit = limit
    const { row, payload, callId, sessionId } = context
    this.ask = { id: this.id, event: row.name, payload, callId, sessionId }
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  get isOver(): boolean {
    return this.#over
  }

  /** Whether a failure of the hook may count as a block at this event. */
  get mayClose(): boolean {
    return this.#context.row.failClosed === 'can'
  }

  /** A worker begins with it: from now on its time runs. `end` is called when that is over. */
  begin(end: (ending: Ending) => void): void {
    this.tries++
    this.#end = end
    this.#said = []
    this.#length = 0
    const { timeoutMs, output } = this.#context
    this.#cancelDeadline?.()
    const mine = deadlines.add(timeoutMs, () => afterPoll(() => mine === this.#cancelDeadline && this.end({ kind: 'timedOut', afterMs: timeoutMs })))
    this.#cancelDeadline = mine
    this.#live ??=
      output &&
      followLive({ afterMs: showAfterMs, show: (stream, text) => output.call(this.#context, stream, text) }, () => ({ stdout: nothing, stderr: this.#bytes() }))
  }

  /** Ends it early, unless it is over: the first cause wins. */
  end(ending: Ending): void {
    if (!this.#over) this.#end?.(ending)
  }

  /** Something was printed for it. False once that is more than is kept. */
  wrote(text: string): boolean {
    const bytes = Buffer.from(text)
    const fits = bytes.subarray(0, this.#limit - this.#length)
    this.#said.push(fits)
    this.#length += fits.length
    this.#live?.add('stderr', fits)
    return fits.length === bytes.length
  }

  /** No cause counts after this one; the result may be given later. */
  close(): void {
    this.#over = true
    this.#cancelDeadline?.()
    this.#cancelDeadline = undefined
    this.#live?.stop()
  }

  /** Gives the result. Only the first counts. */
  finish(ending: Ending, value?: unknown): void {
    this.close()
    const stderr = this.#bytes().toString('utf8')
    const cut = ending.kind === 'overflowed' ? { cut: ending.stream } : {}
    this.#settle({ ending, ...(value === undefined ? {} : { value }), ...(stderr === '' ? {} : { stderr }), ...cut })
  }

  #bytes(): Buffer {
    return Buffer.concat(this.#said)
  }
}
