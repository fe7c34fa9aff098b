/** A hook's `if` against a call (protocol §4.3, design decision 11). */
import type { Look } from './answer.ts'
import type { RuleCall } from './call.ts'
import { lookAt } from './look.ts'
import type { Rule } from './rule.ts'

/**
 * Whether a hook's condition holds. `cannot-tell` means that the call could not be read well enough; a hook then runs.
 * The tool's name is literal here: `Edit` is not `Write`, and a glob over names is no name. Never throws.
 */
export function matchCondition(rule: Rule, call: RuleCall): Look {
  return lookAt(rule, call, 'condition')
}
