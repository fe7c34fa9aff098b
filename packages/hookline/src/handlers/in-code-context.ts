/** What the function of a hook in code sees beside its input. */
import type { HookContext, Locals } from '../protocol/answering.ts'
import type { InCodeCall } from './in-code-call.ts'

/** The context a hook in code receives. */
export class InCodeContext implements HookContext {
  declare readonly toolUseId?: string
  readonly #call: InCodeCall

  constructor(call: InCodeCall) {
    this.#call = call
    const id = call.run.input['tool_use_id']
    if (typeof id === 'string') this.toolUseId = id
  }

  get callId(): string {
    return this.#call.run.callId
  }
  get sessionId(): string {
    return this.#call.run.sessionId
  }
  get locals(): Locals {
    return this.#call.run.locals
  }
  /** Fires at the deadline and when the host aborts; never after the hook has answered. */
  get signal(): AbortSignal {
    return this.#call.signal
  }
}
