/** Folds what all hooks said into one: a merge rule per power, in configuration order, and no event names. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookId } from '../protocol/hook.ts'
import { type AnswerKey, answerKeys, type PowerKey } from '../protocol/powers.ts'
import {
  type Behavior,
  type Block,
  type Conflict,
  type Elicited,
  type Message,
  type Permission,
  type Stopped,
  strictest,
  type Text,
} from '../protocol/verdict-parts.ts'
import type { Interpreted, Words } from '../protocol/words.ts'
import { type Spill, shorten } from './shorten.ts'

/** One hook's part in the fold. */
export interface Part {
  readonly by: HookId
  readonly said: Pick<Interpreted, 'words' | 'messages' | 'warnings'>
}

/** The fold of all parts. Every fold has the same keys, so that reading one is cheap. */
export interface Folded {
  readonly permission: Permission | undefined
  readonly blocked: boolean
  readonly blocks: readonly Block[]
  readonly stop: Stopped | undefined
  readonly context: readonly Text[]
  readonly classifierContext: readonly Text[]
  readonly messages: readonly Message[]
  readonly terminalSequence: string | undefined
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly Diagnostic[]
  /** The remaining powers, by their own key; those that nobody set are absent. */
  readonly values: Readonly<Partial<Record<PowerKey, unknown>>>
}

const classifierLimit = 2_000

/** Whether an event's hooks decide a permission. */
export function permits(row: NamedRow): boolean {
  for (const power of row.powers) if (power === 'permission' || power === 'grant' || power === 'confirm' || power === 'veto') return true
  return false
}

const none: readonly never[] = Object.freeze([])
const empty: Folded = Object.freeze({
  permission: undefined,
  blocked: false,
  blocks: none,
  stop: undefined,
  context: none,
  classifierContext: none,
  messages: none,
  terminalSequence: undefined,
  conflicts: none,
  warnings: none,
  values: Object.freeze(Object.create(null)),
})
const emptyPermit: Folded = Object.freeze({ ...empty, permission: Object.freeze({ behavior: 'passthrough', by: none }) })

/** What a fold takes beside its parts. */
export interface FoldOptions {
  readonly spill?: Spill | undefined
  /** A block of this call is not obeyed. */
  readonly unblockable?: boolean
  /** Why a hook may be missing that would have refused: then no other's word is enough. */
  readonly unread?: string | undefined
}

/** Folds the parts, which stand in configuration order. */
export function aggregate(row: NamedRow, parts: readonly Part[], options: FoldOptions = {}): Folded {
  if (parts.length === 0) return permits(row) ? emptyPermit : empty
  const conflicts: Conflict[] = []
  const warnings: Diagnostic[] = parts.flatMap((part) => part.said.warnings)
  const values = foldValues(parts, conflicts)
  for (const { field } of conflicts) warnings.push(conflictWarning(field, conflicts))
  const permission = permits(row) ? questioned(foldPermission(row, parts), row, options.unread) : undefined
  const blocks = foldBlocks(row, parts)
  const context = parts.flatMap(({ by, said }) => {
    const text = saidOf(said.words, 'context')
    return text === undefined ? [] : [shorten(text, by, options.spill)]
  })
  const stop = foldStop(row, parts, blocks)
  if (permission !== undefined && permission.behavior !== 'allow') dropGrants(row, values)
  if (row.onBlock === 'decline' && blocks.length > 0) values.elicitation = { action: 'decline' }
  const wantsBlock = permission === undefined ? blocks.length > 0 || (row.contextResumes === true && context.length > 0) : permission.behavior === 'deny'
  if (wantsBlock && options.unblockable)
    warnings.push({ severity: 'warning', code: 'block-ignored', message: `A block of ${row.name} was ignored: what managed policy changes cannot be refused.` })
  return {
    permission,
    blocked: wantsBlock && !options.unblockable,
    blocks,
    stop,
    context,
    classifierContext: foldClassifier(parts),
    messages: parts.flatMap((part) => messagesOf(row, part)),
    terminalSequence: foldTerminal(parts),
    conflicts,
    warnings,
    values,
  }
}

function foldPermission(row: NamedRow, parts: readonly Part[]): Permission {
  let behavior: Behavior = 'passthrough'
  for (const { said } of parts) {
    const own = behaviorOf(row, said.words)
    if (strictest.indexOf(own) < strictest.indexOf(behavior)) behavior = own
  }
  const winners = behavior === 'passthrough' ? [] : parts.filter(({ said }) => behaviorOf(row, said.words) === behavior)
  const reasons = winners.map(({ said: { words } }) => saidOf(words, 'reason') ?? saidOf(words, 'block') ?? '').filter((reason) => reason !== '')
  return { behavior, ...(reasons.length === 0 ? {} : { reason: reasons.join('\n') }), by: winners.map(({ by }) => by) }
}

/** Only what a hook said itself: `Object.prototype` is nobody's answer. */
function saidOf<K extends keyof Words>(words: Words, key: K): Words[K] | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}

