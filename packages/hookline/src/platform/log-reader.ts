/** Reads an audit log back: the records of all sessions in the order of time, or as they come in. */
import { basename } from 'node:path'
import { type AuditQuery, fits } from '../audit/query.ts'
import { readLine } from '../audit/read-line.ts'
import type { AuditRecord } from '../audit/record.ts'
import { HooklineError } from '../errors.ts'
import { nodeDigests } from './log-digests.ts'
import { type LogFiles, nodeLogFiles } from './log-files.ts'
import { linesOf } from './log-lines.ts'
import { chainOf, logPlace, type PartName, partsAmong } from './log-names.ts'

/** What to read. */
export interface ReadOptions {
  readonly query?: AuditQuery
  /** Told of every line that is no whole, unchanged record. */
  readonly onUnreadable?: (place: { file: string }) => void
  readonly files?: LogFiles
}

/** The files of a log, by chain. `path` as for `openAuditLog`. @throws HooklineError `audit-unreadable`. */
export function chainsOf(path: string | undefined, { files = nodeLogFiles, session }: { files?: LogFiles; session?: string } = {}): Map<string, PartName[]> {
  const place = logPlace(path)
  const chains = new Map<string, PartName[]>()
  const names = reading(place.folder, () => files.list(place.folder))
  for (const part of partsAmong(names, place, session === undefined ? place.only : chainOf(place, session))) {
    chains.set(part.chain, [...(chains.get(part.chain) ?? []), part])
  }
  return chains
}

/** All records that fit, oldest first. A line that was changed is left out and told of; whether all are there is for verifying to say. @throws HooklineError `audit-unreadable`. */
export function* readAuditLog(path?: string, options: ReadOptions = {}): Generator<AuditRecord> {
  const { files = nodeLogFiles, query = {} } = options
  const waiting: Source[] = []
  for (const parts of chainsOf(path, { files }).values()) {
    const young = query.since === undefined ? parts : parts.filter((part) => (files.look(part.path)?.changedAt ?? 0) >= (query.since as number))
    if (young.length > 0) waiting.push({ from: startOf(young[0] as PartName, files), records: recordsOf(young, options) })
  }
  waiting.sort((a, b) => b.from - a.from)
  yield* merged(waiting)
}

interface Source {
  /** The time of its first record. */
  readonly from: number
  readonly records: Iterator<AuditRecord>
}

/** Few sessions run at a time, so a chain is opened when its time has come, and not before. `waiting` has the oldest last. */
function* merged(waiting: Source[]): Generator<AuditRecord> {
  let open: { next: AuditRecord; records: Iterator<AuditRecord> }[] = []
  for (;;) {
    const oldest = open.reduce((least, { next }) => Math.min(least, next.at), Number.POSITIVE_INFINITY)
    const source = waiting.at(-1)
    if (source !== undefined && source.from <= oldest) {
      waiting.pop()
      open = [...open, ...advance(source.records)]
      continue
    }
    const first = open.find(({ next }) => next.at === oldest)
    if (first === undefined) return
    yield first.next
    open = open.flatMap((one) => (one === first ? advance(one.records) : [one]))
  }
}

function advance(records: Iterator<AuditRecord>): { next: AuditRecord; records: Iterator<AuditRecord> }[] {
  const { value, done } = records.next()
  return done ? [] : [{ next: value, records }]
}

function startOf(part: PartName, files: LogFiles): number {
  const fd = reading(part.path, () => files.open(part.path, 'read'))
  try {
    for (const line of linesOf(files, fd, { to: 8_192 })) return readLine(line, nodeDigests)?.at ?? 0
    return 0
  } finally {
    files.close(fd)
  }
}

function* recordsOf(parts: readonly PartName[], { files = nodeLogFiles, query = {}, onUnreadable }: ReadOptions): Generator<AuditRecord> {
  for (const part of parts) {
    const fd = reading(part.path, () => files.open(part.path, 'read'))
    try {
      for (const line of linesOf(files, fd)) {
        const record = readLine(line, nodeDigests)
        if (record === undefined) onUnreadable?.({ file: basename(part.path) })
        else if (fits(record, query)) yield record
      }
    } finally {
      files.close(fd)
    }
  }
}

/** How to follow. */
export interface FollowOptions extends ReadOptions {
  readonly signal: AbortSignal
  /** How often is looked, in milliseconds; default 250. */
  readonly everyMs?: number
}

/** The records that fit, from now on, until the signal fires. A log that is not there yet is waited for. @throws HooklineError `audit-unreadable`. */
export function followAuditLog(path: string | undefined, options: FollowOptions): AsyncGenerator<AuditRecord> {
  const { files = nodeLogFiles } = options
  // Before the first record is asked for: what is written from this call on is told.
  const seen = new Map<string, number>()
  for (const part of [...chainsOf(path, { files }).values()].flat()) seen.set(part.path, files.look(part.path)?.size ?? 0)
  return follow(path, seen, options)
}

async function* follow(
  path: string | undefined,
  seen: Map<string, number>,
  { files = nodeLogFiles, query = {}, signal, everyMs = 250, onUnreadable }: FollowOptions,
): AsyncGenerator<AuditRecord> {
  while (!signal.aborted) {
    const fresh: AuditRecord[] = []
    for (const part of [...chainsOf(path, { files }).values()].flat()) {
      for (const line of linesSince(part, seen, files)) {
        const record = readLine(line, nodeDigests)
        if (record === undefined) onUnreadable?.({ file: basename(part.path) })
        else if (fits(record, query)) fresh.push(record)
      }
    }
    yield* fresh.sort((a, b) => a.at - b.at)
    await pause(everyMs, signal)
  }
}

/** Whole lines that came since the last look; one that is being written is left for the next. */
function* linesSince({ path }: PartName, seen: Map<string, number>, files: LogFiles): Generator<Uint8Array> {
  const from = seen.get(path) ?? 0
  const size = files.look(path)?.size ?? 0
  if (size <= from) return
  const fd = reading(path, () => files.open(path, 'read'))
  try {
    let at = from
    for (const line of linesOf(files, fd, { from, to: size })) {
      if (line.at(-1) !== 10) break
      at += line.length
      seen.set(path, at)
      yield line
    }
  } finally {
    files.close(fd)
  }
}

/** Says what cannot be read, and why. */
function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new HooklineError('audit-unreadable', `${what} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      file: what,
      hint: 'The audit log belongs to the user whose agent wrote it.',
      cause: error,
    })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) {
      done()
      return
    }
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
