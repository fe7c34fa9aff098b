/** The audit log as one Hookline writes it: verdicts, other moments, answers about trust, and the policy that was in force. */
import { type AuditSink, auditCommit, auditMoments } from '../audit/commit.ts'
import { type Moment, policyEntry, trustEntry } from '../audit/moments.ts'
import type { AuditEntry, TrustEntry } from '../audit/record.ts'
import type { Policy, Snapshot } from '../config/snapshot.ts'
import { hash } from '../config/trust-hash.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { openAuditLog } from './log-writer.ts'

/** How a host asks for the kept record. */
export interface AuditOptions {
  /** A folder with a file per session, or one file that ends in `.jsonl`. Default: `log` in the state folder. */
  path?: string
  sync?: 'decision' | 'batch' | 'off'
  /** The session that records are kept under when the host names none: without one, every run would have a file of its own. */
  session?: string
}

/** What a seam is made from. */
export interface SeamSetting {
  /** As the host asked; policy may want one all the same. */
  readonly audit: false | AuditOptions | undefined
  /** The host named the session itself. */
  readonly named: boolean
  readonly folder: string
  /** Settings as they were first loaded. */
  readonly first: Snapshot
  /** The settings in force. */
  readonly snapshot: () => Snapshot
  readonly sessionId: () => string
  readonly onWarning: (notice: Diagnostic) => void
  /** A reload brought a policy that demands records, where none were kept until now. */
  readonly onDemand: (commit: Commit) => void
}

type Commit = ReturnType<typeof auditCommit>

/** The engine's `commit` and `record`, and what the composition root has for the log beside them. */
export interface LogSeam {
  /** Absent: no records are kept. */
  readonly commit?: Commit
  record(moment: Moment): Promise<void> | undefined
  answered(moment: Omit<TrustEntry, 'kind' | 'session'>): Promise<void> | undefined
  /** Settings were loaded anew; whether they are applied, `record` hears. */
  loaded(next: Snapshot): void
  close(): Promise<void>
}

/** The log of one Hookline: open where somebody wants records, or as soon as policy does. A record that policy demands and that cannot be written rejects. */
export function openLogSeam(setting: SeamSetting): LogSeam {
  const { audit, first, onDemand } = setting
  let open = audit || first.policy.auditRequired ? openLog(setting) : undefined
  let next = first
  return {
    ...(open === undefined ? {} : { commit: open.commit }),
    record(moment) {
      if (open === undefined && moment.kind === 'reloaded' && moment.reload.applied && next.policy.auditRequired) {
        open = openLog({ ...setting, first: next })
        onDemand(open.commit)
      }
      return open?.record(moment)
    },
    answered: (moment) => open?.answered(moment),
    loaded(snapshot) {
      next = snapshot
      open?.loaded(snapshot)
    },
    async close() {
      await open?.close()
    },
  }
}

function openLog({ audit, named, folder, first, snapshot, sessionId, onWarning }: SeamSetting): Required<LogSeam> {
  const { path = folder, sync, session: shared } = audit || {}
  const session = named ? undefined : shared
  const log = openAuditLog(path, {
    ...(sync === undefined ? {} : { sync }),
    required: () => snapshot().policy.auditRequired === true,
    onWarning,
  })
  let next = first
  let told: string | undefined
  const append = (entry: AuditEntry) => log.append(session !== undefined && entry.session === sessionId() ? { ...entry, session } : entry)
  /** The first record of a session says which policy it stands under. */
  const tellPolicy = (now: Snapshot): void => {
    const digest = hash(now.policy)
    const before = told
    told = digest
    if (digest === before || (before === undefined && (session !== undefined || !isManaged(now)))) return
    const file = now.sources.flatMap(({ kind, state, file }) => (kind === 'managed' && state !== 'absent' && file !== undefined ? [file] : [])).join(', ')
    const detail = `${before === undefined ? 'in force' : 'changed'}: ${policyWords(now.policy)}`
    append(policyEntry(sessionId(), { detail, digest, ...(file === '' ? {} : { file }) }))?.catch(() => undefined)
  }
  const sink: AuditSink = {
    preview: log.preview,
    digestInput: log.digestInput,
    append: (entry) => {
      if (told === undefined) tellPolicy(first)
      return append(entry)
    },
  }
  return {
    commit: auditCommit(sink),
    record(moment) {
      const written = auditMoments(sink, sessionId())(moment)
      if (moment.kind === 'reloaded' && moment.reload.applied) tellPolicy(next)
      return written
    },
    answered: (moment) => sink.append(trustEntry(sessionId(), moment)),
    loaded(snapshot) {
      next = snapshot
    },
    close: () => log.close(),
  }
}

function isManaged({ sources }: Snapshot): boolean {
  return sources.some(({ kind, state }) => kind === 'managed' && state !== 'absent')
}

/** The keys that say something, in a line. */
function policyWords(policy: Policy): string {
  const said = Object.entries(policy).flatMap(([key, value]: [string, unknown]): string[] => {
    if (value === undefined || value === false || (Array.isArray(value) && value.length === 0))
      return key === 'selfProtection' && value === false ? [`${key} off`] : []
    if (value === true) return [key]
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return []
    return [`${key} ${Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : Object.keys(value as object).join(' ')}`]
  })
  return said.length === 0 ? 'nothing' : said.join(', ')
}
