/** What happens to a question: the classifier in mode "auto", the hooks of the request, and then a person. */
import type { AnyVerdict } from '../engine/middleware.ts'
import { askJudge } from '../permission/host-rules.ts'
import { events } from '../protocol/events.ts'
import type { Judge, PermissionAnswer, PermissionUpdate, Permit, Question } from '../protocol/permission.ts'
import type { Permission, Stopped } from '../protocol/verdict-parts.ts'
import { checkAnswer } from './answer.ts'
import { type Desk, joinTexts } from './desk.ts'
import { untilAborted } from './until-aborted.ts'

/** Settles a question as far as it can be settled; it stays open only where the host asks by itself. */
export async function settle(desk: Desk, asked: Permit): Promise<Permit> {
  const classified = await classify(desk, asked)
  if (classified !== undefined) return desk.withTold(classified)
  const requested = await request(desk, asked)
  const open = requested ?? asked
  return desk.withTold(open.behavior === 'ask' ? await askSomebody(desk, open) : open)
}

/** Asks the person, again when their own rewrite meets another rule that asks. */
export async function askSomebody(desk: Desk, asked: Permit): Promise<Permit> {
  const { ask, signal } = desk.options
  if (ask === 'return') return asked
  if (ask === undefined) {
    const message = asked.reason ?? `Nobody can be asked whether ${asked.call.name} may run.`
    return desk.refuse(asked, { behavior: 'deny', message }, { cause: 'nobody-to-ask' })
  }
  let given: PermissionAnswer
  try {
    given = await untilAborted(desk.scope, signal, (both) => ask(asked.question as Question, { signal: both }))
  } catch (error) {
    return unanswered(desk, asked, error)
  }
  const answer = checkAnswer(given)
  if (answer.behavior === 'deny') return desk.refuse(asked, answer, { cause: 'person' })
  const permit = await desk.accept(asked, answer, 'person')
  return permit.behavior === 'ask' ? askSomebody(desk, permit) : permit
}

/** A question that failed is no yes. An abort is the host's own, and stays one. */
function unanswered(desk: Desk, asked: Permit, error: unknown): Promise<Permit> {
  const { scope, options } = desk
  options.signal?.throwIfAborted()
  scope.closing.throwIfAborted()
  const why = `Nobody could be asked whether ${asked.call.name} may run: ${error instanceof Error ? error.message : String(error)}`
  scope.engine.notice({
    severity: 'warning',
    code: 'ask-failed',
    message: why,
    hint: 'Catch errors inside the function "ask", and answer { behavior: \'deny\' }.',
  })
  return desk.refuse(asked, { behavior: 'deny', message: why }, { cause: 'nobody-to-ask' })
}

/** In mode "auto" a classifier stands in for the person. What a hook or a rule asks for it may refuse, and not allow. */
async function classify(desk: Desk, asked: Permit): Promise<Permit | undefined> {
  const { classify: judge, signal, locals = {} } = desk.options
  if (desk.mode !== 'auto' || judge === undefined) return undefined
  const { scope } = desk
  const about = { toolUseId: asked.call.id, callId: asked.verdict.callId, sessionId: scope.sessionId, locals }
  const said = await untilAborted(scope, signal, (both) => askJudge(telling(desk, judge), asked.call, { ...about, signal: both }))
  if (said.behavior === 'allow' && asked.cause === 'mode') return desk.accept(asked, { behavior: 'allow' }, 'classifier')
  if (said.behavior !== 'deny') return undefined
  const reason = said.reason ?? 'The classifier refused this call.'
  const denied = await scope.fire(events.PermissionDenied, { ...desk.inputOf(asked.call), reason }, desk.options)
  desk.told.push(denied.toUser)
  const permit = await desk.refuse(asked, { behavior: 'deny', message: reason }, { cause: 'classifier' })
  // Where nobody judged the call, trying again would find nobody either (protocol §6.8).
  if (!('retry' in denied) || said.noVerdict === true) return permit
  return { ...permit, retry: true, toModel: joinTexts(permit.toModel, 'A hook says that this call may be tried again.') }
}

/** A classifier that fails decides nothing, and the host is told. */
function telling({ scope }: Desk, judge: Judge): Judge {
  return async (call, context) => {
    try {
      return await judge(call, context)
    } catch (error) {
      context.signal.throwIfAborted()
      scope.engine.notice({
        severity: 'warning',
        code: 'classifier-failed',
        message: `The classifier failed on ${call.name}: ${error instanceof Error ? error.message : String(error)}`,
      })
      return 'ask'
    }
  }
}

interface RequestVerdict {
  readonly permission: Permission
  readonly stop?: Stopped
  readonly interrupt?: true
  readonly updatedInput?: Record<string, unknown>
  readonly updatedPermissions?: readonly PermissionUpdate[]
}

/** Hooks may answer in the person's place; deny wins, and silence leaves the question open (design decision 5). */
async function request(desk: Desk, asked: Permit): Promise<Permit | undefined> {
  const { call } = asked
  if (!desk.scope.has(events.PermissionRequest)) return undefined
  if (asked.question !== undefined && desk.options.request?.(asked.question) === false) return undefined
  const { tool_use_id: _, ...input } = desk.inputOf(call)
  const suggestions = asked.question?.suggestions ?? []
  const verdict = (await desk.scope.fire(
    events.PermissionRequest,
    { ...input, ...(suggestions.length === 0 ? {} : { permission_suggestions: suggestions }) },
    desk.options,
  )) as AnyVerdict & RequestVerdict
  desk.told.push(verdict.toUser)
  const { permission, stop, updatedInput, updatedPermissions } = verdict
  if (permission.behavior === 'deny') {
    const answer = {
      behavior: 'deny' as const,
      message: permission.reason ?? `${call.name} was refused by a hook.`,
      ...(verdict.interrupt ? { interrupt: true } : {}),
    }
    const permit = await desk.refuse(asked, answer, { cause: 'hook', by: permission.by[0] })
    // The verdict's own text says which hook refused.
    return { ...permit, ...(verdict.toModel === '' ? {} : { toModel: joinTexts(asked.toModel, verdict.toModel) }), ...(stop === undefined ? {} : { stop }) }
  }
  const yes = {
    behavior: 'allow' as const,
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...(updatedPermissions === undefined ? {} : { updatedPermissions }),
  }
  const granted = permission.behavior === 'allow' ? await desk.accept(asked, yes, 'hook') : undefined
  if (stop === undefined) return granted
  // The turn ends: a question that is still open is not put to anybody.
  const open = granted === undefined || granted.behavior === 'ask'
  return { ...(open ? await desk.refuse(asked, { behavior: 'deny', message: '' }, { cause: 'hook' }) : granted), stop }
}
