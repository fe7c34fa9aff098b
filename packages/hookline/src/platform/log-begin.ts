/** How a file of a chain begins: what came before it, and whether that can be relied on. */
import { basename } from 'node:path'
import { type Head, origin } from '../audit/chain.ts'
import type { BrokenPredecessorEntry, OpenedEntry } from '../audit/record.ts'
import type { ChainReport } from '../audit/verify.ts'
import { partPath, partsAmong } from './log-names.ts'
import { LogPart } from './log-part.ts'
import type { LogSetup } from './log-setup.ts'

/** Whose file begins. */
export interface Beginning {
  readonly chain: string
  readonly session: string
}

/** What is wrong with the file before. */
export interface Break {
  readonly detail: string
  /** Its last record that fits. */
  readonly fits?: Head | undefined
}

/** The first file of a chain. */
export function beginFirst(setup: LogSetup, { chain, session }: Beginning): LogPart {
  return fill(new LogPart(setup, { chain, number: 1, how: 'create' }), openedBy(session), origin)
}

/** The file after one that is full. Files beyond those that are kept are removed, once the new one says so. */
export function beginNext(setup: LogSetup, part: LogPart, { chain, session }: Beginning): LogPart {
  const { files, place, keep } = setup
  const old = partsAmong(files.list(place.folder), place, chain).filter((one) => one.number <= part.number + 1 - keep)
  const next = new LogPart(setup, { chain, number: part.number + 1, how: 'create' })
  const { end } = part
  fill(
    next,
    { ...openedBy(session), ...(end === undefined ? {} : { previous: end }), ...(old.length === 0 ? {} : { dropped: old.map((one) => basename(one.path)) }) },
    part.head ?? origin,
  )
  for (const one of old) files.remove(one.path)
  return next
}

/** The file after one that cannot be relied on. That one stays as it is; its digest as it was found is written down. */
export function beginAfterBreak(setup: LogSetup, part: LogPart, { chain, session, detail, fits }: Beginning & Break): LogPart {
  const file = basename(part.path)
  const found = digestOf(setup, part)
  const next = new LogPart(setup, { chain, number: part.number + 1, how: 'create' })
  fill(next, brokenBefore({ session, file, detail, fits, found }), fits ?? origin)
  setup.warn({
    severity: 'error',
    code: 'audit-broken',
    message: `Audit log: ${part.path} is not as it was written: ${detail}. It is kept as it is, and ${basename(next.path)} goes on.`,
    hint: 'See `hookline log verify`, and find out who can write there.',
  })
  return next
}

/** A file that was made and never written to, because its maker died. */
export function beginEmpty(setup: LogSetup, empty: LogPart, { chain, session }: Beginning): void {
  const { files, place } = setup
  if (empty.number === 1) {
    fill(empty, openedBy(session), origin)
    return
  }
  const path = partPath(place, chain, empty.number - 1)
  const file = basename(path)
  const facts = files.look(path)
  if (facts === undefined) {
    fill(empty, brokenBefore({ session, file, detail: 'it was removed' }), origin)
    return
  }
  const before = new LogPart(setup, { chain, number: empty.number - 1, how: 'read' })
  try {
    const report = before.look(facts.size)
    const head = before.head ?? origin
    if (report.state === 'good') fill(empty, { ...openedBy(session), ...(before.end === undefined ? {} : { previous: before.end }) }, head)
    else fill(empty, brokenBefore({ session, file, detail: detailOf(report), fits: before.head, found: digestOf(setup, before) }), head)
  } finally {
    files.close(before.fd)
  }
}

/** What is wrong, in words. */
export function detailOf(report: ChainReport): string {
  return report.problem?.detail ?? 'it ends in an unfinished record'
}

function openedBy(session: string): OpenedEntry {
  return { kind: 'opened', session, pid: process.pid }
}

function brokenBefore({ session, file, detail, fits, found }: Break & { session: string; file: string; found?: string | undefined }): BrokenPredecessorEntry {
  return {
    kind: 'broken-predecessor',
    session,
    pid: process.pid,
    file,
    detail,
    ...(fits === undefined ? {} : { previous: { file, seq: fits.seq, hash: fits.hash } }),
    ...(found === undefined ? {} : { found }),
  }
}

function fill(part: LogPart, header: OpenedEntry | BrokenPredecessorEntry, head: Head): LogPart {
  try {
    part.append(part.seal([header], head))
    part.begun = part.size
    return part
  } catch (error) {
    void part.retire()
    throw error
  }
}

/** SHA-256 of a file as it is; `undefined` when it cannot be read, or is far larger than any of ours. */
function digestOf({ files, digests, maxBytes }: LogSetup, part: LogPart): string | undefined {
  try {
    const { size } = files.facts(part.fd)
    return size > 2 * maxBytes + 1_048_576 ? undefined : digests.sha256(files.read(part.fd, 0, size))
  } catch {
    return undefined
  }
}
