/** Keeps texts within what a conversation can bear: 10,000 characters, the rest in a file with a preview (design decision 18). */
import type { HookId } from '../protocol/hook.ts'
import type { Text } from '../protocol/verdict-parts.ts'

/** Keeps a whole text somewhere private and says where; `undefined` when it could not. A port: the root door has none. */
export type Spill = (text: string, by: HookId) => string | undefined

/** The longest context string that is handed on whole, in UTF-16 units. */
export const contextLimit = 10_000
const previewLength = 2_000

/** A text for the model, cut to a preview when it is too long. */
export function shorten(text: string, by: HookId, spill?: Spill): Text {
  if (text.length <= contextLimit) return { text, by, truncated: false }
  const file = spill?.(text, by)
  const where = file === undefined ? 'the rest was dropped' : `the whole text is in ${file}`
  return { text: `${preview(text)}\n[… ${text.length} characters from hook ${by}; ${where}]`, by, truncated: true, ...(file === undefined ? {} : { file }) }
}

function preview(text: string): string {
  const head = text.slice(0, previewLength)
  // Half of a surrogate pair at the cut would be no character at all.
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head
}
