/** Opens an audit log for writing: one chain per session, safe to share with any number of processes. */
import { hrtime } from 'node:process'
import type { AuditSink } from '../audit/commit.ts'
import type { AuditEntry } from '../audit/record.ts'
import { HooklineError } from '../errors.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { nodeDigests } from './log-digests.ts'
import { type LogFiles, nodeLogFiles } from './log-files.ts'
import type { SyncLevel } from './log-flush.ts'
import { inputDigest } from './log-key.ts'
import { type LaneOptions, LogLane } from './log-lane.ts'
import { chainOf, logPlace } from './log-names.ts'
import type { LogSetup } from './log-setup.ts'

/** How a log is written. */
export interface AuditLogOptions {
  /** `decision` (default): refusals, trust and policy are on the disk before they take effect, the rest within 100 ms; `batch`: all within 100 ms; `off`: when the system likes. */
  sync?: SyncLevel
  /** A record that cannot be written is an error (`audit-unwritable`); default false: a standing warning, and a gap record later. A function is asked each time. */
  required?: boolean | (() => boolean)
  /** Standing warnings: gaps, set-aside ends, broken files. */
  onWarning?: (notice: Diagnostic) => void
  /** Length of the masked preview of inputs, in characters; 0: none. Default 200. */
  preview?: number
  /** When a file is full, in bytes; default 64 MiB. */
  maxBytes?: number
  /** How many files of one session are kept; default 16. */
  keep?: number
  /** How long another writer of the same session is waited for, in milliseconds; default 5,000. */
  waitMs?: number
  /** Seals records: the key of a chain's file by its number, for example from `chainKeys`. */
  keyFor?: (chain: string, number: number) => Uint8Array
  /** How much of the end of a file is checked when it is opened, in bytes; default 32 KiB. */
  window?: number
  /** The file calls; for tests. */
  files?: LogFiles
}

/** An open log. Nothing is made on disk before the first record. */
export interface AuditLog extends AuditSink {
  /** The folder of its files. */
  readonly folder: string
  /** What is wrong now; absent when records can be written. */
  readonly standing?: Diagnostic | undefined
  /** Writes what waits, saves it and closes all files. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** So many sessions have their files open at a time. */
const mostLanes = 64

/**
 * Opens a log. `path` is a folder, with a file per session, or one file that ends in `.jsonl`; default: `log` in the state folder.
 * @throws HooklineError `invalid-option`.
 */
export function openAuditLog(path?: string, options: AuditLogOptions = {}): AuditLog {
  if (path !== undefined && (typeof path !== 'string' || path === ''))
    throw new HooklineError('invalid-option', 'openAuditLog(): give the path of a folder, or of a file that ends in ".jsonl".')
  return new SessionLog(path, options)
}

class SessionLog implements AuditLog {
  readonly folder: string
  readonly preview: number
  readonly digestInput: (bytes: Uint8Array) => string | undefined
  standing: Diagnostic | undefined
  readonly #setup: LogSetup
  readonly #laneOptions: LaneOptions
  readonly #lanes = new Map<string, LogLane>()
  readonly #chains = new Map<string, string>()
  readonly #closing = new Set<Promise<void>>()
  #troubled = 0
  #looked = false
  #closed = false

  constructor(path: string | undefined, options: AuditLogOptions) {
    const place = logPlace(path)
    const files = options.files ?? nodeLogFiles
    const { sync = 'decision', maxBytes = 64 * 1_024 * 1_024, keep = 16, window = 32 * 1_024, keyFor } = options
    if (sync !== 'decision' && sync !== 'batch' && sync !== 'off')
      throw new HooklineError('invalid-option', `Option "sync" of the audit log must be "decision", "batch" or "off".`)
    for (const [name, value] of Object.entries({ maxBytes, keep, window })) {
      if (!Number.isSafeInteger(value) || value < 1)
        throw new HooklineError('invalid-option', `Option "${name}" of the audit log must be a whole number from 1.`)
    }
    this.folder = place.folder
    this.preview = options.preview ?? 200
    const warn = (notice: Diagnostic) => tell(options.onWarning, notice)
    this.#setup = {
      files,
      place,
      digests: nodeDigests,
      clock: { now: Date.now, up: () => Number(hrtime.bigint()) / 1e6 },
      sync,
      maxBytes,
      keep,
      window,
      keyFor,
      warn,
    }
    this.digestInput = inputDigest(this.#setup)
    const { required = false } = options
    this.#laneOptions = {
      required: typeof required === 'function' ? required : () => required,
      waitMs: options.waitMs ?? 5_000,
      onTrouble: (error) => this.#onTrouble(error),
    }
  }

  append(entry: AuditEntry): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(new HooklineError('closed', 'The audit log is closed.', { hint: 'Append before close(), or open it anew.' }))
    if (!this.#looked) this.#lookAtFolder()
    return this.#lane(entry.session).append(entry)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const lane of this.#lanes.values()) this.#retire(lane)
    this.#lanes.clear()
    await Promise.all(this.#closing)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Whoever can write in the folder can remove what is in it. */
  #lookAtFolder(): void {
    this.#looked = true
    try {
      if (!this.#setup.files.look(this.folder)?.othersWrite) return
    } catch {
      return
    }
    this.#setup.warn({
      severity: 'warning',
      code: 'audit-folder-open',
      message: `Audit log: other users can write in ${this.folder}, and so remove what is recorded there.`,
      hint: `Run \`chmod 700 ${this.folder}\`, or give another place for the log.`,
    })
  }

  #lane(session: string): LogLane {
    let chain = this.#chains.get(session)
    if (chain === undefined) {
      if (this.#chains.size > 10 * mostLanes) this.#chains.clear()
      chain = chainOf(this.#setup.place, session)
      this.#chains.set(session, chain)
    }
    const known = this.#lanes.get(chain)
    if (known !== undefined) return known
    const lane = new LogLane(chain, this.#setup, this.#laneOptions)
    this.#lanes.set(chain, lane)
    if (this.#lanes.size > mostLanes) this.#retireOldest()
    return lane
  }

  #retireOldest(): void {
    for (const [chain, lane] of this.#lanes) {
      if (!lane.idle) continue
      this.#lanes.delete(chain)
      this.#retire(lane)
      return
    }
  }

  #retire(lane: LogLane): void {
    const closing: Promise<void> = lane.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  /** Said once when it begins, not for every record; it stands until every session's records are written again. */
  #onTrouble(error: HooklineError | undefined): void {
    this.#troubled += error === undefined ? -1 : 1
    if (this.#troubled === 0) this.standing = undefined
    if (error === undefined || this.standing !== undefined) return
    this.standing = { severity: 'error', code: 'audit-gap', message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
    this.#setup.warn(this.standing)
  }
}

/** A listener that throws must not keep a record from being written. */
function tell(listener: ((notice: Diagnostic) => void) | undefined, notice: Diagnostic): void {
  try {
    listener?.(notice)
  } catch {
    // The host's own mistake.
  }
}
