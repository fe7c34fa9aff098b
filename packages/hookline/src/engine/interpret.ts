/** Reads one hook's run: how it ended and what it said become the words of the event's powers. It reads row columns, never names. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Message } from '../protocol/verdict-parts.ts'
import type { Interpreted, Words } from '../protocol/words.ts'
import { firstLine } from './clean-text.ts'
import { readLate, saysAsync } from './interpret-background.ts'
import { block, closedWords, closes } from './interpret-closed.ts'
import { cutShort } from './interpret-cut-short.ts'
import { readExit2 } from './interpret-exit2.ts'
import { type Failure, failureOfEnding, noticeOf, placeOf, wasCancelled } from './interpret-failure.ts'
import { type Heard, hear } from './interpret-heard.ts'
import { readPlain } from './read-plain.ts'
import { type Answering, Reading } from './read-reading.ts'
import { readPath } from './read-worktree.ts'

/** The hook whose run is read, and the call it answered. */
export interface Ask {
  readonly row: NamedRow
  readonly info: Answering
  /** A failure counts as a block where the row lets it. */
  readonly failClosed: boolean
  readonly input?: Readonly<Record<string, unknown>>
  /** Nobody waited for this run: nothing in it decides. */
  readonly background?: boolean | 'async' | 'asyncRewake' | undefined
  /** True when a person sits there. */
  readonly interactive?: boolean
  /** A model's "no" never ends the turn. */
  readonly continueOnBlock?: boolean | undefined
}

/** What a hook amounts to that said nothing. */
export const quiet: Interpreted = Object.freeze({
  outcome: 'success',
  words: Object.freeze({}),
  messages: Object.freeze([]),
  warnings: Object.freeze([]),
} as const)

/** Reads a run. Never throws: what cannot be read is a failure of the hook. */
export function interpret(raw: RawResult, asked: Ask): Interpreted {
  if (isQuiet(raw, asked.row, asked.info.type)) return quiet
  const plain = asked.background ? undefined : readPlain(raw, asked.row, asked.info.type)
  if (plain !== undefined && 'words' in plain) return plain
  const ask = saysAsync(raw) ? { ...asked, background: asked.background || ('async' as const) } : asked
  const reading = new Reading(ask.row, ask.info)
  reading.parsed = plain
  try {
    if (raw.ending.kind === 'deferred') return finish(raw, ask, { reading, heard: { words: {} } })
    return finish(raw, ask, { reading, heard: read(raw, ask, reading) })
  } catch (error) {
    // Only a value from code gets here: a getter or a proxy of its own that throws.
    return finish(raw, ask, {
      reading: new Reading(ask.row, ask.info),
      heard: { words: {}, failure: { code: 'malformed', sentence: `gave an answer that cannot be read: ${sayThrown(error)}` } },
    })
  }
}

/** Even what was thrown may be hostile. */
function sayThrown(error: unknown): string {
  try {
    return firstLine(error instanceof Error ? error.message : String(error))
  } catch {
    return 'it throws'
  }
}

/** The common case, kept free of every allocation: code that returned nothing. */
export function isQuiet(raw: RawResult, row: NamedRow, type: string): boolean {
  return (
    raw.ending.kind === 'returned' &&
    (raw.value === undefined || raw.value === null) &&
    raw.stdout === undefined &&
    raw.warnings === undefined &&
    row.stdout !== 'path' &&
    type !== 'prompt' &&
    type !== 'agent'
  )
}

function read(raw: RawResult, ask: Ask, reading: Reading): Heard {
  const { row, info } = ask
  const ended = failureOfEnding(raw.ending, { row, type: info.type, stderr: raw.stderr ?? '' })
  const { background = false } = ask
  if (background !== false) {
    if (ended !== undefined && raw.ending.kind !== 'exited') return { words: {}, failure: ended }
    return readLate(raw, reading, {
      wakes: background === 'asyncRewake' || (background === true && (info.flags ?? []).includes('asyncRewake')),
      context: contextOf(ask),
    })
  }
  if (ended !== undefined && raw.ending.kind !== 'exited') return cutShort(raw, reading, { failure: ended, context: contextOf(ask) })
  const heard = hear(raw, reading, { ended, failClosed: ask.failClosed, continueOnBlock: ask.continueOnBlock, type: info.type, context: contextOf(ask) })
  if (raw.ending.kind === 'exited' && raw.ending.code === 2) return readExit2(raw, heard, { reading, info })
  return row.stdout === 'path' && heard.failure === undefined ? withPath(heard, ask, reading) : heard
}

function contextOf({ input, interactive }: Ask): { input?: Readonly<Record<string, unknown>> | undefined; interactive?: boolean | undefined } {
  return { input, interactive }
}

/** Where a hook's answer is a path: without a usable one, the step fails. */
function withPath(heard: Heard, { row, input }: Ask, reading: Reading): Heard {
  if (heard.words.block !== undefined) return heard
  const cwd = input?.['cwd']
  const read = readPath(heard.words.worktreePath ?? '', typeof cwd === 'string' ? cwd : undefined)
  if ('path' in read) return { ...heard, words: { ...heard.words, worktreePath: read.path } }
  reading.warn('no-path', read.why, { tell: true, hint: 'Print the absolute path of what was made, as the last line.' })
  const { worktreePath: _, ...rest } = heard.words
  return { ...heard, words: block(row, rest, '') }
}

function finish(raw: RawResult, ask: Ask, { reading, heard }: { reading: Reading; heard: Heard }): Interpreted {
  const { failure } = heard
  if (failure === undefined) {
    const blocking = blocks(heard.words) || heard.fedBack === true
    return {
      outcome: blocking ? 'blocking' : 'success',
      words: heard.words,
      ...(reading.judged === undefined ? {} : { judged: reading.judged }),
      messages: toldBy(reading, ask),
      warnings: withFindings(raw, reading),
    }
  }
  const { row, info, failClosed } = ask
  const waited = (ask.background ?? false) === false
  const closed = waited && closes(raw, { row, type: info.type, failClosed })
  const notice = noticeOf(failure, { row, info, closed })
  let { words } = heard
  if (closed) words = closedWords(row, words, notice)
  else if (waited && failClosed && row.failClosed === 'feedback')
    words = { ...words, context: words.context === undefined ? notice : `${words.context}\n${notice}` }
  return {
    outcome: blocks(words) ? 'blocking' : wasCancelled(raw) ? 'cancelled' : 'nonBlockingError',
    words,
    failure: failure.sentence,
    ...(closed && (words.reason === notice || words.block === notice) ? { failedClosed: true as const } : {}),
    messages: [{ text: notice, to: 'user', level: closed ? 'error' : 'warning', by: info.id }, ...toldBy(reading, ask)],
    warnings: [{ severity: 'warning', code: failure.code, message: notice, ...hintOf(failure), ...placeOf(info) }, ...withFindings(raw, reading)],
  }
}

function blocks(words: Words): boolean {
  return words.permission === 'deny' || words.block !== undefined
}

function toldBy({ told }: Reading, { info }: Ask): readonly Message[] {
  return told.map((text) => ({ text, to: 'user', level: 'warning', by: info.id }))
}

function withFindings({ warnings }: RawResult, reading: Reading): readonly Diagnostic[] {
  return warnings === undefined ? reading.warnings : [...warnings, ...reading.warnings]
}

function hintOf({ hint }: Failure): { hint?: string } {
  return hint === undefined ? {} : { hint }
}
