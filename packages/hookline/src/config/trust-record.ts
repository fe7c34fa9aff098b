/** What was accepted once, as it is kept, and how what a folder brings now differs from it. */
import type { HookId, HookInfo } from '../protocol/hook.ts'
import type { TrustItem } from '../protocol/ports.ts'

/** One thing that is accepted or not: a hook with its scripts and variables, a rule that permits or a folder that is opened, a mode, the variables of a session. */
export interface TrustUnit {
  readonly kind: 'hook' | 'rule' | 'mode' | 'env'
  /** Over everything that decides what runs: unchanged when this is. */
  readonly digest: string
  /** Over the settings alone: tells an old version of a hook whose script changed. */
  readonly definition: string
  readonly hook?: HookId
}

/** What a folder brings that needs consent. */
export interface Brought {
  /** Joins the digests of all units. */
  readonly digest: string
  readonly units: readonly TrustUnit[]
  /** What people are shown, whole, without marks of change. */
  readonly items: readonly TrustItem[]
}

/** What was accepted, and when. */
export interface TrustRecord {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly digest: string
  readonly units: readonly TrustUnit[]
  readonly items: readonly TrustItem[]
}

/** What a folder brings, beside what was accepted. */
export interface Compared {
  /** By hook id. */
  readonly trust: ReadonlyMap<HookId, HookInfo['trust']>
  /** Digests of the units that are accepted. */
  readonly accepted: ReadonlySet<string>
  /** Nothing is left to ask. */
  readonly complete: boolean
  /** When the newest record was made; absent: there is none. */
  readonly since?: number
  /** The items with their marks; what is gone comes last, as removed. */
  readonly items: readonly TrustItem[]
}

/** The record of a yes. */
export function recordOf({ digest, units, items }: Brought, at: number): TrustRecord {
  return { at, digest, units, items }
}

/** What comparing takes: the records that count, the folder's own among them, and which of them differences are told against. */
export interface Accepted {
  readonly records: readonly TrustRecord[]
  /** The newest of the folder's own; absent: there is none, and what others accepted is only a help to read. */
  readonly own?: TrustRecord
}

/** Compares. */
export function compare({ units, items }: Brought, { records, own }: Accepted): Compared {
  const accepted = new Set(records.flatMap((record) => record.units.map(({ digest }) => digest)))
  const now = new Set(units.map(({ digest }) => digest))
  // Versions that are gone: a hook that is not accepted and has one is a changed hook.
  const gone = records.flatMap((record) => record.units.filter((unit) => unit.kind === 'hook' && !now.has(unit.digest)))
  const trust = new Map<HookId, HookInfo['trust']>()
  for (const { digest, definition, hook } of units) {
    if (hook === undefined) continue
    const earlier = gone.some((unit) => unit.hook === hook || unit.definition === definition)
    trust.set(hook, accepted.has(digest) ? 'trusted' : earlier ? 'changed' : 'untrusted')
  }
  const since = records.length === 0 ? undefined : Math.max(...records.map(({ at }) => at))
  return {
    trust,
    accepted,
    complete: units.every(({ digest }) => accepted.has(digest)),
    ...(since === undefined ? {} : { since }),
    items: markChanges(items, (own ?? records[0])?.items ?? [], { tellRemoved: own !== undefined }),
  }
}

const same = (a: TrustItem, b: TrustItem) => a.kind === b.kind && a.text === b.text && a.when === b.when && (a.kind !== 'script' || a.file === b.file)

/** Two versions of one thing. */
function succeeds(now: TrustItem, before: TrustItem): boolean {
  if (now.kind === 'script' || before.kind === 'script') return now.kind === before.kind && now.file === before.file
  if (now.kind === 'env' || before.kind === 'env') return now.kind === before.kind && nameOf(now) === nameOf(before)
  if (now.kind === 'rule' || before.kind === 'rule') return false
  if (now.kind === before.kind && now.text === before.text) return true
  return now.hook === undefined ? now.kind === before.kind && now.when === before.when : now.hook === before.hook
}

const nameOf = ({ text }: TrustItem) => text.slice(0, text.indexOf('='))

/** The items with marks of what changed against an earlier list. Without `tellRemoved`, what is gone is not told. */
export function markChanges(items: readonly TrustItem[], before: readonly TrustItem[], { tellRemoved }: { tellRemoved: boolean }): TrustItem[] {
  const left = [...before]
  const take = (wanted: (one: TrustItem) => boolean) => {
    const at = left.findIndex(wanted)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  // Exact twins first, so that a hook that only moved does not take another one's past.
  const twins = new Map(items.map((item) => [item, take((old) => same(item, old))]))
  const marked = items.map((item): TrustItem => {
    if (twins.get(item) !== undefined) return item
    const old = take((one) => succeeds(item, one))
    if (old === undefined) return { ...item, change: 'added' }
    return { ...item, change: 'changed', before: old.text, ...(old.when === undefined || old.when === item.when ? {} : { whenBefore: old.when }) }
  })
  return tellRemoved ? [...marked, ...left.map((old): TrustItem => ({ ...old, change: 'removed' }))] : marked
}
