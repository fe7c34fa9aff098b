/** Reads the answer of a person as the host hands it over: a word that is no answer is a mistake of the host, never a yes. */
import { isUpdate, ownOf } from '../engine/read-fields.ts'
import { HooklineError } from '../errors.ts'
import type { PermissionAnswer } from '../protocol/permission.ts'

/** The answer, read once and with nothing that it does not say itself. @throws HooklineError `invalid-input` when this is no answer. */
export function checkAnswer(given: PermissionAnswer): PermissionAnswer {
  const answer = (typeof given === 'object' && given !== null ? ownOf(given) : {}) as PermissionAnswer
  if (!Object.hasOwn(answer, 'behavior') || (answer.behavior !== 'allow' && answer.behavior !== 'deny'))
    throw wrong('needs the behavior "allow" or "deny"', "Answer { behavior: 'allow' } or { behavior: 'deny', message }.")
  if (answer.behavior === 'deny') return answer
  const { updatedInput, updatedPermissions } = answer
  if (updatedInput !== undefined && (typeof updatedInput !== 'object' || updatedInput === null || Array.isArray(updatedInput)))
    throw wrong('has an updatedInput that is no object', 'Give the whole input of the tool, as it should be.')
  if (updatedPermissions !== undefined && !(Array.isArray(updatedPermissions) && updatedPermissions.every(isUpdate)))
    throw wrong('has updatedPermissions that are no permission updates', 'Give a list of updates, for example the suggestions of the question.')
  return answer
}

function wrong(what: string, hint: string): HooklineError {
  return new HooklineError('invalid-input', `The answer to a permission question ${what}.`, { hint })
}
