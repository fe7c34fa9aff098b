/** Verifies a whole log: every file of every chain, what joins them, and what is missing. */
import { basename } from 'node:path'
import { chainKeys, type Head, origin } from '../audit/chain.ts'
import type { AuditRecord } from '../audit/record.ts'
import { ChainWalk } from '../audit/verify.ts'
import { nodeDigests } from './log-digests.ts'
import { type LogFiles, nodeLogFiles } from './log-files.ts'
import { linesOf } from './log-lines.ts'
import type { PartName } from './log-names.ts'
import { chainsOf } from './log-reader.ts'

/** `torn`: cut short by a crash, the next writer sets the rest aside. `unreadable`: nothing can be said. */
export type LogState = 'good' | 'torn' | 'broken' | 'unreadable'

/** Where a chain is first wrong. */
export interface LogProblem {
  readonly file: string
  /** The number that the first bad record has, or should have. */
  readonly seq: number
  readonly detail: string
}

/** What was found about one chain. */
export interface VerifiedChain {
  readonly chain: string
  readonly session?: string
  readonly state: LogState
  readonly files: readonly string[]
  /** Records that fit. */
  readonly records: number
  /** The last record that fits. Written down elsewhere, it shows later whether the end was cut off. */
  readonly head: Head
  /** The hash that was looked for is in this chain. */
  readonly holdsHead?: true
  readonly problem?: LogProblem
  /** Gaps, set-aside ends, files that were dropped: no faults, but worth knowing. */
  readonly notes: readonly string[]
}

/** How to verify. */
export interface VerifyOptions {
  /** This session only. */
  readonly session?: string
  /** The base key of a sealed log: every record must be sealed. */
  readonly key?: Uint8Array
  /** A hash, or the beginning of one, to look for. */
  readonly head?: string
  readonly files?: LogFiles
}

/**
 * Verifies every chain of a log; `path` as for `openAuditLog`. A log that is not there has no chains.
 * @throws HooklineError `audit-unreadable` when its folder cannot be listed; a file that cannot be read is a finding.
 */
export async function verifyAuditLog(path?: string, options: VerifyOptions = {}): Promise<VerifiedChain[]> {
  const found = verifyNow(path, options)
  if (!found.some(({ state }) => state === 'torn')) return found
  // A record may just be being written, or a file just be followed by the next.
  await new Promise((done) => setTimeout(done, 100))
  return verifyNow(path, options)
}

function verifyNow(path: string | undefined, options: VerifyOptions): VerifiedChain[] {
  return [...chainsOf(path, options)].map(([chain, parts]) => verifyParts(chain, parts, options))
}

interface Walked {
  readonly state: LogState
  readonly head: Head
  readonly records: number
  readonly first?: AuditRecord | undefined
  readonly last?: AuditRecord | undefined
  readonly holdsHead: boolean
  readonly problem?: LogProblem | undefined
  readonly notes: readonly string[]
}

interface Walking {
  readonly files: LogFiles
  readonly from: Head | 'anywhere'
  readonly key: Uint8Array | undefined
  /** A hash to look for. */
  readonly wanted: string | undefined
}
interface Step {
  readonly part: PartName
  readonly walked: Walked
}
interface Finding {
  readonly state: LogState
  readonly problem: LogProblem
}

function verifyParts(chain: string, parts: readonly PartName[], { files = nodeLogFiles, key, head }: VerifyOptions): VerifiedChain {
  const keyFor = key === undefined ? undefined : chainKeys(key)
  const steps: Step[] = []
  for (const part of parts) {
    const how = { files, key: keyFor?.(part.chain, part.number), wanted: head }
    const walked = walkFile(part, { ...how, from: expectedHead(part, steps.at(-1)) })
    // A file that says itself that the one before it is broken need not follow that one.
    const alone = walked.records > 0 ? undefined : walkFile(part, { ...how, from: 'anywhere' })
    steps.push({ part, walked: alone?.first?.kind === 'broken-predecessor' ? alone : walked })
  }
  const findings = [
    ...missingFirst(chain, steps),
    ...steps.flatMap((step, index) => findingsOf(step, { before: steps[index - 1], isLast: index === steps.length - 1 })),
  ]
  const state = (['broken', 'unreadable', 'torn'] as const).find((one) => findings.some((found) => found.state === one)) ?? 'good'
  const problem = findings.find((one) => one.state === state)?.problem
  const session = steps.map(({ walked }) => walked.first?.session).find((one) => one !== undefined)
  return {
    chain,
    ...(session === undefined ? {} : { session }),
    state,
    files: parts.map((part) => basename(part.path)),
    records: steps.reduce((total, { walked }) => total + walked.records, 0),
    head: steps.at(-1)?.walked.head ?? origin,
    ...(steps.some(({ walked }) => walked.holdsHead) ? { holdsHead: true as const } : {}),
    ...(problem === undefined ? {} : { problem }),
    notes: steps.flatMap(({ walked }) => walked.notes),
  }
}

