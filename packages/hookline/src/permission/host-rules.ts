/** The host's own rules beside the settings': lists of texts, or a function that judges. */
import { HooklineError } from '../errors.ts'
import type { HookContext } from '../protocol/answering.ts'
import type { Judge, Judgement, Permissions, ToolCall } from '../protocol/permission.ts'
import { type Behavior, strictest } from '../protocol/verdict-parts.ts'
import type { ListedRule } from './judge-rules.ts'
import { parseRule } from './parse-rule.ts'

const listNames = ['deny', 'ask', 'allow'] as const
const none: readonly ListedRule[] = []

interface Read {
  /** What was read, to see whether the host changed its lists meanwhile. */
  readonly texts: Readonly<Record<(typeof listNames)[number], readonly string[]>>
  readonly listed: readonly ListedRule[]
}

const known = new WeakMap<object, Read>()

/** Reads the host's lists, once until they change. A rule that does not parse is a mistake of the host: dropping a deny rule would be worse than throwing. */
export function listHostRules(rules: Permissions['rules'] | undefined): readonly ListedRule[] {
  if (rules === undefined || typeof rules === 'function') return none
  const before = known.get(rules)
  if (before !== undefined && listNames.every((list) => isSame(before.texts[list], rules[list] ?? []))) return before.listed
  const texts = { deny: [...(rules.deny ?? [])], ask: [...(rules.ask ?? [])], allow: [...(rules.allow ?? [])] }
  const listed = listNames.flatMap((list) => texts[list].map((text) => listedRule(list, text)))
  known.set(rules, { texts, listed })
  return listed
}

function isSame(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((text, at) => text === now[at])
}

function listedRule(list: ListedRule['list'], text: string): ListedRule {
  const parsed = parseRule(text)
  if (parsed.kind === 'rule') return { list, rule: parsed.rule }
  throw new HooklineError(
    'invalid-option',
    `permissions.rules.${list}: the rule "${String(text)}" cannot be used. ${parsed.message}.`,
    parsed.hint === undefined ? {} : { hint: parsed.hint },
  )
}

const joined = new WeakMap<readonly ListedRule[], { host: readonly ListedRule[]; both: readonly ListedRule[] }>()

/** The settings' lists with the host's behind them; the same array as long as both are the same. */
export function joinLists(lists: readonly ListedRule[], host: readonly ListedRule[]): readonly ListedRule[] {
  if (host.length === 0) return lists
  const before = joined.get(lists)
  if (before?.host === host) return before.both
  const both = [...lists, ...host]
  joined.set(lists, { host, both })
  return both
}

/** Asks the host's judge. One that throws, or answers with a word that is none, asks the person: it never allows. */
export async function askJudge(judge: Judge, call: ToolCall, context: HookContext): Promise<Judgement> {
  try {
    const said: unknown = await judge(call, context)
    // Own fields only: what somebody put into Object.prototype is no answer.
    const { behavior, reason, noVerdict } = Object.assign(Object.create(null), typeof said === 'string' ? { behavior: said } : said) as {
      behavior: Behavior
      reason?: unknown
      noVerdict?: unknown
    }
    if (!strictest.includes(behavior)) return { behavior: 'ask', reason: "The host's rules gave no usable answer." }
    const marked: Judgement = noVerdict === true ? { behavior, noVerdict: true } : { behavior }
    return typeof reason === 'string' && reason !== '' ? { ...marked, reason } : marked
  } catch (error) {
    context.signal.throwIfAborted()
    return { behavior: 'ask', reason: `The host's rules failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}
