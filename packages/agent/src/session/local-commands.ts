/** Slash commands of the session itself: /compact and /clear. */
import type { Expander } from './options.ts'

/** Answers the commands that need nothing but the session. */
export const localCommands: Expander = async (prompt, { session, signal }) => {
  const found = /^\/(compact|clear|reset|new)(?:\s+([\s\S]*))?$/.exec(prompt.trim())
  if (found === null) return undefined
  if (found[1] !== 'compact') {
    await session.clear()
    return { kind: 'done', text: '' }
  }
  const instructions = found[2]?.trim()
  const refused = await session.compact({ trigger: 'manual', signal, ...(instructions === undefined || instructions === '' ? {} : { instructions }) })
  return { kind: 'done', text: refused ?? '' }
}
