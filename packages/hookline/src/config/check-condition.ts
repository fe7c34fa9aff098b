/** Reads the `if` of a hook: one permission rule, on an event with a tool, not at odds with the matcher. */
import { parseRule } from '../permission/parse-rule.ts'
import type { Rule } from '../permission/rule.ts'
import { namesOf } from '../protocol/tools.ts'
import type { HookSite } from './check-hook.ts'
import { lintTool } from './check-matcher.ts'
import { quoted } from './findings.ts'
import { plainOf, type Tree } from './tree.ts'

/** The rule, or why the hook is off. */
export interface CheckedCondition {
  readonly rule?: Rule
  readonly doubt?: string
}

/** Parses and checks. A value that is neither text nor list was reported before. */
export function checkCondition(written: Tree | undefined, { row, matcher, findings, id }: HookSite): CheckedCondition {
  if (written === undefined || (written.kind !== 'text' && written.kind !== 'list')) return {}
  const say = { at: written.at, hook: id }
  if (!row.condition) {
    findings.add('condition-not-applicable', `"if" needs an event with a tool call; on ${row.name} this hook never runs`, {
      ...say,
      hint: 'Remove "if", or look at the input in the hook itself.',
    })
  }
  const parsed = parseRule(plainOf(written))
  if (parsed.kind === 'fault') {
    const joined = parsed.message.includes('exactly one rule')
    const shown = written.kind === 'text' ? `: ${quoted(written.value)}` : ', got list'
    const message = joined ? `if takes exactly one rule${shown}` : `if${shown}: ${parsed.message}`
    findings.add(joined ? 'several-rules' : 'invalid-rule', message, { ...say, within: written.kind === 'text' ? parsed.offset : undefined, hint: parsed.hint })
    return { doubt: message }
  }
  const { rule } = parsed
  if (row.condition && /^[\w-]+$/.test(rule.tool)) {
    if (rule.tool !== 'Cd') lintTool(rule.tool, findings, say)
    const names = namesOf(rule.tool)
    if (matcher.kind !== 'invalid' && names.every((name) => matcher.test(name) === false)) {
      findings.add('never-fires', `the matcher ${quoted(matcher.text ?? '')} lets no ${rule.tool} call in, so "if" is never true`, {
        ...say,
        hint: 'Make matcher and "if" name the same tool.',
      })
    }
  }
  return { rule }
}
