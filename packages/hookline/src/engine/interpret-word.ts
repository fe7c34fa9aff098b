/** The one word for what was said (contract §8): of one answer, and of several with the rules beside them. */
import type { NamedRow } from '../protocol/events.ts'
import { type Behavior, stricter } from '../protocol/verdict-parts.ts'
import type { Words } from '../protocol/words.ts'
import { permissionPower } from './read-decision.ts'

/** What was said, in one word; the first that applies, in this order (`fail` before `path`, `decline` before `accept`). */
export type Decision = 'stop' | 'deny' | 'defer' | 'ask' | 'allow' | 'accept' | 'decline' | 'path' | 'fail' | 'block' | 'replace' | 'none'

/** The word for one hook's words. `judged`: a model's "no" that ends the turn is still a refusal, not a stop. */
export function wordOf(row: NamedRow, words: Words, { judged = false }: { judged?: boolean } = {}): Decision {
  const blocked = words.block !== undefined
  if (words.stop !== undefined && !(judged && (blocked || words.permission === 'deny'))) return 'stop'
  if (words.permission !== undefined) return words.permission
  if (row.onBlock === 'decline' && blocked) return 'decline'
  if (words.elicitation !== undefined) return words.elicitation.action === 'accept' ? 'accept' : 'decline'
  if (row.onBlock === 'fail' && blocked) return 'fail'
  if (words.worktreePath !== undefined) return 'path'
  if (blocked) return 'block'
  return words.updatedOutput === undefined ? 'none' : 'replace'
}

/** The word for a block in the row's own terms. */
export function blockWord(row: NamedRow): Decision {
  if (permissionPower(row) !== undefined) return 'deny'
  if (row.onBlock === undefined || !row.powers.includes('block')) return 'none'
  return row.onBlock === 'decline' ? 'decline' : row.onBlock === 'fail' ? 'fail' : 'block'
}

const behaviors: readonly string[] = ['deny', 'defer', 'ask', 'allow'] satisfies Behavior[]
/** Of several words that are no permission the first of these wins: what holds up before what lets pass. */
const rest: readonly Decision[] = ['decline', 'accept', 'fail', 'path', 'block', 'replace']

/** Folds the words of several hooks; permission rules join the fold (contract §8). Silence takes nothing away. */
export function foldWords(row: NamedRow, said: readonly Decision[], rules: { deny?: boolean; ask?: boolean; allow?: boolean }): Decision {
  if (said.includes('stop')) return 'stop'
  let behavior: Behavior = 'passthrough'
  for (const word of said) if (behaviors.includes(word)) behavior = stricter(behavior, word as Behavior)
  if (permissionPower(row) !== undefined) {
    for (const list of ['deny', 'ask', 'allow'] as const) if (rules[list]) behavior = stricter(behavior, list)
  }
  if (behavior !== 'passthrough') return behavior
  return rest.find((word) => said.includes(word)) ?? 'none'
}
