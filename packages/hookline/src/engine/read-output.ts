/** Tells what a hook printed: nothing, text, one JSON object, or something broken (protocol §3.1, design decision 4). */
import { oneLine } from './clean-text.ts'
import { type Kept, keepStricter } from './duplicate-keys.ts'
import { isObject } from './read-fields.ts'
import { closesAt, whereJsonBreaks } from './read-json.ts'
import { speaksWire } from './read-wire.ts'

/** What the text is. `braced`: it starts with a brace and is not one object, a failure for a hook that fails closed. */
export type Output =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string; readonly braced: boolean; readonly answerAt?: 'start' | 'inside' }
  | ({ readonly kind: 'object'; readonly text: string } & Kept)
  | { readonly kind: 'broken'; readonly why: string; readonly braced: true }

/** Reads what was printed to an event. Blanks around it, a byte order mark among them, do not count. `before`: what such a text was parsed to already. */
export function readOutput(printed: string, event: string, before?: { readonly text: string; readonly value: unknown }): Output {
  const text = printed.trim()
  if (text === '') return { kind: 'empty' }
  if (!text.startsWith('{')) {
    const inside = text.search(/^[\t ]*\{/m)
    return { kind: 'text', text, braced: false, ...(inside !== -1 && holdsAnswer(text, text.indexOf('{', inside)) ? { answerAt: 'inside' } : {}) }
  }
  if (!text.endsWith('}')) {
    if (closesAt(text, 0) === -1) return { kind: 'broken', why: `JSON that is not complete: ${brokenAt(text)}`, braced: true }
    return { kind: 'text', text, braced: true, ...(holdsAnswer(text, 0) ? { answerAt: 'start' } : {}) }
  }
  const parsed = before !== undefined && before.text === text && isObject(before.value) ? before.value : parse(text)
  if (parsed !== undefined) {
    const { value, repeated, contradicts, depth } = keepStricter(text, event, parsed)
    return { kind: 'object', value, repeated, contradicts, depth, text }
  }
  const lines = jsonLines(text)
  if (lines === undefined) return { kind: 'broken', why: `JSON that does not parse: ${brokenAt(text)}`, braced: true }
  if (lines.some((line) => isObject(line) && speaksWire(line)))
    return { kind: 'broken', why: `${lines.length} lines of JSON; an answer is one object`, braced: true }
  return { kind: 'text', text, braced: true }
}

/** Parses text as one JSON object; anything else, and what does not parse, is `undefined`. */
function parse(text: string): Record<string, unknown> | undefined {
  const value = parseAny(text)
  return isObject(value) ? value : undefined
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The values of a text whose every line is JSON, when there are at least two. */
function jsonLines(text: string): unknown[] | undefined {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const value = parseAny(line)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values.length < 2 ? undefined : values
}

/** Whether the object at `open` would have been an answer, had it stood alone. */
function holdsAnswer(text: string, open: number): boolean {
  const end = closesAt(text, open)
  if (end === -1) return false
  const value = parse(text.slice(open, end))
  return value !== undefined && speaksWire(value)
}

function brokenAt(text: string): string {
  const at = whereJsonBreaks(text)
  if (at >= text.length) return `it ends at position ${text.length}`
  const line = text.slice(0, at).split('\n').length
  return `${oneLine(JSON.stringify(text[at]), 10)} at position ${at}${line > 1 ? `, line ${line}` : ''}`
}
