/** Reads JSON that a person gave, and says where it stops being JSON. */
import { Failure } from './failure.ts'
import { shownLine } from './render/shown.ts'

/** What a JSON text is called in messages, and what to do when it is none. */
export interface JsonSource {
  readonly name: string
  readonly hint?: string
}

/** @throws Failure with line and column. */
export async function parseJson(text: string, source: JsonSource): Promise<unknown> {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return JSON.parse(body)
  } catch {
    const { jsonMistake } = await import('./json-mistake.ts')
    const { what, line, column } = jsonMistake(body)
    throw new Failure('malformed-json', `not valid JSON: ${what}.`, {
      file: source.name,
      line,
      column,
      ...(source.hint === undefined ? {} : { hint: source.hint }),
    })
  }
}

/** @throws Failure when the text is no JSON object. */
export async function parseObject(text: string, source: JsonSource): Promise<Record<string, unknown>> {
  const value = await parseJson(text, source)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  const hint = source.hint ?? 'Give an object: {"…": "…"}.'
  throw new Failure('not-an-object', `expected a JSON object, got ${kindOf(value)}: ${shownLine(body(value), 60)}`, {
    file: source.name,
    line: 1,
    column: 1,
    hint,
  })
}

function body(value: unknown): string {
  return JSON.stringify(value)
}

/** What a JSON value is, in a word with its article. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? typeof value
}
