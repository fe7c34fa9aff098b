/** Whether a diagnostic means what a row says: by the words of the row, or by what its code stands for. */
import type { Diagnostic } from '../../src/index.ts'

/** What a row wants to be told. `where` is a hook id, a source, or a path below one. */
export interface Wanted {
  readonly level: string
  readonly says?: string
  readonly where?: string
}

/** Where our words differ from a row's: what the row says, and what the code's message must hold to mean that. */
const senses: Readonly<Record<string, readonly (readonly [says: RegExp, told: RegExp])[]>> = {
  refused: [[/URL not on the allowed list/, /URL .* is refused \(not-listed\)/]],
  'mode-not-set': [[/bypassPermissions is not available/, /bypassPermissions.*cannot switch it on/]],
  'wrong-type': [[/(\w+) has the wrong type/, /must be/]],
}
const filler = new Set([
  'a',
  'an',
  'the',
  'is',
  'has',
  'have',
  'must',
  'be',
  'on',
  'with',
  'of',
  'in',
  'to',
  'it',
  'at',
  'this',
  'here',
  'hook',
  'hooks',
  'also',
  'by',
  'itself',
])

/** The words that carry the meaning, in lower case. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !filler.has(word))
}

/** Whether a diagnostic says it, on that level. */
export function means(found: Diagnostic, { level, says }: Wanted): boolean {
  if (found.severity !== level) return false
  if (says === undefined) return true
  const meant = senses[found.code]?.some(([row, told]) => {
    const match = row.exec(says)
    return match !== null && told.test(found.message) && found.message.includes(match[1] ?? '')
  })
  if (meant) return true
  const said = new Set(wordsOf(`${found.code.replaceAll('-', ' ')} ${found.message} ${found.hint ?? ''}`))
  return wordsOf(says).every((word) => said.has(word) || [...said].some((one) => one.startsWith(word)))
}
