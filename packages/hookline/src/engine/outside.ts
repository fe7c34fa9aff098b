/** Walks a call through what stands around the corridor: the question of trust, and middleware. */
import type { OpenCall } from './call.ts'
import type { Walk } from './corridor.ts'
import { type AnyVerdict, MiddlewareCall, runLayers } from './middleware.ts'
import type { Plan } from './plan.ts'
import { raceAbort } from './race-abort.ts'
import { type Settling, settleVerdict } from './settle.ts'
import { walkTrusted } from './trust-wait.ts'
import { fullVerdict } from './verdict-class.ts'

/** What the walk needs of its scope. */
export interface Outside {
  readonly settling: Settling
  /** The plan as it is after an answer about trust. */
  readonly replan: () => Plan
  /** Those whose firing ends the wait for middleware. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** Walks, and settles what comes of it. Hands back the verdict itself when nothing was asynchronous. */
export function runOutside(call: OpenCall, way: Walk, { settling, replan, signals }: Outside): AnyVerdict | Promise<AnyVerdict> {
  const { engine, plan } = way
  const inside = (inner: OpenCall) => walkTrusted(inner, way, replan)
  if (plan.layers.length === 0) return settleVerdict(inside(call), settling)
  const outer = new MiddlewareCall(call, (made, of) => fullVerdict({ ...made, call: of }, plan.shape))
  let walked: AnyVerdict | undefined
  const corridor = async (inner: OpenCall) => {
    walked = await inside(inner)
    return walked
  }
  const wrapped = runLayers(plan.layers, outer, { corridor, notice: (notice) => engine.notice(notice) })
  const settled = wrapped.then((verdict) => settleVerdict(verdict, { ...settling, walked }))
  return raceAbort(settled, signals)
}
