/** Reads what was piped in or lies in a file, up to a limit, as UTF-8 text. */
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from './failure.ts'

/** The largest input that is read, in bytes. */
export const maxInput = 16 * 1024 * 1024

/** Where text came from, in words for messages. */
export interface ReadText {
  readonly text: string
  /** The path as typed, or "stdin". */
  readonly name: string
}

/**
 * Reads a file, or stdin for "-".
 * @throws Failure when it cannot be read, is too large, or is not UTF-8.
 */
export async function readText(path: string, { option }: { option: string }): Promise<ReadText> {
  if (path === '-') return { text: decode(await readInput(option), 'stdin'), name: 'stdin' }
  refuseUnreadable(resolve(path), path, option)
  let descriptor: number | undefined
  try {
    descriptor = openSync(resolve(path), 'r')
    const parts = new Parts(path, option)
    while (readPart(descriptor, parts));
    return { text: decode(parts.whole, path), name: path }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('unreadable-file', `${option}: ${path} cannot be read (${codeOf(error)}).`, { hint: 'Look at its permissions: ls -l.' })
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Standard input without Node's stream, which takes milliseconds to load; with it from where the descriptor will not wait. */
async function readInput(option: string): Promise<Buffer> {
  const parts = new Parts('stdin', option)
  try {
    while (readPart(0, parts));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Failure) throw error
    // Windows says so at the end of a pipe.
    if (code !== 'EOF') for await (const part of process.stdin) parts.add(part as Buffer)
  }
  return parts.whole
}

/** Adds what comes next; false at the end. */
function readPart(descriptor: number, parts: Parts): boolean {
  const part = Buffer.allocUnsafe(65_536)
  const length = readSync(descriptor, part)
  if (length > 0) parts.add(part.subarray(0, length))
  return length > 0
}

function refuseUnreadable(file: string, path: string, option: string): void {
  let stat: Stats | undefined
  try {
    stat = statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw new Failure('unreadable-file', `${option}: ${path} cannot be read (${codeOf(error)}).`, { hint: 'Look at the permissions of its folder.' })
  }
  if (stat === undefined) throw new Failure('no-such-file', `${option}: there is no file ${path}.`, { hint: 'Give a file, or "-" for stdin.' })
  if (stat.isDirectory()) throw new Failure('not-a-file', `${option}: ${path} is a folder.`, { hint: 'Give a file in it, or "-" for stdin.' })
  if (option === 'validate' && !stat.isFile())
    throw new Failure('not-a-file', `${option}: ${path} is no regular file.`, { hint: 'Settings are read from files only.' })
}

/** Counts while reading: a pipe or a device has no size to look at first. */
class Parts {
  readonly #name: string
  readonly #option: string
  readonly #parts: Buffer[] = []
  #size = 0

  constructor(name: string, option: string) {
    this.#name = name
    this.#option = option
  }

  get whole(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
  }

  /** @throws Failure when it becomes too much. */
  add(part: Buffer): void {
    this.#size += part.length
    if (this.#size > maxInput) {
      throw new Failure('too-large', `${this.#option}: ${this.#name} is over ${maxInput / 1024 / 1024} MiB, which is more than an event's input may be.`, {
        hint: 'Give a smaller input; large data belongs into a file that the hook reads.',
      })
    }
    this.#parts.push(part)
  }
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure('not-utf8', 'the text is not UTF-8.', { file: name, hint: 'Save or send it as UTF-8.' })
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return code === 'EACCES' ? 'permission denied' : String(code ?? error)
}
