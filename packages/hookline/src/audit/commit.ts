/** Ties the log to the corridor: a verdict is written down before it takes effect. */
import type { TraceLine } from '../protocol/trace.ts'
import { entryOfMoment, isMoment, type Moment } from './moments.ts'
import { previewOf } from './preview.ts'
import type { AuditEntry, InputNote } from './record.ts'
import { type CommittedVerdict, verdictEntry } from './verdict-entry.ts'

/** Where entries go. */
export interface AuditSink {
  /** How long previews of inputs are, in characters; 0: none. */
  readonly preview: number
  /** The keyed digest of an input; `undefined` when there is no key. */
  digestInput(bytes: Uint8Array): string | undefined
  /** Writes an entry; `undefined` when it is written and nothing is left to wait for. Rejects when the log is required and cannot be written. */
  append(entry: AuditEntry): Promise<void> | undefined
}

/** A call, as far as the log looks at it. */
export interface CommittedCall {
  readonly input: Readonly<Record<string, unknown>>
  readonly payload: Uint8Array
  readonly origin: { readonly agentId?: string | undefined }
}

/** The engine's `commit`: builds and writes the record of a verdict; does nothing for a call in which no hook ran and nothing was decided. */
export function auditCommit(log: AuditSink): (verdict: CommittedVerdict, call: CommittedCall, walked?: CommittedVerdict) => Promise<void> | undefined {
  return (verdict, call, walked) => {
    const entry = verdictEntry(verdict, { agent: call.origin.agentId, input: () => noteInput(log, call), ...(walked === undefined ? {} : { walked }) })
    return entry === undefined ? undefined : log.append(entry)
  }
}

/** The engine's `record`, for what is no verdict: permits, background ends, reloads. `session` is where reloads are kept. */
export function auditMoments(log: AuditSink, session: string): (moment: Moment) => Promise<void> | undefined {
  return (moment) => log.append(entryOfMoment(moment, session))
}

/**
 * The same as a trace listener, for a host that writes a log of its own: nothing waits for these records, and a failure to write is the
 * log's own standing warning.
 */
export function auditTrace(log: AuditSink, session: string): (line: TraceLine) => void {
  const record = auditMoments(log, session)
  return (line) => {
    if (isMoment(line)) record(line)?.catch(() => undefined)
  }
}

function noteInput(log: AuditSink, call: CommittedCall): InputNote {
  const preview = log.preview > 0 ? { preview: previewOf(call.input, log.preview) } : {}
  try {
    const { payload } = call
    const digest = log.digestInput(payload)
    return { ...(digest === undefined ? {} : { digest }), bytes: payload.length, ...preview }
  } catch {
    // The input cannot be written as JSON; there is nothing to take a digest of.
    return preview
  }
}
