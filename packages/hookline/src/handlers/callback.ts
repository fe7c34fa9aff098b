/** Hooks that are functions of the host: called directly, without a process, a copy of the input or a timer they do not need. */
import { Deadlines } from '../protocol/deadlines.ts'
import type { HandlerRunner, RunContext, RunnableHook } from '../protocol/runner.ts'
import { InCodeCall, type WaitingRoom } from './in-code-call.ts'
import { answered, threw } from './in-code-result.ts'

/** Runs hooks that code attached with `on` or `defineHooks`. A synchronous answer stays synchronous. */
export function createCallbackHandler(): HandlerRunner {
  return runInCode('callback')
}

/** A runner for one type of hook in code. Runtime-neutral. */
export function runInCode(type: 'callback' | 'function'): HandlerRunner {
  const room: WaitingRoom = { deadlines: new Deadlines(), watched: new Set() }
  const young = new YoungCalls(room)
  return {
    type,
    run({ callback }: RunnableHook, context: RunContext) {
      if (callback === undefined) return { ending: { kind: 'refused', why: `a ${type} hook without its function cannot run` } }
      const call = new InCodeCall(context)
      try {
        const answer = callback(context.input as never, call as never)
        if (isPromise(answer)) {
          young.add(call)
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
      for (const call of [...room.watched, ...young.all])
        call.end({ kind: 'aborted' }, new DOMException('The hook was still running when it was closed.', 'AbortError'))
    },
  }
}

/** Most promises settle within the turn they were made in. Only a call that is still pending afterwards gets its deadline and its listener. */
class YoungCalls {
  readonly #room: WaitingRoom
  #calls: InCodeCall[] = []
  #looking = false

  constructor(room: WaitingRoom) {
    this.#room = room
  }

  get all(): readonly InCodeCall[] {
    return this.#calls
  }

  add(call: InCodeCall): void {
    const calls = this.#calls
    // A long turn must not keep what was over long ago.
    while (calls.length > 0 && calls[calls.length - 1]?.over) calls.pop()
    calls.push(call)
    if (this.#looking) return
    this.#looking = true
    setTimeout(() => this.#look(), 0)
  }

  #look(): void {
    const calls = this.#calls
    this.#calls = []
    this.#looking = false
    for (const call of calls) call.watch(this.#room)
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}
