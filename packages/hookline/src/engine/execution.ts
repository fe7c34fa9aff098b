/** One hook's run that has ended: what it said is read, and the trace hears of it. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { quiet } from './interpret.ts'
import { traceOf } from './trace.ts'

/** One hook's run, read. Times are those of `performance.now()`. */
export interface Execution {
  readonly hook: ConfiguredHook
  readonly raw: RawResult
  readonly said: Interpreted
  readonly startedAt: number
  readonly endedAt: number
}

/** How a run ended, and when it did. */
export type Ended = Pick<Execution, 'hook' | 'raw' | 'startedAt' | 'endedAt'>

/** Reads the end of a run. */
export function readEnded({ hook, raw: result, startedAt, endedAt }: Ended, call: OpenCall, engine: Engine): Execution {
  const said = engine.read(hook, result, call)
  const raw = said.judged === undefined ? result : { ...result, ending: said.judged }
  const { trace } = engine
  if (trace.active) trace.write({ kind: 'ended', ...traceOf(call), hook: hook.info.id, ending: raw.ending, outcome: said.outcome, ms: endedAt - startedAt })
  return { hook, raw, said, startedAt, endedAt }
}

const silence: RawResult = Object.freeze({ ending: { kind: 'returned' } as const })

/** The run of a hook in code that returned nothing, and was not timed. */
export function silentRun(hook: ConfiguredHook): Execution {
  return { hook, raw: silence, said: quiet, startedAt: 0, endedAt: 0 }
}
