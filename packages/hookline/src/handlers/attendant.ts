/** Waits for work that may hang: its hook is over at its deadline, when the host aborts or when its handler closes, whatever the work still does. */

import { Deadlines } from '../protocol/deadlines.ts'
import type { Ending } from '../protocol/ending.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { RawResult, RunContext } from '../protocol/runner.ts'

/** Keeps the deadlines of one handler's runs. The first cause wins; what comes later is heard by nobody. */
export class Attendant {
  readonly #running = new Set<() => void>()
  readonly #deadlines = new Deadlines()
  #closed = false

  /** Runs `work` for a call. The work must not throw; its signal fires when nobody waits any more. */
  attend(context: RunContext, work: (signal: AbortSignal) => Promise<RawResult>): Promise<RawResult> {
    if (this.#closed || context.signal.aborted) return Promise.resolve({ ending: { kind: 'aborted' } })
    const { timeoutMs } = context
    return new Promise((resolve) => {
      const controller = new AbortController()
      const finish = (result: RawResult): void => {
        cancelDeadline()
        unlisten()
        this.#running.delete(close)
        resolve(result)
      }
      const end = (ending: Ending, reason: unknown): void => {
        finish({ ending })
        controller.abort(reason)
      }
      const expire = () => end({ kind: 'timedOut', afterMs: timeoutMs }, new DOMException(`The hook took longer than its ${timeoutMs} ms.`, 'TimeoutError'))
      const close = () => end({ kind: 'aborted' }, new DOMException('The hook was still running when it was closed.', 'AbortError'))
      const cancelDeadline = this.#deadlines.add(timeoutMs, expire)
      const unlisten = onAbort(context.signal, () => end({ kind: 'aborted' }, context.signal.reason))
      this.#running.add(close)
      work(controller.signal).then(finish, (error: unknown) =>
        finish({ ending: { kind: 'threw', error: error instanceof Error ? error.message : 'something that is no error' } }),
      )
    })
  }

  /** Ends all that runs, and whatever comes later at once. */
  close(): void {
    this.#closed = true
    for (const close of [...this.#running]) close()
  }
}
