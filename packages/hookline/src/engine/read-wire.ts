/** Reads the wire object (protocol §3) into the words of the event's powers; what it cannot mean here is a fault or a warning. */

import type { NamedRow } from '../protocol/events.ts'
import { nameOf } from '../protocol/fields.ts'
import { answerKeys, type PowerKey } from '../protocol/powers.ts'
import { wireKeys } from '../protocol/wire-keys.ts'
import { finishDecisions, permissionPower, readBehavior, sayBehavior } from './read-decision.ts'
import { fieldsOf, flagField, isObject, nearest, readElicited, readKey, readTerminal, say, shownText, textField } from './read-fields.ts'
import type { Reading } from './read-reading.ts'
import { readOutputRewrite } from './read-rewrite.ts'

type Fields = ReadonlyMap<string, unknown>

/** What reading an answer may look at beside the row. */
export interface ReadingContext {
  /** The event's input: the tool's name tells what shape a rewritten output must have. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
  /** True when a person sits there; `defer` is for runs without one. */
  readonly interactive?: boolean | undefined
}

const topKeys: ReadonlySet<string> = new Set([...wireKeys, 'reason', 'terminalSequence'])
const wireNames: ReadonlyMap<string, PowerKey> = new Map(
  (Object.keys(answerKeys) as PowerKey[]).flatMap((key): [string, PowerKey][] => {
    const spec = answerKeys[key]
    return 'wire' in spec ? [[spec.wire, key]] : []
  }),
)
/** Every key that `hookSpecificOutput` has on some event. */
const innerKeys: ReadonlySet<string> = new Set([
  ...wireNames.keys(),
  'hookEventName',
  'permissionDecision',
  'permissionDecisionReason',
  'decision',
  'action',
  'content',
  'updatedMCPToolOutput',
])

/** Whether an object sets any field of the hook output; tells a hook's answer from a log line that is JSON. */
export function speaksWire(value: object): boolean {
  return Object.keys(value).some((key) => topKeys.has(key))
}

/** Reads a wire object. Nothing is thrown: what is wrong ends up in the reading. */
export function readWire(value: object, reading: Reading, context: ReadingContext = {}): void {
  const fields = fieldsOf(value)
  readTerminal(fields, reading)
  if (reading.row.discards === 'all') {
    const rest = [...fields.keys()].filter((key) => key !== 'terminalSequence' && key !== 'suppressOutput')
    if (rest.length > 0) reading.warn('no-effect', `answered to an event that reads no answer; ${list(rest)} had no effect`, { severity: 'info' })
    return
  }
  readUniversal(fields, reading, context)
  readDecision(fields, reading)
  const output = fields.get('hookSpecificOutput')
  if (output !== undefined) {
    if (isObject(output)) readOutputFields(fieldsOf(output), reading, context)
    else reading.fault(`hookSpecificOutput must be an object, not ${nameOf(output)}`)
  }
  tellUnknown(fields, (key) => topKeys.has(key), { reading, inner: innerKeys, near: () => topKeys })
  finishDecisions(reading, context)
}

function readUniversal(fields: Fields, reading: Reading, context: ReadingContext): void {
  const { row } = reading
  const stopReason = textField(fields, 'stopReason', reading)
  flagField(fields, 'suppressOutput', reading)
  if (flagField(fields, 'continue', reading) === false) {
    if (reading.has('stop') && row.discards !== 'answer') reading.words.stop = shownText(stopReason ?? '', 'stopReason', reading)
    else reading.warn('no-effect', `answered "continue": false, which has no effect on ${row.name}`, { severity: 'info' })
  }
  const message = textField(fields, 'systemMessage', reading)
  if (message !== undefined && message !== '') readMessage(message, 'systemMessage', { reading, context })
}

