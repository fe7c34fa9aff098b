/** One open file of a chain: seeing how it ends, appending to it, closing it after its bytes are saved. */
import { basename } from 'node:path'
import { type Head, origin, sealEntry } from '../audit/chain.ts'
import type { AuditEntry, FileEnd } from '../audit/record.ts'
import { type ChainReport, ChainWalk } from '../audit/verify.ts'
import { LogFlush } from './log-flush.ts'
import { linesOf } from './log-lines.ts'
import { partPath } from './log-names.ts'
import type { LogSetup } from './log-setup.ts'

/** Which file, and how it was opened. */
export interface PartFile {
  readonly chain: string
  readonly number: number
  readonly how: 'append' | 'create' | 'read'
}

/** A file of a chain. `size` and `head` are as of our last look or write. */
export class LogPart {
  readonly path: string
  readonly number: number
  readonly fd: number
  readonly id: string
  readonly flush: LogFlush
  size = 0
  /** Unknown until the file was looked at. */
  head: Head | undefined
  /** Its last record says that it is full. */
  full = false
  /** The size after its first record, when we wrote that. */
  begun = 0
  readonly #setup: LogSetup
  readonly #key: Uint8Array | undefined

  /** Opens the file. @throws what file calls throw. */
  constructor(setup: LogSetup, { chain, number, how }: PartFile) {
    const { files, place, keyFor, sync, warn } = setup
    this.#setup = setup
    this.path = partPath(place, chain, number)
    this.number = number
    this.#key = keyFor?.(chain, number)
    this.fd = files.open(this.path, how)
    try {
      const facts = files.facts(this.fd)
      if (!facts.isFile) throw new Error(`${this.path} is no ordinary file`)
      if (facts.open && how !== 'read') files.hide(this.path)
      this.id = facts.id
    } catch (error) {
      this.#close()
      throw error
    }
    const onFailure = (error: unknown) => warn(notSaved(this.path, error))
    this.flush = new LogFlush(files, { fd: this.fd, folder: place.folder, fresh: how === 'create', off: sync === 'off', onFailure })
  }

  get end(): FileEnd | undefined {
    return this.head === undefined ? undefined : { file: basename(this.path), seq: this.head.seq, hash: this.head.hash }
  }

  /** Looks at what stands behind our last look; at first, at the end of the file. Takes over what fits. */
  look(size: number): ChainReport {
    return this.head === undefined ? this.#lookAtEnd(size) : this.#walk(this.size, size, this.head)
  }

  /** At least so many bytes are looked at that there is a record among them. */
  #lookAtEnd(size: number): ChainReport {
    for (let length = this.#setup.window; ; length *= 8) {
      if (length >= size) return this.#walk(0, size, this.number === 1 ? origin : 'anywhere')
      const from = size - length
      const newline = this.#setup.files.read(this.fd, from, length).indexOf(10)
      if (newline === -1) continue
      const report = this.#walk(from + newline + 1, size, 'anywhere')
      if (report.records > 0) return report
    }
  }

  #walk(from: number, to: number, start: Head | 'anywhere'): ChainReport {
    const walk = new ChainWalk({ from: start, key: this.#key, digests: this.#setup.digests })
    for (const line of linesOf(this.#setup.files, this.fd, { from, to })) {
      const record = walk.take(line)
      if (record !== undefined) this.full = record.kind === 'rotated'
    }
    const { report } = walk
    if (report.records > 0) this.head = report.head
    if (report.state !== 'broken') this.size = to - (report.torn ?? 0)
    return report
  }

  /** The lines of entries that come next. */
  seal(entries: readonly AuditEntry[], from: Head): { bytes: Uint8Array; head: Head } {
    const { clock, digests } = this.#setup
    const [at, up] = [clock.now(), clock.up()]
    let head = from
    const lines = entries.map((entry) => {
      const sealed = sealEntry(entry, { head, at, up, key: this.#key, digests })
      head = sealed.head
      return sealed.line
    })
    return { bytes: lines.length === 1 ? (lines[0] as Uint8Array) : Buffer.concat(lines), head }
  }

  /**
   * Hands lines to the system. When not all bytes are taken, those that were are cut off again; should that fail too,
   * the file ends in an unfinished record, which the next look at it sets aside. @throws what file calls throw.
   */
  append({ bytes, head }: { bytes: Uint8Array; head: Head }): void {
    const { files } = this.#setup
    let done = 0
    let patience = 3
    try {
      while (done < bytes.length) {
        try {
          const taken = files.write(this.fd, bytes.subarray(done))
          if (taken === 0 && patience-- === 0) throw new Error('nothing was written')
          done += taken
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException
          if ((code !== 'EAGAIN' && code !== 'EINTR') || patience-- === 0) throw error
        }
      }
    } catch (error) {
      this.#cutBack()
      throw error
    }
    this.size += bytes.length
    this.head = head
  }

  #cutBack(): void {
    try {
      this.#setup.files.cut(this.fd, this.size)
    } catch {
      // What is reported is why the bytes could not be written.
    }
  }

  /** Closes the file, after what is still on its way to the disk has arrived. Never rejects. */
  async retire(): Promise<void> {
    try {
      await this.flush.settle()
    } catch (error) {
      this.#setup.warn(notSaved(this.path, error))
    }
    this.#close()
  }

  #close(): void {
    try {
      this.#setup.files.close(this.fd)
    } catch {
      // Nothing that could be lost is left in it.
    }
  }
}

function notSaved(path: string, error: unknown) {
  return {
    severity: 'error' as const,
    code: 'audit-not-saved',
    message: `Audit log: the system took records for ${path}, but could not put them on the disk (${error instanceof Error ? error.message : String(error)}).`,
    hint: 'Look after the disk; records of this file may be lost when the machine stops now.',
  }
}
