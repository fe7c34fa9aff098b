/** The one seam that progress, logs and inspectors read: builds no line while nobody listens and nothing is kept. */
import type { Undo } from '../protocol/answering.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { Trace, TraceLine } from '../protocol/trace.ts'
import type { OpenCall } from './call.ts'
import { tell } from './tell.ts'
import { undo } from './undo.ts'

type Body<L> = L extends TraceLine ? Omit<L, 'seq' | 'at'> : never
/** A line before it has its number and time. */
export type TraceBody = Body<TraceLine>
/** What happened beside verdicts and is kept. */
export type Moment = Extract<TraceBody, { kind: 'permitted' | 'late' | 'reloaded' }>

interface Listener {
  readonly hear: (line: TraceLine) => void
  readonly sessionId?: string
}

/** Where the corridor writes its lines. */
export class TraceSink implements Trace {
  readonly #listeners = new Set<Listener>()
  readonly #kept: TraceLine[] = []
  readonly #keep: number
  readonly #notice: (notice: Diagnostic) => void
  #seq = 0

  constructor(keep: number, notice: (notice: Diagnostic) => void) {
    this.#keep = keep
    this.active = keep > 0
    this.#notice = notice
  }

  /** Whether a line would reach anybody; ask before building one. A plain field: it is asked at every event. */
  active: boolean

  write(body: TraceBody): void {
    if (!this.active) return
    const line = { seq: ++this.#seq, at: Date.now(), ...body } as TraceLine
    if (this.#keep > 0) {
      this.#kept.push(line)
      if (this.#kept.length > this.#keep) this.#kept.shift()
    }
    for (const listener of this.#listeners) this.#tell(listener, line)
  }

  subscribe(hear: (line: TraceLine) => void, options: { sessionId?: string; replay?: number } = {}): Undo {
    const listener: Listener = options.sessionId === undefined ? { hear } : { hear, sessionId: options.sessionId }
    this.#listeners.add(listener)
    this.active = true
    if (options.replay !== undefined && options.replay > 0) for (const line of this.#kept.slice(-options.replay)) this.#tell(listener, line)
    return undo(() => this.#drop(listener))
  }

  #tell(listener: Listener, line: TraceLine): void {
    if (listener.sessionId !== undefined && 'sessionId' in line && line.sessionId !== listener.sessionId) return
    tell(listener.hear, line, (error) => {
      if (!this.#listeners.has(listener)) return
      this.#drop(listener)
      this.#notice({
        severity: 'warning',
        code: 'trace-listener-threw',
        message: `A trace listener threw and was dropped: ${error instanceof Error ? error.message : String(error)}.`,
        hint: 'Catch errors inside the listener.',
      })
    })
  }

  #drop(listener: Listener): void {
    this.#listeners.delete(listener)
    this.active = this.#keep > 0 || this.#listeners.size > 0
  }
}

/** The fields that every trace line of a call has. */
export function traceOf(call: OpenCall): { event: string; callId: string; sessionId: string; agentId?: string } {
  const { agentId } = call.origin
  return { event: call.row.name, callId: call.callId, sessionId: call.sessionId, ...(agentId === undefined ? {} : { agentId }) }
}
