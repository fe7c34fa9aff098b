/** The notes taken while a command is read, and the words for what was found. */
import type { ShellWord } from './word.ts'

/** A variable set in front of a command. */
export interface Assigned {
  readonly name: string
  readonly value: ShellWord
}

/** One simple command as it was written, at any depth. */
export interface WrittenCommand {
  readonly assignments: readonly Assigned[]
  readonly words: readonly ShellWord[]
  /** The text as written without its redirects; absent when words are not parted by exactly one blank. */
  readonly written?: string
}

/** Words that may run as a command; `sure` when they will, if their place in the text is reached. */
export interface Candidate {
  readonly words: readonly ShellWord[]
  /** The words as one line. */
  readonly line: string
  readonly sure: boolean
}

/** What feeds a command's standard input, when something does. */
export interface Input {
  /** The text, when it stands in the command itself. */
  readonly text?: string
}

/** Where in the command the reader is. */
export interface Spot {
  /** What is found here will run, not only might. */
  readonly sure: boolean
  readonly depth: number
  readonly source: string
  /** At the top of the command's own text. */
  readonly top: boolean
  readonly stdin?: Input
  /** Behind a keyword such as `time` or `!`. */
  readonly keyword?: true
  /** Perhaps no command at all: rules that forbid look at it, rules that permit need not cover it. */
  readonly guess?: true
}

/** Takes notes; handed to everything that knows what one kind of program runs. */
export interface Reader {
  /** These words may run as a command. */
  runs(words: readonly ShellWord[], spot: Spot): void
  /** These words count as a command when rules are compared, and nothing more is known of them. */
  add(words: readonly ShellWord[], sure: boolean): void
  /** This text is shell source that runs. */
  readText(text: string, spot: Spot): void
  /** Something runs that cannot be read. */
  doubt(why: string): void
  /** This file is run as a program or a script. */
  runsFile(word: ShellWord): void
  /** This file is written. */
  writesFile(word: ShellWord): void
}

/** The same place, seen with less certainty. */
export function weaker(spot: Spot): Spot {
  return { ...spot, sure: false }
}