/** Where the chain must stand when a file begins; behind a file that is wrong itself, what the next one says is believed. */
function expectedHead(part: PartName, before: Step | undefined): Head | 'anywhere' {
  if (before === undefined) return part.number === 1 ? origin : 'anywhere'
  return before.walked.state === 'good' && before.part.number === part.number - 1 ? before.walked.head : 'anywhere'
}

/** Files before the first one that is left were dropped, and a later one says so; else they are missing. */
function missingFirst(chain: string, steps: readonly Step[]): Finding[] {
  const first = steps[0]
  if (first === undefined || first.part.number === 1) return []
  const before = first.part.number === 2 ? `${chain}.jsonl` : `${chain}.${first.part.number - 1}.jsonl`
  if (steps.some(({ walked }) => walked.first?.kind === 'opened' && walked.first.dropped?.includes(before))) return []
  return [{ state: 'broken', problem: { file: before, seq: 1, detail: 'is missing, and no record says that it was dropped' } }]
}

function findingsOf({ part, walked }: Step, { before, isLast }: { before: Step | undefined; isLast: boolean }): Finding[] {
  const found: Finding[] = []
  const { first } = walked
  if (before !== undefined && before.part.number !== part.number - 1) {
    found.push({
      state: 'broken',
      problem: { file: basename(part.path), seq: before.walked.head.seq + 1, detail: `the file between ${basename(before.part.path)} and this one is missing` },
    })
  }
  if (first?.kind === 'broken-predecessor') {
    found.push({
      state: 'broken',
      problem: {
        file: first.file,
        seq: (first.previous?.seq ?? 0) + 1,
        detail: `was not as it was written when ${basename(part.path)} was begun: ${first.detail}`,
      },
    })
  }
  if (walked.problem !== undefined) found.push({ state: walked.state === 'torn' && !isLast ? 'broken' : walked.state, problem: walked.problem })
  if (isLast && walked.state === 'good' && walked.last?.kind === 'rotated') {
    const detail = `ends by naming ${walked.last.next}, which is not there: a writer died just then, or the file was removed`
    found.push({ state: 'torn', problem: { file: basename(part.path), seq: walked.head.seq + 1, detail } })
  }
  return found
}

function walkFile(part: PartName, { files, from, key, wanted }: Walking): Walked {
  const file = basename(part.path)
  const walk = new ChainWalk({ from, key, digests: nodeDigests })
  const notes: string[] = []
  let first: AuditRecord | undefined
  let last: AuditRecord | undefined
  let holdsHead = false
  try {
    const fd = files.open(part.path, 'read')
    try {
      for (const line of linesOf(files, fd)) {
        const record = walk.take(line)
        if (record === undefined) continue
        first ??= record
        last = record
        if (wanted !== undefined && record.hash.startsWith(wanted)) holdsHead = true
        notes.push(...noteOf(record))
      }
    } finally {
      files.close(fd)
    }
  } catch (error) {
    const problem = { file, seq: walk.report.head.seq + 1, detail: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
    return { state: 'unreadable', head: walk.report.head, records: walk.report.records, first, last, holdsHead, problem, notes }
  }
  const { report } = walk
  const found = { head: report.head, records: report.records, first, last, holdsHead, notes }
  if (report.problem !== undefined) return { state: 'broken', ...found, problem: { file, seq: report.problem.seq, detail: report.problem.detail } }
  if (report.torn === undefined) return { state: 'good', ...found }
  const detail = `ended by a crash: ${report.torn} bytes of an unfinished record stand after record ${report.head.seq}; the next record that is written sets them aside`
  return { state: 'torn', ...found, problem: { file, seq: report.head.seq + 1, detail } }
}

function noteOf(record: AuditRecord): string[] {
  switch (record.kind) {
    case 'gap':
      return [`record ${record.seq}: ${record.records} records could not be written (${record.why})`]
    case 'recovered':
      return [`record ${record.seq}: ${record.bytes} bytes of an unfinished record were set aside in ${record.note}`]
    case 'opened':
      return record.dropped === undefined ? [] : [`record ${record.seq}: ${record.dropped.join(', ')} dropped, because enough files are kept`]
    default:
      return []
  }
}
