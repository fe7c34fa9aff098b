/** Whether a command may run something that a shell pattern names: the reading of deny and ask rules, and of `if`. */
import { cannotTell, type Look, no, yes } from '../answer.ts'
import { couldMatch, type ShellPattern, surelyMatches } from './pattern.ts'
import type { ShellReading } from './read.ts'
import { UNKNOWN } from './word.ts'

/** Looks for the pattern in everything that may run; what cannot be read could be anything. */
export function mayRun(reading: ShellReading, pattern: ShellPattern): Look {
  const whole = reading.text.trim()
  if (whole === pattern.text || (pattern.exact && reading.commands.some((c) => c.written === pattern.text))) return yes(`the command is "${pattern.text}"`)
  let suspect: string | undefined
  for (const { line, sure } of reading.candidates) {
    if (sure && surelyMatches(pattern, line)) return yes(`"${shown(line)}" is covered by "${pattern.text}"`)
    if (suspect === undefined && !reading.cut && couldMatch(pattern, line)) suspect = line
  }
  if (pattern.asWritten && reading.commands.some((c) => c.written !== undefined && surelyMatches(pattern, c.written)))
    return yes(`the command is written as in "${pattern.text}"`)
  if (suspect !== undefined) return cannotTell(`"${shown(suspect)}" could be "${pattern.text}"`)
  if (reading.doubts.length > 0) return cannotTell(`${reading.doubts[0]}, so it could be "${pattern.text}"`)
  return no(`nothing in the command is covered by "${pattern.text}"`)
}

/**
 * The reading of a hook's `if`, which errs towards running: as `mayRun`, and a pattern that says more than a command's
 * name also cannot tell as soon as there is a substitution or a variable anywhere (protocol §4.3).
 */
export function mayConcern(reading: ShellReading, pattern: ShellPattern): Look {
  const look = mayRun(reading, pattern)
  if (look.answer !== 'no' || !reading.expands || pattern.commandOnly) return look
  return cannotTell(`the command has a substitution or a variable, so it could be "${pattern.text}"`)
}

function shown(line: string): string {
  const plain = line.replaceAll(UNKNOWN, '…').replaceAll('\u{E000}', ' ')
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}
