/** Opens one call: checks the input, and makes the payload and the signal only when somebody reads them. */
import { HooklineError } from '../errors.ts'
import type { FireOptions, Locals } from '../protocol/answering.ts'
import type { HostRow } from '../protocol/define-event.ts'
import type { NamedRow } from '../protocol/events.ts'
import { type Field, flag, misfit, object, optional, text } from '../protocol/fields.ts'
import { onAbort } from '../protocol/on-abort.ts'
import { encodeSliced, weigh } from './call-payload.ts'

/** The plain input of a call: wire names to JSON values. */
export type PlainInput = Readonly<Record<string, unknown>>

/** Where a call is opened: a scope, as far as a call needs to know it. Read when needed, never copied. */
export interface CallOrigin {
  readonly sessionId: string
  readonly agentId: string | undefined
  readonly projectDir: string
  /** Fires when the scope closes. */
  readonly closing: AbortSignal
  readonly envFile: string | null
}

/** An input that weighs more is written down in slices. */
const largestAtOnce = 1_000_000

const noLocals: Locals = Object.freeze({})
let openCalls = 0
let copyId: string | undefined

/** One random part per loaded copy keeps ids of two processes apart, so that an endpoint may use a call id as its idempotency key. */
function nextCallId(count: number): string {
  copyId ??= crypto.randomUUID().slice(0, 8)
  return `c-${copyId}-${count}`
}

/** One firing of one event. */
export class OpenCall {
  declare readonly row: NamedRow
  declare readonly input: PlainInput
  declare readonly origin: CallOrigin
  declare readonly startedAt: number
  readonly #options: FireOptions | undefined
  #number = 0
  #payload: Uint8Array | undefined
  #preparing: Promise<void> | undefined
  #fault: { readonly error: unknown } | undefined
  #abort: AbortController | undefined
  #deaf: readonly (() => void)[] | undefined

  constructor(row: NamedRow, input: PlainInput, { origin, options }: { origin: CallOrigin; options: FireOptions | undefined }) {
    this.row = row
    this.input = input
    this.origin = origin
    this.#options = options
    this.startedAt = performance.now()
  }

  /** Unique over processes. Numbered when first read. */
  get callId(): string {
    if (this.#number === 0) this.#number = ++openCalls
    return nextCallId(this.#number)
  }

  get sessionId(): string {
    return this.origin.sessionId
  }

  get locals(): Locals {
    return this.#options?.locals ?? noLocals
  }

  /**
   * The input as UTF-8 JSON, serialised once however many hooks read it.
   * @throws TypeError when the input cannot be serialised (a cycle, a BigInt).
   */
  get payload(): Uint8Array {
    if (this.#fault !== undefined) throw this.#fault.error
    // JSON.stringify writes lone surrogates as escapes, so the bytes are valid UTF-8 whatever the text was.
    this.#payload ??= new TextEncoder().encode(JSON.stringify(this.input))
    return this.#payload
  }

  /**
   * Writes the payload down without keeping the event loop waiting; `undefined` when it is there already, or so small that the first reader
   * may do it. What goes wrong is told by `payload`.
   */
  preparePayload(): Promise<void> | undefined {
    if (this.#payload !== undefined || this.#fault !== undefined) return undefined
    if (this.#preparing === undefined && !this.#isLarge()) return undefined
    this.#preparing ??= encodeSliced(this.input).then(
      (payload) => {
        this.#payload ??= payload
      },
      (error: unknown) => {
        this.#fault = { error }
      },
    )
    return this.#preparing
  }

  #isLarge(): boolean {
    try {
      return weigh(this.input, largestAtOnce) < 0
    } catch {
      // A getter that throws, or nesting without end: whoever reads the payload is told.
      return false
    }
  }

  /** Fires when the host aborts or the scope closes. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      this.#abort = abort
      const own = this.#options?.signal
      const sources = own === undefined ? [this.origin.closing] : [own, this.origin.closing]
      this.#deaf = sources.map((source) => onAbort(source, () => abort.abort(source.reason)))
    }
    return this.#abort.signal
  }

  /** Calls `act` when `signal` fires or would fire, at once if it has; makes no signal. The returned function takes it back. */
  whenAborted(act: () => void): () => void {
    const own = this.#options?.signal
    if (this.#abort !== undefined || own === undefined) return onAbort(this.#abort?.signal ?? this.origin.closing, act)
    let isOver = false
    const once = () => {
      if (!isOver) act()
      isOver = true
    }
    const undo = [own, this.origin.closing].map((source) => onAbort(source, once))
    return () => {
      for (const stop of undo) stop()
    }
  }

  /** Lets go of the host's signal, which may live for hours. Call it when the verdict is there. */
  settle(): void {
    if (this.#deaf !== undefined) for (const stop of this.#deaf) stop()
    this.#deaf = undefined
  }

  /** The same call with another input; it keeps its id. */
  withInput(input: PlainInput): OpenCall {
    const copy = new OpenCall(this.row, input, { origin: this.origin, options: this.#options })
    void this.callId
    copy.#number = this.#number
    return copy
  }
}

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
  let own = checksOf.get(row)
  if (own === undefined) {
    own = Object.entries(row.input).map(([name, field]) => new Check(name, field))
    checksOf.set(row, own)
  }
  const given = input as Record<string, unknown>
  if (!fitsBase(row, given) || 'schema' in row || !fitsOwn(given, own)) refuseInput(row, given, Object.entries({ ...baseFields, ...row.input }))
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
