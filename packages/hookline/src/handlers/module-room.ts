/** Where the worker of one module stands: started for the first event, replaced when the file changed or the worker had to be ended, gone when idle. */
import type { ModuleCall } from './module-call.ts'
import { ModuleThread, type ThreadOptions } from './module-thread.ts'

/** What an event needs that may be the first for its worker. */
export interface Needs {
  /** What the file is now. */
  readonly stamp: string
  /** Called only when a worker must be started. */
  readonly start: () => Omit<ThreadOptions, 'onLeft' | 'onEnd'>
}

export interface RoomOptions {
  readonly idleMs: number
  readonly forget: () => void
}

/** One module. */
export class ModuleRoom {
  readonly #options: RoomOptions
  /** The worker that takes events, and those that still finish some. */
  readonly #threads = new Set<ModuleThread>()
  #thread: ModuleThread | undefined
  #stamp = ''
  #waiting = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: RoomOptions) {
    this.#options = options
  }

  /** Puts an event to the module. */
  ask(call: ModuleCall, needs: Needs): void {
    clearTimeout(this.#idle)
    this.#waiting++
    void call.done.then(() => this.#rest())
    this.#put(call, needs)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await Promise.all([...this.#threads].map((thread) => thread.abort()))
  }

  #put(call: ModuleCall, needs: Needs): void {
    if (this.#thread !== undefined && (!this.#thread.isFit || needs.stamp !== this.#stamp)) this.#thread.retire()
    try {
      if (this.#thread?.isFit !== true) this.#thread = this.#open(needs)
      this.#thread.ask(call)
    } catch (error) {
      call.finish({ kind: 'unspawnable', why: `a worker could not be started: ${error instanceof Error ? error.message : String(error)}` })
    }
  }

  #open(needs: Needs): ModuleThread {
    this.#stamp = needs.stamp
    const thread: ModuleThread = new ModuleThread({
      ...needs.start(),
      onLeft: (calls) => this.#takeBack(calls, needs),
      onEnd: () => this.#threads.delete(thread),
    })
    this.#threads.add(thread)
    return thread
  }

  /** Their worker was ended for the sake of another hook: they are asked anew, but not for ever. */
  #takeBack(calls: readonly ModuleCall[], needs: Needs): void {
    for (const call of calls) {
      if (call.tries < 2) this.#put(call, { ...needs, stamp: this.#stamp })
      else call.finish({ kind: 'threw', error: 'its worker was ended twice because of other events; give the hook a file of its own' })
    }
  }

  #rest(): void {
    this.#waiting--
    if (this.#waiting > 0) return
    this.#idle = setTimeout(() => {
      this.#thread?.retire()
      this.#options.forget()
    }, this.#options.idleMs).unref()
  }
}
