/** The live record of calls: one line per step, and the subscription that progress, logs and inspectors read. */
import type { Undo } from './answering.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Ending, Outcome } from './ending.ts'
import type { Verdict } from './event-types.ts'
import type { HookId, HookInfo, Skipped } from './hook.ts'
import type { Cause } from './permission.ts'
import type { Behavior, Message, Text } from './verdict-parts.ts'

interface At {
  seq: number
  /** Milliseconds since the epoch. */
  at: number
}
interface Of extends At {
  event: string
  callId: string
  sessionId: string
  agentId?: string
}

export type TraceLine =
  /** `input` is lazy in process, masked in the log. */
  | (Of & { kind: 'fired'; input: unknown; selected: number; skipped: number })
  | (Of & { kind: 'skipped'; hook: HookInfo; skipped: Skipped })
  | (Of & { kind: 'started'; hook: HookInfo; statusMessage?: string })
  /** A command that runs longer than 1 s. */
  | (Of & { kind: 'output'; hook: HookId; stream: 'stdout' | 'stderr'; text: string })
  | (Of & { kind: 'ended'; hook: HookId; ending: Ending; outcome: Outcome; ms: number })
  | (Of & { kind: 'verdict'; verdict: Verdict })
  | (Of & { kind: 'permitted'; behavior: Behavior; cause: Cause; reason?: string })
  /** A background hook has ended; what it wrote stands here and not in the answer. */
  | (Of & { kind: 'late'; late: Late; outcome: Outcome; ms: number; stdout?: string; stderr?: string })
  | (At & { kind: 'reloaded'; reload: Reload })
  | (At & { kind: 'notice'; notice: Diagnostic })

export interface Trace {
  /** `replay` is how many of the kept lines to hand over first. A listener that throws is reported once and dropped. */
  subscribe(listener: (line: TraceLine) => void, options?: { sessionId?: string; replay?: number }): Undo
}

/** A background hook's answer, delivered once. */
export interface Late {
  jobId: string
  hook: HookId
  event: string
  sessionId: string
  ending: Ending
  wake: boolean
  toModel: string
  toUser: string
  context: readonly Text[]
  messages: readonly Message[]
}

/** A background hook that still runs. `startedAt` is in milliseconds since the epoch. */
export interface Job {
  jobId: string
  hook: HookId
  event: string
  startedAt: number
  done: Promise<Ending>
  cancel(): void
}

/** What a reload changed. */
export interface Reload {
  applied: boolean
  vetoedBy?: HookId
  added: readonly HookId[]
  removed: readonly HookId[]
  needTrust: readonly HookId[]
  diagnostics: readonly Diagnostic[]
}
