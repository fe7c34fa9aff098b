/** Reads what a run had said before it was cut short by a deadline, a signal or a limit: only what refuses counts (design decision 4). */
import type { RawResult } from '../protocol/runner.ts'
import { cleanText } from './clean-text.ts'
import type { Failure } from './interpret-failure.ts'
import type { Heard } from './interpret-heard.ts'
import { readOutput } from './read-output.ts'
import { onlyRestrictive, type Reading } from './read-reading.ts'
import { type ReadingContext, readWire } from './read-wire.ts'

const mayHaveSpoken: ReadonlySet<string> = new Set(['timedOut', 'signalled', 'overflowed', 'aborted'])

/** Reads such a run. The failure stands in any case; a complete answer that refuses stands beside it. */
export function cutShort(raw: RawResult, reading: Reading, { failure, context }: { failure: Failure; context: ReadingContext }): Heard {
  if (!mayHaveSpoken.has(raw.ending.kind)) return { words: {}, failure }
  const output = readOutput(raw.stdout ?? '', reading.row.name)
  if (output.kind === 'object') {
    readWire(output.value, reading, context)
    for (const fault of reading.faults.splice(0)) reading.warn('wrong-type', `gave a malformed answer: ${fault}`)
    return { words: onlyRestrictive(reading.words), failure }
  }
  // A flood of plain text is still the text that was asked for; what was kept of it is delivered.
  const flooded = raw.ending.kind === 'overflowed' && output.kind === 'text' && !output.braced && reading.row.stdout === 'context'
  return { words: flooded ? { context: cleanText(output.text) } : {}, failure }
}
