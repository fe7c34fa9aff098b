/** Events of a host's own: a subset of a table row, with any Standard Schema for the input. */
import { HooklineError } from '../errors.ts'
import type { EventDef } from './event-types.ts'
import { type NamedRow, rowOf } from './events.ts'
import { anything, type Fields } from './fields.ts'
import { type HandlerType, handlerTypes } from './handler-spec.ts'
import type { Power } from './powers.ts'

/** The part of a Standard Schema (v1) that Hookline uses. */
export interface StandardSchema<I> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly input: unknown; readonly output: I } | undefined
  }
}

/** What `defineEvent` takes. `timeout` is in seconds. */
export interface EventSpec<N extends string, I, P extends Power> {
  name: N
  summary: string
  input: StandardSchema<I>
  match?: keyof I & string
  powers?: readonly P[]
  onBlock?: 'refuse' | 'feedback' | 'resume' | 'end'
  reasonTo?: 'model' | 'user' | 'nobody'
  stdout?: 'log' | 'context'
  failClosed?: boolean
  ifRule?: boolean
  handlers?: readonly string[]
  timeout?: number
}

/** A row of a host-defined event: a table row plus the schema that checks its input. */
export interface HostRow extends NamedRow {
  readonly schema: StandardSchema<unknown>
}

const blocking: readonly Power[] = ['block', 'permission', 'grant', 'confirm', 'veto']

/**
 * Defines an event that only this host fires. Pass the result to `fire`, `on` and `has`, and in `createEngine({ events })`
 * when settings files may name it.
 * @throws HooklineError `invalid-option` when the name is taken, empty, or a handler type is unknown.
 */
export function defineEvent<const N extends string, I, const P extends Power = never>(event: EventSpec<N, I, P>): EventDef<N, I, P> {
  if (typeof event.name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]*$/.test(event.name)) {
    throw new HooklineError('invalid-option', `defineEvent: ${JSON.stringify(event.name)} is not usable as an event name.`, {
      hint: 'Start with a letter and use letters, digits and "_" only.',
    })
  }
  if (rowOf(event.name))
    throw new HooklineError('invalid-option', `defineEvent: "${event.name}" is an event of the table already.`, {
      hint: 'Choose another name, for example with a prefix of your own.',
    })
  const handlers = (event.handlers ?? handlerTypes) as readonly HandlerType[]
  const unknown = handlers.find((type) => !handlerTypes.includes(type))
  if (unknown !== undefined)
    throw new HooklineError('invalid-option', `defineEvent: "${unknown}" is not a handler type.`, { hint: `Use some of ${handlerTypes.join(', ')}.` })
  const powers: readonly Power[] = event.powers ?? []
  const blocks = powers.some((power) => blocking.includes(power))
  const fields: Fields = event.match === undefined ? {} : { [event.match]: anything('What matchers look at.') }
  const row: HostRow = {
    name: event.name,
    group: 'session',
    summary: event.summary,
    input: fields,
    handlers: [...new Set([...handlers, 'callback', 'function'] as const)],
    powers,
    messageTo: 'user',
    stdout: event.stdout ?? 'log',
    failClosed: event.failClosed && blocks ? 'can' : 'never',
    schema: event.input,
    ...(event.match === undefined ? {} : { match: event.match }),
    ...(blocks ? { onBlock: event.onBlock ?? 'refuse', reasonTo: event.reasonTo ?? 'model' } : { exit2: 'notice' as const }),
    ...(event.ifRule ? { condition: true as const } : {}),
    ...(event.timeout === undefined ? {} : { timeouts: { default: event.timeout } }),
  }
  return Object.freeze(row) as unknown as EventDef<N, I, P>
}
