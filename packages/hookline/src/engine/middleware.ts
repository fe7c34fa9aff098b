/** Middleware around the corridor: observe, rewrite, answer without the hooks, or add to the verdict (design decision 15). */
import type { Locals } from '../protocol/answering.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { OpenCall } from './call.ts'
import { checkInput, type PlainInput } from './check-input.ts'
import type { QuietVerdict } from './quiet.ts'
import { isQuietVerdict } from './quiet-class.ts'
import type { FoldedVerdict, VerdictParts } from './verdict.ts'
import { isFullVerdict } from './verdict-class.ts'

/** A verdict as the engine handles it. */
export type AnyVerdict = FoldedVerdict | QuietVerdict
/** Middleware as the engine handles it; `Middleware<E>` for hosts. */
export type AnyMiddleware = (call: MiddlewareCall, next: (call: MiddlewareCall) => Promise<AnyVerdict>) => unknown

/** One attached middleware. */
export interface Layer {
  readonly middleware: AnyMiddleware
  readonly name: string
}

/** The call as middleware sees it. */
export class MiddlewareCall {
  readonly #call: OpenCall
  readonly #finish: (made: Omit<VerdictParts, 'call'>, call: OpenCall) => FoldedVerdict

  constructor(call: OpenCall, finish: (made: Omit<VerdictParts, 'call'>, call: OpenCall) => FoldedVerdict) {
    this.#call = call
    this.#finish = finish
  }

  /** The engine's own view of this call. */
  get opened(): OpenCall {
    return this.#call
  }
  get event(): string {
    return this.#call.row.name
  }
  get input(): PlainInput {
    return this.#call.input
  }
  get sessionId(): string {
    return this.#call.sessionId
  }
  get signal(): AbortSignal {
    return this.#call.signal
  }
  get locals(): Locals {
    return this.#call.locals
  }

  /** A rewritten call, for `next`; the rewritten input is checked like any other. */
  with(input: Record<string, unknown>): MiddlewareCall {
    const rewritten = { ...this.#call.input, ...input }
    checkInput(this.#call.row, rewritten)
    return new MiddlewareCall(this.#call.withInput(rewritten), this.#finish)
  }

  /** A verdict without calling `next`. */
  answer(answer: object): FoldedVerdict {
    return this.#finish({ parts: [], hooks: [], warnings: [] }, this.#call).and(answer)
  }
}

/** What the layers stand around. */
export interface Inside {
  readonly corridor: (call: OpenCall) => AnyVerdict | Promise<AnyVerdict>
  readonly notice: (notice: Diagnostic) => void
}

/** Runs the layers from the outside in; the innermost step is the corridor itself. */
export async function runLayers(layers: readonly Layer[], call: MiddlewareCall, inside: Inside): Promise<AnyVerdict> {
  const layer = layers[0]
  if (layer === undefined) return inside.corridor(call.opened)
  let inner: AnyVerdict | undefined
  let called = false
  const next = async (passed: MiddlewareCall): Promise<AnyVerdict> => {
    if (called) throw new Error('next() was called twice')
    called = true
    inner = await runLayers(layers.slice(1), passed, inside)
    return inner
  }
  try {
    const verdict = await layer.middleware(call, next)
    if (isFullVerdict(verdict) || isQuietVerdict(verdict)) return verdict
    throw new Error('it returned no verdict; did you forget "return next(call)"?')
  } catch (error) {
    if (call.signal.aborted) throw error
    const text = `Middleware "${layer.name}" on ${call.event} failed: ${error instanceof Error ? error.message : String(error)}`
    inside.notice({ severity: 'warning', code: 'middleware-failed', message: text })
    return (inner ?? call.answer({})).and(denial(call.opened.row, text), layer.name)
  }
}

/** A throw is a denial where something can be blocked, a notice elsewhere. What the hooks said before it stays said. */
export function denial(row: NamedRow, text: string): object {
  if (row.onBlock === undefined) return { message: text }
  return row.powers.some((power) => power === 'permission' || power === 'grant' || power === 'confirm' || power === 'veto')
    ? { permission: 'deny', reason: text }
    : { block: text }
}
