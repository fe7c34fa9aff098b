/** Walks the `hooks` of one source: events, groups, handlers. A broken entry costs only itself (design decision 21). */
import { eventNames, type NamedRow, rowOf } from '../protocol/events.ts'
import type { Source } from '../protocol/hook.ts'
import type { Surroundings } from './check-command.ts'
import { type CheckedHook, checkHook } from './check-hook.ts'
import { checkMatcher } from './check-matcher.ts'
import { checkUnknownField } from './check-unknown-field.ts'
import { comesWithFolder } from './env-block.ts'
import { type Findings, quoted } from './findings.ts'
import { counterpart, foreignEvents } from './foreign-names.ts'
import { handlerFields } from './handler-fields.ts'
import type { BoundedRegex, Matcher } from './matcher.ts'
import { nearest } from './nearest.ts'
import { type Entry, entryOf, kindWord, memberOf, type ObjectTree, type Tree } from './tree.ts'

/** What the hooks of a source are read with. */
export interface HooksSite {
  readonly source: Source
  readonly findings: Findings
  /** Rows of host-defined events. */
  readonly events?: readonly NamedRow[]
  readonly bounded?: BoundedRegex
  readonly around?: Surroundings
  /** Turns one event into another: an agent's own stop is the stop of a subagent. */
  readonly rename?: (row: NamedRow) => NamedRow
}

/** One hook that was read, not yet compiled. `source` holds its line and column. */
export interface HookSeed {
  readonly row: NamedRow
  readonly source: Source
  readonly group: number
  readonly index: number
  readonly matcher: Matcher
  readonly checked: CheckedHook
}

/** So many groups, and so many hooks, of a file that comes with a folder are read. */
export const mostHooks = 10_000

interface Counting extends HooksSite {
  /** How many groups and hooks may still be read. */
  readonly room: { groups: number; hooks: number }
}

/** Reads the value of `hooks`. What its user or policy wrote is read whole, however long it is. */
export function readHooks(hooks: Tree | undefined, given: HooksSite): readonly HookSeed[] {
  if (hooks === undefined) return []
  const most = comesWithFolder(given.source.kind) ? mostHooks : Number.POSITIVE_INFINITY
  const site: Counting = { ...given, room: { groups: most, hooks: most } }
  if (hooks.kind !== 'object') {
    site.findings.add('hooks-shape', `hooks: expected an object keyed by event, got ${kindWord(hooks)}`, {
      at: hooks.at,
      hint: 'Write { "hooks": { "<Event>": [{ "matcher": "…", "hooks": [{ "type": "command", "command": "…" }] }] } }.',
    })
    return []
  }
  // Not pushed as arguments: a file may hold more hooks than a call can take.
  let seeds: readonly HookSeed[] = []
  for (const entry of hooks.entries) seeds = seeds.concat(apart(readEvent(entry, site), seeds))
  return seeds
}

/** Two keys may mean one event where events are renamed: the later groups are counted on, so that ids stay unique. */
function apart(more: readonly HookSeed[], seeds: readonly HookSeed[]): readonly HookSeed[] {
  const before = seeds.filter(({ row }) => row.name === more[0]?.row.name)
  if (before.length === 0) return more
  const next = before.reduce((most, { group }) => Math.max(most, group), 0) + 1
  return more.map((seed) => ({ ...seed, group: seed.group + next }))
}

/** True while there is room for one more. The first that finds none says so. */
function takesOne({ room, findings }: Counting, what: 'groups' | 'hooks', at: number): boolean {
  if (room[what] === 0)
    findings.add('too-many', `more than ${mostHooks.toLocaleString('en')} ${what}: the others of this file are not read`, {
      at,
      hint: 'Let one hook look at the input and do the work of many.',
    })
  room[what] -= 1
  return room[what] >= 0
}

