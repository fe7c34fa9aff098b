/** Where the command line writes: people's text or exactly one document on stdout, notes on stderr, a closed pipe is no error. */
import { exits } from './exits.ts'
import { type Paint, paintFor } from './render/paint.ts'

/** The part of a stream that is written to. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How output was asked for: text for people, one document, or JSON lines with the document last. */
export type OutputForm = 'text' | 'document' | 'lines'

/** What decides how output looks. */
export interface TerminalOptions {
  readonly form: OutputForm
  /** False: `--no-color` was given. */
  readonly color: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Screen
  readonly stderr: Screen
}

/** Prints for one command. Nothing but the asked-for form ever reaches stdout. */
export class Terminal {
  readonly form: OutputForm
  /** Colours for what goes to stdout. */
  readonly paint: Paint
  /** Colours for what goes to stderr. */
  readonly notePaint: Paint
  readonly #stdout: Screen
  readonly #stderr: Screen

  constructor({ form, color, env, stdout, stderr }: TerminalOptions) {
    this.form = form
    this.paint = paintFor({ color, env, tty: stdout.isTTY === true })
    this.notePaint = paintFor({ color, env, tty: stderr.isTTY === true })
    this.#stdout = stdout
    this.#stderr = stderr
  }

  /** A place for progress; nothing unless a person looks at stderr. */
  get live(): Screen | undefined {
    return this.#stderr.isTTY === true ? this.#stderr : undefined
  }

  /** The result of a command: the document when one was asked for, else the text. */
  show(document: object, text: () => string): void {
    if (this.form === 'text') this.print(text())
    else this.#stdout.write(`${jsonText(document, this.form === 'document' ? 2 : 0)}\n`)
  }

  /** One line of a stream of lines, in whatever form. */
  line(value: object): void {
    this.#stdout.write(`${jsonText(value)}\n`)
  }

  /** Text on stdout, ended with one newline. */
  print(text: string): void {
    if (text !== '') this.#stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** Text on stderr: what a person should know, and no program reads. */
  note(text: string): void {
    if (text !== '') this.#stderr.write(text.endsWith('\n') ? text : `${text}\n`)
  }
}

/** JSON whose text cannot steer a terminal either: what JSON leaves as it is, but terminals obey, is escaped. */
export function jsonText(value: object, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** What the command line needs to know of a process that writes. */
export interface Writer {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  exitCode?: number | string | null | undefined
  once(event: 'exit', listener: () => void): unknown
}

/**
 * Lets a reader of stdout or stderr leave early (`hookline list | head`) without an error. Output that is lost for another
 * reason, as on a full disk, is told once and makes a good end a bad one.
 */
export function guardStreams(writer: Writer): void {
  let told = false
  const failed = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || told) return
    told = true
    writer.stderr.write(`hookline: the output cannot be written (${error.code ?? error.message}).\n`)
    writer.once('exit', () => {
      writer.exitCode ||= exits.internal
    })
  }
  for (const stream of [writer.stdout, writer.stderr]) stream.on('error', failed)
}
