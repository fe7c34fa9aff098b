/** The words that a command begins with, at any depth: a pattern that names another program says nothing about it. */
import { behindSafeWrapper } from './covers.ts'
import type { ShellPattern } from './pattern.ts'
import type { ShellReading } from './read.ts'
import { type ShellWord, UNKNOWN } from './word.ts'

/** The first word that a covered line must have; `undefined`: a line may begin with anything. */
export function firstWordOf(pattern: ShellPattern): string | undefined {
  const [first] = pattern.pinned
  return first === firstOf(pattern.text) ? first : undefined
}

/** First words of all that may run; `undefined` when it may be any program. */
export function mayBeginWith(reading: ShellReading): ReadonlySet<string> | undefined {
  if (reading.doubts.length > 0) return undefined
  const words = written(reading)
  for (const { line } of reading.candidates) {
    const first = firstOf(line)
    if (first.includes(UNKNOWN)) return undefined
    words.add(first)
  }
  return words
}

/** First words under which rules that permit may cover a part of the command; `undefined`: every rule may. */
export function coveredAs(reading: ShellReading): ReadonlySet<string> | undefined {
  // What only sets variables begins with no program, and any shell rule may permit it.
  if (reading.commands.some(({ words }) => words.length === 0)) return undefined
  const words = written(reading)
  for (const command of reading.commands)
    for (let behind: readonly ShellWord[] | undefined = command.words; behind !== undefined; behind = behindSafeWrapper(behind))
      words.add(behind[0]?.text ?? '')
  return words
}

function written({ text, commands }: ShellReading): Set<string> {
  const words = new Set([firstOf(text.trim())])
  for (const command of commands) if (command.written !== undefined) words.add(firstOf(command.written))
  return words
}

function firstOf(line: string): string {
  const end = line.search(/\s/)
  return end < 0 ? line : line.slice(0, end)
}
