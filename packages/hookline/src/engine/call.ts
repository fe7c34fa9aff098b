/** One open call: makes the payload and the signal only when somebody reads them. */
import type { FireOptions, Locals } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import { onAbort } from '../protocol/on-abort.ts'
import { encodeSliced, weigh } from './call-payload.ts'
import type { PlainInput } from './check-input.ts'

/** Where a call is opened: a scope, as far as a call needs to know it. Read when needed, never copied. */
export interface CallOrigin {
  readonly sessionId: string
  readonly agentId: string | undefined
  readonly projectDir: string
  /** Fires when the scope closes. */
  readonly closing: AbortSignal
  readonly envFile: string | null
}

/** An input that weighs more is written down in slices. */
const largestAtOnce = 1_000_000

const noLocals: Locals = Object.freeze({})
let openCalls = 0
let copyId: string | undefined

/** One random part per loaded copy keeps ids of two processes apart, so that an endpoint may use a call id as its idempotency key. */
function nextCallId(count: number): string {
  copyId ??= crypto.randomUUID().slice(0, 8)
  return `c-${copyId}-${count}`
}

/** One firing of one event. */
export class OpenCall {
  declare readonly row: NamedRow
  declare readonly input: PlainInput
  declare readonly origin: CallOrigin
  /** On the clock of `performance.now()`; 0: it is not timed. */
  declare startedAt: number
  readonly #options: FireOptions | undefined
  #number = 0
  #payload: Uint8Array | undefined
  #preparing: Promise<void> | undefined
  #fault: { readonly error: unknown } | undefined
  #abort: AbortController | undefined
  #deaf: readonly (() => void)[] | undefined

  constructor(row: NamedRow, input: PlainInput, { origin, options }: { origin: CallOrigin; options: FireOptions | undefined }) {
    this.row = row
    this.input = input
    this.origin = origin
    this.#options = options
    this.startedAt = 0
  }

  /** Unique over processes. Numbered when first read. */
  get callId(): string {
    if (this.#number === 0) this.#number = ++openCalls
    return nextCallId(this.#number)
  }

  get sessionId(): string {
    return this.origin.sessionId
  }

  get locals(): Locals {
    return this.#options?.locals ?? noLocals
  }

  /**
   * The input as UTF-8 JSON, serialised once however many hooks read it.
   * @throws TypeError when the input cannot be serialised (a cycle, a BigInt).
   */
  get payload(): Uint8Array {
    if (this.#fault !== undefined) throw this.#fault.error
    // JSON.stringify writes lone surrogates as escapes, so the bytes are valid UTF-8 whatever the text was.
    this.#payload ??= new TextEncoder().encode(JSON.stringify(this.input))
    return this.#payload
  }

  /**
   * Writes the payload down without keeping the event loop waiting; `undefined` when it is there already, or so small that the first reader
   * may do it. What goes wrong is told by `payload`.
   */
  preparePayload(): Promise<void> | undefined {
    if (this.#payload !== undefined || this.#fault !== undefined) return undefined
    if (this.#preparing === undefined && !this.#isLarge()) return undefined
    this.#preparing ??= encodeSliced(this.input).then(
      (payload) => {
        this.#payload ??= payload
      },
      (error: unknown) => {
        this.#fault = { error }
      },
    )
    return this.#preparing
  }

  #isLarge(): boolean {
    try {
      return weigh(this.input, largestAtOnce) < 0
    } catch {
      // A getter that throws, or nesting without end: whoever reads the payload is told.
      return false
    }
  }

  /** Fires when the host aborts or the scope closes. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      this.#abort = abort
      const own = this.#options?.signal
      const sources = own === undefined ? [this.origin.closing] : [own, this.origin.closing]
      this.#deaf = sources.map((source) => onAbort(source, () => abort.abort(source.reason)))
    }
    return this.#abort.signal
  }

  /** Calls `act` when `signal` fires or would fire, at once if it has; makes no signal. The returned function takes it back. */
  whenAborted(act: () => void): () => void {
    const own = this.#options?.signal
    if (this.#abort !== undefined || own === undefined) return onAbort(this.#abort?.signal ?? this.origin.closing, act)
    let isOver = false
    const once = () => {
      if (!isOver) act()
      isOver = true
    }
    const undo = [own, this.origin.closing].map((source) => onAbort(source, once))
    return () => {
      for (const stop of undo) stop()
    }
  }

  /** Lets go of the host's signal, which may live for hours. Call it when the verdict is there. */
  settle(): void {
    if (this.#deaf !== undefined) for (const stop of this.#deaf) stop()
    this.#deaf = undefined
  }

  /** The same call with another input; it keeps its id. */
  withInput(input: PlainInput): OpenCall {
    const copy = new OpenCall(this.row, input, { origin: this.origin, options: this.#options })
    void this.callId
    copy.startedAt = performance.now()
    copy.#number = this.#number
    return copy
  }
}
