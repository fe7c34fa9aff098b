/** Hooks that are functions of the host: called directly, without a process, a copy of the input or a timer they do not need. */
import type { HandlerRunner, RunContext, RunnableHook } from '../protocol/runner.ts'
import { InCodeCall } from './in-code-call.ts'
import { answered, threw } from './in-code-result.ts'

/** Runs hooks that code attached with `on` or `defineHooks`. A synchronous answer stays synchronous. */
export function createCallbackHandler(): HandlerRunner {
  return runInCode('callback')
}

/** A runner for one type of hook in code. Runtime-neutral. */
export function runInCode(type: 'callback' | 'function'): HandlerRunner {
  const watched = new Set<InCodeCall>()
  let fresh: InCodeCall[] | undefined

  // Most promises settle within the turn they were made in. Only a call that is still pending afterwards gets its deadline and its listener.
  const watchLater = (call: InCodeCall): void => {
    if (fresh === undefined) {
      fresh = []
      setTimeout(watchFresh, 0)
    }
    fresh.push(call)
  }
  const watchFresh = (): void => {
    const calls = fresh ?? []
    fresh = undefined
    for (const call of calls) call.watch(watched)
  }

  return {
    type,
    run({ callback }: RunnableHook, context: RunContext) {
      if (callback === undefined) return { ending: { kind: 'refused', why: `a ${type} hook without its function cannot run` } }
      const call = new InCodeCall(context)
      try {
        const answer = callback(context.input as never, call as never)
        if (isPromise(answer)) {
          watchLater(call)
          return call.follow(answer)
        }
        call.finish()
        return answered(answer)
      } catch (error) {
        call.finish()
        return threw(error)
      }
    },
    close() {
      for (const call of [...watched, ...(fresh ?? [])])
        call.end({ kind: 'aborted' }, new DOMException('The hook was still running when it was closed.', 'AbortError'))
    },
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
