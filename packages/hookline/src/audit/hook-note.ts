/** What the log keeps of one hook's run: who it was, how it ended, what it decided, how much it wrote. */
import type { Ending, Outcome } from '../protocol/ending.ts'
import type { HookInfo, HookReport, Source, Why } from '../protocol/hook.ts'
import { utf8Length } from './encode.ts'
import { idText } from './ids.ts'
import { keptText } from './mask.ts'

/** Bytes of one stream; `seen` only where it is known, `cut` when more was written than was read. */
export interface StreamNote {
  readonly kept: number
  readonly seen?: number
  readonly cut?: true
}

/** Why a run does not count as an answer. */
export type FailureKind = 'exit' | 'signal' | 'timeout' | 'aborted' | 'start' | 'refused' | 'threw' | 'status' | 'cut' | 'garbage'

/** A hook that ran. Text in it is masked and cut. */
export interface HookNote {
  readonly id: string
  readonly type: string
  readonly source: Pick<Source, 'kind' | 'file' | 'line'>
  readonly digest: string
  readonly ending: Ending
  readonly outcome: Outcome
  /** The one word of this hook's own answer: `deny`, `allow`, `block`, `stop`, …; absent when it decided nothing. */
  readonly said?: string
  /** Other words it used: `context`, `updatedInput`, … */
  readonly used?: readonly string[]
  readonly ms: number
  readonly stdout?: StreamNote
  readonly stderr?: StreamNote
  readonly failure?: FailureKind
  /** The failure counted as a refusal, because the hook fails closed. */
  readonly closed?: true
}

/** A hook that was left out for a reason that somebody may have to answer for. */
export interface LeftOut {
  readonly id: string
  readonly why: Why
}

/** A report as the engine gives it; counts of bytes stand in it where the handler knows them. */
export type Reported = HookReport & { readonly bytes?: Partial<Record<'stdout' | 'stderr', { readonly seen: number; readonly kept: number }>> }
type Ran = Extract<Reported, { status: 'ran' }>

const telling: readonly Why[] = ['invalid', 'policy', 'untrusted', 'disabled', 'handler-not-allowed', 'handler-not-available', 'sandbox-unavailable']

/** Hooks that did not run though they might have had to; a matcher that does not match is no news. */
export function leftOut(hooks: readonly Reported[]): LeftOut[] {
  return hooks.flatMap((hook) => (hook.status === 'skipped' && telling.includes(hook.skipped.why) ? [{ id: idText(hook.id), why: hook.skipped.why }] : []))
}

/** The note of a run. `cut`: its output was reported as cut; `closed`: its failure was made a refusal. */
export function noteHook(hook: Ran, { cut = false, closed = false }: { cut?: boolean; closed?: boolean } = {}): HookNote {
  const failure = failureOf(hook, closed)
  const answer = (hook.answer ?? {}) as Readonly<Record<string, unknown>>
  const said = saidWord(answer)
  const used = Object.keys(answer).filter((key) => !deciding.includes(key))
  const over = hook.ending.kind === 'overflowed' ? hook.ending.stream : undefined
  return {
    id: idText(hook.id),
    type: hook.type,
    source: sourceOf(hook),
    digest: hook.digest,
    ending: endingNote(hook.ending),
    outcome: hook.outcome,
    ...(said === undefined ? {} : { said }),
    ...(used.length === 0 ? {} : { used }),
    ms: Math.round(hook.ms * 10) / 10,
    ...stream('stdout', hook, cut || over === 'stdout' || over === 'body'),
    ...stream('stderr', hook, over === 'stderr'),
    ...(failure === undefined ? {} : { failure }),
    ...(closed ? { closed: true as const } : {}),
  }
}

const deciding: readonly string[] = ['permission', 'reason', 'block', 'stop', 'elicitation']

function saidWord(answer: Readonly<Record<string, unknown>>): string | undefined {
  if (answer['stop'] !== undefined) return 'stop'
  if (typeof answer['permission'] === 'string') return answer['permission']
  if (answer['block'] !== undefined) return 'block'
  const elicited = answer['elicitation'] as { action?: string } | undefined
  return elicited?.action
}

function sourceOf({ source }: Pick<HookInfo, 'source'>): HookNote['source'] {
  const { kind, file, line } = source
  return { kind, ...(file === undefined ? {} : { file: keptText(file, 400) }), ...(line === undefined ? {} : { line }) }
}

function stream(name: 'stdout' | 'stderr', hook: Ran, cut: boolean): { [S in 'stdout' | 'stderr']?: StreamNote } {
  const counted = hook.bytes?.[name]
  const text = hook[name]
  if (counted === undefined && (text === undefined || text === '') && !cut) return {}
  const kept = counted?.kept ?? utf8Length(text ?? '')
  const more = cut || (counted !== undefined && counted.seen > counted.kept)
  return { [name]: { kept, ...(counted === undefined ? {} : { seen: counted.seen }), ...(more ? { cut: true as const } : {}) } }
}

/** An ending with its texts masked and cut. */
export function endingNote(ending: Ending): Ending {
  switch (ending.kind) {
    case 'judged':
      return ending.reason === undefined ? ending : { ...ending, reason: keptText(ending.reason, 200) }
    case 'unspawnable':
    case 'refused':
      return { ...ending, why: keptText(ending.why, 200) }
    case 'threw':
      return { ...ending, error: keptText(ending.error, 200) }
    default:
      return ending
  }
}

/** Whether the run failed, and how. A hook that refused by itself and then ended badly did not fail: its word counts. */
function failureOf(hook: Ran, closed: boolean): FailureKind | undefined {
  const ended = failureOfEnding(hook.ending)
  if (hook.outcome === 'cancelled') return ended
  return closed || hook.outcome === 'nonBlockingError' ? (ended ?? 'garbage') : undefined
}

function failureOfEnding(ending: Ending): FailureKind | undefined {
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 || ending.code === 2 ? undefined : 'exit'
    case 'replied':
      return ending.status >= 200 && ending.status < 300 ? undefined : 'status'
    case 'signalled':
      return 'signal'
    case 'timedOut':
      return 'timeout'
    case 'aborted':
      return 'aborted'
    case 'unspawnable':
      return 'start'
    case 'refused':
      return 'refused'
    case 'threw':
      return 'threw'
    case 'overflowed':
      return 'cut'
    case 'returned':
    case 'judged':
    case 'deferred':
      return undefined
  }
}
