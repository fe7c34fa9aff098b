/** What a folder would run, for people: whole, with every hidden character made visible and every change marked. */
import type { HookInfo } from '../../index.ts'
import type { TrustState } from '../../node.ts'
import { differences } from './differences.ts'
import type { Paint } from './paint.ts'
import { shortFile, type Viewpoint } from './place.ts'
import { count } from './shown.ts'
import { visible } from './visible.ts'

/** How to show it. */
export interface TrustView extends Viewpoint {
  readonly paint: Paint
}

type Item = TrustState['items'][number]

/** The folder, where it stands, and everything it would run. */
export function trustText(state: TrustState, view: TrustView): string {
  const lines = [trustLine(state, view)]
  if (state.items.length > 0) lines.push('', itemsText(state.items, view))
  return lines.join('\n')
}

/** One line, with the whole digest. */
export function trustLine({ folder, digest, trust, since, items, sessionOnly }: TrustState, { paint }: TrustView): string {
  const news = items.filter(({ change }) => change !== undefined).length
  const name = visible(folder)
  switch (trust) {
    case 'not-needed':
      return `${name}: brings nothing that needs consent.`
    case 'trusted':
      return `${name}: ${paint.green('accepted')}${since === undefined ? '' : ` on ${dayOf(since)}`}, digest ${digest}`
    default:
      return `${name}: ${paint.yellow(stateWord(trust, since))}, ${count(news, 'change')} to read, digest ${digest}${sessionOnly === undefined ? '' : `; an answer is never kept, because ${sessionOnly}`}`
  }
}

/** What is said after a yes. */
export function acceptedText({ folder, digest }: TrustState, { paint }: TrustView): string {
  return `${paint.green('accepted')} for ${visible(folder)}, digest ${digest}. A change is asked about again; \`hookline trust revoke\` takes it back.`
}

function stateWord(trust: HookInfo['trust'], since: number | undefined): string {
  if (since === undefined) return 'not accepted'
  return trust === 'changed' ? `changed since ${dayOf(since)}` : `more than was accepted on ${dayOf(since)}`
}

/** Each item with its mark: `+` new, `~` changed, `-` gone. */
export function itemsText(items: readonly Item[], view: TrustView): string {
  return items.map((item) => itemText(item, view)).join('\n')
}

function itemText(item: Item, view: TrustView): string {
  const { paint } = view
  const mark = { added: paint.green('+'), changed: paint.yellow('~'), removed: paint.red('-'), same: ' ' }[item.change ?? 'same']
  const place = item.file === undefined ? '' : `${visible(shortFile(item.file, view))}${item.line === undefined ? '' : `:${item.line}`}`
  const head = [paint.bold(item.kind), item.when === undefined ? '' : visible(item.when), paint.dim(place)].filter((part) => part !== '').join('  ')
  const moved = item.whenBefore === undefined ? [] : [`    ${paint.red(`was: ${visible(item.whenBefore)}`)}`]
  return [`${mark} ${head}`, ...moved, ...bodyOf(item, paint)].join('\n')
}

function bodyOf({ text, before, change }: Item, paint: Paint): string[] {
  if (change === 'changed' && before !== undefined && before !== text) {
    return differences(before, text).map(({ kind, line }) => {
      if (kind === 'same') return `      ${visible(line)}`
      return kind === 'removed' ? `    ${paint.red(`- ${visible(line)}`)}` : `    ${paint.green(`+ ${visible(line)}`)}`
    })
  }
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `    ${visible(line)}`)
}

function dayOf(at: number): string {
  const day = new Date(at)
  const year = day.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' as const }
  return day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })
}
