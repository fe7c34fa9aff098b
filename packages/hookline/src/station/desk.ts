/** One decision in progress: what it looks at, and what a yes or a no makes of it. */
import { guardAt } from '../engine/guard.ts'
import type { ScopeCore } from '../engine/scope.ts'
import { resolveWith } from '../permission/resolve.ts'
import type { FireOptions } from '../protocol/answering.ts'
import type { Verdict } from '../protocol/event-types.ts'
import { events } from '../protocol/events.ts'
import type { Cause, PermissionAnswer, PermissionMode, Permissions, PermissionUpdate, Permit, ToolCall } from '../protocol/permission.ts'
import { checkAnswer } from './answer.ts'
import { type Grants, grantsOf } from './grants.ts'
import { keptOf } from './kept.ts'

/** What a decision takes beside the call. */
export type PermitOptions = FireOptions & Partial<Permissions>

type Yes = Extract<PermissionAnswer, { behavior: 'allow' }>
type No = Extract<PermissionAnswer, { behavior: 'deny' }>

// A permit that was handed over, and the one it was before.
const handedOver = new WeakMap<Permit, Permit>()

/** The desk that a call stands at until it is decided. */
export class Desk {
  readonly scope: ScopeCore
  /** As the host made it. */
  readonly call: ToolCall
  readonly options: PermitOptions
  /** What hooks beside PreToolUse had for the person. */
  readonly told: string[] = []
  readonly #grants: Grants
  #mode: { readonly value: PermissionMode | undefined } | undefined

  constructor(scope: ScopeCore, call: ToolCall, options: PermitOptions) {
    this.scope = scope
    this.call = call
    this.options = options
    this.#grants = grantsOf(scope)
  }

  /** The mode of this decision: the host's, or the one that was granted over it. */
  get mode(): PermissionMode | undefined {
    this.#mode ??= { value: this.#available(this.#grants.modeOver(this.#hostMode)) }
    return this.#mode.value
  }

