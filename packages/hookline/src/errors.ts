/** The one error class of Hookline and the table of everything it can be thrown for. */

/** What went wrong, as a stable word a program can branch on. Only mistakes of a host or of a settings author are thrown. */
export type HooklineErrorCode = keyof typeof errorCodes

/** Every code a `HooklineError` may carry, with the sentence that the reference page shows for it. */
export const errorCodes = {
  'unknown-event': 'An event was named that is neither in the table nor defined by the host.',
  'invalid-input': 'The input given for an event lacks a required field, or a field has the wrong type.',
  'invalid-option': 'An option given to a Hookline function is not usable.',
  'policy-unreadable': 'A managed policy file cannot be read, does not parse, or can be written by other users.',
  'audit-unwritable': 'The audit log is required, and a record could not be written.',
  'audit-unreadable': 'The audit log is there and cannot be read.',
  closed: 'The Hookline, session or agent scope was closed before this call.',
} as const

/** Where in a file a mistake stands. Lines and columns count from 1. */
export interface Place {
  file?: string
  line?: number
  column?: number
}

/**
 * Thrown for mistakes of the host or of a settings author; a failing hook never throws.
 * `message` says who, where and what happened; `hint` says what to do next. Neither holds a secret.
 */
export class HooklineError extends Error {
  readonly code: HooklineErrorCode
  readonly hint?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number

  constructor(code: HooklineErrorCode, message: string, more: Place & { hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'HooklineError'
    this.code = code
    if (more.hint !== undefined) this.hint = more.hint
    if (more.file !== undefined) this.file = more.file
    if (more.line !== undefined) this.line = more.line
    if (more.column !== undefined) this.column = more.column
  }

  /** True for a HooklineError of any copy of this package in the process. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && (value as { name?: unknown }).name === 'HooklineError' && value instanceof Error
  }
}
