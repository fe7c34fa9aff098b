/** Deadlines of many calls behind one timer: what waits equally long stands in one queue, and only the earliest is waited for. */

/** One deadline. */
export interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number
  /** Called once when the time is over; must not throw. */
  readonly expire: () => void
}

// The longest a timer can wait; asked for more, it would fire at once.
const longestWaitMs = 2_147_483_647

/** A set of deadlines. Adding and taking back one costs no timer, unless it is the earliest of all. */
export class Deadlines {
  /** By length; within a queue the order of adding is the order of time. */
  readonly #queues = new Map<number, Set<Deadline>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAt = Number.POSITIVE_INFINITY

  /** Calls `expire` after `ms` milliseconds. The returned function takes it back. */
  add(ms: number, expire: () => void): () => void {
    const deadline: Deadline = { at: performance.now() + ms, expire }
    let queue = this.#queues.get(ms)
    if (queue === undefined) {
      queue = new Set()
      this.#queues.set(ms, queue)
    }
    queue.add(deadline)
    if (deadline.at < this.#timerAt) this.#wait(deadline.at)
    return () => this.#drop(ms, deadline)
  }

  /** How many are waited for. */
  get size(): number {
    let size = 0
    for (const queue of this.#queues.values()) size += queue.size
    return size
  }

  #drop(ms: number, deadline: Deadline): void {
    const queue = this.#queues.get(ms)
    if (queue === undefined || !queue.delete(deadline)) return
    if (queue.size === 0) this.#queues.delete(ms)
    // A timer for nothing would keep the process alive.
    if (this.#queues.size === 0) this.#stop()
  }

  #wait(at: number): void {
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#sweep(), Math.min(Math.max(0, at - performance.now()), longestWaitMs))
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  #sweep(): void {
    const now = performance.now()
    const due: Deadline[] = []
    let next = Number.POSITIVE_INFINITY
    for (const [ms, queue] of this.#queues) {
      for (const deadline of queue) {
        if (deadline.at > now) {
          next = Math.min(next, deadline.at)
          break
        }
        queue.delete(deadline)
        due.push(deadline)
      }
      if (queue.size === 0) this.#queues.delete(ms)
    }
    this.#stop()
    if (next !== Number.POSITIVE_INFINITY) this.#wait(next)
    for (const deadline of due) deadline.expire()
  }
}
