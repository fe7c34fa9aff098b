/** The chain of one session, written under its lock: which file is the last, whether it can be gone on with, when it is full. */
import { basename } from 'node:path'
import { origin } from '../audit/chain.ts'
import type { AuditEntry, RecoveredEntry } from '../audit/record.ts'
import { beginAfterBreak, beginEmpty, beginFirst, beginNext, detailOf } from './log-begin.ts'
import type { LogFlush } from './log-flush.ts'
import { partPath, partsAmong } from './log-names.ts'
import { LogPart } from './log-part.ts'
import type { LogSetup } from './log-setup.ts'

/** One chain. `write` must be called with the chain's lock held. */
export class LogChain {
  readonly name: string
  readonly #setup: LogSetup
  #part: LogPart | undefined
  /** Records of the chain's own that go before the next ones. */
  #first: RecoveredEntry[] = []
  readonly #retiring = new Set<Promise<void>>()

  constructor(name: string, setup: LogSetup) {
    this.name = name
    this.#setup = setup
  }

  /** Appends entries, all or none, and gives the flushing of the file they are in. @throws what file calls throw. */
  write(entries: readonly AuditEntry[]): LogFlush {
    const session = entries[0]?.session ?? ''
    try {
      let part = this.#upToDate(session)
      const all = this.#first.length === 0 ? entries : [...this.#first, ...entries]
      let sealed = part.seal(all, part.head ?? origin)
      if (part.size + sealed.bytes.length > this.#setup.maxBytes && part.size > part.begun) {
        part = this.#rotate(part, session)
        sealed = part.seal(all, part.head ?? origin)
      }
      part.append(sealed)
      this.#first = []
      return part.flush
    } catch (error) {
      // What the file holds now is looked at anew before the next record.
      this.#use(undefined)
      throw error
    }
  }

  /** Saves and closes what is open. Never rejects. */
  async close(): Promise<void> {
    this.#use(undefined)
    await Promise.all(this.#retiring)
  }

  /** The last file of the chain, with everything in it that others wrote. */
  #upToDate(session: string): LogPart {
    let part = this.#part ?? this.#use(this.#openLast(0, session))
    for (;;) {
      const next = this.#step(part, session)
      if (next === part) return part
      part = this.#use(next)
    }
  }

  #openLast(known: number, session: string): LogPart {
    const { files, place } = this.#setup
    let number = known
    while (files.look(partPath(place, this.name, number + 1)) !== undefined) number += 1
    // The first files of a long chain may have been dropped.
    if (number === 0) number = partsAmong(files.list(place.folder), place, this.name).at(-1)?.number ?? 0
    if (number === 0) return beginFirst(this.#setup, { chain: this.name, session })
    return new LogPart(this.#setup, { chain: this.name, number, how: 'append' })
  }

  /** Looks at what happened to a file since our last look: the file to go on with, the same one when all is well. */
  #step(part: LogPart, session: string): LogPart {
    const { files, place } = this.#setup
    const whose = { chain: this.name, session }
    if (files.look(partPath(place, this.name, part.number + 1)) !== undefined) return this.#openLast(part.number, session)
    const facts = files.look(part.path)
    const lost = whatIsLost(part, facts)
    if (lost !== undefined) return beginAfterBreak(this.#setup, part, { ...whose, detail: lost, fits: part.head })
    const size = facts?.size ?? 0
    if (size > part.size) {
      const report = part.look(size)
      if (report.state === 'broken') return beginAfterBreak(this.#setup, part, { ...whose, detail: detailOf(report), fits: part.head })
      if (report.torn !== undefined) this.#first.push(setAside(this.#setup, part, { bytes: report.torn, size, session }))
    }
    if (part.size === 0) beginEmpty(this.#setup, part, whose)
    return part.full ? beginNext(this.#setup, part, whose) : part
  }

  #rotate(part: LogPart, session: string): LogPart {
    const next = basename(partPath(this.#setup.place, this.name, part.number + 1))
    part.append(part.seal([{ kind: 'rotated', session, next }], part.head ?? origin))
    part.flush.wrote(1)
    return this.#use(beginNext(this.#setup, part, { chain: this.name, session }))
  }

  #use<P extends LogPart | undefined>(part: P): P {
    if (this.#part !== undefined && this.#part !== part) {
      const retiring: Promise<void> = this.#part.retire().finally(() => this.#retiring.delete(retiring))
      this.#retiring.add(retiring)
    }
    this.#part = part
    return part
  }
}

function whatIsLost(part: LogPart, facts: { id: string; size: number } | undefined): string | undefined {
  if (facts === undefined) return 'it was removed'
  if (facts.id !== part.id) return 'it was replaced'
  return facts.size < part.size ? `${part.size - facts.size} bytes were cut off` : undefined
}

/** Moves the unfinished record at the end of a file to a note beside it, and gives the entry that says so. */
function setAside(
  { files, digests, warn }: LogSetup,
  part: LogPart,
  { bytes, size, session }: { bytes: number; size: number; session: string },
): RecoveredEntry {
  const torn = files.read(part.fd, size - bytes, bytes)
  const note = `${part.path}.torn`
  const fd = files.open(note, 'note')
  try {
    const kept = Buffer.concat([torn, Buffer.from('\n')])
    if (files.write(fd, kept) !== kept.length) throw new Error(`${note} could not be written whole`)
  } finally {
    files.close(fd)
  }
  files.cut(part.fd, size - bytes)
  warn({
    severity: 'warning',
    code: 'audit-recovered',
    message: `Audit log: ${part.path} ended in an unfinished record (${bytes} bytes), as when a process is killed. It was moved to ${basename(note)}.`,
  })
  return { kind: 'recovered', session, bytes, digest: digests.sha256(torn), note: basename(note) }
}
