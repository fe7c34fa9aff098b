/** The list of hooks for people: sources first, then the hooks of each event. */
import type { Diagnostic, HookInfo, NamedRow, Source } from '../../index.ts'
import { diagnosticText } from './diagnostics.ts'
import type { Paint } from './paint.ts'
import { shortFile, shortPlace, type Viewpoint } from './place.ts'
import { shownLine } from './shown.ts'

/** One place that was looked at; `trust` is that of its hooks, the weakest first. */
export interface ListedSource extends Source {
  readonly state: 'loaded' | 'absent' | 'broken' | 'kept-last-good' | 'off-by-policy'
  readonly trust?: HookInfo['trust']
}

/** What `list --json` prints (contract §8). */
export interface ListDocument {
  readonly version: 1
  readonly kind: 'list'
  readonly cwd: string
  readonly sources: readonly ListedSource[]
  readonly hooks: readonly HookInfo[]
  readonly warnings: readonly Diagnostic[]
}

/** What `list --events --json` prints: columns of the event table. */
export interface EventsDocument {
  readonly version: 1
  readonly kind: 'events'
  readonly events: readonly (Pick<NamedRow, 'name' | 'group' | 'summary' | 'powers' | 'handlers'> & { readonly match?: string })[]
}

/** How to show a list. */
export interface ListView extends Viewpoint {
  readonly paint: Paint
  readonly verbose: boolean
}

const weakest: readonly HookInfo['trust'][] = ['changed', 'untrusted', 'trusted', 'not-needed']

/** The trust of a source is that of its least trusted hook; absent when it has none. */
export function trustOf(source: Source, hooks: readonly HookInfo[]): { trust?: HookInfo['trust'] } {
  const own = hooks.filter((hook) => hook.source.id === source.id).map((hook) => hook.trust)
  const trust = weakest.find((word) => own.includes(word))
  return trust === undefined ? {} : { trust }
}

/** The whole text. */
export function listText({ sources, hooks, warnings }: ListDocument, view: ListView): string {
  const { paint, verbose } = view
  const lines = sources.filter((source) => verbose || source.state !== 'absent').map((source) => sourceLine(source, view))
  if (hooks.length === 0) lines.push('No hooks. `hookline init` writes a first one.')
  for (const event of new Set(hooks.map((hook) => hook.event))) {
    const own = hooks.filter((hook) => hook.event === event)
    lines.push('', paint.bold(shownLine(event)), ...table(own.map((hook) => cells(hook, view))))
  }
  const wrong = warnings.filter((found) => verbose || found.severity === 'error')
  if (wrong.length > 0) lines.push('', ...wrong.map((found) => diagnosticText(found, view)))
  return lines.join('\n')
}

function sourceLine({ id, file, state, trust }: ListedSource, view: ListView): string {
  const { paint } = view
  const word = state === 'loaded' || state === 'absent' ? paint.dim(state) : paint.yellow(state)
  const trusted =
    trust === undefined || trust === 'not-needed'
      ? ''
      : `, ${trust === 'trusted' ? 'trusted' : paint.yellow(trust === 'changed' ? 'changed since it was trusted' : 'not trusted: `hookline trust` shows what it runs')}`
  return `${shownLine(id)}${file === undefined ? '' : `  ${shortFile(file, view)}`}  ${word}${trusted}`
}

function cells(hook: HookInfo, view: ListView): string[] {
  const rule = hook.if === undefined ? '' : `if ${shownLine(hook.if, 60)}`
  const flags = [
    ...hook.flags,
    ...(hook.onFailure === undefined ? [] : ['fails closed']),
    ...(hook.sandbox === undefined ? [] : [hook.sandbox]),
    ...(hook.trust === 'untrusted' || hook.trust === 'changed' ? [hook.trust] : []),
  ]
  return [
    hook.matcher === undefined ? '(every)' : shownLine(hook.matcher, 40),
    shownLine(hook.label, 60),
    hook.type,
    `${hook.source.kind} ${shortPlace(hook.source, view)}`.trim(),
    [rule, ...flags].filter((part) => part !== '').join(', '),
  ]
}

/** Columns as wide as their widest cell. */
function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** The events there are, with what a matcher looks at. */
export function eventsText({ events }: EventsDocument, { paint }: Pick<ListView, 'paint'>): string {
  return events.map(({ name, summary, match }) => `${paint.bold(name)}${match === undefined ? '' : `  matches ${match}`}\n  ${summary}`).join('\n')
}
