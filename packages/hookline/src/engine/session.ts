/** One conversation: a scope with subagents and function hooks. */
import { HooklineError } from '../errors.ts'
import type { HookContext, HookOptions, Undo } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import { permits } from './aggregate.ts'
import { ScopeCore } from './scope.ts'
import type { AnyEvent } from './seat.ts'

/** A scope of its own session id. */
export class SessionScope extends ScopeCore {
  readonly #checks = new Map<string, Undo>()
  #named = 0

  /** The scope of a subagent, with a Stop loop of its own; `live` gives its changing fields, by default those of the session. */
  agent(id: string, type: string, live = this.seat.live): ScopeCore {
    if (typeof id !== 'string' || id === '' || typeof type !== 'string') {
      throw new HooklineError('invalid-option', 'agent(): give the id and the type of the subagent as strings.', {
        hint: "Call session.agent('a-1', 'Explore').",
      })
    }
    const { live: _, ...seat } = this.seat
    const base = { ...seat.base, agent_id: id, agent_type: type }
    return new ScopeCore({ ...seat, ...(live === undefined ? {} : { live }), parent: this, base, agentId: id })
  }

  /** Attaches a yes/no check: false gives `errorMessage` as a block, or as a message where nothing can be blocked. */
  addFunctionHook(
    event: AnyEvent,
    options: HookOptions & { id?: string; errorMessage: string },
    check: (input: never, context: HookContext) => unknown,
  ): Undo & { id: string } {
    const row = this.engine.rowFor(event)
    const { id = `function-${++this.#named}`, errorMessage, ...rest } = options
    if (typeof errorMessage !== 'string')
      throw new HooklineError('invalid-option', `addFunctionHook("${row.name}"): errorMessage must be a string.`, {
        hint: 'It is what the model or the person reads when the check says no.',
      })
    if (this.#checks.has(id))
      throw new HooklineError('invalid-option', `addFunctionHook("${row.name}"): there is a function hook "${id}" already.`, {
        hint: 'Remove it first, or choose another id.',
      })
    const refusal = refusalOf(row, errorMessage)
    const callback = (input: never, context: never) => {
      const said = check(input, context)
      return isThenable(said) ? said.then((yes) => (yes === true ? undefined : refusal)) : said === true ? undefined : refusal
    }
    const back = this.attached.add(row, { callback, type: 'function', options: { name: id, ...rest } })
    const forget = () => {
      this.#checks.delete(id)
      back()
    }
    const undo = Object.assign(forget, { id, [Symbol.dispose]: forget })
    this.#checks.set(id, undo)
    return undo
  }

  removeFunctionHook(id: string): boolean {
    const undo = this.#checks.get(id)
    undo?.()
    return undo !== undefined
  }
}

function refusalOf(row: NamedRow, errorMessage: string): object {
  if (permits(row)) return { permission: 'deny', reason: errorMessage }
  return row.powers.includes('block') ? { block: errorMessage } : { message: errorMessage }
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
