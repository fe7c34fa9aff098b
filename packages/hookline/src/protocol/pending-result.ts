/** A result that is on its way: what a handler may hand back instead of a promise where a promise more would be felt. */
import type { RawResult } from './runner.ts'

/** Who waits for results. */
export interface ResultListener {
  /**
   * `place` is what was given for this result. `since`, on the clock of `performance.now()`, is about when the hook was asked; 0 when the result
   * came in the turn in which it was.
   */
  arrive(result: RawResult, place: number, since: number): void
}

/** Holds one result for one listener. As good as a promise to whoever waits with `await` or `then`. */
export class PendingResult implements PromiseLike<RawResult> {
  #result: RawResult | undefined
  #listener: ResultListener | undefined
  #place = 0

  /** When it was first noticed that the result takes its time; 0: it did not. */
  protected get since(): number {
    return 0
  }

  /** The result is there. Only the first one counts. */
  settle(result: RawResult): void {
    if (this.#result !== undefined) return
    this.#result = result
    if (this.#listener !== undefined) this.#listener.arrive(result, this.#place, this.since)
  }

  /** Gives the result to `listener`, at once if it is there. There is one listener. */
  tell(listener: ResultListener, place: number): void {
    this.#listener = listener
    this.#place = place
    if (this.#result !== undefined) listener.arrive(this.#result, place, this.since)
  }

  // biome-ignore lint/suspicious/noThenProperty: it stands in for a promise
  then<A = RawResult, B = never>(
    onResult?: ((result: RawResult) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return new Promise<RawResult>((resolve) => this.tell({ arrive: resolve }, 0)).then(onResult, onError)
  }
}
