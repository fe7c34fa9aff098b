/** Decides whether a tool call runs: PreToolUse, rules and mode, then PermissionRequest, a classifier, a person. */

import type { AnyVerdict } from '../engine/middleware.ts'
import type { ScopeCore } from '../engine/scope.ts'
import { HooklineError } from '../errors.ts'
import { resolveWith } from '../permission/resolve.ts'
import type { FireOptions, HookContext } from '../protocol/answering.ts'
import type { Verdict } from '../protocol/event-types.ts'
import { events } from '../protocol/events.ts'
import type { Judge, PermissionAnswer, Permissions, Permit, Question, ToolCall } from '../protocol/permission.ts'
import type { Behavior } from '../protocol/verdict-parts.ts'
import { Kept } from './kept.ts'

/** What a decision takes beside the call. */
export type PermitOptions = FireOptions & Partial<Permissions>

const kept = new WeakMap<ScopeCore, Kept>()

/** The permits of a scope that still stand. */
export function keptOf(scope: ScopeCore): Kept {
  let own = kept.get(scope)
  if (own === undefined) {
    own = new Kept()
    kept.set(scope, own)
  }
  return own
}

/** The same call id with the same input gives the same permit until the call has run or the turn ends. */
export function permit(scope: ScopeCore, call: ToolCall, options: PermitOptions): Promise<Permit> {
  checkCall(call)
  return keptOf(scope).ask(call, scope.turn, () => decide(scope, call, options))
}

async function decide(scope: ScopeCore, call: ToolCall, options: PermitOptions): Promise<Permit> {
  const desk = new Desk(scope, options)
  const verdict = (await scope.fire(events.PreToolUse, inputOf(call, desk.mode), options)) as unknown as Verdict<'PreToolUse'>
  const first = await desk.resolve(verdict, call)
  const settled = first.behavior === 'ask' ? desk.withTold(await desk.question(first)) : first
  desk.trace(settled)
  return settled
}

/** One decision in progress. */
class Desk {
  readonly #scope: ScopeCore
  readonly #options: PermitOptions
  readonly #told: string[] = []

  constructor(scope: ScopeCore, options: PermitOptions) {
    this.#scope = scope
    this.#options = options
  }

  get mode() {
    const { mode } = this.#options
    return typeof mode === 'function' ? mode() : mode
  }

