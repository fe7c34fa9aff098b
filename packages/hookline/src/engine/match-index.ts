/** Finds the hooks whose matcher takes a value without asking each: names by map, patterns behind one alternation per chunk. */

import { matcherRules } from '../config/match-value.ts'
import { maxValue } from '../config/matcher.ts'
import { runsBounded } from '../config/pattern-cost.ts'
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { NamedRow } from '../protocol/events.ts'
import { namesOf } from '../protocol/tools.ts'

/** What the index says about one value; both lists hold positions in the plan's hooks, ascending. */
export interface IndexAnswer {
  readonly matched: readonly number[]
  /** The matcher ran into its limit, or the value is too long. */
  readonly unknown: readonly number[]
}

interface Chunk {
  /** Matches whenever one of the chunk's patterns does; absent: each is tried. */
  readonly any: RegExp | undefined
  readonly positions: readonly number[]
}

// One pattern that cannot be joined must not spoil the rest, and a source of thousands of patterns compiles slowly.
const chunkSize = 500

/** The matchers of a plan, indexed when first asked. */
export class MatchIndex {
  readonly #row: NamedRow
  readonly #hooks: readonly ConfiguredHook[]
  readonly #always: number[] = []
  readonly #byName = new Map<string, number[]>()
  readonly #chunks: Chunk[] = []
  readonly #isTool: boolean
  #built = false

  constructor(row: NamedRow, hooks: readonly ConfiguredHook[]) {
    this.#row = row
    this.#hooks = hooks
    this.#isTool = matcherRules(row).tools === true
  }

  /** The hooks that match; `undefined` stands for an event without matchers, or a value that cannot be derived: all of them. */
  look(value: string | undefined): IndexAnswer {
    if (value === undefined) return { matched: this.#hooks.map((_, position) => position), unknown: [] }
    if (!this.#built) this.#build()
    const named = this.#byName.get(value)
    const matched = named === undefined ? [...this.#always] : [...this.#always, ...named]
    const unknown: number[] = []
    for (const { any, positions } of this.#chunks) {
      if (any !== undefined && value.length <= maxValue && !this.#spellings(value).some((name) => any.test(name))) continue
      for (const position of positions) {
        const answer = this.#hooks[position]?.matcher.test(value)
        if (answer === true) matched.push(position)
        else if (answer === null) unknown.push(position)
      }
    }
    return { matched: matched.sort((a, b) => a - b), unknown }
  }

  #spellings(value: string): readonly string[] {
    return this.#isTool ? namesOf(value) : [value]
  }

  #build(): void {
    this.#built = true
    const joinable: number[] = []
    const alone: number[] = []
    this.#hooks.forEach(({ matcher, fault }, position) => {
      // A hook that never runs needs no place; why it does not is told from the hook itself.
      if (fault !== undefined) return
      if (matcher.kind === 'all' || this.#row.match === undefined) this.#always.push(position)
      else if (matcher.names !== undefined) for (const name of new Set(matcher.names.flatMap((one) => this.#spellings(one)))) this.#name(name, position)
      else if (matcher.kind === 'regex' && canJoin(matcher.text ?? '')) joinable.push(position)
      else alone.push(position)
    })
    for (let from = 0; from < joinable.length; from += chunkSize) {
      const positions = joinable.slice(from, from + chunkSize)
      const any = new RegExp(positions.map((position) => `(?:${this.#hooks[position]?.matcher.text})`).join('|'))
      this.#chunks.push({ any, positions })
    }
    if (alone.length > 0) this.#chunks.push({ any: undefined, positions: alone })
  }

  #name(name: string, position: number): void {
    const known = this.#byName.get(name)
    if (known === undefined) this.#byName.set(name, [position])
    else known.push(position)
  }
}

/** Patterns with groups that have names could clash, and those that need a time limit must keep it. */
function canJoin(source: string): boolean {
  return runsBounded(source) && !source.includes('(?<')
}
