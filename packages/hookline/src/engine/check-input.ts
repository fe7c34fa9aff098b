/** Says whether an input fits its event. */
import { HooklineError } from '../errors.ts'
import type { HostRow } from '../protocol/define-event.ts'
import type { NamedRow } from '../protocol/events.ts'
import { anything, type Field, flag, misfit, object, optional, text } from '../protocol/fields.ts'

/** The plain input of a call: wire names to JSON values. */
export type PlainInput = Readonly<Record<string, unknown>>

const baseFields: Readonly<Record<string, Field>> = {
  session_id: text(''),
  transcript_path: text(''),
  cwd: text(''),
  hook_event_name: text(''),
  prompt_id: optional(text('')),
  permission_mode: optional(text('')),
  agent_id: optional(text('')),
  agent_type: optional(text('')),
  effort: optional(object('')),
  stop_hook_active: optional(flag('')),
}

/** One field of a row. All are of one make, which V8 reads faster than the row's own records. */
class Check {
  readonly name: string
  readonly isOptional: boolean
  /** Any text, or any object, will do; else the field has to be asked. */
  readonly plain: 'text' | 'object' | undefined
  readonly field: Field

  constructor(name: string, field: Field) {
    this.name = name
    this.field = field
    this.isOptional = field.optional
    this.plain = field.nullable || (field.values && !field.open) ? undefined : field.shape === 'text' || field.shape === 'object' ? field.shape : undefined
  }

  fits(value: unknown): boolean {
    if (value === undefined) return this.isOptional
    if (this.plain === 'text') return typeof value === 'string'
    if (this.plain === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
    return misfit(this.field, value) === undefined
  }
}
const checksOf = new WeakMap<NamedRow, readonly Check[]>()

function checksFor(row: NamedRow): readonly Check[] {
  let checks = checksOf.get(row)
  if (checks === undefined) {
    checks = Object.entries(row.input).map(([name, field]) => new Check(name, field))
    checksOf.set(row, checks)
  }
  return checks
}

/**
 * Says whether an input fits the event, common fields included.
 * @throws HooklineError `invalid-input` that names every field that does not.
 */
export function checkInput(row: NamedRow, input: unknown): asserts input is PlainInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new HooklineError('invalid-input', `${row.name}: the input must be an object.`, {
      hint: `See the fields of ${row.name} in docs/reference/events.md.`,
    })
  }
  const given = input as Record<string, unknown>
  if (!fitsBase(row, given) || 'schema' in row || !fitsOwn(given, checksFor(row))) refuseInput(row, given, Object.entries({ ...baseFields, ...row.input }))
}

/** The same as `baseFields`, by name: the engine of V8 reads fields fast whose names stand in the code. */
function fitsBase(row: NamedRow, given: Record<string, unknown>): boolean {
  return (
    given['hook_event_name'] === row.name &&
    typeof given['session_id'] === 'string' &&
    typeof given['transcript_path'] === 'string' &&
    typeof given['cwd'] === 'string' &&
    isTextOrAbsent(given['prompt_id']) &&
    isTextOrAbsent(given['permission_mode']) &&
    isTextOrAbsent(given['agent_id']) &&
    isTextOrAbsent(given['agent_type']) &&
    (given['effort'] === undefined || misfit(baseFields['effort'] as Field, given['effort']) === undefined) &&
    (given['stop_hook_active'] === undefined || typeof given['stop_hook_active'] === 'boolean')
  )
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function fitsOwn(given: Record<string, unknown>, checks: readonly Check[]): boolean {
  for (let index = 0; index < checks.length; index++) {
    const check = checks[index] as Check
    if (!check.fits(given[check.name])) return false
  }
  return true
}

function refuseInput(row: NamedRow, given: Record<string, unknown>, checks: readonly (readonly [string, Field])[]): void {
  const faults: string[] = []
  for (const [name, field] of checks) {
    const fault = misfit(field, given[name])
    if (fault !== undefined) faults.push(`"${name}" ${fault}`)
  }
  if (given['hook_event_name'] !== row.name) faults.push(`"hook_event_name" must be "${row.name}"`)
  if ('schema' in row) faults.push(...schemaFaults(row as HostRow, given))
  if (faults.length === 0) return
  throw new HooklineError('invalid-input', `${row.name}: ${faults.join('; ')}.`, { hint: `See the fields of ${row.name} in docs/reference/events.md.` })
}

function schemaFaults(row: HostRow, input: PlainInput): string[] {
  const result = row.schema['~standard'].validate(input)
  if (typeof result === 'object' && result !== null && 'then' in result) {
    throw new HooklineError('invalid-option', `${row.name}: its schema checks asynchronously.`, {
      hint: 'Give defineEvent a schema that validates synchronously.',
    })
  }
  const issues = (result as { issues?: readonly { message?: string; path?: readonly unknown[] }[] } | undefined)?.issues
  return (issues ?? []).map((issue) => `${(issue.path ?? []).map((step) => `"${keyOf(step)}"`).join('.')} ${issue.message ?? 'does not fit'}`.trim())
}

function keyOf(step: unknown): string {
  return String(typeof step === 'object' && step !== null && 'key' in step ? step.key : step)
}

const nothingAsked = new Check('', optional(anything('')))

/**
 * Inputs of one make: the same fields in the same order, given beside the same common fields. Once one of them was found right, the next
 * ones need only their values looked at.
 */
export class KnownMake {
  readonly #row: NamedRow
  #names: readonly string[] | undefined
  #checks: readonly Check[] = []

  constructor(row: NamedRow) {
    this.#row = row
  }

  /** Remembers the make of what a host gave, which was found right as a whole. */
  learn(given: object): void {
    const names = Object.keys(given)
    // Its value says more than its kind, and a schema of the host looks at the whole.
    if (names.includes('hook_event_name') || 'schema' in this.#row) return
    const common = Object.entries(baseFields).map(([name, field]) => new Check(name, field))
    const checks = new Map([...common, ...checksFor(this.#row)].map((check) => [check.name, check]))
    this.#names = names
    this.#checks = names.map((name) => checks.get(name) ?? nothingAsked)
  }

  /** Whether an input is of the make that is known, and right. `false` is no answer: ask `checkInput`. */
  fits(given: unknown): boolean {
    const names = this.#names
    const checks = this.#checks
    if (names === undefined || typeof given !== 'object' || given === null) return false
    let at = 0
    for (const name in given) {
      if (name !== names[at]) return false
      const value = (given as Record<string, unknown>)[name]
      const check = checks[at] as Check
      // The two kinds that most fields are of, without a call.
      if (check.plain === 'text' && typeof value === 'string') at += 1
      else if (check.plain === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value)) at += 1
      else if (check.fits(value)) at += 1
      else return false
    }
    return at === names.length
  }
}
