/** Chains for tests: entries sealed in memory, as lines with their newlines. */
import { type Head, origin, sealEntry } from '../../src/audit/chain.ts'
import type { AuditEntry } from '../../src/audit/record.ts'

/** A small verdict of a session. */
export function verdict(call: string, more: Partial<Extract<AuditEntry, { kind: 'verdict' }>> = {}): AuditEntry {
  return {
    kind: 'verdict',
    session: 's-1',
    event: 'PreToolUse',
    call,
    decision: 'allow',
    cause: 'hook',
    by: ['project:PreToolUse:0:0'],
    ms: 2.5,
    input: { digest: 'ab'.repeat(32), bytes: 40, preview: `{"tool_name":"Bash","tool_input":{"command":"echo ${call}"}}` },
    hooks: [
      {
        id: 'project:PreToolUse:0:0',
        type: 'command',
        source: { kind: 'project', file: '.claude/settings.json', line: 8 },
        digest: 'cd'.repeat(32),
        ending: { kind: 'exited', code: 0 },
        outcome: 'success',
        said: 'allow',
        ms: 2.1,
        stdout: { kept: 12 },
      },
    ],
    ...more,
  }
}

/** Lines of entries, and where the chain then stands. */
export function seal(entries: readonly AuditEntry[], { from = origin, key }: { from?: Head; key?: Uint8Array } = {}): { lines: Uint8Array[]; head: Head } {
  let head = from
  const lines = entries.map((entry, index) => {
    const sealed = sealEntry(entry, { head, at: 1_790_000_000_000 + index * 1_000, up: index + 0.5, key })
    head = sealed.head
    return sealed.line
  })
  return { lines, head }
}

/** A chain of so many verdicts. */
export function chain(length: number): Uint8Array[] {
  return seal(Array.from({ length }, (_, index) => verdict(`c-${index}`))).lines
}

/** The lines of a file's bytes, as a reader finds them. */
export function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start)
    const next = end === -1 ? bytes.length : end + 1
    lines.push(bytes.slice(start, next))
    start = next
  }
  return lines
}
