/** Reads one hook's result for a call, and tells the host of a failure. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { OpenCall } from './call.ts'
import { type FailureDesk, tellFailure } from './failing-hooks.ts'
import { interpret, isQuiet, quiet } from './interpret.ts'

/** What reading needs of an engine. */
interface Reader extends FailureDesk {
  readonly parts: { readonly interactive?: boolean }
}

/** Makes the reader of one engine. */
export function resultReader(engine: Reader): (hook: ConfiguredHook, raw: RawResult, call: OpenCall) => Interpreted {
  return (hook, raw, call) => {
    if (isQuiet(raw, call.row, hook.info.type)) {
      engine.failing.succeeded(hook.info.id)
      return quiet
    }
    const said = closeUnasked(
      call,
      raw,
      interpret(raw, {
        row: call.row,
        info: hook.info,
        failClosed: hook.failClosed,
        input: call.input,
        interactive: engine.parts.interactive === true,
        ...(hook.spec?.type === 'prompt' && hook.spec.continueOnBlock === true ? { continueOnBlock: true } : {}),
      }),
    )
    if (said.failure === undefined) engine.failing.succeeded(hook.info.id)
    else {
      const text = said.messages.find((one) => one.level !== 'info')?.text ?? said.failure
      tellFailure(engine, hook.info, { text, aborted: raw.ending.kind === 'aborted' })
    }
    return said
  }
}

/** A hook that could not even be asked blocks where a permission is at stake (design decision 6). */
function closeUnasked(call: OpenCall, raw: RawResult, said: Interpreted): Interpreted {
  if (!raw.unasked || said.words.permission === 'deny') return said
  if (!call.row.powers.some((power) => power === 'permission' || power === 'grant')) return said
  return { ...said, outcome: 'blocking', failedClosed: true, words: { permission: 'deny', ...(said.failure === undefined ? {} : { reason: said.failure }) } }
}
