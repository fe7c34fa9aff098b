/** What somebody else's error says, fit for a verdict: its message alone, short, without what looks like a credential. */
import { maskSecrets } from '../protocol/mask-secrets.ts'

const longest = 500

/** The message of whatever was thrown. A stack is for the author's own log. */
export function errorText(error: unknown): string {
  const text = maskSecrets(messageOf(error).slice(0, 4_096)).replace(/\s+/g, ' ').trim()
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error)
    return error.message === '' ? error.name : String(error.message)
  } catch {
    return 'a value that cannot be shown'
  }
}
