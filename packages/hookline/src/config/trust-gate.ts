/** What the host's choice of trust lets run (design decision 7). */
import type { Skipped } from '../protocol/hook.ts'
import type { ConfiguredHook } from './snapshot.ts'

/** Where a folder stands. */
export interface TrustStanding {
  /** The base's rule: until somebody answered, no settings hook runs, not even the user's own. */
  readonly waits: boolean
  /** When something was accepted last, in milliseconds since the epoch. */
  readonly since?: number
}

/** Why a hook waits for an answer; `undefined` when it may run. */
export function judgeTrust({ info, callback }: ConfiguredHook, { waits, since }: TrustStanding): Skipped | undefined {
  if (info.trust === 'changed')
    return { why: 'untrusted', detail: `changed${since === undefined ? '' : ` since ${dayOf(since)}`} (hookline trust shows the difference)` }
  if (info.trust === 'untrusted') return { why: 'untrusted', detail: `what ${info.source.id} brings was not accepted (hookline trust shows it)` }
  if (!waits || callback !== undefined || info.source.kind === 'builtin') return undefined
  return { why: 'untrusted', detail: 'this folder was not answered for yet, so no hook of any settings runs' }
}

/** `12 Nov`, with the year when it is another one. */
export function dayOf(at: number): string {
  const day = new Date(at)
  const year = day.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' as const }
  return day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })
}
