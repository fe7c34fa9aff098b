/** The public question "does this matcher match this value", as `try matcher` asks it. */
import { HooklineError } from '../errors.ts'
import type { EventRef } from '../protocol/event-types.ts'
import { eventNames, rowOf } from '../protocol/events.ts'
import type { EventRow } from '../protocol/row.ts'
import { type BoundedRegex, compileMatcher, type Matcher } from './matcher.ts'
import { nearest } from './nearest.ts'

/** The answer. `matches` is `null` when the matcher is invalid (then `error` says why), or when nothing can be told in time. */
export interface MatchAnswer {
  matches: boolean | null
  kind: Matcher['kind']
  error?: NonNullable<Matcher['error']>
}

/**
 * Tries a matcher of `event` against a match value such as a tool name. `matcher` is what a settings file holds, of any type.
 * Without an event the common rules hold. `bounded` lets patterns run that need a time limit; without it they are `unbounded`.
 * @throws HooklineError `unknown-event`.
 */
export function matchValue(event: EventRef | undefined, matcher: unknown, { value, bounded }: { value: string; bounded?: BoundedRegex }): MatchAnswer
export function matchValue(event: EventRef | undefined, matcher: unknown, value: string): MatchAnswer
export function matchValue(event: EventRef | undefined, matcher: unknown, asked: string | { value: string; bounded?: BoundedRegex }): MatchAnswer {
  const { value, bounded } = typeof asked === 'string' ? { value: asked, bounded: undefined } : asked
  const compiled = compileMatcher(matcher, { ...(event === undefined ? {} : matcherRules(rowFor(event))), ...(bounded === undefined ? {} : { bounded }) })
  return { matches: compiled.test(value), kind: compiled.kind, ...(compiled.error === undefined ? {} : { error: compiled.error }) }
}

/** How a row reads its matchers. */
export function matcherRules(row: EventRow): { narrow: boolean; tools: boolean } {
  return { narrow: row.narrow === true, tools: row.match === 'tool_name' }
}

function rowFor(event: EventRef): EventRow {
  const row = typeof event === 'string' ? rowOf(event) : (event as unknown as EventRow)
  if (row !== undefined) return row
  const near = nearest(String(event), eventNames)
  throw new HooklineError('unknown-event', `"${String(event)}" is not an event.`, near === undefined ? {} : { hint: `Did you mean "${near}"?` })
}
