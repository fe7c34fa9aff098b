/** Keeps processes between events: one for each key, events in a line before it, started anew when it fails, changes or hangs. */
import type { Ending } from '../protocol/ending.ts'
import type { RawResult } from '../protocol/runner.ts'
import { Cause } from './cause.ts'
import { stampOf } from './persistent-files.ts'
import { type Exchange, openPersistent, type PersistentProcess, type Program } from './persistent-process.ts'
import type { Run } from './run.ts'

export type { Exchange, Program } from './persistent-process.ts'

/** A program that is kept running. */
export interface KeptProgram extends Program {
  readonly kind: 'program'
  /** Files that make it another program when they change. */
  readonly files: readonly string[]
}

/** Why there is nothing to start. */
export interface Cannot {
  readonly kind: 'ended'
  readonly ending: Ending
}

/** One event for a kept program. */
export interface Asking extends Exchange {
  /** Called only when the program must be started: what to start, or how the event ends because nothing can be. */
  readonly program: () => KeptProgram | Cannot
  /** Told, in words without their subject, why a process was replaced that should still be there. */
  readonly note?: (what: string) => void
  /** Where nobody could tell to which event an answer belongs, the event fails instead of being asked anew. */
  readonly strict?: boolean
}

export interface Keeper {
  /** Hands an event to the process of `key` when its turn comes; waiting does not count towards its timeout. Never throws. */
  ask(key: string, asking: Asking): Run
  /** Ends what is kept and what waits; settles when nothing is left. Later events end as aborted. */
  close(): Promise<void>
}

export interface KeeperOptions {
  /** How long a process is kept without an event; default ten minutes. */
  readonly idleMs?: number
}

const defaultIdleMs = 600_000
const firstPauseMs = 100
const longestPauseMs = 10_000

/** Makes a keeper. */
export function createKeeper({ idleMs = defaultIdleMs }: KeeperOptions = {}): Keeper {
  const places = new Map<string, Place>()
  const leaving = new Set<Promise<void>>()
  let closed = false

  const leave = (process: PersistentProcess): void => {
    const gone = process.end({ politely: true }).finally(() => leaving.delete(gone))
    leaving.add(gone)
  }
  const placeOf = (key: string): Place => {
    const found = places.get(key) ?? new Place({ leave, idleMs, forget: () => places.delete(key) })
    places.set(key, found)
    return found
  }

  return {
    ask(key, asking) {
      if (closed) return { done: Promise.resolve({ ending: { kind: 'aborted' } }), abort: () => {} }
      return placeOf(key).ask(asking)
    },
    async close() {
      closed = true
      await Promise.all([...places.values()].map((place) => place.close()))
      await Promise.all(leaving)
    },
  }
}

interface PlaceOptions {
  readonly idleMs: number
  /** Takes a process over that nobody needs any more. */
  readonly leave: (process: PersistentProcess) => void
  readonly forget: () => void
}

interface Waiting {
  readonly asking: Asking
  readonly cause: Cause
  readonly settle: (result: RawResult) => void
}

/** Where the one process of a key stands, and the events that wait for it. */
class Place {
  readonly #options: PlaceOptions
  readonly #line = new Set<Waiting>()
  #serving: Promise<void> | undefined
  #process: PersistentProcess | undefined
  #files: readonly string[] = []
  #stamp = ''
  #failures = 0
  #notBefore = 0
  #idle: NodeJS.Timeout | undefined
  /** Ends the event that is served now. */
  #current: Cause | undefined

  constructor(options: PlaceOptions) {
    this.#options = options
  }

