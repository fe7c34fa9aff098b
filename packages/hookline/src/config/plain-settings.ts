/** Reads settings of the commonest kind, in which nothing can be wrong: commands under lists of names, and no more. Whatever else there is takes the whole reading. */
import type { EventName } from '../protocol/event-types.ts'
import { events, type NamedRow } from '../protocol/events.ts'
import { matchSubject } from './match-subject.ts'
import { matcherRules } from './match-value.ts'
import { compileMatcher } from './matcher.ts'

/** Hooks of one event that share a matcher: the names it lists, and how many hooks there are. */
export interface PlainGroup {
  readonly matcher: string | undefined
  readonly hooks: number
}
/** The groups of each event that the file names. */
export type PlainSettings = Readonly<Partial<Record<EventName, readonly PlainGroup[]>>>

type Fields = Readonly<Record<string, unknown>>

/** What the text says; `undefined` when the whole reading might have an error to tell, or find more than hooks. */
export function readPlainSettings(text: string): PlainSettings | undefined {
  const file = parsed(text)
  // A field that stands twice is a finding: there are then more of these signs in the text than fields in what was read.
  if (!isFields(file) || !hasOnly(file, { hooks: isFields, $schema: isText }) || (text.match(/"\s*:/g) ?? []).length !== fieldsIn(file)) return undefined
  const found: Partial<Record<EventName, PlainGroup[]>> = {}
  for (const [event, written] of Object.entries(isFields(file['hooks']) ? file['hooks'] : {})) {
    if (!Object.hasOwn(events, event) || !Array.isArray(written) || !written.every(isPlainGroup)) return undefined
    found[event as EventName] = written.map(({ matcher, hooks }) => ({ matcher, hooks: hooks.length }))
  }
  return found
}

/** How many hooks the event passes by because its value is not among their matchers' names; `undefined` when one may have to run. */
export function passedBy(settings: PlainSettings, row: NamedRow, input: Fields): number | undefined {
  const value = matchSubject(row, input)
  let count = 0
  for (const { matcher, hooks } of settings[row.name as EventName] ?? []) {
    if (value === undefined || matcher === undefined || compileMatcher(matcher, matcherRules(row)).test(value) !== false) return undefined
    count += hooks
  }
  return count
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isPlainGroup(written: unknown): written is { matcher?: string; hooks: unknown[] } {
  return isFields(written) && hasOnly(written, { matcher: isNames, hooks: (hooks) => Array.isArray(hooks) && hooks.every(isPlainHook) }) && 'hooks' in written
}

function isPlainHook(written: unknown): boolean {
  return (
    isFields(written) &&
    hasOnly(written, { type: (type) => type === 'command', command: isLine, timeout: isSeconds, statusMessage: isText }) &&
    'type' in written &&
    'command' in written
  )
}

/** A shell line. One that names the folder of a plugin is a mistake in a settings file. */
function isLine(value: unknown): boolean {
  return isText(value) && /\S/.test(value) && !value.includes('PLUGIN')
}

function isNames(value: unknown): value is string {
  return isText(value) && /^\w+(?:\|\w+)*$/.test(value)
}

function isSeconds(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 600
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(fields: Fields, known: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  return Object.entries(fields).every(([key, value]) => Object.hasOwn(known, key) && known[key]?.(value) === true)
}

function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const within = Object.values(value).reduce((sum: number, one) => sum + fieldsIn(one), 0)
  return within + (Array.isArray(value) ? 0 : Object.keys(value).length)
}
