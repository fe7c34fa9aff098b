/** A small entry for tests of writing. */
import type { AuditEntry } from '../../src/audit/record.ts'

/** A verdict that only says which call it is of. */
export function entry(call: string, { session = 's-1', decision = 'allow' }: { session?: string; decision?: 'allow' | 'deny' } = {}): AuditEntry {
  return { kind: 'verdict', session, event: 'PreToolUse', call, decision, cause: 'hook', ms: 1, hooks: [] }
}
