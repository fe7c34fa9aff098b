/** Checks single fields of an answer: types, permission updates, terminal sequences, and the nearest key to a misspelt one. */
import { nameOf } from '../protocol/fields.ts'
import type { PermissionMode, PermissionUpdate } from '../protocol/permission.ts'
import { answerKeys, type PowerKey, type Shape } from '../protocol/powers.ts'
import { toolOutputs } from '../protocol/tools.ts'
import type { Elicited } from '../protocol/verdict-parts.ts'
import { capText, oneLine } from './clean-text.ts'
import { misfitForJson } from './read-data.ts'
import type { Reading } from './read-reading.ts'

type Json = Record<string, unknown>

/** A plain object, as JSON knows it. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object's own fields and nothing else, whatever somebody put into `Object.prototype`. */
export function ownOf(value: object): Json {
  return Object.assign(Object.create(null) as Json, value)
}

/** Stands for a field whose getter throws: the wrong type for everything. */
const unreadable = Symbol('unreadable')

/** The own fields of an object, each read once, so that no getter can answer twice differently. */
export function fieldsOf(value: object): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const key of Object.keys(value)) {
    const field = readOnce(value as Json, key)
    if (field !== undefined) fields.set(key, field)
  }
  return fields
}

function readOnce(value: Json, key: string): unknown {
  try {
    return value[key]
  } catch {
    return unreadable
  }
}

/** A field that must be a string; a fault otherwise. */
export function textField(fields: ReadonlyMap<string, unknown>, key: string, reading: Reading): string | undefined {
  const value = fields.get(key)
  if (value === undefined || typeof value === 'string') return value
  reading.fault(`${key} must be a string, not ${nameOf(value)}`)
  return undefined
}

/** A field that must be true or false; a fault otherwise. */
export function flagField(fields: ReadonlyMap<string, unknown>, key: string, reading: Reading): boolean | undefined {
  const value = fields.get(key)
  if (value === undefined || typeof value === 'boolean') return value
  reading.fault(`${key} must be true or false, not ${nameOf(value)}`)
  return undefined
}

/** A reason or message as people may see it: cleaned, capped, the cut reported. */
export function shownText(text: string, what: string, reading: Reading): string {
  const clean = reading.clean(text).trim()
  const capped = capText(clean)
  if (capped !== clean) reading.warn('text-cut', `gave a ${what} of ${clean.length} characters; it was cut to ${capped.length}`)
  return capped
}

/** Reads one key of a power into the words; a wrong type is a fault. `name` is how the hook spelled it. */
export function readKey(key: PowerKey, value: unknown, { name, reading }: { name: string; reading: Reading }): void {
  const words = reading.words as Json
  const { shape } = answerKeys[key]
  const wrong = wrongShape(shape, value)
  if (wrong !== undefined) reading.fault(`${name} must be ${wrong}`)
  else if (shape === 'text') readText(key, value as string, reading)
  else if (shape === 'true') {
    if (value === true) words[key] = true
  } else if (shape === 'texts') words[key] = [...(value as string[])]
  else if (shape === 'updates') {
    const updates = readUpdates(value as unknown[], name, reading)
    if (updates.length > 0) words[key] = updates
  } else if (shape === 'elicitation') {
    const elicited = readElicited(fieldsOf(value as Json), reading)
    if (elicited !== undefined) words[key] = elicited
  } else words[key] = value
}

/** What a value should have been, and what it is; `undefined` when the shape fits. */
function wrongShape(shape: Shape, value: unknown): string | undefined {
  switch (shape) {
    case 'text':
      return typeof value === 'string' ? undefined : `a string, not ${nameOf(value)}`
    case 'true':
      return typeof value === 'boolean' ? undefined : `true or false, not ${nameOf(value)}`
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'a list of strings'
    case 'updates':
      return Array.isArray(value) ? undefined : `a list, not ${nameOf(value)}`
    case 'object':
    case 'elicitation': {
      if (!isObject(value)) return `an object, not ${nameOf(value)}`
      const misfit = misfitForJson(value)
      return misfit === undefined ? undefined : `an object that JSON can hold; it has ${misfit}`
    }
    default:
      return typeof value === 'symbol' || typeof value === 'function' || typeof value === 'bigint'
        ? `a value that JSON knows, not a ${typeof value}`
        : undefined
  }
}