/** A message for whoever the row says; where nobody reads it, that is a finding. */
export function readMessage(message: string, name: string, { reading, context }: { reading: Reading; context: ReadingContext }): void {
  const { row } = reading
  const from = context.input?.['source']
  const unheard = row.messageOnlyFrom !== undefined && from !== undefined && from !== row.messageOnlyFrom
  if (row.messageTo === 'nobody' || row.discards === 'answer' || unheard)
    reading.warn('no-effect', `gave a ${name}, which nobody sees on ${row.name}`, { severity: 'info' })
  else reading.words.message = shownText(message, name, reading)
}

/** The top-level `decision`: `block` wherever something can be blocked, `approve` where a permission is decided (deprecated). */
function readDecision(fields: Fields, reading: Reading): void {
  const decision = textField(fields, 'decision', reading)
  const reason = textField(fields, 'reason', reading)
  if (decision === undefined) {
    if (reason !== undefined && !fields.has('decision') && !fields.has('hookSpecificOutput'))
      reading.warn('lost-answer', 'gave a reason without a decision; it is not read', { tell: true })
    return
  }
  const { row } = reading
  if (decision === 'block') {
    if (reason === undefined || reason === '') reading.warn('no-reason', 'blocked without a reason')
    const shown = shownText(reason ?? '', 'reason', reading)
    if (permissionPower(row) !== undefined) sayBehavior('deny', shown, reading)
    else if (reading.has('block')) reading.words.block = shown
    else reading.warn('no-effect', `answered "decision": "block", but nothing can be blocked on ${row.name}`, { tell: true })
  } else if (decision === 'approve' && reading.has('permission')) {
    sayBehavior('allow', shownText(reason ?? '', 'reason', reading), reading)
  } else {
    const hint =
      reading.has('permission') || permissionPower(row) === 'confirm' ? 'Write hookSpecificOutput.permissionDecision.' : 'The only decision here is "block".'
    reading.warn('unknown-decision', `answered "decision": ${say(decision)}, which means nothing on ${row.name}`, { tell: true, hint })
  }
}

function readOutputFields(fields: Fields, reading: Reading, context: ReadingContext): void {
  const { row } = reading
  const event = fields.get('hookEventName')
  // An answer that is not addressed to this event counts for nothing, a denial included (design decision 4).
  if (event !== row.name) {
    reading.fault(
      event === undefined ? `hookSpecificOutput lacks hookEventName ("${row.name}")` : `hookSpecificOutput is addressed to ${say(event)}, not to "${row.name}"`,
    )
    return
  }
  const { power, wire, named } = spellingOf(row)
  if (power === 'grant') readGrant(fields.get('decision'), reading)
  else if (power !== undefined) {
    const reason = textField(fields, 'permissionDecisionReason', reading)
    readBehavior(fields.get('permissionDecision'), { name: 'permissionDecision', reason, reading })
  }
  if (power === 'veto' && fields.has('updatedInput')) {
    sayBehavior('deny', '', reading)
    reading.warn('rewrite-refuses', `gave an updatedInput, which is never applied on ${row.name}: it refuses`)
  }
  if (reading.has('elicitation')) {
    const elicited = readElicited(fields, reading)
    if (elicited !== undefined) reading.words.elicitation = elicited
  }
  for (const [name, key] of wire) {
    const value = fields.get(name)
    if (value !== undefined && key !== 'updatedOutput') readKey(key, value, { name, reading })
  }
  if (reading.has('updatedOutput')) readOutputRewrite(fields, reading, context.input)
  const isKnown = (key: string): boolean => named.has(key) || wire.some(([name]) => name === key)
  tellUnknown(fields, isKnown, {
    reading,
    prefix: 'hookSpecificOutput.',
    inner: innerKeys,
    // What a key may be a slip for: the fields that are always read, and those that this answer has.
    near: () => [...named, ...wire.flatMap(([name]) => (fields.get(name) === undefined ? [] : [name]))],
  })
}

/** How a row's fields inside `hookSpecificOutput` are spelled; the same for every answer, so each row is looked through once. */
interface Spelling {
  readonly power: ReturnType<typeof permissionPower>
  /** The fields of its powers, save what a grant carries inside `decision`. */
  readonly wire: readonly (readonly [string, PowerKey])[]
  /** The fields that are read by name. */
  readonly named: ReadonlySet<string>
}
const spellings = new WeakMap<NamedRow, Spelling>()

