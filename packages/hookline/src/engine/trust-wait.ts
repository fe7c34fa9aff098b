/** The corridor behind the question of trust: a call at which something would run that nobody answered for waits for the answer. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { OpenCall } from './call.ts'
import { selectionContext, type Walk, walk } from './corridor.ts'
import type { Engine } from './engine.ts'
import { judge } from './judge.ts'
import type { Plan } from './plan.ts'
import type { FoldedVerdict } from './verdict.ts'

/** Walks; `late` as `walk` has it. After an answer the hooks are looked at anew: `replan` gives those that are in force then. */
export function walkTrusted(call: OpenCall, steps: Walk, replan: () => Plan): FoldedVerdict | Promise<FoldedVerdict> {
  return waitForTrust(call, steps)?.then(() => walkTrusted(call, { ...steps, plan: replan() }, replan)) ?? walk(call, steps)
}

/** The question about rules that a folder brings, before they could count for a tool call; `undefined` when there is none. */
export function waitForRules(engine: Engine, signal: AbortSignal): Promise<void> | undefined {
  const { desk } = engine.parts
  const asked = desk?.pause(() => desk.holdsRules)
  return asked === undefined ? undefined : unlessAborted(asked, signal)
}

/** The wait; `undefined` when the call may go on. Rejects when the call is aborted. */
function waitForTrust(call: OpenCall, walk: Pick<Walk, 'engine' | 'plan' | 'spent'>): Promise<void> | undefined {
  const asked = walk.engine.parts.desk?.pause(() => walk.plan.hooks.some((hook) => isHeldUp(hook, call, walk)))
  return asked === undefined ? undefined : unlessAborted(asked, call.signal)
}

/** Only trust keeps the hook from running. */
function isHeldUp(hook: ConfiguredHook, call: OpenCall, { engine, spent }: Pick<Walk, 'engine' | 'spent'>): boolean {
  if (hook.fault !== undefined || engine.trusted(hook) === undefined) return false
  try {
    return judge(hook, { ...selectionContext(call, engine, spent), trusted: () => undefined }, { warnings: [] }) === undefined
  } catch {
    // A hook that cannot be judged might run.
    return true
  }
}

function unlessAborted(asked: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((settle, fail) => {
    const abort = () => fail(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    asked.then(settle, fail).finally(() => signal.removeEventListener('abort', abort))
  })
}
