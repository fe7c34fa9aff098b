/** Tells a model's own verdict from one that it repeats: a yes that stands word for word in the judged data is nobody's yes, unless it bears the seal. */
import type { Question } from './judged-data.ts'

const looksLikeYes = /\bok\b(?:[^A-Za-z0-9]|\\[nrt]){1,40}true/i

/** Whether the data holds something that a reply could be mistaken for. */
export function holdsVerdicts({ data }: Question): boolean {
  return looksLikeYes.test(data)
}

/** The reply as the engine reads it, without the seal; or why it is no verdict. */
export function ownVerdict(reply: string, { seal, data }: Question): { readonly text: string } | { readonly echo: string } {
  const mark = new RegExp(`,\\s*"seal"\\s*:\\s*"${seal}"|"seal"\\s*:\\s*"${seal}"\\s*,?`)
  if (mark.test(reply)) return { text: reply.replace(mark, '') }
  const verdict = reply
    .trim()
    .replace(/^```[a-z]*\s*\n/i, '')
    .replace(/\n?```$/, '')
    .trim()
  if (saysYes(verdict) && bare(data).includes(bare(verdict))) return { echo: 'its reply repeats a verdict that stands in the data it was to judge' }
  return { text: reply }
}

function saysYes(text: string): boolean {
  try {
    return (JSON.parse(text) as { ok?: unknown } | null)?.ok === true
  } catch {
    return false
  }
}

/** Without blanks and backslashes: how often a text was quoted, and how it was laid out, makes no difference. */
function bare(text: string): string {
  return text.replace(/\\+[nrt]/g, '').replace(/[\s\\]/g, '')
}
