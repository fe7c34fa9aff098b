/** What the parts of a log writer share: files, hashing, clock, limits, and whom to warn. */
import type { Digests } from '../audit/chain.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { LogFiles } from './log-files.ts'
import type { SyncLevel } from './log-flush.ts'
import type { LogPlace } from './log-names.ts'

export interface LogSetup {
  readonly files: LogFiles
  readonly place: LogPlace
  readonly digests: Digests
  readonly clock: { now(): number; up(): number }
  readonly sync: SyncLevel
  /** A file that would grow beyond this is full. */
  readonly maxBytes: number
  /** How many files of a chain are kept. */
  readonly keep: number
  /** How much of the end of a file is checked when it is opened, in bytes; a smaller file is checked whole. */
  readonly window: number
  /** The key of a file, when the log is sealed. */
  readonly keyFor?: ((chain: string, number: number) => Uint8Array) | undefined
  readonly warn: (notice: Diagnostic) => void
}
