/** Reads what a background hook said after nobody waited for it: context and message, no decision (protocol §2.10, design decision 12). */
import type { RawResult } from '../protocol/runner.ts'
import type { Words } from '../protocol/words.ts'
import { cleanText } from './clean-text.ts'
import type { Failure } from './interpret-failure.ts'
import { readValue } from './read-answer.ts'
import { readOutput } from './read-output.ts'
import { type Reading, restricts, withoutPermissive } from './read-reading.ts'
import { type ReadingContext, readWire } from './read-wire.ts'

/** What is left for later, and the failure if there was one. */
export interface Later {
  readonly words: Words
  readonly failure?: Failure
}

/** Reads a background run that ended by itself. `wakes`: exit code 2 wakes the model with what was written. */
export function readLate(raw: RawResult, reading: Reading, { wakes, context }: { wakes: boolean; context: ReadingContext }): Later {
  const code = raw.ending.kind === 'exited' ? raw.ending.code : 0
  const printed = withoutAsyncLine(raw.stdout ?? '')
  if (code === 2 && wakes) {
    const text = cleanText(raw.stderr?.trim() ? raw.stderr : printed).trim()
    return { words: text === '' ? {} : { context: text } }
  }
  const output = readOutput(printed, reading.row.name)
  if (raw.value !== undefined) readValue(raw.value, reading, context)
  else if (output.kind === 'object') readWire(output.value, reading, context)
  const words = keepForLater(reading)
  if (code === 2)
    return {
      words,
      failure: {
        code: 'exit-code',
        sentence: 'ended with code 2, which blocks nothing from the background',
        hint: 'Set "asyncRewake" to wake the model, or let the hook run in the foreground.',
      },
    }
  if (output.kind === 'broken') return { words: {}, failure: { code: 'malformed', sentence: `printed ${output.why}` } }
  if (code !== 0 && output.kind !== 'object') return { words, failure: { code: 'exit-code', sentence: `ended with code ${code} in the background` } }
  return { words }
}

/** Only what is told, not what decides; wrong-typed fields are left out one by one. */
function keepForLater(reading: Reading): Words {
  for (const fault of reading.faults.splice(0)) reading.warn('wrong-type', `gave a malformed field: ${fault}; it was left out`)
  const { words } = reading
  if (restricts(words) || Object.keys(withoutPermissive(words)).length < Object.keys(words).length) {
    reading.warn('background-decision', 'decided something from the background, which is too late to count', { tell: true })
  }
  const { context, message } = words
  return { ...(context === undefined ? {} : { context }), ...(message === undefined ? {} : { message }) }
}

/** Whether a run that ended by itself had asked, in its first line, to go on in the background. */
export function saysAsync({ ending, stdout }: RawResult): boolean {
  return ending.kind === 'exited' && stdout !== undefined && stdout.includes('async') && withoutAsyncLine(stdout) !== stdout
}

/** The text after a first line that says `{"async": true}`: that line only asked to go on in the background. */
export function withoutAsyncLine(printed: string): string {
  const start = printed.search(/\S/)
  const end = start === -1 ? -1 : printed.indexOf('\n', start)
  const line = printed.slice(Math.max(start, 0), end === -1 ? undefined : end).trim()
  if (!line.startsWith('{') || line.length > 200) return printed
  try {
    const value = JSON.parse(line) as { async?: unknown }
    // Beside anything else that is said, `async` only asks; the answer counts.
    const asks = value.async === true && Object.keys(value).every((key) => key === 'async' || key === 'asyncTimeout')
    return asks ? (end === -1 ? '' : printed.slice(end + 1)) : printed
  } catch {
    return printed
  }
}
