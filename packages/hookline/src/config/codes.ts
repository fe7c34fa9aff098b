/** The table of everything that loading and validating can find: what it means, what a wrong file looks like, and how to put it right. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { fileCodes } from './codes-of-files.ts'
import { hookCodes } from './codes-of-hooks.ts'

/** One code. `example` is a wrong snippet, `fix` the same snippet put right. */
export interface CodeEntry {
  readonly severity: Diagnostic['severity']
  readonly title: string
  readonly explanation: string
  readonly example: string
  readonly fix: string
}

/** Codes are stable: they keep their meaning, and none is used again for something else. */
export const codes = { ...fileCodes, ...hookCodes } as const
export type Code = keyof typeof codes
