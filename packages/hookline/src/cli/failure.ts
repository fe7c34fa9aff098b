/** What goes wrong on the command line: the one error class, and how every error is said. */
import { HooklineError } from '../index.ts'
import { type Exit, exits } from './exits.ts'
import { shown } from './render/shown.ts'
import type { Terminal } from './terminal.ts'

/** What an error says beside its message. */
export interface FailureDetails {
  readonly exit?: Exit
  readonly hint?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** A mistake of whoever typed the command, or a command that cannot do its work. `code` is a stable word. */
export class Failure extends Error {
  readonly code: string
  readonly exit: Exit
  readonly details: FailureDetails

  constructor(code: string, message: string, details: FailureDetails = {}) {
    super(message)
    this.name = 'CommandFailure'
    this.code = code
    this.exit = details.exit ?? exits.usage
    this.details = details
  }

  /** True for a failure of any copy of this file: `fire` is bundled, the other commands are not. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'CommandFailure'
  }
}

/** Says what went wrong, in the form that was asked for, and gives the exit code. */
export function report(error: unknown, terminal: Terminal, verbose: boolean): Exit {
  const failure = asFailure(error)
  if (failure.exit === exits.interrupted) {
    terminal.note('hookline: interrupted; running hooks were ended.')
    if (terminal.form === 'text') return failure.exit
  } else {
    terminal.note(asText(failure, terminal))
  }
  const { hint, file, line, column } = failure.details
  if (terminal.form !== 'text') {
    const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
    terminal.show(
      { version: 1, kind: 'error', code: failure.code, message: failure.message, ...(hint === undefined ? {} : { hint }), ...place, exit: failure.exit },
      () => '',
    )
  }
  if (failure.exit === exits.internal && verbose && error instanceof Error) terminal.note(error.stack ?? '')
  return failure.exit
}

function asText({ message, details }: Failure, { notePaint }: Terminal): string {
  const { file, line, column, hint } = details
  const place = file === undefined ? '' : `${[file, line, column].filter((part) => part !== undefined).join(':')}: `
  return `${notePaint.red('hookline:')} ${shown(`${place}${message}`)}${hint === undefined ? '' : `\n  ${shown(hint)}`}`
}

const exitOf: Partial<Record<string, Exit>> = {
  'unknown-event': exits.usage,
  'invalid-input': exits.usage,
  'invalid-option': exits.usage,
  'policy-unreadable': exits.findings,
  'audit-unreadable': exits.unreadable,
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof HooklineError) {
    const { hint, file, line, column } = error
    return new Failure(error.code, error.message, {
      exit: exitOf[error.code] ?? exits.internal,
      ...(hint === undefined ? {} : { hint }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })
  }
  const said = error instanceof Error ? error.message : String(error)
  return new Failure('internal', `internal error: ${said}`, {
    exit: exits.internal,
    hint: 'This is a defect of Hookline. Run it again with --verbose and report what it prints.',
  })
}
