/** What reading one answer finds: words, warnings, faults; and what is left of it when something in it does not count. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { Ending } from '../protocol/ending.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookInfo } from '../protocol/hook.ts'
import { answerKeys, type PowerKey } from '../protocol/powers.ts'
import type { Words } from '../protocol/words.ts'
import { cleanText, isPlainJson, oneLine } from './clean-text.ts'

/** The parts of a hook record that a message names. */
export type Answering = Pick<HookInfo, 'id' | 'label' | 'type' | 'source'> & Partial<Pick<HookInfo, 'flags'>>

/** How messages name a hook: `Hook "npm run lint" (project settings, .claude/settings.json:14, PreToolUse)`. */
export function nameHook(row: NamedRow, { label, source }: Answering): string {
  const named = source.id.startsWith(`${source.kind}:`) ? oneLine(source.id.slice(source.kind.length + 1), 40) : ''
  const where =
    source.kind === 'plugin'
      ? `plugin ${named}`.trim()
      : source.kind === 'builtin'
        ? 'built in'
        : source.file === undefined && source.id === 'code'
          ? 'code'
          : `${source.kind} settings`
  const place = source.file === undefined ? '' : `, ${source.file}${source.line === undefined ? '' : `:${source.line}`}`
  return `Hook "${oneLine(label)}" (${where}${place}, ${row.name})`
}

const mostWarnings = 20
const longText = 128

/** Collects what one answer says, while it is read. */
export class Reading {
  words: Words = {}
  readonly warnings: Diagnostic[] = []
  /** Wrong types and wrong values: each makes the answer malformed. */
  readonly faults: string[] = []
  /** The verdict of a model, once it was read. */
  judged?: Extract<Ending, { kind: 'judged' }>
  /** Warnings that the person hears too, because an answer was lost. */
  readonly told: string[] = []
  /** The JSON that is read, where the answer came as text. */
  source: string | undefined
  /** What its text was parsed to, when somebody did. */
  parsed: { readonly text: string; readonly value: unknown } | undefined
  #plain: boolean | undefined
  readonly row: NamedRow
  readonly #info: Answering

  constructor(row: NamedRow, info: Answering) {
    this.row = row
    this.#info = info
  }

  /** A finding about the answer. `text` follows the hook's name; with `tell` the person hears it too. */
  warn(code: string, text: string, { tell = false, hint, severity = 'warning' }: { tell?: boolean; hint?: string; severity?: 'warning' | 'info' } = {}): void {
    if (this.warnings.length >= mostWarnings) return
    const message = `${nameHook(this.row, this.#info)} ${text}`
    const { file, line, column } = this.#info.source
    this.warnings.push({
      severity,
      code,
      message: `${message}.`,
      ...(hint === undefined ? {} : { hint }),
      hook: this.#info.id,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })
    if (tell) this.told.push(`${message}.${hint === undefined ? '' : ` ${hint}`}`)
  }

  /** A text of this answer as people may see it. Long ones are looked at all at once, which is many times faster. */
  clean(text: string): string {
    if (text.length < longText || this.source === undefined) return cleanText(text)
    this.#plain ??= isPlainJson(this.source)
    return this.#plain ? text : cleanText(text)
  }

  fault(text: string): void {
    if (this.faults.length < mostWarnings) this.faults.push(text)
  }

  has(power: NamedRow['powers'][number]): boolean {
    return this.row.powers.includes(power)
  }
}

/** The words that refuse: nothing beside them can take them back. */
export function denies(words: Words): boolean {
  return words.permission === 'deny' || words.block !== undefined || words.elicitation?.action === 'decline'
}

/** The words that hold something up: a denial, a question, a stop. */
export function restricts(words: Words): boolean {
  return denies(words) || words.permission === 'ask' || words.permission === 'defer' || words.stop !== undefined || words.elicitation?.action === 'cancel'
}

/** The words without those that let something happen or change what happens. */
export function withoutPermissive(words: Words): Words {
  const left: Words = { ...words }
  if (left.permission === 'allow') {
    delete left.permission
    delete left.reason
  }
  if (left.elicitation?.action === 'accept') delete left.elicitation
  for (const key of permissiveKeys) delete left[key]
  return left
}
const permissiveKeys = (Object.keys(answerKeys) as PowerKey[]).filter((key) => 'permissive' in answerKeys[key])

/** Only what holds something up, with its reasons: all that is kept of a run that did not end by itself. */
export function onlyRestrictive(words: Words): Words {
  const { permission, reason, block, stop, elicitation } = withoutPermissive(words)
  if (!restricts(words)) return {}
  return {
    ...(permission === undefined ? {} : { permission, ...(reason === undefined ? {} : { reason }) }),
    ...(block === undefined ? {} : { block }),
    ...(stop === undefined ? {} : { stop }),
    ...(elicitation === undefined ? {} : { elicitation }),
  }
}

/** What is left of a reading, and the failure it amounts to. */
export interface Settled {
  readonly words: Words
  readonly failure?: string
}

/**
 * Settles a reading: a fault voids the answer save what holds something up, and a doubt about where the answer
 * came from voids what permits. Either is a failure, unless a denial or a question beside it survives (design decision 4).
 */
export function settle(reading: Reading, { doubt, strict = false }: { doubt?: string | undefined; strict?: boolean } = {}): Settled {
  const { words, faults } = reading
  const kept = faults.length > 0 || doubt !== undefined ? withoutPermissive(words) : words
  const survives = strict ? denies(kept) : restricts(kept)
  if (faults.length > 0) {
    const what = `gave a malformed answer: ${faults.join('; ')}`
    if (!survives) return { words: {}, failure: what }
    reading.warn('wrong-type', `${what}; the rest of it counts, save what permits`)
    return { words: kept }
  }
  if (doubt === undefined || Object.keys(kept).length === Object.keys(words).length) return { words }
  const dropped = words.permission === 'allow' ? '"allow"' : words.elicitation?.action === 'accept' ? '"accept"' : 'a rewrite'
  const what = `answered ${dropped}, which does not count: ${doubt}`
  if (!survives) return { words: kept, failure: what }
  reading.warn('permissive-dropped', what)
  return { words: kept }
}
