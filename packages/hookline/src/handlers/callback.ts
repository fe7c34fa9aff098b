/** Hooks that are functions of the host: called directly, without a process, a copy of the input or a timer they do not need. */
import { Deadlines } from '../protocol/deadlines.ts'
import type { PendingResult } from '../protocol/pending-result.ts'
import type { ClosedCall, HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import { InCodeCall, type WaitingRoom } from './in-code-call.ts'
import { InCodeContext } from './in-code-context.ts'
import { answered, silence, threw } from './in-code-result.ts'

/** Runs hooks that code attached with `on` or `defineHooks`. A synchronous answer stays synchronous. */
export function createCallbackHandler(): HandlerRunner {
  return runInCode('callback')
}

/** A runner for one type of hook in code. Runtime-neutral. */
export function runInCode(type: 'callback' | 'function'): HandlerRunner {
  const room: WaitingRoom = { deadlines: new Deadlines(), watched: new Set() }
  const young = new YoungCalls(room)
  const runner: InCodeRunner = {
    type,
    young,
    run: (hook, context) => runner.ask(hook, new Opened(context)) ?? silence,
    ask,
    close() {
      for (const call of [...room.watched, ...young.all])
        call.end({ kind: 'aborted' }, new DOMException('The hook was still running when it was closed.', 'AbortError'))
    },
  }
  return runner
}

interface InCodeRunner extends HandlerRunner {
  readonly young: YoungCalls
  ask(hook: RunnableHook, closed: ClosedCall): RawResult | PendingResult | undefined
}

/** One function for all runners, which V8 can build into the loop that asks. */
function ask(this: InCodeRunner, hook: RunnableHook, closed: ClosedCall): RawResult | PendingResult | undefined {
  if (hook.takesNothing) return askForNothing(hook, closed, this.young)
  const { callback } = hook
  if (callback === undefined) return { ending: { kind: 'refused', why: `a ${this.type} hook without its function cannot run` } }
  const call = new InCodeCall(hook, closed)
  const context = new InCodeContext(call)
  try {
    const answer = callback(call.run.input as never, context as never)
    if (isPromise(answer)) return this.young.follow(call, answer)
    call.finish()
    return answer === undefined ? undefined : answered(answer)
  } catch (error) {
    call.finish()
    return threw(error)
  }
}

/** Asks a function that takes no arguments, so that there is nothing to make unless its answer has to be waited for. */
function askForNothing(hook: RunnableHook, closed: ClosedCall, young: YoungCalls): RawResult | PendingResult | undefined {
  try {
    const answer = (hook.callback as () => unknown)()
    if (answer === undefined) return undefined
    return isPromise(answer) ? young.follow(new InCodeCall(hook, closed), answer) : answered(answer)
  } catch (error) {
    return threw(error)
  }
}

/** A call that was open before it was asked about. */
class Opened implements ClosedCall {
  readonly #context: RunContext

  constructor(context: RunContext) {
    this.#context = context
  }
  contextFor(): RunContext {
    return this.#context
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

  /** Lets a call wait for its answer. */
  follow(call: InCodeCall, answer: PromiseLike<unknown>): InCodeCall {
    const calls = this.#calls
    // A long turn must not keep what was over long ago.
    while (calls.length > 0 && calls[calls.length - 1]?.over) calls.pop()
    calls.push(call)
    if (!this.#looking) {
      this.#looking = true
      setTimeout(() => this.#look(), 0)
    }
    return call.follow(answer)
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
