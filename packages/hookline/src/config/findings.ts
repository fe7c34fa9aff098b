/** Collects diagnostics of one source: a code of the table, a message, a place. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookId } from '../protocol/hook.ts'
import { type Code, codes } from './codes.ts'
import { type Locate, nowhere } from './positions.ts'

/** Where the explanation of a code stands. */
export const codeUrl = (code: string): string => `https://hookline.dev/codes/${code}`

/** What a finding may say beside its message. */
export interface FindingDetails {
  /** Offset in the text. */
  readonly at?: number
  /** Which character is meant of the text that stands there. */
  readonly within?: number | undefined
  readonly hint?: string | undefined
  readonly hook?: HookId | undefined
  /** Another severity than the table's. */
  readonly severity?: Diagnostic['severity']
}

const maxFindings = 1_000

/** The findings about one file, or about a value from code. */
export class Findings {
  readonly list: Diagnostic[] = []
  readonly file: string | undefined
  readonly locate: Locate

  constructor(file?: string, locate: Locate = nowhere) {
    this.file = file
    this.locate = locate
  }

  add(code: Code, message: string, details: FindingDetails = {}): void {
    // A file made to be wrong in a million places must not fill the memory; that something of it is not read is said all the same.
    if (this.list.length >= maxFindings && code !== 'too-many') return
    this.list.push(
      diagnose(code, message, {
        ...details,
        ...(this.file === undefined ? {} : { file: this.file }),
        ...(details.at === undefined ? {} : this.locate(details.at, details.within)),
      }),
    )
  }

  get failed(): boolean {
    return this.list.some(({ severity }) => severity === 'error')
  }
}

/** One diagnostic with the severity and the page of its code. */
export function diagnose(
  code: Code,
  message: string,
  details: Omit<FindingDetails, 'at' | 'within'> & { file?: string; line?: number; column?: number } = {},
): Diagnostic {
  const { severity = codes[code].severity, hint, hook, file, line, column } = details
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    url: codeUrl(code),
    ...(hook === undefined ? {} : { hook }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/** Text that came from a file, fit for a message: quoted, control characters escaped, cut when long. */
export function quoted(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return JSON.stringify(shown).replaceAll(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
