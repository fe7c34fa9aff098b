/** Remembers the permits of a turn, so that asking twice about one call fires its hooks once. */
import type { Permit, ToolCall } from '../protocol/permission.ts'

interface Entry {
  readonly name: string
  readonly input: unknown
  readonly permit: Promise<Permit>
}

/** The permits that still stand in one scope. */
export class Kept {
  readonly #entries = new Map<string, Entry>()
  #turn = 0

  /** The permit kept for this call, or a new one. A deferred or failed one is not kept. */
  ask(call: ToolCall, turn: number, decide: () => Promise<Permit>): Promise<Permit> {
    if (turn !== this.#turn) {
      this.#entries.clear()
      this.#turn = turn
    }
    const known = this.#entries.get(call.id)
    if (known !== undefined && known.name === call.name && isSame(known.input, call.input)) return known.permit
    const permit = decide()
    const entry = { name: call.name, input: call.input, permit }
    this.#entries.set(call.id, entry)
    const forget = () => {
      if (this.#entries.get(call.id) === entry) this.#entries.delete(call.id)
    }
    permit.then((done) => {
      if (done.behavior === 'defer') forget()
    }, forget)
    return permit
  }

  /** The call has run. */
  drop(id: string): void {
    this.#entries.delete(id)
  }
}

/** Whether two inputs hold the same JSON values. Deeper than any tool's input goes, they count as different. */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > 100 || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], depth + 1))
}
