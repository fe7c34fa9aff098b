/** The input fields that every event has: what a scope fills in, over which goes what the host gives. */
import type { NamedRow } from '../protocol/events.ts'
import type { PlainInput } from './check-input.ts'
import type { Seat } from './seat.ts'
import type { StopLoop } from './stop-loop.ts'

/** The common fields of one scope. */
export class CommonFields {
  readonly #seat: Pick<Seat, 'base' | 'live'>
  readonly #loop: StopLoop
  /** They are the three that every scope has, and none of them changes. */
  readonly #plain: boolean

  constructor(seat: Pick<Seat, 'base' | 'live'>, loop: StopLoop) {
    this.#seat = seat
    this.#loop = loop
    this.#plain = seat.live === undefined && Object.keys(seat.base).every((key) => key === 'session_id' || key === 'transcript_path' || key === 'cwd')
  }

  get cwd(): unknown {
    return this.#seat.live?.('')['cwd'] ?? this.#seat.base['cwd']
  }

  /** The given fields over the common ones. Assigned, not spread: V8 makes slow objects of long spreads. */
  fill(row: NamedRow, own: object): PlainInput {
    const { base, live } = this.#seat
    const common = { session_id: base['session_id'], transcript_path: base['transcript_path'], cwd: base['cwd'], hook_event_name: row.name }
    if (this.#plain && row.loop !== 'counted') return Object.assign(common, own)
    Object.assign(common, base, live?.(row.name), { hook_event_name: row.name })
    return row.loop === 'counted' ? Object.assign(common, { stop_hook_active: this.#loop.active }, own) : Object.assign(common, own)
  }
}