/** Where a guard may be missing, a yes becomes a question; where the question is there already, it stays open. */
function questioned(permission: Permission, row: NamedRow, unread: string | undefined): Permission {
  if (unread === undefined || permission.behavior !== 'allow') return permission
  return row.powers.includes('grant') ? { behavior: 'passthrough', by: [] } : { behavior: 'ask', reason: unread, by: permission.by }
}

function behaviorOf(row: NamedRow, words: Words): Behavior {
  if (saidOf(words, 'block') !== undefined) return 'deny'
  const permission = saidOf(words, 'permission')
  if (permission === 'deny' || (row.stopRefuses && saidOf(words, 'stop') !== undefined)) return 'deny'
  return permission ?? 'passthrough'
}

function foldBlocks(row: NamedRow, parts: readonly Part[]): Block[] {
  const to = row.reasonTo ?? 'nobody'
  return parts.flatMap(({ by, said: { words } }) => {
    const block = saidOf(words, 'block')
    if (block !== undefined) return [{ reason: block, to, by }]
    return saidOf(words, 'permission') === 'deny' ? [{ reason: saidOf(words, 'reason') ?? '', to, by }] : []
  })
}

function foldStop(row: NamedRow, parts: readonly Part[], blocks: readonly Block[]): Stopped | undefined {
  const first = parts.find(({ said }) => saidOf(said.words, 'stop') !== undefined)
  if (first !== undefined) return { reason: saidOf(first.said.words, 'stop') ?? '', by: first.by }
  const block = row.onBlock === 'end' ? blocks[0] : undefined
  return block === undefined ? undefined : { reason: block.reason, by: block.by }
}

// The texts have a fold of their own.
const valueKeys = (Object.entries(answerKeys) as [PowerKey, AnswerKey][]).filter(([, { merge }]) => merge !== 'context' && merge !== 'classifier')

function foldValues(parts: readonly Part[], conflicts: Conflict[]): Partial<Record<PowerKey, unknown>> {
  const values: Partial<Record<PowerKey, unknown>> = Object.create(null)
  for (const [key, { merge }] of valueKeys) {
    const said = parts.filter(({ said: { words } }) => saidOf(words, key) !== undefined)
    if (said.length === 0) continue
    const each = said.map(({ said: { words } }) => words[key])
    if (merge === 'any') values[key] = true
    else if (merge === 'union') values[key] = [...new Set((each as string[][]).flat())]
    else if (merge === 'concat') values[key] = (each as unknown[][]).flat()
    else if (merge === 'elicitation') values[key] = foldElicitation(each as Elicited[])
    else {
      values[key] = each.at(-1)
      const winner = said.at(-1) as Part
      const lost = said.slice(0, -1).filter(({ said: { words } }) => words[key] !== values[key])
      if (lost.length > 0) conflicts.push({ field: key, won: winner.by, lost: lost.map(({ by }) => by) })
    }
  }
  return values
}

const elicitationOrder = ['decline', 'cancel', 'accept'] as const

function foldElicitation(answers: readonly Elicited[]): Elicited {
  const action = elicitationOrder.find((one) => answers.some((answer) => answer.action === one)) ?? 'decline'
  const content = answers.findLast((answer) => answer.action === action && answer.content !== undefined)?.content
  return { action, ...(action === 'accept' && content !== undefined ? { content } : {}) }
}

/** Rewrites and rules that came with a grant lapse when the fold is no grant. */
function dropGrants(row: NamedRow, values: Partial<Record<PowerKey, unknown>>): void {
  delete values.updatedPermissions
  if (row.powers.includes('grant')) delete values.updatedInput
}

function foldClassifier(parts: readonly Part[]): Text[] {
  let left = classifierLimit
  return parts.flatMap(({ by, said: { words } }) => {
    if (words.classifierContext === undefined || left === 0) return []
    const text = words.classifierContext.slice(0, left)
    left -= text.length
    return [{ text, by, truncated: text.length < words.classifierContext.length }]
  })
}

function foldTerminal(parts: readonly Part[]): string | undefined {
  const sequences = parts.flatMap(({ said: { words } }) => words.terminalSequence ?? [])
  return sequences.length === 0 ? undefined : sequences.join('')
}

function messagesOf(row: NamedRow, { by, said }: Part): Message[] {
  const own: Message[] =
    said.words.message === undefined || row.messageTo === 'nobody' ? [] : [{ text: said.words.message, to: row.messageTo, level: 'info', by }]
  return [...own, ...said.messages]
}

function conflictWarning(field: string, conflicts: readonly Conflict[]): Diagnostic {
  const conflict = conflicts.find((one) => one.field === field) as Conflict
  const hooks = [...conflict.lost, conflict.won].join(', ')
  const what = field === 'updatedInput' ? 'hooks rewrote the same input' : `hooks set the same field "${field}"`
  const count = conflict.lost.length + 1
  return {
    severity: 'warning',
    code: 'conflict',
    message: `${count === 2 ? 'two' : count} ${what} (${hooks}); ${conflict.won} won, being last in configuration order.`,
    hint: 'Let one hook do it, or let them narrow their matchers.',
    hook: conflict.won,
  }
}
