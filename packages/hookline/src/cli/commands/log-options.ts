/** The options of the `log` commands: where the log is, and which records are meant. */
import { resolve } from 'node:path'
import { type AuditQuery, logPlace, readMoment } from '../../node.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'

/** Where the log is. */
export interface LogOptions extends GlobalOptions {
  log?: string
}

/** Which records are meant. */
export interface FilterOptions extends LogOptions {
  session?: string[]
  event?: string[]
  hook?: string[]
  decision?: string[]
  outcome?: string[]
  kind?: string[]
  since?: string
  until?: string
  last?: string
}

/** The path as the log's own functions take it; absent for the log of this user. */
export function logPath({ log, cwd }: LogOptions): string | undefined {
  return log === undefined ? undefined : resolve(cwd ?? '.', log)
}

/** The folder to name in messages. */
export function logFolder(options: LogOptions): string {
  return logPlace(logPath(options)).folder
}

/** @throws HooklineError when a time cannot be read. */
export function queryOf(options: FilterOptions, now = Date.now()): AuditQuery {
  const { session, event, hook, decision, outcome, kind, since, until } = options
  return {
    ...(session === undefined ? {} : { session }),
    ...(event === undefined ? {} : { event }),
    ...(hook === undefined ? {} : { hook }),
    ...(decision === undefined ? {} : { decision }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(kind === undefined ? {} : { kind }),
    ...(since === undefined ? {} : { since: readMoment(since, now) }),
    ...(until === undefined ? {} : { until: readMoment(until, now) }),
  }
}

/** How many records are wanted at most. @throws Failure. */
export function lastOf({ last }: FilterOptions): number {
  if (last === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,8}$/.test(last)) throw new Failure('usage', `--last: "${last}" is no number from 1.`, { hint: 'Write, for example, --last 20.' })
  return Number(last)
}
