/** The run that a worker is at: whether it began, what it said, and how it is told that it ended. */
import type { Ending } from '../protocol/ending.ts'
import { beginning } from './pool-script.ts'
import type { Tap } from './pool-tap.ts'

// Most runs have ended before it pays to listen to them while they go on; a look at what they said so far costs less.
const lookAfterMs = 15
const watchAfterMs = 45
// One that has much to say fills its pipe, and would wait.
const muchToSay = 16_384

/** What is known of one run. */
export class WorkerPart {
  began: number | undefined
  tell: (ending: Ending) => void = () => {}
  readonly #stdout: Tap
  readonly #stderr: Tap
  readonly #onLost: () => void
  #warnings = ''
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  /** `onLost` is called when nobody will ever tell how the run ended, though it goes on. */
  constructor(stdout: Tap, stderr: Tap, onLost: () => void) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#onLost = onLost
  }

  /** Listens while the run goes on, once it has lasted a while. Before it has begun there is nobody to hear. */
  watchLater(): void {
    this.#timer = setTimeout(() => {
      if (!this.#lookForBeginning()) return this.watchLater()
      if (this.#stdout.readAll() + this.#stderr.readAll() > muchToSay) this.#watch()
      else this.#timer = setTimeout(() => this.#watch(), watchAfterMs)
    }, lookAfterMs)
  }

  /** The command's shell said something before it began. */
  warn(line: string): void {
    this.#warnings += `${line}\n`
  }

  /** The worker says that the command has ended. */
  finish(ending: Ending): void {
    if (this.#isOver) return
    this.stop()
    this.#hearRest()
    this.tell(ending)
  }

  /** The worker is gone, and nobody will say how the command ends. */
  lose(): void {
    if (this.#isOver) return
    this.stop()
    this.#hearRest()
    // Somebody holds the pipe: the command's shell, which was about to begin.
    if (!this.#stderr.isEnded) this.began ??= 0
    if (this.began !== undefined) this.#onLost()
    this.tell({ kind: 'signalled', signal: 'SIGKILL' })
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #watch(): void {
    this.#stdout.watch()
    this.#stderr.watch()
  }

  #hearRest(): void {
    this.#lookForBeginning()
    for (const tap of [this.#stdout, this.#stderr]) {
      if (tap.isWatched) continue
      tap.readAll()
      // Somebody in the background goes on: who else speaks is heard for a while.
      tap.watch()
    }
  }

  #lookForBeginning(): boolean {
    if (this.began !== undefined) return true
    const head = this.#stderr.peek()
    if (head === undefined) return false
    const line = beginning.exec(head.toString('latin1', 0, 32))
    if (line === null) return false
    this.began = Number(line[1])
    this.#stderr.say(Buffer.from(this.#warnings, 'latin1'))
    this.#stderr.say(head.subarray(line[0].length))
    return true
  }
}
