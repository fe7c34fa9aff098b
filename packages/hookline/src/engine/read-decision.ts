/** What a hook says about a permission: which behaviors an event knows, and what a behavior takes with it. */
import type { NamedRow } from '../protocol/events.ts'
import { behaviorsOf } from '../protocol/powers.ts'
import { type Behavior, stricter } from '../protocol/verdict-parts.ts'
import { say, shownText } from './read-fields.ts'
import type { Reading } from './read-reading.ts'

type Said = Exclude<Behavior, 'passthrough'>

type PermissionPower = keyof typeof behaviorsOf
const powers = Object.keys(behaviorsOf) as PermissionPower[]
// Asked several times per answer, so each row is looked through once.
const found = new WeakMap<NamedRow, PermissionPower | 'none'>()

/** The permission-like power of an event, if it has one. */
export function permissionPower(row: NamedRow): PermissionPower | undefined {
  let power = found.get(row)
  if (power === undefined) {
    power = powers.find((one) => row.powers.includes(one)) ?? 'none'
    found.set(row, power)
  }
  return power === 'none' ? undefined : power
}

/** Adds a behavior to the words; of two in one answer the stricter stays, with its own reason. */
export function sayBehavior(behavior: Said, reason: string, reading: Reading): void {
  const { words } = reading
  const before = words.permission
  if (before !== undefined && stricter(before, behavior) === before && (before !== behavior || words.reason !== undefined)) return
  words.permission = behavior
  if (reason === '') delete words.reason
  else words.reason = reason
}

/** Reads one behavior, checked against what this event's power lets a hook say; anything else is a fault. */
export function readBehavior(value: unknown, { name, reason = '', reading }: { name: string; reason?: string | undefined; reading: Reading }): void {
  if (value === undefined) {
    if (reason !== '') reading.warn('lost-answer', `gave a reason without ${name}; it is not read`, { tell: true })
    return
  }
  const power = permissionPower(reading.row)
  if (power === undefined) return
  // Where nothing can be granted, an allow adds nothing and whatever holds the step up refuses it (protocol §1.3).
  const known: readonly unknown[] = behaviorsOf[power === 'veto' ? 'permission' : power]
  if (!known.includes(value)) {
    reading.fault(`${name} must be ${known.join(', ')}, not ${say(value)}`)
    return
  }
  const shown = shownText(reason, 'reason', reading)
  if (power !== 'veto') sayBehavior(value as Said, shown, reading)
  else if (value !== 'allow') sayBehavior('deny', shown, reading)
}

/** What a decision takes with it: rewrites of a refused call, grants without a grant, everything beside a defer. */
export function finishDecisions(reading: Reading, { interactive }: { interactive?: boolean | undefined } = {}): void {
  const { words } = reading
  if (words.permission === 'defer') {
    for (const key of ['updatedInput', 'context', 'reason'] as const) delete words[key]
    if (interactive === true) {
      delete words.permission
      reading.warn('defer-ignored', 'answered "defer", which only a run without a person can do; it was ignored', { tell: true })
    }
  }
  if (words.permission === 'deny') delete words.updatedInput
  if (permissionPower(reading.row) !== 'grant') return
  for (const key of ['updatedInput', 'updatedPermissions', 'interrupt'] as const) {
    if (words[key] === undefined || words.permission === (key === 'interrupt' ? 'deny' : 'allow')) continue
    delete words[key]
    reading.warn('no-effect', `gave ${key}, which only counts beside "${key === 'interrupt' ? 'deny' : 'allow'}"`)
  }
}
