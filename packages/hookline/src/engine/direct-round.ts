/** The hooks in code of one call that was not walked with: takes what they say, and waits for those that take their time. */
import { PendingResult, type ResultListener } from '../protocol/pending-result.ts'
import type { RawResult } from '../protocol/runner.ts'
import { conclude, type Walk } from './corridor.ts'
import { type Execution, readEnded, silentRun } from './execution.ts'
import { isQuiet } from './interpret.ts'
import type { AnyVerdict } from './middleware.ts'
import type { QuietVerdict } from './quiet.ts'
import type { DirectHook, DirectSelection } from './select.ts'

/** Begun when the first hook says something, or takes its time. */
export class DirectRound implements ResultListener {
  /** Something was still to come. */
  waits = false
  readonly #verdict: QuietVerdict
  readonly #way: Walk
  readonly #selection: DirectSelection
  /** What was said, by the place of the hook. */
  #spoke: Execution[] | undefined
  #left = 0
  /** When the first of the slow ones began, about. */
  #since = 0
  #resolve: ((verdict: AnyVerdict | Promise<never>) => void) | undefined

  constructor(verdict: QuietVerdict, { way, selection }: { way: Walk; selection: DirectSelection }) {
    this.#verdict = verdict
    this.#way = way
    this.#selection = selection
  }

  /** Takes what a hook gave that did not return nothing at once. */
  take(result: RawResult | PendingResult, place: number): void {
    if (result instanceof PendingResult) {
      this.waits = true
      this.#left += 1
      result.tell(this, place)
    } else this.#hear(result, place, 0)
  }

  arrive(result: RawResult, place: number, since: number): void {
    this.#hear(result, place, since)
    this.#left -= 1
    if (this.#left === 0 && this.#resolve !== undefined) this.#end(this.#resolve)
  }

  /** The verdict, once everything has come. */
  promise(): Promise<AnyVerdict> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      if (this.#left === 0) this.#end(resolve)
    })
  }

  /** The verdict with all that was said. */
  full(): AnyVerdict {
    const call = this.#verdict.open()
    call.startedAt = this.#since
    const ran = this.#selection.direct.map(({ hook }, place) => this.#spoke?.[place] ?? silentRun(hook))
    if (this.#since !== 0) this.#way.direct?.timed(ran)
    return this.#way.scope.conclude(this.#way.plan, conclude({ call, way: this.#way, selection: this.#selection }, ran))
  }

  #hear(raw: RawResult, place: number, since: number): void {
    const { engine, plan } = this.#way
    const { hook } = this.#selection.direct[place] as DirectHook
    if (since === 0 && !engine.trace.active && isQuiet(raw, plan.row, hook.type)) {
      if (engine.failing.any) engine.failing.succeeded(hook.info.id)
      return
    }
    if (since !== 0 && (this.#since === 0 || since < this.#since)) this.#since = since
    this.#spoke ??= []
    this.#spoke[place] = readEnded({ hook, raw, startedAt: since, endedAt: since === 0 ? 0 : performance.now() }, this.#verdict.open(), engine)
  }

  #end(resolve: (verdict: AnyVerdict | Promise<never>) => void): void {
    const { scope, guard, engine } = this.#way
    if (this.#spoke === undefined && guard === undefined && !scope.closed && !engine.trace.active) resolve(this.#verdict)
    else this.#endFully(resolve)
  }

  #endFully(resolve: (verdict: AnyVerdict | Promise<never>) => void): void {
    const { scope, guard, engine } = this.#way
    try {
      scope.assertOpen()
      const isSilent = this.#spoke === undefined && !engine.trace.active
      resolve(isSilent && guard !== undefined && !scope.refused(guard, this.#verdict.given) ? this.#verdict : this.full())
    } catch (error) {
      resolve(Promise.reject(error as Error))
    }
  }
}
