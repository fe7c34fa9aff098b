/** The way of one session's records to its chain: under the lock, in order, several at once when the lock was busy; and what happens when they cannot be written. */
import { join } from 'node:path'
import type { AuditEntry, GapEntry } from '../audit/record.ts'
import { isGrave } from '../audit/record.ts'
import { HooklineError } from '../errors.ts'
import { LogChain } from './log-chain.ts'
import { LogLock } from './log-lock.ts'
import type { LogSetup } from './log-setup.ts'

/** What a lane does beside writing. */
export interface LaneOptions {
  /** Whether records that cannot be written are errors. */
  readonly required: () => boolean
  /** How long a busy lock is waited for, in milliseconds. */
  readonly waitMs: number
  /** Called with an error when records begin to be missing, and without one when they are written again. */
  readonly onTrouble: (error: HooklineError | undefined) => void
}

interface Waiting {
  readonly entry: AuditEntry
  readonly written: (written: Promise<void> | undefined) => void
}

/** One session's lane. */
export class LogLane {
  readonly #setup: LogSetup
  readonly #options: LaneOptions
  readonly #chain: LogChain
  readonly #lock: LogLock
  #waiting: Waiting[] = []
  #draining = false
  #drained: Promise<void> = Promise.resolve()
  #gap: Pick<GapEntry, 'records' | 'since' | 'why'> | undefined
  /** The lock was not to be had: it is not waited for again before it was. */
  #stuck = false

  constructor(chain: string, setup: LogSetup, options: LaneOptions) {
    this.#setup = setup
    this.#options = options
    this.#chain = new LogChain(chain, setup)
    this.#lock = new LogLock(setup.files, join(setup.place.folder, `${chain}.lock`))
  }

  /** Nothing is on its way, and nothing is missing. */
  get idle(): boolean {
    return !this.#draining && this.#gap === undefined
  }

  /** Writes at once when it can, and then gives `undefined` unless the disk has to be waited for. */
  append(entry: AuditEntry): Promise<void> | undefined {
    if (this.#draining) return this.#wait(entry)
    try {
      if (!this.#take()) return this.#stuck ? this.#refuse([entry], this.#busy()) : this.#wait(entry)
    } catch (error) {
      return this.#refuse([entry], error)
    }
    return this.#writeLocked([entry])
  }

  /** Writes what waits, saves and closes. Never rejects. */
  async close(): Promise<void> {
    await this.#drained
    await this.#chain.close()
  }

  #take(): boolean {
    try {
      return this.#taken(this.#lock.take())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      this.#setup.files.makeFolder(this.#setup.place.folder)
      return this.#taken(this.#lock.take())
    }
  }

  #taken(taken: boolean): boolean {
    if (taken) this.#stuck = false
    return taken
  }

  /** Writes with the lock held, and gives it back. */
  #writeLocked(entries: readonly AuditEntry[]): Promise<void> | undefined {
    try {
      const gap = this.#gap
      const flush = this.#chain.write(gap === undefined ? entries : [{ kind: 'gap', session: entries[0]?.session ?? '', ...gap }, ...entries])
      this.#gap = undefined
      if (gap !== undefined) this.#options.onTrouble(undefined)
      if (this.#setup.sync !== 'decision' || (gap === undefined && !entries.some(isGrave))) {
        flush.wrote(entries.length)
        return undefined
      }
      return flush.save().catch((error: unknown) => this.#refuse(entries, error))
    } catch (error) {
      return this.#refuse(entries, error)
    } finally {
      this.#release()
    }
  }

  #release(): void {
    try {
      this.#lock.release()
    } catch {
      // The lock still says that it is ours, so the next record takes it up again.
    }
  }

  #wait(entry: AuditEntry): Promise<void> {
    const done = new Promise<void>((written) => this.#waiting.push({ entry, written }))
    if (!this.#draining) this.#drained = this.#drain()
    return done
  }

  async #drain(): Promise<void> {
    this.#draining = true
    let since = performance.now()
    for (let tries = 0; this.#waiting.length > 0; tries++) {
      await pause(tries)
      let refusal: unknown
      try {
        if (this.#take()) {
          const batch = this.#waiting.splice(0)
          const written = this.#writeLocked(batch.map(({ entry }) => entry))
          for (const one of batch) one.written(written)
          since = performance.now()
          tries = 0
          continue
        }
        if (performance.now() - since < this.#options.waitMs) continue
        this.#stuck = true
        refusal = this.#busy()
      } catch (error) {
        refusal = error
      }
      const batch = this.#waiting.splice(0)
      const refused = this.#refuse(batch, refusal)
      for (const one of batch) one.written(refused)
    }
    // In the same breath as the last look at what waits: a record that comes now starts anew.
    this.#draining = false
  }

  /** Counts records as missing; an error only where the log is required. */
  #refuse(entries: readonly unknown[], cause: unknown): Promise<void> | undefined {
    const error = unwritable(this.#setup.place.folder, cause)
    const before = this.#gap
    this.#gap = { records: (before?.records ?? 0) + entries.length, since: before?.since ?? this.#setup.clock.now(), why: codeOf(cause) }
    if (before === undefined) this.#options.onTrouble(error)
    return this.#options.required() ? Promise.reject(error) : undefined
  }

  #busy(): Error {
    return Object.assign(new Error(`its lock is held by ${this.#lock.holder}`), { code: 'EBUSY' })
  }
}

/** A moment for another process to finish; never the same for two. */
function pause(tries: number): Promise<void> {
  if (tries < 2) return new Promise((done) => setImmediate(done))
  return new Promise((done) => setTimeout(done, 1 + Math.random() * Math.min(tries, 12)))
}

function codeOf(cause: unknown): string {
  return (cause as { code?: unknown } | null)?.code === undefined ? 'unknown' : String((cause as { code: unknown }).code)
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EIO: 'the disk does not work',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ELOOP: 'a link stands where a file should be',
  ENOTDIR: 'a file stands where a folder should be',
}

function unwritable(folder: string, cause: unknown): HooklineError {
  const code = codeOf(cause)
  const said = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause))
  return new HooklineError('audit-unwritable', `The audit log in ${folder} cannot be written: ${said}${code in reasons ? ` (${code})` : ''}.`, {
    hint: 'Make room or give another place for it; what could not be recorded is counted, and written down as a gap.',
    cause,
  })
}
