/** Asking again: with back-off, as long as the provider asks for, a bounded number of times, and never after an abort. */
import type { Failure } from './errors.ts'
import type { ModelEvent } from './port.ts'

export interface RetryPolicy {
  /** Further attempts after the first, for failures that pass (rate limits, overload, servers that fail). */
  retries: number
  /** The first wait in ms; doubles each time. */
  firstMs: number
  /** No wait is longer: a provider that asks for more is not asked again. */
  longestMs: number
}

export const defaultRetries: RetryPolicy = { retries: 6, firstMs: 500, longestMs: 60_000 }

/** Attempts for failures that are seldom a matter of time, such as an address that nobody listens at. */
const brief = 2

/**
 * Runs `attempt` until one gives its end. `judge` says what a thrown error means.
 * @throws ModelError of the last attempt; `signal.reason` when aborted.
 */
export async function* withRetries(
  attempt: () => AsyncIterable<ModelEvent>,
  judge: (thrown: unknown) => Failure,
  { policy, signal }: { policy: RetryPolicy; signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
  for (let tried = 1; ; tried++) {
    let began = false
    try {
      for await (const event of attempt()) {
        began = true
        yield event
      }
      return
    } catch (thrown) {
      signal.throwIfAborted()
      const { error, again, afterMs } = judge(thrown)
      const allowed = again === 'soon' ? policy.retries : again === 'briefly' ? Math.min(brief, policy.retries) : 0
      const delayMs = afterMs ?? backOff(tried, policy)
      if (tried > allowed || delayMs > policy.longestMs) throw error
      yield { kind: 'retry', attempt: tried, delayMs, reason: error.message.replace(/\.$/, ''), ...(began ? { restart: true } : {}) }
      await pause(delayMs, signal)
    }
  }
}

/** Doubles, with a quarter of chance, so that many sessions do not come back at the same moment. */
function backOff(tried: number, { firstMs, longestMs }: RetryPolicy): number {
  const whole = Math.min(firstMs * 2 ** (tried - 1), 32_000, longestMs)
  return Math.round(whole * (0.75 + Math.random() / 4))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted)
      resolve()
    }, ms)
    signal.addEventListener('abort', aborted, { once: true })
  })
}
