/** Asks hooks in code without a walk: most say nothing, and then the call was never opened and is itself the verdict. */
import { KnownMake } from './check-input.ts'
import type { Walk } from './corridor.ts'
import { DirectRound } from './direct-round.ts'
import type { Execution } from './execution.ts'
import type { AnyVerdict } from './middleware.ts'
import type { QuietVerdict } from './quiet.ts'
import { quietVerdict } from './quiet-class.ts'
import type { DirectHook, DirectSelection } from './select.ts'

/** So long that it shows in a report. */
const noticeableMs = 0.05
/** So many calls at most are not timed, one after the other. */
const longestTrust = 1_023

/** Whether nothing but its hooks takes part in an event, as far as that is known before a call. */
export function goesDirectly({ engine: { parts }, plan: { row, layers, followsUp }, silent }: Pick<Walk, 'engine' | 'plan' | 'silent'>): boolean {
  const isBare = layers.length === 0 && parts.desk?.asks !== true && parts.commit === undefined
  return isBare && !silent && !followsUp && row.loop !== 'counted' && row.budgetMs === undefined && row.stdout !== 'path'
}

/**
 * The short way of one event in one scope. The clock would cost more than most hooks in code, so it is only asked at every call while they are
 * noticeably slow; the more often they were quick, the more calls go without it. A call that is timed walks the corridor.
 */
export class Direct {
  readonly #way: Walk
  readonly #make: KnownMake | undefined
  /** What every call selects, where no hook has a matcher. */
  #always: DirectSelection | undefined
  #untimed = 0
  #trust = 0

  /** `fixed`: what the scope fills in is the same at every call, so that inputs of one make are right together. */
  constructor(way: Walk, { fixed }: { fixed: boolean }) {
    this.#way = way
    this.#make = fixed ? new KnownMake(way.plan.row) : undefined
  }

  /** Asks the hooks of a call; walks with it where that cannot be done. */
  fire(given: unknown): AnyVerdict | Promise<AnyVerdict> {
    const own: unknown = typeof given === 'function' ? given() : given
    const verdict = quietVerdict(this.#way, own)
    const { plan, guard, scope } = this.#way
    if (plan.quiet) return guard !== undefined && scope.refused(guard, own) ? scope.run(this.#way, verdict.open()) : verdict
    if (this.#make?.fits(own) !== true) {
      verdict.open()
      this.#make?.learn(own as object)
    }
    const selection = this.#untimed === 0 ? undefined : (this.#always ?? this.#select(own, verdict))
    if (selection === undefined) return scope.run(this.#way, verdict.open())
    this.#untimed -= 1
    return this.#ask(selection, verdict)
  }

  /** Hears how long hooks took that were timed. */
  timed(ran: readonly Execution[]): void {
    this.#trust = ran.some(({ startedAt, endedAt }) => endedAt - startedAt >= noticeableMs) ? 0 : Math.min(longestTrust, 2 * this.#trust + 1)
    this.#untimed = this.#trust
  }

  #select(own: unknown, verdict: QuietVerdict): DirectSelection | undefined {
    const { row, selector, hooks } = this.#way.plan
    const isTold = row.match !== undefined && Object.hasOwn(own as object, row.match)
    const selection = selector.known(isTold ? { row, input: own as Readonly<Record<string, unknown>> } : verdict.open())
    if (selection?.direct === undefined) return undefined
    if (hooks.every(({ matcher }) => matcher.kind === 'all')) this.#always = selection as DirectSelection
    return selection as DirectSelection
  }

  #ask(selection: DirectSelection, verdict: QuietVerdict): AnyVerdict | Promise<AnyVerdict> {
    const { direct } = selection
    const { engine, guard, scope } = this.#way
    let round: DirectRound | undefined
    for (let at = 0; at < direct.length; at++) {
      const { hook, runner } = direct[at] as DirectHook
      const result = runner.ask(hook, verdict)
      if (result === undefined) {
        if (engine.failing.any) engine.failing.succeeded(hook.info.id)
      } else {
        round ??= new DirectRound(verdict, { way: this.#way, selection })
        round.take(result, at)
      }
    }
    if (round !== undefined) return round.waits ? round.promise() : round.full()
    // Behind the hooks, as everywhere: they may have changed what the call is about.
    return guard !== undefined && scope.refused(guard, verdict.given) ? new DirectRound(verdict, { way: this.#way, selection }).full() : verdict
  }
}
