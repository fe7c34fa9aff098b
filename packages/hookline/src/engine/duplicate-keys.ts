/** Keys that stand twice where a decision is made: the stricter one is kept, and the answer can no longer permit (design decision 4). */
import { scanObject } from './read-json.ts'

type Json = Record<string, unknown>

/** What is left of an object whose decision fields were looked through. */
export interface Kept {
  /** The object, repeated decisions replaced by the strictest. */
  readonly value: Json
  /** The keys that stand more than once. */
  readonly repeated: readonly string[]
  /** Repetitions that do not say the same. */
  readonly contradicts: boolean
  /** How deep the text nests. */
  readonly depth: number
}

/** The fields that decide, where they stand: `strict` and `lenient` list known values, strictest first. */
type Spec = Readonly<Record<string, Leaf | { readonly inside: Spec }>>
interface Leaf {
  readonly strict: readonly unknown[]
  readonly lenient: readonly unknown[]
}
const decisions: Spec = {
  decision: { strict: ['block'], lenient: ['approve'] },
  continue: { strict: [false], lenient: [true] },
  ok: { strict: [false], lenient: [true] },
  hookSpecificOutput: {
    inside: {
      permissionDecision: { strict: ['deny', 'defer', 'ask'], lenient: ['allow'] },
      action: { strict: ['decline', 'cancel'], lenient: ['accept'] },
      decision: { inside: { behavior: { strict: ['deny'], lenient: ['allow'] } } },
    },
  },
}

/** Looks for repeated decision fields in the text of one JSON object, escaped spellings included. `parsed` is what `JSON.parse` made of it. */
export function keepStricter(text: string, event: string, parsed: Json = JSON.parse(text) as Json): Kept {
  const nesting = writtenOnce(text, parsed) ?? plainNesting(text)
  if (nesting !== undefined) return { value: parsed, repeated: noKeys, contradicts: false, depth: nesting }
  const found = { repeated: new Set<string>(), contradicts: false, event }
  const { value, depth } = merge(text, decisions, found)
  return { value, repeated: [...found.repeated], contradicts: found.contradicts, depth }
}

const noKeys: readonly string[] = Object.freeze([])
const mostStrings = 256
const deepest = 32

/**
 * How deep an object nests whose text says nothing twice: without an escape every quote opens or closes a string, and what was
 * repeated is a key less in the object than in its text. `undefined`: this cannot be told so cheaply.
 */
function writtenOnce(text: string, parsed: Json): number | undefined {
  if (text.includes('\\')) return undefined
  let quotes = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) if (++quotes > 2 * mostStrings) return undefined
  const found = { strings: 0, depth: 0 }
  count(parsed, 1, found)
  return quotes === 2 * found.strings && found.depth <= deepest ? found.depth : undefined
}

/** Counts keys and texts, as deep as is looked. */
function count(value: object, depth: number, found: { strings: number; depth: number }): void {
  if (depth > found.depth) found.depth = depth
  if (depth > deepest) return
  const isList = Array.isArray(value)
  for (const key in value) {
    if (!isList) found.strings += 1
    const inner = (value as Json)[key]
    if (typeof inner === 'string') found.strings += 1
    else if (typeof inner === 'object' && inner !== null) count(inner, depth + 1, found)
  }
}

const decisionKeys = ['decision', 'continue', 'ok', 'hookSpecificOutput', 'permissionDecision', 'action', 'behavior'].map((key) => `"${key}"`)
const fewNests = 64

/** How often the text opens something, when that is seldom and no decision field can stand twice: the common answer needs no second reading. */
function plainNesting(text: string): number | undefined {
  // An escape could spell a key another way.
  if (text.includes('\\u')) return undefined
  for (const key of decisionKeys) {
    const first = text.indexOf(key)
    if (first !== -1 && text.indexOf(key, first + key.length) !== -1) return undefined
  }
  let opened = 0
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      opened += 1
      if (opened > fewNests) return undefined
    }
  }
  return opened
}

interface Found {
  readonly repeated: Set<string>
  contradicts: boolean
  readonly event: string
}

// The specification is three levels deep, and so is this recursion; the text may nest as it likes.
function merge(text: string, spec: Spec, found: Found): { value: Json; depth: number } {
  const value = JSON.parse(text) as Json
  const { members, depth } = scanObject(text, text.indexOf('{'), new Set(Object.keys(spec)))
  const spellings = new Map<string, string[]>()
  for (const { key, start, end } of members) {
    const seen = spellings.get(key)
    if (seen === undefined) spellings.set(key, [text.slice(start, end)])
    else seen.push(text.slice(start, end))
  }
  for (const [key, written] of spellings) {
    if (written.length > 1) {
      found.repeated.add(key)
      if (written.some((one) => one !== written[0])) found.contradicts = true
    }
    const field = spec[key] as Leaf | { inside: Spec }
    if ('inside' in field)
      value[key] = strictest(
        written.map((one) => (one.startsWith('{') ? merge(one, field.inside, found).value : JSON.parse(one))),
        (one) => rankInside(one, field.inside, found.event),
      )
    else if (written.length > 1)
      value[key] = strictest(
        written.map((one) => JSON.parse(one) as unknown),
        (one) => rank(one, field),
      )
  }
  return { value, depth }
}

function strictest(values: readonly unknown[], rankOf: (value: unknown) => number): unknown {
  let best = values[0]
  let bestRank = rankOf(best)
  for (const value of values) {
    const own = rankOf(value)
    if (own < bestRank) {
      best = value
      bestRank = own
    }
  }
  return best
}

/** Unknown values rank before the permissive ones: what nobody understands must not give way to an approval. */
function rank(value: unknown, { strict, lenient }: Leaf): number {
  const at = strict.indexOf(value)
  if (at !== -1) return at
  return lenient.includes(value) ? 100 : 50
}

const saysNothing = 200

function rankInside(value: unknown, spec: Spec, event: string): number {
  if (typeof value !== 'object' || value === null) return 50
  const fields = value as Json
  // An answer to another event counts for nothing, whatever it says.
  if (Object.hasOwn(fields, 'hookEventName') && fields['hookEventName'] !== event) return saysNothing + 1
  let best = saysNothing
  for (const [key, field] of Object.entries(spec)) {
    if (!Object.hasOwn(fields, key)) continue
    best = Math.min(best, 'inside' in field ? rankInside(fields[key], field.inside, event) : rank(fields[key], field))
  }
  return best
}
