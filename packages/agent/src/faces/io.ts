/** The surroundings of the command: where it reads and writes, and what it was started with. */
import type { Readable } from 'node:stream'

export interface Io {
  stdin: Readable & { isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  env: Record<string, string | undefined>
  cwd: string
  /** A person looks at both ends. */
  terminal: boolean
}

/** This process. */
export function processIo(): Io {
  return {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  }
}
