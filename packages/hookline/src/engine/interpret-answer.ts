/** `interpretAnswer`: what a described run would be read as, without running anything. */
import { HooklineError } from '../errors.ts'
import type { EventRef } from '../protocol/event-types.ts'
import { type NamedRow, rowOf } from '../protocol/events.ts'
import { handlerTypes } from '../protocol/handler-spec.ts'
import type { Source } from '../protocol/hook.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted, Words } from '../protocol/words.ts'
import { interpret } from './interpret.ts'
import { type Run, rawOf } from './interpret-run.ts'
import { blockWord, type Decision, foldWords, wordOf } from './interpret-word.ts'
import { isObject } from './read-fields.ts'
import { readPlain } from './read-plain.ts'
import { shorten } from './shorten.ts'

/** Several hooks at once, each by what it said, and which permission rules match; the rules join the fold. */
export interface HooksRun {
  hooks: readonly (Decision | 'error' | 'timeout-failclosed')[]
  rules?: { deny?: boolean; ask?: boolean; allow?: boolean }
}

/** How a run is read. */
export interface InterpretOptions {
  /** Default "command". */
  hookType?: string
  /** A failure counts as a block where the event lets it. */
  failClosed?: boolean
  /** Default "noninteractive": nobody can be asked. */
  mode?: 'interactive' | 'noninteractive'
  /** The value of the event's match field, for example the tool's name. */
  value?: string
  /** Only `requireFailClosed` is read: events whose hooks must fail closed. */
  policy?: { requireFailClosed?: readonly string[] | true }
  /** Where relative paths start; default "/". */
  cwd?: string
  /** A prompt hook's "no" does not end the turn. */
  continueOnBlock?: boolean
}

/** What a run was read as. Absent, never `null`. */
export interface AnswerReading {
  decision: Decision
  /** The hook failed. */
  error: boolean
  /** What the hook said about its decision, where somebody receives it. */
  reason?: string
  /** The text that the model gets, as long as it may be. */
  context?: string
  /** The decision of the same run if a failure counts as a block. */
  failClosed: Decision
}

/**
 * Reads a run: what a handler did, or what several hooks said. Starts nothing, and needs no file.
 * @throws HooklineError `unknown-event` for an event that is not in the table, `invalid-option` for a run that cannot be read.
 */
export function interpretAnswer(event: EventRef, run: Run | HooksRun, options: InterpretOptions = {}): AnswerReading {
  const row = rowFor(event)
  if (!isObject(run))
    throw new HooklineError('invalid-option', 'interpretAnswer: the run must be an object.', { hint: 'For example { exit: 2, stderr: "no" }.' })
  if ('hooks' in run) return foldRuns(row, run as unknown as HooksRun, options)
  const hookType = options.hookType ?? 'command'
  if (!(handlerTypes as readonly string[]).includes(hookType))
    throw new HooklineError('invalid-option', `interpretAnswer: "${hookType}" is not a handler type.`, { hint: `Use one of ${handlerTypes.join(', ')}.` })
  const required = options.policy?.requireFailClosed
  const forced = options.failClosed === true || required === true || required?.includes(row.name) === true
  const raw = rawOf(run as Run, hookType)
  const plain = run['async'] || run['asyncRewake'] ? undefined : readPlain(raw, row, hookType)
  if (plain !== undefined && 'words' in plain) {
    // What is said plainly is read the same whether or not a doubt is a failure.
    const said = wordOf(row, plain.words)
    return withTexts({ decision: said, error: false, failClosed: said }, plain.words, reasonOf(row, plain.words, said))
  }
  const closed = readRun(row, raw, { options, hookType, run: run as Run, failClosed: true })
  // What does not fail where every doubt is a failure is read the same everywhere.
  const open = forced || closed.failure === undefined ? closed : readRun(row, raw, { options, hookType, run: run as Run, failClosed: false })
  const judged = hookType === 'prompt' || hookType === 'agent'
  const decision = decisionOf(row, open.words, { judged, options })
  const reason = open.failedClosed ? undefined : reasonOf(row, open.words, decision)
  const failClosed = closed === open ? decision : decisionOf(row, closed.words, { judged, options })
  return withTexts({ decision, error: open.failure !== undefined, failClosed }, open.words, reason)
}