  get #hostMode(): PermissionMode | undefined {
    const { mode } = this.options
    return typeof mode === 'function' ? mode() : mode
  }

  #available(mode: PermissionMode | undefined): PermissionMode | undefined {
    const { engine } = this.scope
    if (mode !== 'bypassPermissions' || !engine.snapshot.policy.bypassDisabled) return mode
    if (this.#grants.tellOnce(mode))
      engine.notice({
        severity: 'warning',
        code: 'mode-not-set',
        message: 'The mode bypassPermissions is not available: settings switch it off. Calls are judged in the mode "default".',
      })
    return 'default'
  }

  /** The fields that every event about a call has. */
  inputOf(call: ToolCall): Record<string, unknown> {
    return {
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: call.id,
      ...(call.mcpServer === undefined ? {} : { mcp_server: call.mcpServer }),
      ...(this.mode === undefined ? {} : { permission_mode: this.mode }),
    }
  }

  /** Verdict, rules and mode; a question stays a question here, whoever can be asked. */
  resolve(verdict: Verdict<'PreToolUse'>): Promise<Permit> {
    const { engine } = this.scope
    const { home, realPath } = engine.parts
    const { mode: _, ...options } = this.options
    return resolveWith({
      verdict,
      call: this.call,
      lists: this.#grants.beside(engine.snapshot.rules),
      unread: engine.snapshot.unread,
      permissions: { ...options, ...(this.mode === undefined ? {} : { mode: this.mode }), ask: 'return' },
      ...(home === undefined ? {} : { home }),
      ...(realPath === undefined ? {} : { realPath }),
      ...(this.options.signal === undefined ? {} : { signal: this.options.signal }),
    })
  }

  /** Somebody said yes. The rules, and the guard of the session's own settings, may still say otherwise; then they are the cause. */
  async accept(asked: Permit, answer: Yes, cause: Cause): Promise<Permit> {
    const permit = await asked.answer(answer)
    if (permit.behavior !== 'allow') return permit
    const { guard } = this.scope.engine.parts
    const refused =
      answer.updatedInput === undefined ? undefined : guardAt(events.PreToolUse, guard)?.refuses({ ...permit.verdict.input, ...this.inputOf(permit.call) })
    if (refused !== undefined) return { ...(await this.refuse(asked, { behavior: 'deny', message: refused }, { cause: 'hook' })), call: permit.call }
    if (answer.updatedPermissions !== undefined && answer.updatedPermissions.length > 0) await this.#grant(answer.updatedPermissions, cause)
    return { ...permit, cause }
  }

  /** Somebody said no; with an interrupt the turn ends too. */
  async refuse(asked: Permit, answer: No, { cause, by = cause }: { cause: Cause; by?: string | undefined }): Promise<Permit> {
    const permit = await asked.answer(answer)
    return { ...permit, cause, ...(answer.interrupt === true ? { stop: permit.stop ?? { reason: answer.message ?? '', by } } : {}) }
  }

  /** Hands the question to the host: its answer is read here, and stands for the call from then on. */
  handOver(open: Permit): Permit {
    const answer = async (raw: PermissionAnswer): Promise<Permit> => {
      const given = checkAnswer(raw)
      this.options.signal?.throwIfAborted()
      const settled = given.behavior === 'allow' ? await this.accept(open, given, 'person') : await this.refuse(open, given, { cause: 'person' })
      const kept = await this.recorded(settled)
      return kept.behavior === 'ask' ? this.handOver(kept) : kept
    }
    const handed: Permit = {
      ...open,
      answer: (given) => {
        const settled = answer(given)
        keptOf(this.scope).replace(this.call, handed, settled)
        return settled
      },
    }
    handedOver.set(handed, open)
    return handed
  }

  /** The permit as it was before it was handed over. */
  takeBack(permit: Permit): Permit {
    return handedOver.get(permit) ?? permit
  }

  /** The permit with what the hooks of the request and of the refusal had for the person. */
  withTold(permit: Permit): Permit {
    return this.told.length === 0 ? permit : { ...permit, toUser: joinTexts(permit.toUser, ...this.told) }
  }

  /** The permit, once it is in the trace and in the log. One that must be on record and cannot be is a denial. */
  async recorded(permit: Permit): Promise<Permit> {
    const { behavior, cause, reason, verdict } = permit
    const { engine, agentId } = this.scope
    try {
      await engine.mark({
        kind: 'permitted',
        event: events.PreToolUse.name,
        callId: verdict.callId,
        sessionId: verdict.sessionId,
        ...(agentId === undefined ? {} : { agentId }),
        behavior,
        cause,
        ...(reason === undefined ? {} : { reason }),
      })
      return permit
    } catch (error) {
      if (behavior === 'deny' || behavior === 'ask') return permit
      const why = error instanceof Error ? error.message : String(error)
      return denied(permit, `Refused, because policy demands a record and none can be written: ${why}`)
    }
  }

  /** Puts grants in force here, and tells the host what it has to keep. */
  async #grant(updates: readonly PermissionUpdate[], cause: Cause): Promise<void> {
    const usable = updates.flatMap((update) => this.#usable(update, cause))
    const unusable = this.#grants.apply(usable, this.scope.engine.snapshot.rules, { root: this.scope.projectDir, mode: this.#hostMode })
    for (const text of unusable) this.#notice({ code: 'update-dropped', message: `"${text}" is not a permission rule, so it was not granted.` })
    // Rules of this session are kept here; the mode and the folders are the host's own, for however long they hold.
    const kept = usable.filter((update) => update.destination !== 'session' || !('rules' in update))
    if (kept.length === 0) return
    const { onUpdate } = this.options
    if (onUpdate === undefined && kept.some((update) => 'directories' in update))
      this.#notice({ code: 'update-dropped', message: 'Folders were granted to work in, and this host has no onUpdate that would take them.' })
    try {
      await onUpdate?.(kept)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#notice({ code: 'update-failed', message: `onUpdate failed: ${why}. What was granted holds for this session only.` })
    }
  }

  /** The mode that asks nothing is a person's to choose, is never stored, and may not be there at all. */
  #usable(update: PermissionUpdate, cause: Cause): PermissionUpdate[] {
    if (update.type !== 'setMode' || update.mode !== 'bypassPermissions') return [update]
    if (cause === 'person' && !this.scope.engine.snapshot.policy.bypassDisabled) return [{ ...update, destination: 'session' }]
    const why = cause === 'person' ? ': settings switch it off' : ' to a hook'
    this.#notice({ code: 'mode-not-set', message: `The mode bypassPermissions is not available${why}, so it was not set.` })
    return []
  }

  #notice(notice: { code: string; message: string }): void {
    this.scope.engine.notice({ severity: 'warning', ...notice })
  }
}

/** The same permit, refused after all by policy. */
function denied(permit: Permit, reason: string): Permit {
  return { ...permit, behavior: 'deny', cause: 'rule', reason, toModel: joinTexts(permit.toModel, reason), answer: async () => denied(permit, reason) }
}

/** The texts that say something, one below the other. */
export function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}
