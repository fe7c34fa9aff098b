/** Regular expressions with a time limit: a pattern from a settings file must not hang the agent (design decision 17). */
import { createContext, Script } from 'node:vm'
import type { BoundedRegex } from '../config/matcher.ts'

/** How long one pattern may look at one value, in milliseconds. */
const limitMs = 25
const kept = 200
/** How often a run is tried again that was ended although it had hardly worked. */
const tries = 4

interface Room {
  pattern: RegExp
  value: string
  answer: boolean
}

/**
 * Runs a pattern against a value in a context of its own, which is made once; V8 ends it at the limit, even inside one match.
 * `null`: no answer in time. @throws SyntaxError when the pattern is not valid; matchers are compiled before they are asked.
 */
export function createBoundedRegex({ limit = limitMs }: { limit?: number } = {}): BoundedRegex {
  // A context costs milliseconds, and most settings have no such pattern.
  let made: { readonly room: Room; readonly script: Script } | undefined
  const patterns = new Map<string, RegExp>()
  return (source, value) => {
    made ??= { room: createContext({ pattern: /(?:)/, value: '', answer: false }) as Room, script: new Script('answer = pattern.test(value)') }
    const { room, script } = made
    let pattern = patterns.get(source)
    if (pattern === undefined) {
      if (patterns.size >= kept) patterns.clear()
      pattern = new RegExp(source)
      patterns.set(source, pattern)
    }
    room.pattern = pattern
    room.value = value
    room.answer = false
    for (let left = tries; left > 0; left--) {
      const before = process.cpuUsage()
      try {
        script.runInContext(room, { timeout: limit })
        return room.answer
      } catch (error) {
        if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
        const { user, system } = process.cpuUsage(before)
        // The limit is of wall time. On a busy machine it may pass while this process only waits its turn, and a guard must not be skipped for that.
        if ((user + system) / 1_000 > limit / 2) return null
      }
    }
    return null
  }
}
