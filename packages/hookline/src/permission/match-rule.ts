/** One permission rule against one call, as a deny or ask rule and as an allow rule: `try rule` and the public `matchRule`. */
import type { RuleCall } from './call.ts'
import { lookAt } from './look.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule } from './rule.ts'

/** What a rule says about a call. */
export interface RuleMatch {
  /** It matches as a deny or ask rule; a call that cannot be read counts as a match. */
  readonly deny: boolean
  /** It permits the call as the only allow rule; a call that cannot be read is never permitted. */
  readonly allow: boolean
  /** `conservative`: `deny` is true because the call cannot be read for sure. */
  readonly certainty: 'exact' | 'conservative'
  /** In words, for a person. */
  readonly why: string
}

/** Compares one permission rule with one call. A rule that does not parse matches nothing, and `why` says what is wrong with it. */
export function matchRule(rule: Rule | string, call: RuleCall): RuleMatch {
  const parsed = typeof rule === 'string' ? parseRule(rule) : { kind: 'rule' as const, rule }
  if (parsed.kind === 'fault')
    return { deny: false, allow: false, certainty: 'exact', why: parsed.hint === undefined ? parsed.message : `${parsed.message}. ${parsed.hint}` }
  // An object of this decision: where its paths lead is kept with it.
  const own = { ...call }
  const restrict = lookAt(parsed.rule, own, 'restrict')
  const grant = lookAt(parsed.rule, own, 'grant')
  const deny = restrict.answer !== 'no'
  const allow = grant.answer === 'yes'
  return {
    deny,
    allow,
    certainty: restrict.answer === 'cannot-tell' ? 'conservative' : 'exact',
    why: deny && !allow && restrict.answer === 'yes' ? `${restrict.why}; ${grant.why}` : restrict.why,
  }
}
