/** What exit code 2 means here: a block, feedback, a notice or nothing, as the row says. */
import type { RawResult } from '../protocol/runner.ts'
import { cleanText } from './clean-text.ts'
import { block } from './interpret-closed.ts'
import { canBlock } from './interpret-failure.ts'
import type { Heard } from './interpret-heard.ts'
import { permissionPower } from './read-decision.ts'
import { shownText } from './read-fields.ts'
import { type Answering, nameHook, type Reading, withoutPermissive } from './read-reading.ts'

/**
 * Reads a run that ended with code 2, whatever its output was: nothing in JSON undoes it, and a reason in JSON
 * is preferred to stderr; stdout is never the reason.
 */
export function readExit2(raw: RawResult, heard: Heard, { reading, info }: { reading: Reading; info: Answering }): Heard {
  const { row } = reading
  const words = withoutPermissive(heard.words)
  if (canBlock(row)) {
    const said = permissionPower(row) === undefined ? words.block : words.permission === 'deny' ? words.reason : undefined
    return { words: block(row, words, said || shownText(raw.stderr ?? '', 'reason', reading)) }
  }
  const text = shownText(raw.stderr ?? '', 'reason', reading)
  if (row.exit2 === 'feedback') {
    if (words.block !== undefined) return { words, fedBack: true }
    const said = text === '' ? `${nameHook(row, info)} ended with code 2 and gave no reason.` : text
    return { words: { ...words, context: words.context === undefined ? said : `${words.context}\n${said}` }, fedBack: true }
  }
  if (row.exit2 === 'notice') {
    return {
      words,
      failure: {
        code: 'exit-code',
        sentence: `ended with code 2, but nothing can be blocked on ${row.name}`,
        ...(text === '' ? {} : { said: cleanText(text) }),
      },
    }
  }
  reading.warn('code-does-not-block', `ended with code 2, which means nothing on ${row.name}`, { severity: 'info' })
  return { words }
}
