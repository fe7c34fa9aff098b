/** Why a run is ended from outside, named once: the first cause wins. */
import type { Ending } from '../protocol/ending.ts'

export class Cause {
  #ending: Ending | undefined
  #exited = false
  #tell: () => void = () => {}
  /** Settles when a cause is named. */
  readonly named: Promise<void>

  constructor() {
    this.named = new Promise((resolve) => {
      this.#tell = resolve
    })
  }

  /** The cause, or `undefined` while the run may still end by itself. */
  get ending(): Ending | undefined {
    return this.#ending
  }

  /** Names a cause. It counts when it is the first and the process has not ended; too much output counts however late it is read. */
  name(ending: Ending): void {
    if (this.#ending !== undefined || (this.#exited && ending.kind !== 'overflowed')) return
    this.#ending = ending
    this.#tell()
  }

  /** The process has ended by itself. */
  exited(): void {
    this.#exited = true
  }
}
