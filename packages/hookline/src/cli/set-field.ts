/** `--set field=value`: one field of an input, read by what the event table says the field holds. */
import type { BaseInput, NamedRow } from '../index.ts'
import { Failure } from './failure.ts'
import { kindOf } from './read-json.ts'

type Fields = Record<string, unknown>
type Shape = NamedRow['input'][string]['shape']

/** Fields that every event may have. */
const baseShapes: Readonly<Record<Exclude<keyof BaseInput, 'hook_event_name'> | 'stop_hook_active', Shape>> = {
  session_id: 'text',
  transcript_path: 'text',
  cwd: 'text',
  prompt_id: 'text',
  permission_mode: 'text',
  agent_id: 'text',
  agent_type: 'text',
  effort: 'object',
  stop_hook_active: 'flag',
}
const shapes: Readonly<Record<string, { needs: string; sample: string }>> = {
  text: { needs: 'a text', sample: 'text' },
  number: { needs: 'a number', sample: '12' },
  flag: { needs: 'true or false', sample: 'true' },
  list: { needs: 'a JSON list', sample: "'[]'" },
  object: { needs: 'a JSON object', sample: "'{}'" },
  anything: { needs: 'a JSON value', sample: 'text' },
}

/** A value that a field of this shape takes, as one would type it. */
export function sampleOf(shape: Shape): string {
  return shapes[shape]?.sample ?? 'text'
}

/** The field names of an event, in a sentence. */
export function fieldsOf(row: NamedRow): string {
  return `Fields of ${row.name}: ${[...Object.keys(row.input), ...Object.keys(baseShapes).filter((key) => !(key in row.input) && key !== 'stop_hook_active')].join(', ')}.`
}

/** Sets `field=value`, or `field.inner=value` inside an object. @throws Failure. */
export function setField(row: NamedRow, input: Fields, assignment: string): void {
  const equals = assignment.indexOf('=')
  if (equals < 1)
    throw new Failure('malformed-set', `--set: ${JSON.stringify(assignment)} is not field=value.`, {
      hint: 'For example: --set prompt=hello, or --set duration_ms=12.',
    })
  const [name = '', ...inner] = assignment.slice(0, equals).split('.')
  const shape = Object.hasOwn(row.input, name)
    ? row.input[name]?.shape
    : Object.hasOwn(baseShapes, name)
      ? baseShapes[name as keyof typeof baseShapes]
      : undefined
  if (shape === undefined) {
    throw new Failure('no-such-field', `--set: ${row.name} has no field "${name}".`, { hint: `${fieldsOf(row)} Others can be given through --input.` })
  }
  const written = assignment.slice(equals + 1)
  if (inner.length > 0) setInner(input, [name, ...inner], anyValue(written))
  else input[name] = readValue(name, { shape, nullable: row.input[name]?.nullable === true }, written)
}

/** A field that holds text takes the words as they stand; only a text in JSON quotes is unquoted. */
function readValue(name: string, { shape, nullable }: { shape: Shape; nullable: boolean }, written: string): unknown {
  const value = anyValue(written)
  if (nullable && value === null) return null
  if (shape === 'text') return typeof value === 'string' ? value : written
  if (shape === 'anything' || kindOf(value) === { number: 'a number', flag: 'true or false', list: 'a list', object: 'an object' }[shape]) return value
  throw new Failure('invalid-input', `--set ${name}: ${shapes[shape]?.needs} is expected, got ${kindOf(value)}.`, {
    hint: `For example: --set ${name}=${sampleOf(shape)}.`,
  })
}

function setInner(input: Fields, path: readonly string[], value: unknown): void {
  let parent = input
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(parent, key) ? parent[key] : {}
    if (typeof next !== 'object' || next === null || Array.isArray(next)) {
      throw new Failure('not-an-object', `--set ${path.join('.')}: "${key}" is ${kindOf(next)}, not an object.`, { hint: `Set "${key}" as a whole.` })
    }
    define(parent, key, next)
    parent = next as Fields
  }
  define(parent, path.at(-1) as string, value)
}

/** Defined, not assigned: a key "__proto__" is data here. */
function define(parent: Fields, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, writable: true, configurable: true })
}

function anyValue(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}
