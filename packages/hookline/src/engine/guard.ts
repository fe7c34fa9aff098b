/** The built-in guard: a last look at what a tool call would do, after every rewrite and before the verdict is written down. */
import type { NamedRow } from '../protocol/events.ts'
import { events } from '../protocol/events.ts'
import type { HookInfo, HookReport } from '../protocol/hook.ts'
import type { Part } from './aggregate.ts'
import type { PlainInput } from './check-input.ts'
import type { FoldedVerdict, VerdictParts } from './verdict.ts'

/** Looks at tool calls; a port, because what it protects stands in places that only a composition root knows. */
export interface Guard {
  /** Whether it is switched on now. */
  readonly on: boolean
  /** Why the call may not run; `undefined`: nothing against it. Reads `tool_name`, `tool_input` and `cwd`. Never throws. */
  refuses(input: PlainInput): string | undefined
}

/** How the guard shows in reports. It is in no listing, because it runs only where it refuses. */
export const guardInfo: HookInfo = Object.freeze({
  id: `builtin:${events.PreToolUse.name}:0:0`,
  event: events.PreToolUse.name,
  type: 'callback',
  label: 'self-protection',
  source: Object.freeze({ id: 'builtin', kind: 'builtin' }),
  timeout: 600,
  flags: Object.freeze([]),
  digest: '',
  trust: 'not-needed',
})

/** The guard that is in force at an event. */
export function guardAt(row: NamedRow, guard: Guard | undefined): Guard | undefined {
  return guard !== undefined && row === events.PreToolUse && guard.on ? guard : undefined
}

/** The verdict with the guard's refusal in it, as the first hook in configuration order; the same verdict when it has nothing to say. */
export function guarded(verdict: FoldedVerdict, made: VerdictParts, guard: Guard | undefined): FoldedVerdict {
  const inForce = guardAt(made.call.row, guard)
  if (inForce === undefined) return verdict
  // Nobody said anything, so nothing was rewritten either.
  const reason = inForce.refuses(made.parts.length === 0 ? made.call.input : verdict.input)
  if (reason === undefined) return verdict
  const answer = { permission: 'deny' as const, reason }
  const part: Part = { by: guardInfo.id, said: { words: answer, messages: [], warnings: [] } }
  const report: HookReport = { ...guardInfo, status: 'ran', ending: { kind: 'returned' }, outcome: 'blocking', answer, ms: 0 }
  const { hooks } = made
  return new verdict.kind({ ...made, parts: [part, ...made.parts], hooks: () => [report, ...(typeof hooks === 'function' ? hooks() : hooks)] })
}
