/** What a function returned or threw, as the result every handler gives. */
import type { RawResult } from '../protocol/runner.ts'

const returned = { kind: 'returned' } as const
/** Most hooks say nothing, so that saying it is shared. */
export const silence: RawResult = Object.freeze({ ending: returned })
const longestMessage = 10_000

/** The result of a value; the value is handed on as it is. */
export function answered(value: unknown): RawResult {
  return value === undefined ? silence : { ending: returned, value }
}

/** The result of a throw or a rejection: the message alone. A stack is for the author's own log, not for a verdict. */
export function threw(error: unknown): RawResult {
  return { ending: { kind: 'threw', error: messageOf(error).slice(0, longestMessage) } }
}

function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error)
    return error.message === '' ? error.name : String(error.message)
  } catch {
    return 'a value that cannot be shown'
  }
}