function spellingOf(row: NamedRow): Spelling {
  const before = spellings.get(row)
  if (before !== undefined) return before
  const power = permissionPower(row)
  const has = (one: string) => (row.powers as readonly string[]).includes(one)
  const wire = [...wireNames].filter(([, key]) => has(answerKeys[key].power) && !(power === 'grant' && key === 'updatedInput'))
  const named = new Set(['hookEventName'])
  if (power === 'grant') named.add('decision')
  else if (power !== undefined) named.add('permissionDecision').add('permissionDecisionReason')
  if (power === 'veto') named.add('updatedInput')
  if (has('elicitation')) named.add('action').add('content')
  if (has('updatedOutput')) named.add('updatedToolOutput').add('updatedMCPToolOutput')
  const spelling = { power, wire, named }
  spellings.set(row, spelling)
  return spelling
}

/** `decision: {behavior, message?, interrupt?, updatedInput?, updatedPermissions?}` of a permission request. */
function readGrant(decision: unknown, reading: Reading): void {
  if (decision === undefined) return
  if (!isObject(decision)) {
    reading.fault(`hookSpecificOutput.decision must be an object, not ${nameOf(decision)}`)
    return
  }
  const fields = fieldsOf(decision)
  const message = textField(fields, 'message', reading)
  const behavior = fields.get('behavior')
  if (behavior === undefined) reading.fault('hookSpecificOutput.decision lacks a behavior ("allow" or "deny")')
  else readBehavior(behavior, { name: 'behavior', reason: message, reading })
  for (const key of ['interrupt', 'updatedInput', 'updatedPermissions'] as const) {
    const value = fields.get(key)
    if (value !== undefined) readKey(key, value, { name: `decision.${key}`, reading })
  }
  tellUnknown(fields, (key) => grantKeys.has(key), { reading, prefix: 'hookSpecificOutput.decision.', near: () => grantKeys })
}
const grantKeys: ReadonlySet<string> = new Set(['behavior', 'message', 'interrupt', 'updatedInput', 'updatedPermissions'])

interface Unknown {
  readonly reading: Reading
  readonly prefix?: string
  readonly inner?: ReadonlySet<string>
  readonly near: () => Iterable<string>
}

/** Warns about keys that are not read here, and says where a misplaced or misspelt one belongs. */
function tellUnknown(fields: Fields, isKnown: (key: string) => boolean, { reading, prefix = '', inner, near }: Unknown): void {
  let unknown: string[] | undefined
  for (const key of fields.keys()) {
    if (isKnown(key)) continue
    unknown ??= []
    unknown.push(key)
  }
  if (unknown === undefined) return
  for (const key of unknown.slice(0, mostNamed)) {
    if (inner?.has(key) && prefix === '') {
      reading.warn('lost-answer', `answered at the wrong place: ${key} must be inside hookSpecificOutput`, {
        tell: true,
        hint: `Put "hookEventName": "${reading.row.name}" beside it; at the top level it is not read.`,
      })
    } else if (inner?.has(key)) {
      reading.warn('no-effect', `gave ${prefix}${key}, which has no effect on ${reading.row.name}`)
    } else {
      const meant = nearest(key, near())
      const told = meant !== undefined && (decisive.has(meant) || prefix !== '')
      reading.warn(told ? 'lost-answer' : 'unknown-key', `gave ${say(`${prefix}${key}`)}, which is not known`, {
        tell: told,
        ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
      })
    }
  }
  const more = unknown.length - mostNamed
  if (more > 0) reading.warn('unknown-key', `gave ${more} more keys that are not known`)
}
const mostNamed = 5
const decisive: ReadonlySet<string> = new Set(['decision', 'continue', 'hookSpecificOutput'])

function list(keys: readonly string[]): string {
  const named = keys.slice(0, mostNamed).map((key) => say(key))
  return keys.length > mostNamed ? `${named.join(', ')} and ${keys.length - mostNamed} more` : named.join(', ')
}
