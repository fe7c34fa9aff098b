/** Remembers the permits of a turn, so that asking twice about one call fires its hooks once. */
import type { ScopeCore } from '../engine/scope.ts'
import { copyInput } from '../permission/copy-input.ts'
import type { Permit, ToolCall } from '../protocol/permission.ts'

interface Entry {
  readonly name: string
  readonly input: unknown
  permit: Promise<Permit>
}

// A host that never starts a turn and never runs what it asked about must not make this grow for ever.
const mostEntries = 1_000

const byScope = new WeakMap<ScopeCore, Kept>()

/** The permits of a scope that still stand. */
export function keptOf(scope: ScopeCore): Kept {
  let own = byScope.get(scope)
  if (own === undefined) {
    own = new Kept()
    byScope.set(scope, own)
  }
  return own
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
    return this.#find(call)?.permit ?? this.#keep(call, decide())
  }

  /** What became of the question of a kept permit stands in its place. */
  replace(call: ToolCall, open: Permit, settled: Promise<Permit>): void {
    const entry = this.#find(call)
    void entry?.permit.then(
      (kept) => {
        if (kept === open && this.#entries.get(call.id) === entry) void this.#keep(call, settled)
      },
      () => undefined,
    )
  }

  /** The call has run. */
  drop(id: string): void {
    this.#entries.delete(id)
  }

  #find(call: ToolCall): Entry | undefined {
    const known = this.#entries.get(call.id)
    return known !== undefined && known.name === call.name && isSame(known.input, call.input) ? known : undefined
  }

  #keep(call: ToolCall, permit: Promise<Permit>): Promise<Permit> {
    // As it was asked about: the host may change its own object before it asks again.
    const entry = { name: call.name, input: copyInput(call.input), permit }
    this.#entries.delete(call.id)
    this.#entries.set(call.id, entry)
    if (this.#entries.size > mostEntries) this.#entries.delete(this.#entries.keys().next().value as string)
    const forget = () => {
      if (this.#entries.get(call.id) === entry) this.#entries.delete(call.id)
    }
    permit.then((done) => {
      if (done.behavior === 'defer') forget()
    }, forget)
    return permit
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
