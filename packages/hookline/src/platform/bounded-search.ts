/** Searches lines with a regular expression that a model wrote: it is ended when it takes too long. */
import { createContext, Script } from 'node:vm'

const limitMs = 200

/** The numbers of the lines that match, from 1, at most `most`; `null`: it took too long. */
export type LineSearch = (text: string, most: number) => readonly number[] | null

/** @throws Error, in words for the model, for a pattern that cannot be used. */
export function createLineSearch(source: string, { ignoreCase = false }: { ignoreCase?: boolean } = {}): LineSearch {
  let pattern: RegExp
  try {
    pattern = new RegExp(source, ignoreCase ? 'i' : '')
  } catch (error) {
    throw new Error(`The pattern cannot be used: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const room = createContext({ pattern, lines: [] as string[], most: 0, found: [] as number[] })
  const script = new Script('found = []; for (at = 0; at < lines.length && found.length < most; at++) if (pattern.test(lines[at])) found.push(at + 1)')
  return (text, most) => {
    Object.assign(room, { lines: text.split('\n'), most })
    try {
      script.runInContext(room, { timeout: limitMs })
      return Array.from(room['found'] as number[])
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null
      throw error
    }
  }
}