  /** Verdict, rules and mode; a question stays a question here, whoever can be asked. */
  resolve(verdict: Verdict<'PreToolUse'>, call: ToolCall): Promise<Permit> {
    const { engine } = this.#scope
    return resolveWith({
      verdict,
      call,
      lists: engine.snapshot.rules,
      permissions: { ...this.#options, ask: 'return' },
      ...(engine.parts.home === undefined ? {} : { home: engine.parts.home }),
      ...(this.#options.signal === undefined ? {} : { signal: this.#options.signal }),
    })
  }

  /** Nobody decided yet: the classifier in mode auto, then the hooks of the request, then the person. */
  async question(asked: Permit): Promise<Permit> {
    const classified = await this.#classify(asked)
    if (classified !== undefined) return classified
    const requested = await this.#request(asked)
    if (requested !== undefined && requested.behavior !== 'ask') return requested
    return this.#ask(requested ?? asked)
  }

  /** The permit with what the hooks of the request and of the refusal had for the person. */
  withTold(permit: Permit): Permit {
    if (this.#told.length === 0) return permit
    return { ...permit, toUser: [permit.toUser, ...this.#told].filter((text) => text !== '').join('\n') }
  }

  async #classify(asked: Permit): Promise<Permit | undefined> {
    const { classify } = this.#options
    if (this.mode !== 'auto' || asked.cause === 'hook' || asked.cause === 'rule') return undefined
    if (classify === undefined) return undefined
    const said = await this.#judge(classify, asked.call)
    if (said.behavior === 'allow') return this.#accept(asked, { behavior: 'allow' }, 'classifier')
    if (said.behavior !== 'deny') return undefined
    const reason = said.reason ?? 'The classifier refused this call.'
    const denied = await this.#scope.fire(events.PermissionDenied, { ...inputOf(asked.call, this.mode), reason }, this.#options)
    this.#told.push(denied.toUser)
    const permit = await this.#refuse(asked, { behavior: 'deny', message: reason }, 'classifier')
    return { ...permit, ...('retry' in denied ? { retry: true as const } : {}) }
  }

  /** Hooks may answer in the person's place; deny wins, and silence leaves the question open (design decision 5). */
  async #request(asked: Permit): Promise<Permit | undefined> {
    const { call } = asked
    if (!this.#scope.has(events.PermissionRequest)) return undefined
    const { tool_use_id: _, ...input } = inputOf(call, this.mode)
    const suggestions = asked.question?.suggestions ?? []
    const verdict = (await this.#scope.fire(events.PermissionRequest, { ...input, permission_suggestions: suggestions }, this.#options)) as AnyVerdict &
      RequestVerdict
    this.#told.push(verdict.toUser)
    const { permission, stop } = verdict
    if (permission.behavior === 'deny') {
      const message = permission.reason ?? `${call.name} was refused by a hook.`
      const permit = await this.#refuse(asked, { behavior: 'deny', message, ...(verdict.interrupt ? { interrupt: true } : {}) }, 'hook')
      return stop === undefined ? permit : { ...permit, stop }
    }
    const granted =
      permission.behavior === 'allow'
        ? await this.#accept(asked, { behavior: 'allow', ...pick(verdict, 'updatedInput'), ...pick(verdict, 'updatedPermissions') }, 'hook')
        : undefined
    if (stop === undefined) return granted
    // The turn ends: a question that is still open is not put to anybody.
    const open = granted === undefined || granted.behavior === 'ask'
    return { ...(open ? await this.#refuse(asked, { behavior: 'deny', message: '' }, 'hook') : granted), stop }
  }

  /** Asks the person, again when their own rewrite meets another rule that asks. */
  async #ask(asked: Permit): Promise<Permit> {
    const { ask } = this.#options
    if (ask === 'return') return asked
    if (ask === undefined) {
      const message = asked.reason ?? `Nobody can be asked whether ${asked.call.name} may run.`
      return this.#refuse(asked, { behavior: 'deny', message }, 'nobody-to-ask')
    }
    const signal = this.#options.signal ?? this.#scope.closing
    const answer = await ask(asked.question as Question, { signal })
    if (answer.behavior !== 'allow') return this.#refuse(asked, answer, 'person')
    const permit = await this.#accept(asked, answer, 'person')
    return permit.behavior === 'ask' ? this.#ask(permit) : permit
  }

  /** Somebody said yes; the rules may still say otherwise, and then they are the cause. */
  async #accept(asked: Permit, answer: Extract<PermissionAnswer, { behavior: 'allow' }>, cause: Permit['cause']): Promise<Permit> {
    const permit = await asked.answer(answer)
    if (permit.behavior !== 'allow') return permit
    if (answer.updatedPermissions !== undefined && answer.updatedPermissions.length > 0) await this.#options.onUpdate?.(answer.updatedPermissions)
    return { ...permit, cause }
  }

  async #refuse(asked: Permit, answer: Extract<PermissionAnswer, { behavior: 'deny' }>, cause: Permit['cause']): Promise<Permit> {
    return { ...(await asked.answer(answer)), cause }
  }

  async #judge(judge: Judge, call: ToolCall): Promise<{ behavior: Behavior; reason?: string }> {
    const context: HookContext = {
      signal: this.#options.signal ?? this.#scope.closing,
      toolUseId: call.id,
      callId: call.id,
      sessionId: this.#scope.sessionId,
      locals: this.#options.locals ?? {},
    }
    try {
      const said = await judge(call, context)
      return typeof said === 'string' ? { behavior: said } : said
    } catch (error) {
      // A classifier that fails decides nothing: the person is asked.
      this.#scope.engine.notice({
        severity: 'warning',
        code: 'classifier-failed',
        message: `The classifier failed on ${call.name}: ${error instanceof Error ? error.message : String(error)}`,
      })
      return { behavior: 'ask' }
    }
  }

  trace(permit: Permit): void {
    const { trace } = this.#scope.engine
    if (!trace.active) return
    const { callId, sessionId } = permit.verdict
    trace.write({
      kind: 'permitted',
      event: events.PreToolUse.name,
      callId,
      sessionId,
      behavior: permit.behavior,
      cause: permit.cause,
      ...(permit.reason === undefined ? {} : { reason: permit.reason }),
    })
  }
}

interface RequestVerdict {
  readonly permission: { readonly behavior: Behavior; readonly reason?: string }
  readonly stop?: Permit['stop']
  readonly interrupt?: true
}

function inputOf(call: ToolCall, mode: string | undefined): Record<string, unknown> {
  return {
    tool_name: call.name,
    tool_input: call.input,
    tool_use_id: call.id,
    ...(call.mcpServer === undefined ? {} : { mcp_server: call.mcpServer }),
    ...(mode === undefined ? {} : { permission_mode: mode }),
  }
}

function pick<K extends string>(verdict: object, key: K): { [k in K]?: never } {
  return (key in verdict ? { [key]: (verdict as Record<string, unknown>)[key] } : {}) as { [k in K]?: never }
}

function checkCall(call: ToolCall): void {
  const fits =
    typeof call === 'object' &&
    call !== null &&
    typeof call.name === 'string' &&
    typeof call.id === 'string' &&
    typeof call.input === 'object' &&
    call.input !== null
  if (!fits)
    throw new HooklineError('invalid-input', 'permit(): a tool call needs name, input (an object) and id.', {
      hint: "Call permit({ name: 'Bash', input: { command: 'ls' }, id: 'toolu_1' }).",
    })
}
