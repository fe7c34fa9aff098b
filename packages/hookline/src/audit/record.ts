/** The record: what one line of the audit log says, for every moment that is kept. */

import type { Ending } from '../protocol/ending.ts'
import type { Cause } from '../protocol/permission.ts'
import type { Behavior } from '../protocol/verdict-parts.ts'
import type { HookNote, LeftOut } from './hook-note.ts'

/** What was decided, in one word (contract §8). */
export type Decision = 'stop' | 'deny' | 'defer' | 'ask' | 'allow' | 'accept' | 'decline' | 'path' | 'fail' | 'block' | 'replace' | 'none'

/** Where a decision came from: a hook said it, a hook's failure was made a refusal, code around the hooks, or nobody said anything. */
export type DecisionCause = 'hook' | 'fail-closed' | 'code' | 'no-opinion'

/** The input of a call: never the input itself. */
export interface InputNote {
  /** Keyed SHA-256 of its JSON: equal inputs of one installation have equal digests, and nobody without the key can try inputs out. */
  readonly digest?: string
  readonly bytes?: number
  /** Short, secrets masked. */
  readonly preview?: string
}

/** Where one file of a chain ends. */
export interface FileEnd {
  readonly file: string
  readonly seq: number
  readonly hash: string
}

interface Of {
  /** The session whose chain this is. */
  readonly session: string
}

interface OfCall extends Of {
  readonly agent?: string
  readonly event: string
  readonly call?: string
}

/** A decision of hooks that did not take effect. */
export interface Ignored {
  readonly decision: Decision
  readonly reason?: string
  readonly by?: readonly string[]
  /** The code of the warning that says why; absent: other code answered. */
  readonly why?: string
}

/** A call whose hooks ran, written before its verdict takes effect. */
export interface VerdictEntry extends OfCall {
  readonly kind: 'verdict'
  readonly decision: Decision
  readonly cause: DecisionCause
  readonly reason?: string
  /** Ids of the hooks that decided. */
  readonly by?: readonly string[]
  /** What hooks said and did not take effect: code around them answered otherwise, or their block was not obeyed. */
  readonly ignored?: Ignored
  /** Powers other than deciding that were used: `updatedInput`, `context`, … */
  readonly used?: readonly string[]
  readonly ms: number
  readonly input?: InputNote
  readonly hooks: readonly HookNote[]
  readonly left?: readonly LeftOut[]
}

/** What became of a tool call after rules, mode and person. */
export interface PermittedEntry extends OfCall {
  readonly kind: 'permitted'
  readonly decision: Behavior
  readonly cause: Cause
  readonly reason?: string
}

/** A background hook ended. */
export interface LateEntry extends OfCall {
  readonly kind: 'late'
  readonly hook: string
  readonly job: string
  readonly ending: Ending
  readonly wake: boolean
}

/** The settings were loaded anew. */
export interface ReloadedEntry extends Of {
  readonly kind: 'reloaded'
  readonly applied: boolean
  readonly vetoedBy?: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly needTrust: readonly string[]
}

/** Somebody answered for a folder, or took the answer back. */
export interface TrustEntry extends Of {
  readonly kind: 'trust'
  readonly folder: string
  readonly answer: 'once' | 'always' | 'no' | 'revoked' | 'implicit'
  /** Of what was answered for. */
  readonly digest?: string
  readonly items?: number
}

/** What an organisation forbids has changed, or was found to be in force. */
export interface PolicyEntry extends Of {
  readonly kind: 'policy'
  readonly detail: string
  readonly file?: string
  readonly digest?: string
}

/** A session began or ended. */
export interface SessionEntry extends Of {
  readonly kind: 'session-opened' | 'session-closed'
  readonly cwd?: string
  readonly detail?: string
}

/** The first record of a file. */
export interface OpenedEntry extends Of {
  readonly kind: 'opened'
  readonly pid: number
  readonly previous?: FileEnd
  /** Files that were removed because more than enough are kept. */
  readonly dropped?: readonly string[]
}

/** The first record of a file whose predecessor cannot be relied on; that one is kept as it was found. */
export interface BrokenPredecessorEntry extends Of {
  readonly kind: 'broken-predecessor'
  readonly pid: number
  readonly file: string
  /** What is wrong with it. */
  readonly detail: string
  /** Its last record that fits, when one does. */
  readonly previous?: FileEnd
  /** SHA-256 of the file as it was found, when it could be read. */
  readonly found?: string
}

/** The last record of a full file. */
export interface RotatedEntry extends Of {
  readonly kind: 'rotated'
  readonly next: string
}

/** An incomplete last line was set aside: a writer died, or the disk was full. */
export interface RecoveredEntry extends Of {
  readonly kind: 'recovered'
  readonly bytes: number
  readonly digest: string
  readonly note: string
}

/** Records that could not be written when they should have been. */
export interface GapEntry extends Of {
  readonly kind: 'gap'
  readonly records: number
  readonly since: number
  readonly why: string
}

/** Anything that is kept, before it has its number, time and hash. Keys stand in the order in which they are written. */
export type AuditEntry =
  | VerdictEntry
  | PermittedEntry
  | LateEntry
  | ReloadedEntry
  | TrustEntry
  | PolicyEntry
  | SessionEntry
  | OpenedEntry
  | BrokenPredecessorEntry
  | RotatedEntry
  | RecoveredEntry
  | GapEntry
export type AuditKind = AuditEntry['kind']

/** What the chain adds. */
export interface Sealed {
  readonly v: 1
  /** Counts from 1 through all files of a session. */
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds of a clock that is never set, with fractions. */
  readonly up: number
  /** Hash of the record before. */
  readonly prev: string
  /** Keyed hash, when the log has a key. */
  readonly mac?: string
  readonly hash: string
}
/** One line of the log. */
export type AuditRecord = Sealed & AuditEntry

const grave: readonly string[] = ['deny', 'defer', 'ask', 'block', 'stop', 'decline', 'fail']
const always: readonly AuditKind[] = ['trust', 'policy', 'reloaded', 'recovered', 'broken-predecessor', 'gap']

/** Whether a record must be on the disk before what it says takes effect (sync level `decision`). */
export function isGrave(entry: AuditEntry): boolean {
  if (entry.kind === 'verdict') return grave.includes(entry.decision) || entry.hooks.some((hook) => hook.closed)
  if (entry.kind === 'permitted') return grave.includes(entry.decision)
  return always.includes(entry.kind)
}
