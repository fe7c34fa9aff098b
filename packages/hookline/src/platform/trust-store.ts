/** The records of trust on disk: one private file for each folder, replaced whole, and never believed when it is damaged. */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrustRecord } from '../config/trust-record.ts'
import { nodeLogFiles } from './log-files.ts'
import { LogLock } from './log-lock.ts'
import { readRecordFile, writeRecordText } from './trust-record-file.ts'
import { type Identity, isSameFolder } from './trust-workspace.ts'

/** What was found for a folder. */
export type StoredTrust =
  | { readonly kind: 'record'; readonly record: TrustRecord }
  | { readonly kind: 'none' }
  /** The file cannot be believed, and why. */
  | { readonly kind: 'damaged'; readonly why: string }

const waitMs = 5_000
const stepMs = 20

/** The records below one folder. */
export class TrustStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** What is kept for this very folder. Another one that stands at the same path now has no record. Never throws. */
  read(identity: Identity): StoredTrust {
    const kept = this.#look(this.#pathOf(identity.path))
    if (kept.kind !== 'file') return kept
    return isSameFolder(kept.file.folder, identity) ? { kind: 'record', record: kept.file.record } : { kind: 'none' }
  }

  /** Sets a damaged file aside, so that people can look at it and the next answer has a place. Gives the new name. */
  async setAside(identity: Identity): Promise<string | undefined> {
    const path = this.#pathOf(identity.path)
    return this.#locked(path, () => {
      if (this.#look(path).kind !== 'damaged') return undefined
      const aside = `${path}.broken-${Date.now()}-${randomBytes(3).toString('hex')}`
      renameSync(path, aside)
      return aside
    })
  }

  /** Keeps a record in place of the one before. Throws what the file calls throw; what was there then still is. */
  async write(identity: Identity, record: TrustRecord): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    if (process.platform !== 'win32') chmodSync(this.folder, 0o700)
    const path = this.#pathOf(identity.path)
    const text = writeRecordText({ folder: identity, record })
    await this.#locked(path, () => replaceFile(path, text))
  }

  /** Forgets what is kept for a path. */
  async remove(path: string): Promise<void> {
    const file = this.#pathOf(path)
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return
    await this.#locked(file, () => rmSync(file, { force: true }))
  }

  #pathOf(folder: string): string {
    return join(this.folder, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)
  }

  #look(path: string): { kind: 'file'; file: { folder: Identity; record: TrustRecord } } | { kind: 'none' } | { kind: 'damaged'; why: string } {
    let fd: number
    try {
      fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOENT' || code === 'ENOTDIR'
        ? { kind: 'none' }
        : { kind: 'damaged', why: code === 'ELOOP' ? 'it is a link' : `it cannot be read (${code})` }
    }
    try {
      const stats = fstatSync(fd)
      if (!stats.isFile()) return { kind: 'damaged', why: 'it is no ordinary file' }
      if (process.platform !== 'win32' && (stats.mode & 0o022) !== 0) return { kind: 'damaged', why: 'other users can write it' }
      if (process.getuid !== undefined && stats.uid !== process.getuid()) return { kind: 'damaged', why: 'it belongs to another user' }
      const file = readRecordFile(readFileSync(fd))
      return file === undefined ? { kind: 'damaged', why: 'it is no record of trust' } : { kind: 'file', file }
    } catch (error) {
      return { kind: 'damaged', why: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` }
    } finally {
      closeSync(fd)
    }
  }

  /** Does one stretch of work while nobody else does any on this file. */
  async #locked<T>(path: string, work: () => T): Promise<T> {
    const lock = new LogLock(nodeLogFiles, `${path}.lock`)
    // Not the time of day: that may be set meanwhile.
    const until = performance.now() + waitMs
    while (!lock.take()) {
      if (performance.now() > until) throw new Error(`the record is held by ${lock.holder}`)
      await new Promise((done) => setTimeout(done, stepMs))
    }
    try {
      return work()
    } finally {
      lock.release()
    }
  }
}

/** Writes beside the file and takes its place in one step: a reader sees the old or the new, and a full disk leaves the old. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const fd = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
