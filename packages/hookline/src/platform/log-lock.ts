/** One writer at a time: a lock that says who holds it, and that a dead holder does not keep. */
import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LogFiles, Mark } from './log-files.ts'

/** A holder on another machine or in another container cannot be looked up; it is given this long. */
const foreignMs = 30_000

/** A lock that is held only within one synchronous stretch of code. */
export class LogLock {
  readonly #files: LogFiles
  readonly #path: string
  readonly #text: string

  constructor(files: LogFiles, path: string) {
    this.#files = files
    this.#path = path
    this.#text = `${process.pid}.${startOf(files, process.pid)?.start ?? '0'}.${here()}.${randomBytes(4).toString('hex')}`
  }

  /** Tries once, and once more when a dead holder's lock was in the way. Throws what the file calls throw. */
  take(): boolean {
    if (this.#files.mark(this.#path, this.#text)) return true
    const held = this.#files.readMark(this.#path)
    if (held === undefined) return this.#files.mark(this.#path, this.#text)
    // Releasing failed the last time.
    if (held.text === this.#text) return true
    if (!isStale(held, this.#files)) return false
    breakMark(this.#files, this.#path, { held, text: this.#text })
    return this.#files.mark(this.#path, this.#text)
  }

  /** Gives it back. @throws what file calls throw, when it cannot be given back at the second try either. */
  release(): void {
    try {
      this.#files.remove(this.#path)
    } catch {
      this.#files.remove(this.#path)
    }
  }

  /** Who holds it, for a message. */
  get holder(): string {
    try {
      const held = this.#files.readMark(this.#path)
      return held === undefined ? 'nobody any more' : `process ${/^\d+/.exec(held.text)?.[0] ?? 'unknown'} since ${new Date(held.madeAt).toISOString()}`
    } catch {
      return 'somebody'
    }
  }
}

/**
 * Takes a dead holder's lock away. Two processes may both have seen it; removing what the other has just taken anew would give two holders.
 * So the right to remove this one holder's lock is a lock itself, and under it the holder is looked at once more.
 */
function breakMark(files: LogFiles, path: string, { held, text }: { held: Mark; text: string }): void {
  const right = `${path}.${createHash('sha256').update(held.text).digest('hex').slice(0, 8)}`
  if (!files.mark(right, text)) {
    const other = files.readMark(right)
    if (other !== undefined && isStale(other, files)) breakMark(files, right, { held: other, text })
    return
  }
  try {
    if (files.readMark(path)?.text === held.text) files.remove(path)
  } finally {
    files.remove(right)
  }
}

function isStale({ text, madeAt }: Mark, files: LogFiles): boolean {
  const [pid = '', start, place] = text.split('.')
  if (place !== here() || !/^[1-9]\d{0,9}$/.test(pid)) return Date.now() - madeAt > foreignMs
  if (!isThere(Number(pid))) return true
  const now = startOf(files, Number(pid))
  // A zombie holds nothing any more; another start time means another process of the same number.
  return now !== undefined && (now.state === 'Z' || now.state === 'X' || (start !== '0' && now.start !== start))
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Where the system tells: the state of a process, and when it started, in ticks. */
function startOf(files: LogFiles, pid: number): { state: string; start: string } | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const fd = files.open(`/proc/${pid}/stat`, 'read')
    try {
      const text = new TextDecoder().decode(files.read(fd, 0, 1_024))
      // The program's name may hold anything, closing brackets included.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [state, start] = [fields[0], fields[19]]
      return state === undefined || start === undefined ? undefined : { state, start }
    } finally {
      files.close(fd)
    }
  } catch {
    return undefined
  }
}

let place: string | undefined

/** This machine, this boot of it and this container: where a process number means something. */
function here(): string {
  place ??= createHash('sha256')
    .update(`${linkText('/proc/self/ns/pid')}\n${hostname()}`)
    .digest('hex')
    .slice(0, 8)
  return place
}

function linkText(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