/** An empty text says nothing, save where it stands for an empty display. A path is checked as it was written. */
function readText(key: PowerKey, text: string, reading: Reading): void {
  const { words } = reading
  if (key === 'worktreePath') words[key] = text
  else if (text !== '' || key === 'displayContent') (words as Json)[key] = reading.clean(text)
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel'] satisfies Elicited['action'][]

/** `action` and `content`, as the wire and an answer in code both spell them. */
export function readElicited(fields: ReadonlyMap<string, unknown>, reading: Reading): Elicited | undefined {
  const action = fields.get('action')
  const content = fields.get('content')
  if (content !== undefined && !isObject(content)) reading.fault(`content must be an object, not ${nameOf(content)}`)
  if (action === undefined) {
    if (content !== undefined) reading.warn('lost-answer', 'gave content without an action; it is not used', { tell: true })
    return undefined
  }
  if (!actions.includes(action)) {
    reading.fault(`action must be accept, decline or cancel, not ${say(action)}`)
    return undefined
  }
  return { action: action as Elicited['action'], ...(action === 'accept' && isObject(content) ? { content } : {}) }
}

const destinations: readonly unknown[] = ['userSettings', 'projectSettings', 'localSettings', 'session']
const behaviors: readonly unknown[] = ['allow', 'deny', 'ask']
const modes: readonly unknown[] = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] satisfies PermissionMode[]
const ruleUpdates: readonly unknown[] = ['addRules', 'replaceRules', 'removeRules']
const folderUpdates: readonly unknown[] = ['addDirectories', 'removeDirectories']

function readUpdates(value: readonly unknown[], name: string, reading: Reading): PermissionUpdate[] {
  return value.flatMap((update, at): PermissionUpdate[] => {
    if (!isUpdate(update)) {
      reading.fault(`${name}[${at}] is not a permission update`)
      return []
    }
    if (update.type === 'setMode' && update.mode === 'bypassPermissions') {
      reading.warn('mode-not-set', 'asked for the mode bypassPermissions; a hook cannot switch it on')
      return []
    }
    if (!destinations.includes(update.destination)) {
      reading.warn('update-dropped', `asked to change permissions in ${say(update.destination)}, which is no place for them`)
      return []
    }
    return [update]
  })
}

/** Whether this is a permission update in the wire's words. */
export function isUpdate(value: unknown): value is PermissionUpdate {
  if (!isObject(value)) return false
  const { type, rules, behavior, directories, mode, destination } = ownOf(value)
  if (typeof destination !== 'string') return false
  if (ruleUpdates.includes(type)) return behaviors.includes(behavior) && Array.isArray(rules) && rules.every(isRule)
  if (folderUpdates.includes(type)) return Array.isArray(directories) && directories.every((one) => typeof one === 'string')
  return type === 'setMode' && modes.includes(mode)
}

function isRule(value: unknown): boolean {
  if (!isObject(value)) return false
  const { toolName, ruleContent } = ownOf(value)
  return typeof toolName === 'string' && (ruleContent === undefined || typeof ruleContent === 'string')
}

/** Titles, icons, notifications and the bell, each ended by BEL or ST; nothing else reaches a terminal (protocol §3.3). */
const terminal = /^(?:\u0007|\u001b\](?:0|1|2|9|99|777);[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\))+$/

/** Reads `terminalSequence`, which every event has. */
export function readTerminal(fields: ReadonlyMap<string, unknown>, reading: Reading): void {
  const sequence = textField(fields, 'terminalSequence', reading)
  if (sequence === undefined || sequence === '') return
  if (sequence.length <= 4_096 && terminal.test(sequence)) reading.words.terminalSequence = sequence
  else reading.warn('terminal-sequence', 'gave a terminalSequence that is not a title, a notification or the bell; it was ignored')
}

/** What a rewritten output lacks to be the output of this built-in tool; `undefined` when it fits or the tool is not known. */
export function outputMisfit(tool: unknown, output: unknown): string | undefined {
  if (typeof tool !== 'string' || !Object.hasOwn(toolOutputs, tool)) return undefined
  if (!isObject(output)) return `an output of ${tool} is an object, not ${nameOf(output)}`
  for (const [field, type] of Object.entries(toolOutputs[tool] ?? {})) {
    const value = Object.hasOwn(output, field) ? output[field] : undefined
    if (type === 'object' ? !isObject(value) : typeof value !== type) return `an output of ${tool} has a ${type} "${field}"`
  }
  return undefined
}

/** A value as a message may show it. */
export function say(value: unknown): string {
  return typeof value === 'string' ? `"${oneLine(value, 40)}"` : nameOf(value)
}

const bare = (key: string): string => key.toLowerCase().replace(/[_-]/g, '')

/** The known key that a misspelt one is closest to: the same letters in another case or with underscores, or at most two edits away. */
export function nearest(key: string, known: Iterable<string>): string | undefined {
  if (key.length > 40) return undefined
  let best: string | undefined
  let bestDistance = 3
  for (const one of known) {
    if (bare(one) === bare(key)) return one
    const distance = edits(key, one)
    if (distance < bestDistance && distance < one.length / 2) {
      best = one
      bestDistance = distance
    }
  }
  return best
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
