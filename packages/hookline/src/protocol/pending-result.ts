/** A result that is on its way: what a handler may hand back instead of a promise where a promise more would be felt. */
import type { RawResult } from './runner.ts'

/** Holds one result for one listener. As good as a promise to whoever waits with `await` or `then`. */
export class PendingResult implements PromiseLike<RawResult> {
  #result: RawResult | undefined
  #listener: ((result: RawResult) => void) | undefined

  /** The result is there. Only the first one counts. */
  settle(result: RawResult): void {
    if (this.#result !== undefined) return
    this.#result = result
    this.#listener?.(result)
  }

  /** Calls `listener` with the result, at once if it is there. There is one listener. */
  tell(listener: (result: RawResult) => void): void {
    this.#listener = listener
    if (this.#result !== undefined) listener(this.#result)
  }

  // biome-ignore lint/suspicious/noThenProperty: it stands in for a promise
  then<A = RawResult, B = never>(
    onResult?: ((result: RawResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return new Promise<RawResult>((resolve) => this.tell(resolve)).then(onResult, onError)
  }
}