function readEvent(entry: Entry, site: Counting): HookSeed[] {
  const { key, keyAt, value } = entry
  const row = rowNamed(key, site.events)
  if (row !== undefined) return readGroups(value, site, site.rename?.(row) ?? row)
  if (/^[_$]/.test(key)) return []
  const known = [...eventNames, ...(site.events ?? []).map(({ name }) => name)]
  const foreign = counterpart(foreignEvents, key)
  const meant = foreign ?? nearest(key, known)
  const internal = rowOf(key) !== undefined ? ': only code can attach there' : ''
  site.findings.add('unknown-event', `unknown event ${quoted(key)}${internal || (meant === undefined ? '' : `: did you mean "${meant}"?`)}`, {
    at: keyAt,
    hint: 'Its hooks never run; the others of the file are not touched.',
    // A slip of the pen switches a guard off; a name that is merely unknown may be that of a newer version.
    ...(foreign === undefined && meant !== undefined && internal === '' ? { severity: 'error' as const } : {}),
  })
  // Its hooks are looked at as those of the event that was meant, so that one pass finds everything.
  const counterpartRow = foreign === undefined ? undefined : rowOf(foreign)
  if (counterpartRow !== undefined) readGroups(value, site, counterpartRow)
  return []
}

function rowNamed(name: string, own: readonly NamedRow[] | undefined): NamedRow | undefined {
  const row = rowOf(name)
  return row === undefined ? own?.find((candidate) => candidate.name === name) : row.internal ? undefined : row
}

function readGroups(groups: Tree, site: Counting, row: NamedRow): HookSeed[] {
  if (groups.kind !== 'list') {
    site.findings.add('hooks-shape', `${row.name}: expected a list of groups, got ${kindWord(groups)}`, {
      at: groups.at,
      hint: 'Put the group into brackets: [{ "matcher": "…", "hooks": […] }].',
    })
    return []
  }
  return groups.items.flatMap((group, number) => (takesOne(site, 'groups', group.at) ? readGroup(group, site, { row, group: number }) : []))
}

function readGroup(group: Tree, site: Counting, seat: { row: NamedRow; group: number }): HookSeed[] {
  const { row } = seat
  const { findings, source } = site
  const id = (index: number) => `${source.id}:${row.name}:${seat.group}:${index}`
  if (group.kind !== 'object') {
    findings.add('hooks-shape', `${row.name}: expected a group, got ${kindWord(group)}`, {
      at: group.at,
      hook: id(0),
      hint: 'Write { "matcher": "…", "hooks": […] }.',
    })
    return []
  }
  const hooks = entryOf(group, 'hooks')
  if (hooks === undefined) {
    reportNoHooks(group, site, { ...seat, hook: id(0) })
    return []
  }
  for (const entry of group.entries) {
    if (entry.key !== 'matcher' && entry.key !== 'hooks') checkUnknownField(entry, { findings, hook: id(0) })
  }
  const matcher = checkMatcher(memberOf(group, 'matcher'), { row, findings, hook: id(0), ...(site.bounded === undefined ? {} : { bounded: site.bounded }) })
  if (hooks.value.kind !== 'list') {
    findings.add('wrong-type', `hooks: expected list, got ${kindWord(hooks.value)}`, { at: hooks.value.at, hook: id(0), hint: 'Put the hook into brackets.' })
    return []
  }
  return hooks.value.items.flatMap((hook, index) => {
    if (!takesOne(site, 'hooks', hook.at)) return []
    const checked = checkHook(hook, { row, kind: source.kind, id: id(index), matcher, findings, ...(site.around === undefined ? {} : { around: site.around }) })
    if (checked === undefined) return []
    return [{ ...seat, index, matcher, checked, source: { ...source, ...findings.locate(hook.at) } }]
  })
}

function reportNoHooks(group: ObjectTree, { findings }: HooksSite, { row, hook }: { row: NamedRow; hook: string }): void {
  const flat = group.entries.some(({ key }) => key === 'type' || Object.values(handlerFields).some((fields) => Object.hasOwn(fields, key)))
  if (flat) {
    findings.add('hooks-shape', `${row.name}: expected a group, got a hook`, {
      at: group.at,
      hook,
      hint: 'Put it one level deeper: { "hooks": [{ "type": "command", "command": "…" }] }.',
    })
  } else {
    findings.add('missing-field', '"hooks" is missing in this group', { at: group.at, hook, hint: 'A group is { "matcher": "…", "hooks": […] }.' })
  }
}
