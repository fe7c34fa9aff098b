/** Reads what code answered: the power words of the contract, or the wire object; mixed forms are read both ways, with a warning. */
import type { NamedRow } from '../protocol/events.ts'
import { nameOf } from '../protocol/fields.ts'
import type { HookId } from '../protocol/hook.ts'
import { answerKeys, behaviorsOf, type PowerKey } from '../protocol/powers.ts'
import { wireKeys } from '../protocol/wire-keys.ts'
import type { Interpreted } from '../protocol/words.ts'
import { finishDecisions, permissionPower, readBehavior, sayBehavior } from './read-decision.ts'
import { fieldsOf, isObject, nearest, readKey, readTerminal, say, shownText, textField } from './read-fields.ts'
import { Reading, settle } from './read-reading.ts'
import { dropMisfit } from './read-rewrite.ts'
import { type ReadingContext, readMessage, readWire } from './read-wire.ts'

type Fields = ReadonlyMap<string, unknown>

const plainKeys = ['permission', 'reason', 'block', 'stop', 'message', 'terminalSequence'] as const
/** Every key that an answer in power words has on some event. */
const wordKeys: ReadonlySet<string> = new Set([...plainKeys, ...Object.keys(answerKeys)])
/** The keys that both forms have. */
const sharedKeys: ReadonlySet<string> = new Set(['reason', 'terminalSequence'])

/** Reads one value that code returned. Nothing is thrown, save by the value's own getters. */
export function readValue(value: unknown, reading: Reading, context: ReadingContext = {}): void {
  if (value === undefined || value === null) return
  if (!isObject(value)) {
    reading.fault(`an answer is an object, not ${nameOf(value)}`)
    return
  }
  const fields = fieldsOf(value)
  for (const key of fields.keys()) {
    if (!wireKeys.has(key)) continue
    readBothForms(fields, reading, context)
    return
  }
  if (fields.size > 0) readWords(fields, reading, context)
}

/** Fields of the wire form are read as such; the power words among them count too. */
function readBothForms(fields: Fields, reading: Reading, context: ReadingContext): void {
  const wire: Record<string, unknown> = {}
  const words = new Map<string, unknown>()
  // A reason goes with the decision that stands beside it.
  const ofWords = fields.has('permission') && !fields.has('decision')
  for (const [key, field] of fields) {
    if (wordKeys.has(key) && (!sharedKeys.has(key) || (key === 'reason' && ofWords))) words.set(key, field)
    else define(wire, key, field)
  }
  if (words.size > 0) {
    const named = [...words.keys()]
      .filter((key) => !sharedKeys.has(key))
      .map(say)
      .join(', ')
    reading.warn('mixed-forms', `mixed the words of an answer (${named}) with fields of the wire form; write one or the other`)
  }
  readWire(wire, reading, context)
  if (words.size > 0) readWords(words, reading, context)
}

/** A key may be called `__proto__`; assigning it would change the object instead. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

function readWords(fields: Fields, reading: Reading, context: ReadingContext): void {
  const { row, words } = reading
  readTerminal(fields, reading)
  readPermission(fields, reading)
  const stop = textField(fields, 'stop', reading)
  if (stop !== undefined) {
    if (reading.has('stop')) words.stop = shownText(stop, 'stop', reading)
    else tellForeign('stop', reading)
  }
  const message = textField(fields, 'message', reading)
  if (message !== undefined && message !== '') readMessage(message, 'message', { reading, context })
  for (const [name, value] of fields) {
    if (!Object.hasOwn(answerKeys, name)) continue
    const key = name as PowerKey
    if (reading.has(answerKeys[key].power)) readKey(key, value, { name: key, reading })
    else if (key === 'updatedInput' && permissionPower(row) === 'veto') sayBehavior('deny', '', reading)
    else tellForeign(key, reading)
  }
  dropMisfit(reading, context.input)
  tellUnknown(fields, reading)
  finishDecisions(reading, context)
}

function tellUnknown(fields: Fields, reading: Reading): void {
  const { row } = reading
  let unknown = 0
  for (const key of fields.keys()) {
    if (wordKeys.has(key) || ++unknown > 5) continue
    const meant = nearest(key, wordsOf(row))
    reading.warn('unknown-key', `gave ${say(key)}, which is no word of an answer to ${row.name}`, {
      tell: meant !== undefined,
      ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
    })
  }
  if (unknown > 5) reading.warn('unknown-key', `gave ${unknown - 5} more keys that are not known`)
}

/** `permission`, `reason` and `block`: on events with a permission a block is a deny. */
function readPermission(fields: Fields, reading: Reading): void {
  const power = permissionPower(reading.row)
  const permission = fields.get('permission')
  const reason = textField(fields, 'reason', reading)
  if (permission !== undefined && permission !== 'passthrough') {
    if (power === undefined) tellForeign('permission', reading)
    else readBehavior(permission, { name: 'permission', reason, reading })
  } else if (reason !== undefined && reason !== '' && !fields.has('block')) {
    reading.warn('lost-answer', 'gave a reason without a permission; it is not read', { tell: true })
  }
  const block = textField(fields, 'block', reading)
  if (block === undefined) return
  const shown = shownText(block, 'reason', reading)
  if (power !== undefined) sayBehavior('deny', shown, reading)
  else if (reading.has('block')) reading.words.block = shown
  else tellForeign('block', reading)
}

function tellForeign(key: string, reading: Reading): void {
  reading.warn('no-effect', `gave "${key}", which has no effect on ${reading.row.name}`, { tell: key === 'block' || key === 'permission' })
}

/** The words that mean something on this event. */
function wordsOf(row: NamedRow): string[] {
  const powers: readonly string[] = row.powers
  const own = (Object.keys(answerKeys) as PowerKey[]).filter((key) => powers.includes(answerKeys[key].power))
  const permits = powers.some((power) => power in behaviorsOf)
  return [
    ...own,
    ...(permits ? ['permission', 'reason', 'block'] : []),
    ...(powers.includes('block') ? ['block'] : []),
    ...(powers.includes('stop') ? ['stop'] : []),
    'message',
    'terminalSequence',
  ]
}

/** Reads an answer that middleware adds to a verdict. A malformed one adds nothing but a warning. */
export function readAnswer(answer: unknown, { row, id }: { row: NamedRow; id: HookId }): Pick<Interpreted, 'words' | 'messages' | 'warnings'> {
  const reading = new Reading(row, { id, label: id, type: 'callback', source: { id: 'code', kind: 'session' } })
  try {
    readValue(answer, reading)
  } catch (error) {
    reading.words = {}
    reading.fault(`reading it threw: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { words, failure } = settle(reading)
  if (failure !== undefined) reading.warn('wrong-type', failure)
  return { words, messages: reading.told.map((text) => ({ text, to: 'user', level: 'warning', by: id })), warnings: reading.warnings }
}
