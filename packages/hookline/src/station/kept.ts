/** Remembers the permits of a turn, so that asking twice about one call fires its hooks once. */
import type { Permit, ToolCall } from '../protocol/permission.ts'

interface Entry {
  readonly input: string
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
    const input = fingerprint(call)
    const known = this.#entries.get(call.id)
    if (known !== undefined && known.input === input) return known.permit
    const permit = decide()
    const entry = { input, permit }
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

/** What makes two calls the same; an input that cannot be written as JSON is only ever the same as itself. */
function fingerprint(call: ToolCall): string {
  try {
    return JSON.stringify([call.name, call.input])
  } catch {
    return crypto.randomUUID()
  }
}
