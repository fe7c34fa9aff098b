/** The surroundings of the command, brought by whoever runs it: where it reads and writes, and what it was started with. */
import type { Readable, Writable } from 'node:stream'

export interface Io {
  stdin: Readable & { isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  cwd: string
  /** A person looks at both ends; `screen` is where. */
  terminal: boolean
  screen?: Writable & { columns?: number }
  /** A person looks at what `out` prints, even where nobody types. */
  shown?: boolean
  /** Ends the process at once: a second Ctrl-C. */
  quit?(code: number): void
}
