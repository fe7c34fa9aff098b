/** Hooks that are functions of the host: called directly, without a process, a copy of the input or a timer they do not need. */
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import { InCodeCall } from './in-code-call.ts'

const returned = { kind: 'returned' } as const
/** What a hook that says nothing amounts to; shared, since most hooks say nothing. */
const silence: RawResult = Object.freeze({ ending: returned })
const longestMessage = 10_000

/** Runs hooks that code attached with `on` or `defineHooks`. A synchronous answer stays synchronous. */
export function createCallbackHandler(): HandlerRunner {
  return runInCode('callback')
}

/** A runner for one type of hook in code. Runtime-neutral. */
export function runInCode(type: 'callback' | 'function'): HandlerRunner {
  const pending = new Set<InCodeCall>()
  let fresh: InCodeCall[] | undefined

  // Most promises settle within the turn they were made in. Only a call that is still pending afterwards gets its deadline and its listener.
  const watchLater = (call: InCodeCall): void => {
    if (fresh === undefined) {
      fresh = []
      setTimeout(() => {
        const calls = fresh ?? []
        fresh = undefined
        for (const one of calls) one.watch()
      }, 0)
    }
    fresh.push(call)
  }

  const settle = (answer: PromiseLike<unknown>, call: InCodeCall): Promise<RawResult> =>
    new Promise((resolve) => {
      const finish = (result: RawResult): void => {
        pending.delete(call)
        if (call.finish()) resolve(result)
      }
      pending.add(call)
      call.onEnd((ending) => {
        pending.delete(call)
        resolve({ ending })
      })
      watchLater(call)
      try {
        answer.then(
          (value) => finish(answered(value)),
          (error: unknown) => finish(threw(error)),
        )
      } catch (error) {
        finish(threw(error))
      }
    })

  return {
    type,
    run({ callback }: RunnableHook, context: RunContext) {
      if (callback === undefined) return { ending: { kind: 'refused', why: `a ${type} hook without its function cannot run` } }
      const call = new InCodeCall(context)
      try {
        const answer = callback(context.input as never, call as never)
        if (isPromise(answer)) return settle(answer, call)
        call.finish()
        return answered(answer)
      } catch (error) {
        call.finish()
        return threw(error)
      }
    },
    close() {
      for (const call of [...pending]) call.end({ kind: 'aborted' }, new DOMException('The hook was still running when it was closed.', 'AbortError'))
    },
  }
}

function answered(value: unknown): RawResult {
  return value === undefined ? silence : { ending: returned, value }
}

function threw(error: unknown): RawResult {
  return { ending: { kind: 'threw', error: messageOf(error).slice(0, longestMessage) } }
}

/** The message alone: a stack is for the author's own log, not for a verdict. */
function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error)
    return error.message === '' ? error.name : String(error.message)
  } catch {
    return 'a value that cannot be shown'
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
