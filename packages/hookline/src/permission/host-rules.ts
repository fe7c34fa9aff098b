/** The host's own rules beside the settings': lists of texts, or a function that judges. */
import { HooklineError } from '../errors.ts'
import type { HookContext } from '../protocol/answering.ts'
import type { Judge, Permissions, ToolCall } from '../protocol/permission.ts'
import { type Behavior, strictest } from '../protocol/verdict-parts.ts'
import type { ListedRule } from './judge-rules.ts'
import { parseRule } from './parse-rule.ts'

/** Reads the host's lists. A rule that does not parse is a mistake of the host: dropping a deny rule would be worse than throwing. */
export function listHostRules(rules: Permissions['rules'] | undefined): ListedRule[] {
  if (rules === undefined || typeof rules === 'function') return []
  return (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    (rules[list] ?? []).map((text): ListedRule => {
      const parsed = parseRule(text)
      if (parsed.kind === 'rule') return { list, rule: parsed.rule }
      throw new HooklineError(
        'invalid-option',
        `permissions.rules.${list}: the rule "${String(text)}" cannot be used. ${parsed.message}.`,
        parsed.hint === undefined ? {} : { hint: parsed.hint },
      )
    }),
  )
}

/** Asks the host's judge. One that throws, or answers with a word that is none, asks the person: it never allows. */
export async function askJudge(judge: Judge, call: ToolCall, context: HookContext): Promise<{ behavior: Behavior; reason?: string }> {
  try {
    const said: unknown = await judge(call, context)
    // Own fields only: what somebody put into Object.prototype is no answer.
    const { behavior, reason } = Object.assign(Object.create(null), typeof said === 'string' ? { behavior: said } : said) as {
      behavior: Behavior
      reason?: unknown
    }
    if (!strictest.includes(behavior)) return { behavior: 'ask', reason: "The host's rules gave no usable answer." }
    return typeof reason === 'string' && reason !== '' ? { behavior, reason } : { behavior }
  } catch (error) {
    context.signal.throwIfAborted()
    return { behavior: 'ask', reason: `The host's rules failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}