function withTexts(reading: AnswerReading, { context }: Words, reason: string | undefined): AnswerReading {
  if (reason !== undefined && reason !== '') reading.reason = reason
  if (context !== undefined) reading.context = shorten(context, 'answer').text
  return reading
}

function rowFor(event: EventRef): NamedRow {
  if (isObject(event)) return event as unknown as NamedRow
  const row = typeof event === 'string' ? rowOf(event) : undefined
  if (row === undefined)
    throw new HooklineError('unknown-event', `interpretAnswer: there is no event ${JSON.stringify(event)}.`, {
      hint: 'See `hookline list --events` for the names, or pass what defineEvent returned.',
    })
  return row
}

interface Reading {
  readonly options: InterpretOptions
  readonly hookType: string
  readonly run: Run
  readonly failClosed: boolean
}

const source: Source = Object.freeze({ id: 'session', kind: 'session' })

function readRun(row: NamedRow, raw: RawResult, { options, hookType, run, failClosed }: Reading): Interpreted {
  const { mode, value, cwd = '/', continueOnBlock } = options
  const input: Record<string, unknown> = { cwd }
  if (value !== undefined && row.match !== undefined) input[row.match] = value
  return interpret(raw, {
    row,
    info: { id: 'answer', label: hookType, type: hookType, source },
    failClosed,
    input,
    interactive: mode === 'interactive',
    background: run.asyncRewake ? 'asyncRewake' : run.async ? 'async' : undefined,
    continueOnBlock,
  })
}

/** What managed policy changes cannot be refused, whatever a hook says. */
function decisionOf(row: NamedRow, words: Words, { judged, options }: { judged: boolean; options: InterpretOptions }): Decision {
  const unblockable = row.unblockable !== undefined && row.match === 'source' && options.value === row.unblockable
  if (!unblockable) return wordOf(row, words, { judged })
  const { block: _, ...unblocked } = words
  return wordOf(row, unblocked, { judged })
}

/** A refusal's reason goes where the row says, an ask's or allow's to the person; a defer has none. */
function reasonOf(row: NamedRow, words: Words, decision: Decision): string | undefined {
  if (decision === 'stop') return words.stop
  if (decision === 'ask' || decision === 'allow') return words.reason
  if (row.reasonTo === undefined || row.reasonTo === 'nobody') return undefined
  return decision === 'deny' ? words.reason : decision === 'block' || decision === 'fail' ? words.block : undefined
}

const known: ReadonlySet<string> = new Set([
  'stop',
  'deny',
  'defer',
  'ask',
  'allow',
  'accept',
  'decline',
  'path',
  'fail',
  'block',
  'replace',
  'none',
  'error',
  'timeout-failclosed',
])

function foldRuns(row: NamedRow, { hooks, rules = {} }: HooksRun, { mode }: InterpretOptions): AnswerReading {
  const unknown = Array.isArray(hooks) ? hooks.find((word) => !known.has(word)) : 'hooks'
  if (unknown !== undefined) throw new HooklineError('invalid-option', `interpretAnswer: run.hooks must be a list of ${[...known].join(', ')}.`)
  const closedWord = row.failClosed === 'can' || row.failClosed === 'always' ? blockWord(row) : 'none'
  const said = hooks.map((word): Decision => {
    if (word === 'error') return row.failClosed === 'always' ? blockWord(row) : 'none'
    if (word === 'timeout-failclosed') return closedWord
    return word === 'defer' && mode === 'interactive' ? 'none' : word
  })
  const decision = foldWords(row, said, rules)
  return { decision, error: false, failClosed: decision }
}
