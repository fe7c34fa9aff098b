/** Finds records: by session, event, hook, decision, outcome, kind and time. */

import { HooklineError } from '../errors.ts'
import type { HookNote } from './hook-note.ts'
import type { AuditRecord } from './record.ts'

/** What to look for; every part that is there must fit, and a list fits when one of its words does. */
export interface AuditQuery {
  readonly session?: readonly string[]
  readonly event?: readonly string[]
  /** A hook's id, or any part of it. */
  readonly hook?: readonly string[]
  readonly decision?: readonly string[]
  readonly outcome?: readonly string[]
  readonly kind?: readonly string[]
  /** Milliseconds since the epoch; the first moment that fits. */
  readonly since?: number
  /** The first moment that does not fit any more. */
  readonly until?: number
}

/** Whether a record is one that was asked for. */
export function fits(record: AuditRecord, query: AuditQuery): boolean {
  const { session, event, hook, decision, outcome, kind, since, until } = query
  if (since !== undefined && record.at < since) return false
  if (until !== undefined && record.at >= until) return false
  if (kind !== undefined && !kind.includes(record.kind)) return false
  if (session !== undefined && !session.some((part) => record.session.startsWith(part))) return false
  if (event !== undefined && !('event' in record && event.includes(record.event))) return false
  if (decision !== undefined && !('decision' in record && decision.includes(record.decision))) return false
  const hooks: readonly HookNote[] = record.kind === 'verdict' ? record.hooks : []
  if (outcome !== undefined && !hooks.some((one) => outcome.includes(one.outcome))) return false
  if (hook === undefined) return true
  const named = record.kind === 'late' ? [record.hook] : hooks.map((one) => one.id)
  return named.some((id) => hook.some((part) => id.includes(part)))
}

/** The records that fit, as they come. */
export function* selectRecords(records: Iterable<AuditRecord>, query: AuditQuery): Generator<AuditRecord> {
  for (const record of records) if (fits(record, query)) yield record
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * A moment as people write it: `1h`, `90s`, `2d 12h` (that long ago), `2026-11-12`, `2026-11-12T14:03:00Z`, or milliseconds since the epoch.
 * @throws HooklineError `invalid-option`.
 */
export function readMoment(text: string, now: number): number {
  const said = text.trim()
  if (/^\d{11,}$/.test(said)) return Number(said)
  const spans = [...said.matchAll(/(\d{1,9}(?:\.\d{1,3})?)\s?(ms|min|[smhdw])\s{0,4}/g)]
  if (spans.length > 0 && spans.map((span) => span[0]).join('') === said) {
    return now - spans.reduce((total, [, count, unit]) => total + Number(count) * (units[unit as string] as number), 0)
  }
  const at = /^\d{4}-\d\d(?:-\d\d)?(?:[T ]|$)/.test(said) ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(said) ? `${said}T00:00:00` : said) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new HooklineError('invalid-option', `"${text}" is no moment.`, {
    hint: 'Write how long ago (90s, 1h, 2d), a date (2026-11-12) or a time (2026-11-12T14:03:00Z).',
  })
}
