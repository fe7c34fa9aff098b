/** The prompt line: history across sessions, questions in between, lines that are typed while a turn runs. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Io } from '../io.ts'

export interface Input {
  /** The next line; undefined when the input has ended. */
  line(prompt: string): Promise<string | undefined>
  /** A line that answers a question: it is no prompt and stays out of the history. */
  question(prompt: string, signal?: AbortSignal): Promise<string>
  /** Lines that nobody waits for. */
  onStray(listener: (line: string) => void): void
  /** Ctrl-C. */
  onInterrupt(listener: () => void): void
  /** Ms since the last key. */
  quietMs(): number
  close(): void
}

const keptLines = 500

export interface InputOptions {
  historyFile: string
  /** Names that complete after a slash. */
  complete: () => readonly string[]
}

export function createInput({ stdin, out, screen }: Io, { historyFile, complete }: InputOptions): Input {
  const history = existsSync(historyFile)
    ? readFileSync(historyFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .slice(-keptLines)
        .reverse()
    : []
  const completer = (line: string): [string[], string] => {
    const names = line.startsWith('/') ? [...new Set(complete())].map((name) => `/${name}`).filter((name) => name.startsWith(line)) : []
    return [names, line]
  }
  const reader: Interface = createInterface({
    input: stdin,
    ...(screen === undefined ? {} : { output: screen }),
    terminal: true,
    history,
    historySize: keptLines,
    removeHistoryDuplicates: true,
    completer,
  })
  let stray: (line: string) => void = () => {}
  let interrupt: () => void = () => {}
  let waiting: ((line: string | undefined) => void) | undefined
  let closed = false
  let lastKey = Date.now()
  stdin.on('data', () => {
    lastKey = Date.now()
  })
  reader.on('line', (line) => {
    const take = waiting
    waiting = undefined
    if (take === undefined) stray(line)
    else take(line)
  })
  reader.on('SIGINT', () => interrupt())
  reader.on('close', () => {
    closed = true
    waiting?.(undefined)
  })
  const next = (prompt: string, signal?: AbortSignal): Promise<string | undefined> =>
    new Promise((done) => {
      if (closed) return done(undefined)
      waiting = done
      reader.setPrompt(prompt)
      reader.prompt()
      signal?.addEventListener(
        'abort',
        () => {
          if (waiting !== done) return
          waiting = undefined
          out('\n')
          done(undefined)
        },
        { once: true },
      )
    })
  return {
    async line(prompt) {
      const line = await next(prompt)
      if (line !== undefined && line.trim() !== '') remember(historyFile, line)
      return line
    },
    async question(prompt, signal) {
      const line = await next(prompt, signal)
      if (line === undefined) throw signal?.aborted === true ? signal.reason : new Error('The input ended before the question was answered.')
      const { history: lines } = reader as Interface & { history?: string[] }
      if (lines?.[0] === line) lines.shift()
      return line
    },
    onStray: (listener) => {
      stray = listener
    },
    onInterrupt: (listener) => {
      interrupt = listener
    },
    quietMs: () => Date.now() - lastKey,
    close: () => reader.close(),
  }
}

function remember(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, `${line.replaceAll('\n', ' ')}\n`, { mode: 0o600 })
  } catch {
    // A history that cannot be kept keeps nobody from working.
  }
}
