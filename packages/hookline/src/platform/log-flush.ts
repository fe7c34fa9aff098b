/** When the bytes of a log file reach the disk: at once and together for those who wait, now and then for the rest. */
import type { LogFiles } from './log-files.ts'

/** Sync levels: `decision` waits for refusals, trust and policy; `batch` for nothing; `off` never asks the disk. */
export type SyncLevel = 'decision' | 'batch' | 'off'

const mostRecords = 64
const mostMs = 100

/** What is flushed, and whether at all. */
export interface FlushOptions {
  readonly fd: number
  readonly folder: string
  /** The file was just made. */
  readonly fresh: boolean
  readonly off: boolean
  readonly onFailure: (error: unknown) => void
}

/** The flushing of one open file. */
export class LogFlush {
  readonly #files: LogFiles
  readonly #fd: number
  readonly #folder: string
  readonly #off: boolean
  readonly #onFailure: (error: unknown) => void
  /** The folder's entry of a new file must reach the disk too. */
  #fresh: boolean
  #unsaved = 0
  #failing = false
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(files: LogFiles, { fd, folder, fresh, off, onFailure }: FlushOptions) {
    this.#files = files
    this.#fd = fd
    this.#folder = folder
    this.#fresh = fresh
    this.#off = off
    this.#onFailure = onFailure
  }

  /** Records were written that nobody waits for. */
  wrote(records: number): void {
    if (this.#off) return
    this.#unsaved += records
    if (this.#unsaved >= mostRecords) this.#inBackground()
    else this.#timer ??= setTimeout(() => this.#inBackground(), mostMs).unref()
  }

  /** Waits until everything written so far is on the disk. Those who ask while one flush runs share the next. */
  save(): Promise<void> {
    if (this.#off) return Promise.resolve()
    if (this.#running === undefined) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#startNext(),
      () => this.#startNext(),
    )
    return this.#next
  }

  /** Saves what is left. */
  async settle(): Promise<void> {
    if (this.#unsaved > 0 || this.#running !== undefined) await this.save()
  }

  #startNext(): Promise<void> {
    this.#next = undefined
    return this.#start()
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const records = this.#unsaved
    this.#unsaved = 0
    const running = this.#flush().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    running.catch(() => {
      this.#unsaved += records
    })
    this.#running = running
    return running
  }

  async #flush(): Promise<void> {
    await this.#files.flush(this.#fd)
    if (!this.#fresh) return
    await this.#files.flushFolder(this.#folder)
    this.#fresh = false
  }

  /** A disk that does not work is told of once, not every 100 ms. */
  #inBackground(): void {
    this.save().then(
      () => {
        this.#failing = false
      },
      (error: unknown) => {
        if (!this.#failing) this.#onFailure(error)
        this.#failing = true
      },
    )
  }
}
