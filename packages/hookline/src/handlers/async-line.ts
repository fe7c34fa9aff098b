/** The first line by which a command asks to go on in the background: `{"async": true, "asyncTimeout": ms}` (protocol §2.10, design decision 12). */
import type { Run, RunOptions } from '../process/starter.ts'
import type { RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'

const defaultTimeoutMs = 15_000
const longestTimeoutMs = 3_600_000

/** How long a run may go on, when `line` asks for it and for nothing else. */
export function asyncTimeoutOf(line: string): number | undefined {
  let said: unknown
  try {
    said = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null || (said as { async?: unknown }).async !== true) return undefined
  // Beside anything else that is said, `async` only asks; the answer counts.
  if (!Object.keys(said).every((key) => key === 'async' || key === 'asyncTimeout')) return undefined
  const { asyncTimeout } = said as { asyncTimeout?: unknown }
  const wanted = typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout : defaultTimeoutMs
  return Math.min(Math.max(1, wanted), longestTimeoutMs)
}

/** One run, and who gets its result: the call, or, once the run asked for the background, the host. */
export class Handover {
  readonly #context: RunContext
  readonly #offered: boolean
  #handOver: (() => void) | undefined

  constructor({ info }: RunnableHook, context: RunContext) {
    this.#context = context
    // What runs in the background already has its own deadline, and its first line changes nothing.
    this.#offered = context.defer !== undefined && !info.flags.includes('async') && !info.flags.includes('asyncRewake')
  }

  /** What the run must be started with. */
  get options(): Pick<RunOptions, 'onFirstLine'> {
    if (!this.#offered) return {}
    return {
      onFirstLine: (line) => {
        const ms = asyncTimeoutOf(line)
        if (ms !== undefined) this.#handOver?.()
        return ms
      },
    }
  }

  /** The result of the call. `onHandOver` is told when the result of the run will go another way. */
  follow(done: Promise<RawResult>, { abort }: Pick<Run, 'abort'>, onHandOver: () => void): Promise<RawResult> {
    return new Promise((resolve) => {
      let left = false
      this.#handOver = () => {
        left = true
        onHandOver()
        resolve(this.#context.defer?.(done, abort) ?? done)
      }
      void done.then((result) => {
        if (!left) resolve(result)
      })
    })
  }
}
