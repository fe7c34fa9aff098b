/** What every command is given beside its own words. */
import type { Terminal } from './terminal.ts'

export interface CommandContext {
  readonly terminal: Terminal
  /** The folder of built files: the package's own files are found from here. */
  readonly dist: string
}
