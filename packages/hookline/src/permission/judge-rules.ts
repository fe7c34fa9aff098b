/** Lists of rules against a call: deny, then ask, then allow; the first list that has a hit decides (protocol §4.4). */
import type { Source } from '../protocol/hook.ts'
import type { Behavior } from '../protocol/verdict-parts.ts'
import { type RuleCall, readingOf } from './call.ts'
import { lookAt, patternOf } from './look.ts'
import { lookAtPath } from './path-rule.ts'
import type { Rule } from './rule.ts'
import { rulesAbout } from './rule-table.ts'
import { coversCommand } from './shell/covers.ts'
import type { ShellWord } from './shell/word.ts'
import { writtenBy } from './targets.ts'
import { inFamily, namesTool } from './tool-name.ts'

/** A rule in its list, with the folder that `/path` is relative to and the place it was written. */
export interface ListedRule {
  readonly list: 'deny' | 'ask' | 'allow'
  readonly rule: Rule
  readonly root?: string
  readonly source?: Source
}

/** What lists of rules say about a call; `passthrough` when none of them has a hit. */
export interface Judged {
  readonly behavior: Exclude<Behavior, 'defer'>
  /** The rule that decided. */
  readonly rule?: Rule
  /** In words: which rule, from where, and why it counts. */
  readonly reason?: string
}

/**
 * Judges a call by lists of rules. A call that cannot be read hits every deny and ask rule it could be about, and no allow rule.
 * What can be found out about the lists alone is kept with them, so they must not change.
 */
export function judgeRules(lists: readonly ListedRule[], call: RuleCall): Judged {
  if (lists.length === 0) return { behavior: 'passthrough' }
  // An object of this decision: where its paths lead is kept with it.
  const placed = placing({ ...call })
  const about = rulesAbout(lists, call)
  for (const list of ['deny', 'ask'] as const) {
    // A rule that is sure gives the better reason, whatever stands before it.
    let suspect: Judged | undefined
    for (const listed of about[list].ruling(call)) {
      const { answer, why } = lookAt(listed.rule, placed(listed), 'restrict')
      if (answer === 'no') continue
      const judged: Judged = {
        behavior: list,
        rule: listed.rule,
        reason: `${list === 'deny' ? 'Denied by' : 'Asked for by'} the rule ${shown(listed)}: ${why}`,
      }
      if (answer === 'yes') return judged
      suspect ??= judged
    }
    if (suspect !== undefined) return suspect
  }
  const allowed = about.allow.ruling(call)
  const single =
    allowed.find((listed) => lookAt(listed.rule, placed(listed), 'grant').answer === 'yes') ?? together(allowed, call, { placed, edits: about.edits })
  return single === undefined ? { behavior: 'passthrough' } : { behavior: 'allow', rule: single.rule, reason: `Allowed by the rule ${shown(single)}` }
}

/** Several allow rules may cover the parts of one shell command, and the files it writes. */
function together(allowed: readonly ListedRule[], call: RuleCall, { placed, edits }: { placed: Placed; edits: readonly ListedRule[] }): ListedRule | undefined {
  if (!inFamily('Bash', call.tool)) return undefined
  const reading = readingOf(call)
  const shell = allowed.filter(({ rule }) => rule.specifier !== undefined && namesTool(rule.tool, call, 'grant'))
  if (reading === undefined || shell.length === 0) return undefined
  const files = writtenBy(call)
  const mayWrite = (target: ShellWord) =>
    files.some(
      ({ shown: text, path }) =>
        text === target.raw &&
        path !== undefined &&
        edits.some(
          (listed) => listed.rule.specifier === undefined || lookAtPath(listed.rule, { path }, { call: placed(listed), use: 'grant' }).answer === 'yes',
        ),
    )
  return coversCommand(
    reading,
    shell.map(({ rule }) => patternOf(rule)),
    mayWrite,
  ).answer === 'yes'
    ? shell[0]
    : undefined
}

type Placed = (listed: ListedRule) => RuleCall

/** The call as rules from one folder see it: one object for each folder, not for each rule. */
function placing(call: RuleCall): Placed {
  const byRoot = new Map<string, RuleCall>()
  return ({ root }) => {
    if (root === undefined) return call
    let placed = byRoot.get(root)
    if (placed === undefined) {
      placed = { ...call, root }
      byRoot.set(root, placed)
    }
    return placed
  }
}

function shown({ rule, source }: ListedRule): string {
  if (source === undefined) return `"${rule.text}"`
  const place = source.file === undefined ? '' : `, ${source.file}${source.line === undefined ? '' : `:${source.line}`}`
  return `"${rule.text}" (${source.kind} settings${place})`
}
