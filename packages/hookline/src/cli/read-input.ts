/** Reads what was piped in or lies in a file, up to a limit, as UTF-8 text. */
import { createReadStream, type Stats, statSync } from 'node:fs'
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
  if (path === '-') return { text: decode(await readAll(process.stdin, 'stdin', option), 'stdin'), name: 'stdin' }
  refuseUnreadable(resolve(path), path, option)
  try {
    return { text: decode(await readAll(createReadStream(resolve(path)), path, option), path), name: path }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('unreadable-file', `${option}: ${path} cannot be read (${codeOf(error)}).`, { hint: 'Look at its permissions: ls -l.' })
  }
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
async function readAll(stream: AsyncIterable<Buffer>, name: string, option: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxInput) {
      throw new Failure('too-large', `${option}: ${name} is over ${maxInput / 1024 / 1024} MiB, which is more than an event's input may be.`, {
        hint: 'Give a smaller input; large data belongs into a file that the hook reads.',
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
