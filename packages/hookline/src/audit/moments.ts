/** Makes the entries of everything that is no verdict: permits, background ends, reloads, trust, policy, sessions. */
import type { TraceLine } from '../protocol/trace.ts'
import { endingNote } from './hook-note.ts'
import { idText } from './ids.ts'
import { keptText } from './mask.ts'
import type { AuditEntry, PolicyEntry, SessionEntry, TrustEntry } from './record.ts'

const listLimit = 200

type Unnumbered<L> = L extends TraceLine ? Omit<L, 'seq' | 'at'> : never
/** What is kept beside verdicts. */
export type Moment = Unnumbered<Extract<TraceLine, { kind: 'permitted' | 'late' | 'reloaded' }>>

/** Whether a line of the trace is kept. */
export function isMoment(line: TraceLine): line is Extract<TraceLine, { kind: 'permitted' | 'late' | 'reloaded' }> {
  return line.kind === 'permitted' || line.kind === 'late' || line.kind === 'reloaded'
}

/** The entry of a moment. `session` is where one without a session belongs. */
export function entryOfMoment(line: Moment, session: string): AuditEntry {
  switch (line.kind) {
    case 'permitted': {
      const { behavior, cause, reason } = line
      return {
        kind: 'permitted',
        ...ofCall(line),
        decision: behavior,
        cause,
        ...(reason === undefined || reason === '' ? {} : { reason: keptText(reason, 500) }),
      }
    }
    case 'late': {
      const { hook, jobId, ending, wake } = line.late
      return { kind: 'late', ...ofCall(line), hook: idText(hook), job: idText(jobId), ending: endingNote(ending), wake }
    }
    case 'reloaded': {
      const { applied, vetoedBy, added, removed, needTrust } = line.reload
      return {
        kind: 'reloaded',
        session: idText(session),
        applied,
        ...(vetoedBy === undefined ? {} : { vetoedBy: idText(vetoedBy) }),
        added: ids(added),
        removed: ids(removed),
        needTrust: ids(needTrust),
      }
    }
  }
}

function ofCall({ sessionId, agentId, event, callId }: { sessionId: string; agentId?: string; event: string; callId: string }) {
  return {
    session: idText(sessionId),
    ...(agentId === undefined ? {} : { agent: idText(agentId) }),
    event: idText(event),
    call: idText(callId),
  }
}

function ids(list: readonly string[]): string[] {
  const kept = list.slice(0, listLimit).map((id) => idText(id))
  return list.length > listLimit ? [...kept, `… ${list.length - listLimit} more`] : kept
}

/** Somebody answered for a folder. */
export function trustEntry(session: string, { folder, answer, digest, items }: Omit<TrustEntry, 'kind' | 'session'>): TrustEntry {
  return {
    kind: 'trust',
    session: idText(session),
    folder: keptText(folder, 500),
    answer,
    ...(digest === undefined ? {} : { digest }),
    ...(items === undefined ? {} : { items }),
  }
}

/** Policy changed, or was found to be in force. */
export function policyEntry(session: string, { detail, file, digest }: Omit<PolicyEntry, 'kind' | 'session'>): PolicyEntry {
  return {
    kind: 'policy',
    session: idText(session),
    detail: keptText(detail, 500),
    ...(file === undefined ? {} : { file: keptText(file, 500) }),
    ...(digest === undefined ? {} : { digest }),
  }
}

/** A session began or ended. */
export function sessionEntry(session: string, { kind, cwd, detail }: Omit<SessionEntry, 'session'>): SessionEntry {
  return {
    kind,
    session: idText(session),
    ...(cwd === undefined ? {} : { cwd: keptText(cwd, 500) }),
    ...(detail === undefined ? {} : { detail: keptText(detail, 500) }),
  }
}