  ask(asking: Asking): Run {
    const cause = new Cause()
    let settle: (result: RawResult) => void = () => {}
    const done = new Promise<RawResult>((resolve) => {
      settle = resolve
    })
    const one: Waiting = { asking, cause, settle }
    this.#line.add(one)
    this.#serving ??= this.#serve()
    return {
      done,
      abort: () => {
        cause.name({ kind: 'aborted' })
        // Whoever still waits in the line leaves it at once; the one that is served is told by its cause.
        if (this.#line.delete(one)) settle({ ending: { kind: 'aborted' } })
      },
    }
  }

  async close(): Promise<void> {
    for (const { cause, settle } of this.#line) {
      cause.name({ kind: 'aborted' })
      settle({ ending: { kind: 'aborted' } })
    }
    this.#line.clear()
    this.#current?.name({ kind: 'aborted' })
    await this.#serving
    clearTimeout(this.#idle)
    this.#dismiss()
  }

  /** Serves the line until it is empty. */
  async #serve(): Promise<void> {
    clearTimeout(this.#idle)
    for (let next = first(this.#line); next !== undefined; next = first(this.#line)) {
      this.#line.delete(next)
      this.#current = next.cause
      next.settle(await this.#answer(next).catch(broken))
      this.#current = undefined
    }
    this.#serving = undefined
    this.#idle = setTimeout(() => {
      this.#dismiss()
      this.#options.forget()
    }, this.#options.idleMs).unref()
  }

  async #answer({ asking, cause }: Waiting): Promise<RawResult> {
    const once = await this.#ask(asking, cause)
    if (!once.unheard) return once.result
    return (await this.#ask(asking, cause)).result
  }

  /** One try. Unheard: a process that had answered before ended with 0 and without a word, as one does that was leaving already. */
  async #ask(asking: Asking, cause: Cause): Promise<{ readonly result: RawResult; readonly unheard?: boolean }> {
    const process = await this.#ready(asking, cause)
    if (process === undefined || cause.ending !== undefined) return { result: { ending: cause.ending ?? { kind: 'aborted' } } }
    if (process.kind === 'ended') return { result: { ending: process.ending } }
    const result = await process.ask(asking, cause)
    this.#learn(result)
    if (!process.isFit) this.#dismiss()
    const { ending, stdout } = result
    return { result, unheard: process.answered > 0 && ending.kind === 'exited' && ending.code === 0 && stdout === '' }
  }

  /** The process for the next event: the one that is there, or a new one. `undefined` when the event was given up meanwhile. */
  async #ready({ program, note, strict = false }: Asking, cause: Cause): Promise<PersistentProcess | Cannot | undefined> {
    const changed = this.#files.length > 0 && stampOf(this.#files) !== this.#stamp
    if (changed) this.#failures = 0
    if (this.#process !== undefined && (changed || !this.#process.isFit)) {
      const { complaint, isAmbiguous } = this.#process
      if (complaint !== undefined) {
        note?.(complaint)
        this.#fail()
      }
      this.#dismiss()
      if (strict && isAmbiguous)
        return {
          kind: 'ended',
          ending: { kind: 'refused', why: `its process ${complaint}, so its answers cannot be told apart; the next event gets a new process` },
        }
    }
    if (this.#process !== undefined) return this.#process
    if (this.#failures > 0) await this.#pause(cause)
    if (cause.ending !== undefined) return undefined
    const wanted = program()
    if (wanted.kind === 'ended') return wanted
    this.#files = wanted.files
    this.#stamp = stampOf(wanted.files)
    const opened = await openPersistent(wanted)
    if (opened.kind === 'unspawnable') return { kind: 'ended', ending: { kind: 'unspawnable', why: opened.why } }
    this.#process = opened
    return opened
  }

  /** A process that fails again and again is started less and less often; one that answered is trusted again. */
  #learn({ ending }: RawResult): void {
    if (ending.kind === 'returned') this.#failures = 0
    else if (ending.kind === 'signalled' || ending.kind === 'overflowed' || (ending.kind === 'exited' && ending.code !== 0 && ending.code !== 2)) this.#fail()
  }

  #fail(): void {
    this.#failures++
    this.#notBefore = performance.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1))
  }

  async #pause(cause: Cause): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.#notBefore - performance.now()))
    })
    await Promise.race([over, cause.named])
    clearTimeout(timer)
  }

  #dismiss(): void {
    if (this.#process !== undefined) this.#options.leave(this.#process)
    this.#process = undefined
  }
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item
  return undefined
}

function broken(error: unknown): RawResult {
  return { ending: { kind: 'unspawnable', why: error instanceof Error ? error.message : String(error) } }
}
