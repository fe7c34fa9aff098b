/** Whether a failure counts as a block, and the words it then has: every row says so itself (design decision 6). */
import type { NamedRow } from '../protocol/events.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Words } from '../protocol/words.ts'
import { permissionPower } from './read-decision.ts'
import { denies, withoutPermissive } from './read-reading.ts'

const inCode: ReadonlySet<string> = new Set(['callback', 'function'])

/** Whether a failed run blocks: the hook asked for it where it can, the event always does, or its timeout does. */
export function closes(raw: RawResult, { row, type, failClosed }: { row: NamedRow; type: string; failClosed: boolean }): boolean {
  if (row.failClosed === 'always' || (row.failClosed === 'can' && failClosed)) return true
  if (raw.ending.kind !== 'timedOut') return false
  return row.timeoutBlocks === 'every' || (row.timeoutBlocks === 'code' && inCode.has(type))
}

/** The words of a failure that blocks. A denial of the hook's own keeps its reason. */
export function closedWords(row: NamedRow, said: Words, notice: string): Words {
  const words = withoutPermissive(said)
  if (denies(words)) return words
  return block(row, words, notice)
}

/** Adds a block in the row's own words: a deny where a permission is decided, else a block. */
export function block(row: NamedRow, words: Words, reason: string): Words {
  if (permissionPower(row) === undefined) {
    const { elicitation: _, ...rest } = words
    return { ...rest, block: reason }
  }
  const { reason: _, ...rest } = words
  return { ...rest, permission: 'deny', ...(reason === '' ? {} : { reason }) }
}
