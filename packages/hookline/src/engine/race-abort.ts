/** Waits for something that is not ours, and no longer than the signals say: host code that never answers must not hold an event. */
import { onAbort } from '../protocol/on-abort.ts'

/** The promise's own end, or the reason of the first signal that fires before it. */
export function raceAbort<T>(pending: Promise<T>, signals: readonly (AbortSignal | undefined)[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const stops = signals.flatMap((signal) => (signal === undefined ? [] : [onAbort(signal, () => reject(signal.reason))]))
    const done = () => {
      for (const stop of stops) stop()
    }
    pending.then(
      (value) => {
        done()
        resolve(value)
      },
      (error: unknown) => {
        done()
        reject(error)
      },
    )
  })
}
