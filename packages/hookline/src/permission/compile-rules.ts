/** Lists of rules as a host writes them, read once and asked often. */
import type { Permissions } from '../protocol/permission.ts'
import type { RuleCall } from './call.ts'
import { listHostRules } from './host-rules.ts'
import { type Judged, judgeRules } from './judge-rules.ts'

/**
 * Reads lists of permission rules and gives what they say about a call: a deny wins, then an ask, then an allow, and several allow
 * rules may cover a shell command together. `passthrough` when none of them has a hit.
 * @throws HooklineError `invalid-option` for a rule that does not parse.
 */
export function compileRules(rules: Exclude<Permissions['rules'], (...all: never[]) => unknown>): (call: RuleCall) => Pick<Judged, 'behavior' | 'reason'> {
  const lists = listHostRules(rules)
  return (call) => {
    const { behavior, reason } = judgeRules(lists, call)
    return reason === undefined ? { behavior } : { behavior, reason }
  }
}
