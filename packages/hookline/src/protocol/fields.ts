/** Builders for the input fields of the event table: one call gives the type, the check, the schema and the description. */

/** The JSON shape of a field, as checks and JSON Schema see it. */
export type FieldShape = 'text' | 'number' | 'flag' | 'object' | 'list' | 'anything'

/** One input field. `T` is its TypeScript type, `O` whether it may be absent. */
export interface Field<T = unknown, O extends boolean = boolean> {
  readonly shape: FieldShape
  readonly summary: string
  readonly optional: O
  /** `null` is a legal value. */
  readonly nullable?: true
  /** Known values of a text; `open` says that others may come. */
  readonly values?: readonly string[]
  readonly open?: true
  readonly '~type'?: T
}

/** The fields of one event, by wire name. */
export type Fields = Readonly<Record<string, Field>>
/** A part of a table row that describes input. */
export type TypeOf<F> = F extends Field<infer T, boolean> ? T : never
type Optionals<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F]
type Flat<T> = { [K in keyof T]: T[K] }
/** The object type that a set of fields describes. */
export type InputOfFields<F extends Fields> = Flat<
  { -readonly [K in Exclude<keyof F, Optionals<F>>]: TypeOf<F[K]> } & { -readonly [K in Optionals<F>]?: TypeOf<F[K]> }
>

/** A string. */
export const text = (summary: string): Field<string, false> => ({ shape: 'text', summary, optional: false })
/** A string out of a closed list. */
export const oneOf = <const V extends readonly string[]>(values: V, summary: string): Field<V[number], false> => ({
  shape: 'text',
  summary,
  optional: false,
  values,
})
/** A string with known values, where others may come. */
export const known = <const V extends readonly string[]>(values: V, summary: string): Field<V[number] | (string & {}), false> => ({
  shape: 'text',
  summary,
  optional: false,
  values,
  open: true,
})
/** A finite number. */
export const number = (summary: string): Field<number, false> => ({ shape: 'number', summary, optional: false })
/** true or false. */
export const flag = (summary: string): Field<boolean, false> => ({ shape: 'flag', summary, optional: false })
/** A JSON object. */
export const object = <T extends object = Record<string, unknown>>(summary: string): Field<T, false> => ({ shape: 'object', summary, optional: false })
/** A list of `T`. */
export const list = <T = unknown>(summary: string): Field<readonly T[], false> => ({ shape: 'list', summary, optional: false })
/** Any JSON value; only its absence is a mistake. */
export const anything = (summary: string): Field<unknown, false> => ({ shape: 'anything', summary, optional: false })
/** The field may be absent. */
export const optional = <T>(field: Field<T, boolean>): Field<T, true> => ({ ...field, optional: true })
/** The field may be `null`. */
export const nullable = <T, O extends boolean>(field: Field<T, O>): Field<T | null, O> => ({ ...field, nullable: true }) as Field<T | null, O>

/** What is wrong with `value` for this field, in words; `undefined` when nothing is. */
export function misfit(field: Field, value: unknown): string | undefined {
  if (value === undefined) return field.optional ? undefined : 'is missing'
  if (value === null && field.nullable) return undefined
  switch (field.shape) {
    case 'text':
      if (typeof value !== 'string') return `must be a string, not ${nameOf(value)}`
      if (field.values && !field.open && !field.values.includes(value)) return `must be one of ${field.values.join(', ')}, not ${JSON.stringify(value)}`
      return undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : `must be a number, not ${nameOf(value)}`
    case 'flag':
      return typeof value === 'boolean' ? undefined : `must be true or false, not ${nameOf(value)}`
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : `must be an object, not ${nameOf(value)}`
    case 'list':
      return Array.isArray(value) ? undefined : `must be a list, not ${nameOf(value)}`
    case 'anything':
      return undefined
  }
}

/** The JSON kind of a value, as a message says it. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'number') return 'a number'
  if (typeof value === 'boolean') return String(value)
  return typeof value
}
