/** The last step of every call: the Stop loop's say, and the record of what takes effect, before it does. */
import type { NamedRow } from '../protocol/events.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { type AnyVerdict, denial } from './middleware.ts'
import type { StopLoop } from './stop-loop.ts'
import type { FoldedVerdict } from './verdict.ts'
import { isFullVerdict } from './verdict-class.ts'

/** What settling looks at. */
export interface Settling {
  readonly engine: Pick<Engine, 'parts' | 'notice'>
  readonly call: OpenCall
  readonly loop: StopLoop
  /** Nobody waits for the verdict any more. */
  readonly over: () => boolean
  /** What the hooks made of the call, where code around them may have answered otherwise. */
  readonly walked?: AnyVerdict | undefined
}

/** Settles. Hands back the verdict itself when nothing is left to wait for. */
export function settleVerdict(verdict: AnyVerdict | Promise<AnyVerdict>, settling: Settling): AnyVerdict | Promise<AnyVerdict> {
  if (verdict instanceof Promise) return verdict.then((done) => settleVerdict(done, settling))
  const done = settling.call.row.loop === 'counted' && !settling.over() ? looped(verdict, settling) : verdict
  const { commit } = settling.engine.parts
  if (commit === undefined || !isFullVerdict(done)) return done
  const { call, walked } = settling
  const written = commit(done, call, walked !== undefined && walked !== done && isFullVerdict(walked) ? walked : undefined)
  return written === undefined
    ? done
    : written.then(
        () => done,
        (error: unknown) => unwritten(done, settling, error),
      )
}

function looped(verdict: AnyVerdict, { call, loop }: Settling): AnyVerdict {
  const capped = loop.count(call.row, verdict as { blocked: boolean; stop?: unknown; reason?: string })
  return capped !== undefined && 'withoutBlock' in verdict ? verdict.withoutBlock(capped) : verdict
}

/** What must be on record and is not does not happen, where anything can be refused; elsewhere the log's own warning stands. */
function unwritten(verdict: FoldedVerdict, { call, engine }: Settling, error: unknown): FoldedVerdict {
  const why = error instanceof Error ? error.message : String(error)
  if (!canRefuse(call.row)) {
    engine.notice({ severity: 'error', code: 'audit-required', message: `The verdict of ${call.row.name} could not be recorded, as policy demands: ${why}` })
    return verdict
  }
  return verdict.and(denial(call.row, `Refused, because policy demands a record and none can be written: ${why}`), 'audit')
}

function canRefuse({ failClosed, loop }: NamedRow): boolean {
  return loop !== 'counted' && (failClosed === 'can' || failClosed === 'always')
}
