/** Keeps one scope's Stop loop: says whether a stop hook is active, counts blocks in a row, and caps them (contract §4). */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'

/** The state of the loop in one scope; a subagent's scope has its own. */
export class StopLoop {
  readonly #cap: number
  #blocks = 0
  /** A stop was blocked in this turn. */
  active = false
  /** Counts turns: a prompt or a stop that was let through starts the next one. */
  turn = 0

  /** `cap` is how many blocks in a row are obeyed; 0 means any number. */
  constructor(cap: number) {
    this.#cap = cap
  }

  /** Notes that an event with this part in the loop fires: a tool call interrupts a row of blocks, a prompt starts a new turn. */
  note(part: NamedRow['loop']): void {
    if (part === undefined || part === 'counted') return
    this.#blocks = 0
    if (part === 'interrupts') return
    this.active = false
    this.turn += 1
  }

  /** Counts a finished stop. Gives the reason when its block must not be obeyed. */
  count(row: NamedRow, verdict: { blocked: boolean; stop?: unknown; reason?: string }): Diagnostic | undefined {
    if (!verdict.blocked || verdict.stop !== undefined) {
      this.#endTurn()
      return undefined
    }
    this.#blocks += 1
    this.active = true
    if (this.#cap === 0 || this.#blocks <= this.#cap) return undefined
    this.#endTurn()
    return {
      severity: 'warning',
      code: 'stop-block-cap',
      message: `${row.name}: hooks sent the agent back ${this.#cap} times in a row, so this block was not obeyed. It said: ${verdict.reason ?? 'nothing'}`,
      hint: 'Let the hook look at stop_hook_active, or raise stopBlockCap (0 means no cap).',
    }
  }

  #endTurn(): void {
    this.#blocks = 0
    this.active = false
    this.turn += 1
  }
}
