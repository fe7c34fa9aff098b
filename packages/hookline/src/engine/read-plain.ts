/** Reads in one look what most hooks answer: known fields of the right type, written without blanks and escapes. */
import type { NamedRow } from '../protocol/events.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted, Words } from '../protocol/words.ts'
import { isPlainAscii, textLimit } from './clean-text.ts'
import { permissionPower } from './read-decision.ts'
import { isObject } from './read-fields.ts'

/** The text that was parsed on the way, for the full reading. */
export interface Parsed {
  readonly text: string
  readonly value: unknown
}

/** Which answers can be read here, by row. */
interface Accepts {
  /** Answers are read at all, and by no rule of their own. */
  readonly any: boolean
  readonly permission: boolean
  readonly context: boolean
}

const byRow = new WeakMap<NamedRow, Accepts>()

function acceptsOf(row: NamedRow): Accepts {
  let accepts = byRow.get(row)
  if (accepts === undefined) {
    const any = row.discards === undefined && row.stdout !== 'path' && row.failClosed !== 'always'
    accepts = { any, permission: any && permissionPower(row) === 'permission', context: any && row.powers.includes('context') }
    byRow.set(row, accepts)
  }
  return accepts
}

/** Nothing was said. */
const silent: Interpreted = Object.freeze({
  outcome: 'success',
  words: Object.freeze({}),
  messages: Object.freeze([]),
  warnings: Object.freeze([]),
} as const)

const none = Object.freeze([]) as readonly never[]
const begins = /^\{"(?:continue|suppressOutput|hookSpecificOutput)":[tf{]/
const short = 128
const plainShort = /^[ -~]*$/

/**
 * What a run amounts to that ended well and said something plain; the parsed text when it was parsed and is more than that;
 * `undefined` when the text is nothing for this. Whatever is accepted here, the full reading would have read the same.
 */
export function readPlain(raw: RawResult, row: NamedRow, type: string): Interpreted | Parsed | undefined {
  const { ending, stdout } = raw
  if (ending.kind === 'exited' ? ending.code !== 0 : ending.kind !== 'replied' || ending.status < 200 || ending.status > 299) return undefined
  if (stdout === undefined || raw.cut !== undefined || raw.notUtf8 || raw.warnings !== undefined || raw.value !== undefined) return undefined
  if ((type !== 'command' && type !== 'http') || !acceptsOf(row).any) return undefined
  const text = stdout.trim()
  if (!begins.test(text) || !(text.length < short ? plainShort.test(text) : isPlainAscii(text))) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(value) ? (readTop(value, text.length, row) ?? { text, value }) : undefined
}

/**
 * `length` is that of the text: where every character is accounted for, no field stands twice, nothing is spelled with escapes, and
 * nothing was found that is not the object's own.
 */
function readTop(value: Record<string, unknown>, length: number, row: NamedRow): Interpreted | undefined {
  let rest = length - 1
  let inner: Record<string, unknown> | undefined
  for (const key in value) {
    const field = value[key]
    // The quotes, the colon, and the comma or the bracket before it.
    rest -= key.length + 4
    if (key === 'continue' ? field === true : key === 'suppressOutput' && typeof field === 'boolean') rest -= field === true ? 4 : 5
    else if (key === 'hookSpecificOutput' && isObject(field)) inner = field
    else return undefined
  }
  return inner === undefined ? (rest === 0 ? silent : undefined) : readInner(inner, rest, row)
}

function readInner(fields: Record<string, unknown>, length: number, row: NamedRow): Interpreted | undefined {
  let rest = length - 1
  let event: string | undefined
  let permission: string | undefined
  let reason: string | undefined
  let context: string | undefined
  for (const key in fields) {
    const field = fields[key]
    if (typeof field !== 'string') return undefined
    rest -= key.length + 6 + field.length
    if (key === 'hookEventName') event = field
    else if (key === 'permissionDecision') permission = field
    else if (key === 'permissionDecisionReason') reason = field
    else if (key === 'additionalContext') context = field
    else return undefined
  }
  if (rest !== 0 || event !== row.name) return undefined
  const accepts = acceptsOf(row)
  const words: Words = {}
  if (permission !== undefined) {
    // A "defer" takes things with it, and so has a reading of its own.
    if (!accepts.permission || (permission !== 'deny' && permission !== 'ask' && permission !== 'allow')) return undefined
    words.permission = permission
  }
  if (reason !== undefined) {
    if (permission === undefined || reason.length > textLimit) return undefined
    const shown = reason.trim()
    if (shown !== '') words.reason = shown
  }
  if (context !== undefined) {
    if (!accepts.context) return undefined
    if (context !== '') words.context = context
  }
  return { outcome: permission === 'deny' ? 'blocking' : 'success', words, messages: none, warnings: none }
}
