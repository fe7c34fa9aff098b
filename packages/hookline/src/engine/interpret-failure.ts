/** Says in words what went wrong with a run: one sentence, what to do next, and the notice that the person reads. */
import type { Ending } from '../protocol/ending.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { RawResult } from '../protocol/runner.ts'
import { firstLine, oneLine } from './clean-text.ts'
import { type Answering, nameHook } from './read-reading.ts'

/** A failed run. `sentence` follows the hook's name and has no full stop. */
export interface Failure {
  readonly code: string
  readonly sentence: string
  /** What the person may do about it. */
  readonly hint?: string
  /** What the hook itself said: the first line of stderr, or all of it where that is the answer. */
  readonly said?: string
}

const processTypes: ReadonlySet<string> = new Set(['command', 'module'])
/** How a run without an answer is told where nothing is thrown by the hook itself. */
const threwWords: Readonly<Record<string, string>> = { prompt: 'got no verdict', agent: 'got no verdict', mcp_tool: 'got no answer' }
const mib = 1_048_576

/** The failure of a run that did not end by itself; `undefined` for one that did. */
export function failureOfEnding(ending: Ending, { row, type, stderr }: { row: NamedRow; type: string; stderr: string }): Failure | undefined {
  const said = firstLine(stderr)
  const heard = said === '' ? {} : { said }
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 || ending.code === 2 ? undefined : { ...exitFailure(ending.code, row), ...heard }
    case 'replied':
      return replyFailure(ending.status)
    case 'timedOut': {
      const killed = processTypes.has(type) ? ' and was killed' : ''
      const hint = type === 'command' ? 'Raise "timeout" or set "async".' : 'Raise "timeout".'
      return { code: 'timed-out', sentence: `timed out after ${seconds(ending.afterMs)} s${killed}`, hint, ...heard }
    }
    case 'signalled':
      return {
        code: 'signalled',
        sentence: `was killed by ${oneLine(ending.signal, 20)}`,
        hint: 'Hookline did not do it: look for who did, or for a lack of memory.',
        ...heard,
      }
    case 'aborted':
      return { code: 'aborted', sentence: 'was stopped because the call was aborted' }
    case 'unspawnable': {
      const what = type === 'http' ? 'could not reach its URL' : 'could not be started'
      const hint = type === 'command' && /^(?:ENOENT|EACCES)\b/.test(ending.why) ? { hint: 'Check that the command exists and may be executed.' } : {}
      return { code: 'not-started', sentence: `${what}: ${oneLine(ending.why, 300)}`, ...hint }
    }
    case 'refused':
      return { code: 'refused', sentence: `was not run: ${oneLine(ending.why, 300)}` }
    case 'threw':
      return { code: 'threw', sentence: `${threwWords[type] ?? 'threw'}: ${firstLine(ending.error) || 'an error without a message'}` }
    case 'overflowed': {
      const limit = ending.limit >= mib ? `${Math.round((ending.limit / mib) * 10) / 10} MiB` : `${ending.limit} bytes`
      return {
        code: 'overflowed',
        sentence: `wrote more than ${limit} to ${ending.stream === 'body' ? 'its answer' : ending.stream} and was stopped`,
        ...(Object.hasOwn(threwWords, type) ? {} : { hint: 'Write less, or to a file.' }),
        ...heard,
      }
    }
    default:
      return undefined
  }
}

function exitFailure(code: number, row: NamedRow): Failure {
  const why =
    code === 126
      ? ' (found, but not executable)'
      : code === 127
        ? ' (command not found)'
        : code > 128 && code < 193
          ? ` (signal ${code - 128} ended a process in it)`
          : ''
  const only = canBlock(row) ? '; only 2 blocks' : ''
  const hint =
    code === 126
      ? 'Make the file executable.'
      : code === 127
        ? 'Check the spelling and the path of the command, and that it is installed.'
        : canBlock(row)
          ? 'End with 2 to block, with 0 to let it pass.'
          : undefined
  return { code: 'exit-code', sentence: `ended with code ${code}${why}${only}`, ...(hint === undefined ? {} : { hint }) }
}

function replyFailure(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return { code: 'http-status', sentence: `answered with a redirect (${status}), which is not followed`, hint: 'Write the final URL.' }
  const hint = status < 500 ? 'Check the URL and the headers.' : 'Look into the log of the endpoint.'
  return { code: 'http-status', sentence: `answered with status ${status}; only 2xx answers are read`, hint }
}

/** Whether anything can be refused at this event. */
export function canBlock(row: NamedRow): boolean {
  return row.onBlock !== undefined && row.exit2 === undefined
}

function seconds(ms: number): string {
  // A deadline that was measured is a little late.
  return String(ms < 10_000 ? Math.round(ms) / 1_000 : Math.round(ms / 100) / 10)
}

/** The notice: who, where, what happened, what the hook said, what next. Never a stack, never a secret. */
export function noticeOf(failure: Failure, { row, info, closed }: { row: NamedRow; info: Answering; closed: boolean }): string {
  const parts = [`${nameHook(row, info)} ${failure.sentence}.`]
  if (failure.said !== undefined && failure.said !== '') parts.push(`It wrote: ${failure.said}${/[.!?…]$/.test(failure.said) ? '' : '.'}`)
  if (closed) parts.push('A failure of this hook counts as a refusal.')
  if (failure.hint !== undefined) parts.push(failure.hint)
  return parts.join(' ')
}

/** How the person's notice and the record of one failure are filed. */
export function placeOf({ id, source }: Answering): { hook: string; file?: string; line?: number; column?: number } {
  const { file, line, column } = source
  return { hook: id, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
}

/** Whether the run was cut short by its deadline or its host: nobody decided anything. */
export function wasCancelled(raw: RawResult): boolean {
  return raw.ending.kind === 'timedOut' || raw.ending.kind === 'aborted'
}
