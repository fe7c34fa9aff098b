/** A permit as the host gets it: the behavior, its texts for the model and the person, and the answer to its question. */

import type { Verdict } from '../protocol/event-types.ts'
import type { Cause, PermissionAnswer, Permit, Question, ToolCall } from '../protocol/permission.ts'
import type { Behavior } from '../protocol/verdict-parts.ts'

/** What was decided, before it is put into words for each reader. */
export interface Decided {
  readonly behavior: Behavior
  readonly cause: Cause
  readonly reason?: string
  readonly question?: Question
  /** The text of the ask rule that the question is about. */
  readonly rule?: string
  readonly interrupt?: true
  /** The verdict's texts already say what the model may know. */
  readonly quiet?: true
}

/** What a permit is made of beside the decision. `answer` is asked when the host answers the question. */
export interface Ground {
  readonly verdict: Verdict<'PreToolUse'>
  readonly call: ToolCall
  readonly answer: (permit: Permit, answer: PermissionAnswer) => Promise<Permit>
}

/** Puts a decision into a permit: a deny's reason goes to the model, an ask's or an allow's to the person (protocol §6). */
export function makePermit(decided: Decided, { verdict, call, answer }: Ground): Permit {
  const { behavior, cause, reason, question, interrupt, quiet } = decided
  const forModel = behavior === 'deny' && quiet !== true ? reason : undefined
  const forUser = behavior === 'ask' || (behavior === 'allow' && cause === 'hook') ? reason : undefined
  const permit: Permit = {
    behavior,
    cause,
    ...(reason !== undefined && reason !== '' && { reason }),
    call,
    ...(question !== undefined && { question }),
    answer: (given) => answer(permit, given),
    toModel: joined(verdict.toModel, forModel),
    toUser: joined(verdict.toUser, forUser),
    ...(verdict.stop !== undefined && { stop: verdict.stop }),
    ...(interrupt === true && { interrupt }),
    verdict,
  }
  return permit
}

/** The verdict's own text already holds what its hooks said. */
function joined(text: string, more: string | undefined): string {
  if (more === undefined || more === '' || text.includes(more)) return text
  return text === '' ? more : `${text}\n${more}`
}
