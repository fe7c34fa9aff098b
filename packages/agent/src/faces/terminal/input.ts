/** The prompt line: history, several lines, questions in between, lines that are typed while a turn runs. */
import { createInterface, type Interface } from 'node:readline'
import type { Io } from '../io.ts'
import type { History } from './history.ts'
import { createKeys, lineBreak, markPastes } from './keys.ts'

export interface Input {
  /** The next prompt, line breaks and all; undefined when the input has ended or is wanted no more. */
  line(prompt: string, signal?: AbortSignal): Promise<string | undefined>
  /** Shows the prompt line anew, when something was written over it. */
  again(): void
  ended(): boolean
  /** A line that answers a question: it is no prompt and stays out of the history. */
  question(prompt: string, signal?: AbortSignal): Promise<string>
  /** Prompts that nobody waits for. */
  onStray(listener: (prompt: string) => void): void
  /** Ctrl-C. `typed`: there was something on the line, which is gone now. */
  onInterrupt(listener: (typed: boolean) => void): void
  /** Ms since the last key. */
  quietMs(): number
  close(): void
}

export interface InputOptions {
  history: History
  /** Names that complete after a slash. */
  complete: () => readonly string[]
}

const morePrompt = '… '

export function createInput({ stdin, out, screen }: Io, { history, complete }: InputOptions): Input {
  const completer = (line: string): [string[], string] => {
    const names = line.startsWith('/') ? [...new Set(complete())].map((name) => `/${name}`).filter((name) => name.startsWith(line)) : []
    return [names, line]
  }
  const keys = createKeys(stdin)
  out(markPastes.on)
  const reader = createInterface({
    input: keys,
    ...(screen === undefined ? {} : { output: screen }),
    terminal: true,
    history: [...history.lines],
    historySize: 500,
    removeHistoryDuplicates: true,
    completer,
  }) as Interface & { history?: string[] }
  let stray: (prompt: string) => void = () => {}
  let interrupt: (typed: boolean) => void = () => {}
  let waiting: ((line: string | undefined) => void) | undefined
  /** Lines of a prompt that goes on. */
  let begun: string[] = []
  let asking = false
  let closed = false
  let lastKey = Date.now()
  keys.on('data', () => {
    lastKey = Date.now()
  })
  reader.on('line', (line) => {
    if (asking) {
      if (reader.history?.[0] === line) reader.history.shift()
      return take(line)
    }
    begun.push(line.endsWith('\\') ? line.slice(0, -1) : line)
    if (line.endsWith('\\')) {
      reader.history?.shift()
      reader.setPrompt(morePrompt)
      reader.prompt()
      return
    }
    const prompt = begun.join('\n').replaceAll(lineBreak, '\n')
    if (begun.length > 1 && reader.history !== undefined) reader.history[0] = prompt.replaceAll('\n', lineBreak)
    begun = []
    if (prompt.trim() !== '') history.remember(prompt)
    if (waiting === undefined) stray(prompt)
    else take(prompt)
  })
  const take = (line: string | undefined): void => {
    const done = waiting
    waiting = undefined
    asking = false
    done?.(line)
  }
  const wipe = (): void => {
    if (reader.line === '') return
    reader.write(null, { ctrl: true, name: 'e' })
    reader.write(null, { ctrl: true, name: 'u' })
  }
  reader.on('SIGINT', () => {
    const typed = reader.line !== '' || begun.length > 0
    begun = []
    wipe()
    interrupt(typed)
  })
  reader.on('close', () => {
    closed = true
    out(markPastes.off)
    stdin.unpipe(keys)
    stdin.pause()
    take(undefined)
  })
  const next = (prompt: string, signal?: AbortSignal): Promise<string | undefined> =>
    new Promise((done) => {
      if (closed || signal?.aborted === true) return done(undefined)
      waiting = done
      reader.setPrompt(prompt)
      reader.prompt(true)
      signal?.addEventListener(
        'abort',
        () => {
          if (waiting !== done) return
          out('\n')
          take(undefined)
        },
        { once: true },
      )
    })
  return {
    line: (prompt, signal) => next(prompt, signal),
    again: () => reader.prompt(true),
    ended: () => closed,
    async question(prompt, signal) {
      asking = true
      // What was being typed is no answer: it waits until the question is over.
      const typed = reader.line
      wipe()
      const line = await next(prompt, signal)
      asking = false
      if (!closed) reader.write(typed)
      if (line === undefined) throw signal?.aborted === true ? signal.reason : new Error('The input ended before the question was answered.')
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
