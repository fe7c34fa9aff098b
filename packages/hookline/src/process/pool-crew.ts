/** Who is at work in a pool: lends workers, takes them back or lets them leave, and gets more when some are waited for. */
import { availableParallelism } from 'node:os'
import type { Cause } from './cause.ts'
import { type Company, createCompany } from './pool-company.ts'
import { type Nursery, openNursery } from './pool-nursery.ts'
import { channels } from './pool-script.ts'
import type { PoolWorker, WorkerRunning } from './pool-worker.ts'

// Commands that only compute gain nothing from more workers than this; those that wait do.
const usual = 2 * availableParallelism()
// How long a run waits for somebody to come back before more are started; then before that may cost the host a process of its own.
const patienceMs = 3
const longestPatienceMs = 25
const nurseryAfterMs = 15
// How long a run waits at most, while more come and when no more can come.
const longestWaitMs = 500
const longestWaitFullMs = 30
// Nobody is waited for when all are at work and none came back for so long: they may be at it for hours.
const lastBackMs = 50
const mostFailures = 3

interface Waiting {
  readonly since: number
  readonly timer: NodeJS.Timeout
  settle(worker: PoolWorker | undefined): void
}

export interface CrewOptions {
  /** How many workers there may be. */
  readonly most: number
  /** How many runs may come at once, as far as is known. */
  readonly expected: number
}

/** The workers of one folder. */
export class Crew {
  readonly #folder: string
  readonly #most: number
  readonly #company: Company
  readonly #nurseries: Nursery[] = []
  readonly #all = new Set<PoolWorker>()
  readonly #idle: PoolWorker[] = []
  readonly #waiting = new Set<Waiting>()
  #coming = 0
  #failures = 0
  #isChecked = false
  #isClosed = false
  #lastBack = 0
  #lastLent = 0
  /** What the birth of a worker took, when it was quick. */
  #birthMs = longestPatienceMs
  #timer: NodeJS.Timeout | undefined

  /**
   * Starts the workers that so many runs at once will need, as far as they gain from more; those who may come to wait can be started later without
   * the host. Throws where there can be none.
   */
  constructor(folder: string, { most, expected }: CrewOptions) {
    this.#folder = folder
    this.#most = most
    this.#company = createCompany()
    const soon = Math.max(1, Math.min(most, expected))
    try {
      for (let held = 0; held < soon; held += channels.length) this.#nurseries.push(openNursery(folder))
    } catch (error) {
      for (const nursery of this.#nurseries) nursery.end()
      this.#company.close()
      throw error
    }
    for (let wanted = Math.min(soon, usual); wanted > 0; wanted--) this.#start()
  }

  /** True while runs may come. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#failures < mostFailures
  }

  /** A worker, at once or soon; `undefined` when there is none for this run, or when it was ended meanwhile. */
  take(cause: Cause): PoolWorker | Promise<PoolWorker | undefined> | undefined {
    for (let worker = this.#idle.pop(); worker !== undefined; worker = this.#idle.pop()) {
      if (worker.isFit) {
        this.#lastLent = performance.now()
        return worker
      }
      this.#dismiss(worker)
    }
    const isFull = this.#coming === 0 && this.#all.size >= this.#most
    if (!this.isOpen || (isFull && performance.now() - this.#lastBack > lastBackMs)) return undefined
    return new Promise((resolve) => {
      const settle = (worker: PoolWorker | undefined) => {
        if (!this.#waiting.delete(one)) return
        clearTimeout(one.timer)
        resolve(worker)
      }
      const timer = setTimeout(() => settle(undefined), isFull ? longestWaitFullMs : longestWaitMs)
      const one: Waiting = { since: performance.now(), timer, settle }
      this.#waiting.add(one)
      void cause.named.then(() => settle(undefined))
      this.#growSoon()
    })
  }

  /**
   * Takes a worker back, with the run it was prepared for, if any, and tells whether all is as before. A worker does no other run when it has
   * left, when its run left somebody in the background, or when the run never began: what it has exported is not known then.
   */
  give(worker: PoolWorker, run: WorkerRunning | undefined): boolean {
    const isSound = worker.isFit && !this.#isClosed && (run === undefined || (run.began !== undefined && !this.#company.hasOthers(worker.pid, run.began)))
    if (isSound) this.#lend(worker)
    else this.#dismiss(worker)
    return isSound
  }

  /** Lets all leave; who is at work does so after it. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#turnAway()
    for (const worker of this.#idle.splice(0)) this.#dismiss(worker)
    for (const nursery of this.#nurseries) nursery.end()
    this.#company.close()
  }

  #lend(worker: PoolWorker): void {
    this.#lastBack = this.#lastLent = performance.now()
    const first = this.#waiting.values().next().value
    if (first === undefined) this.#idle.push(worker)
    else first.settle(worker)
  }

  #dismiss(worker: PoolWorker): void {
    worker.end()
    if (!this.#all.delete(worker)) return
    this.#company.forget(worker.pid)
    if (!this.#isClosed && this.#waiting.size > 0) this.#growSoon()
  }

  #turnAway(): void {
    for (const one of [...this.#waiting]) one.settle(undefined)
  }

  #growSoon(): void {
    if (this.#timer !== undefined || this.#isClosed) return
    const wait = this.#all.size + this.#coming === 0 ? 0 : patienceMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#waiting.size === 0) return
      this.#grow()
      this.#growSoon()
    }, wait)
  }

  #grow(): void {
    const here = this.#all.size + this.#coming
    // More are of use only to runs that wait for something: where each is soon done, somebody is back before another could be there.
    if (here >= usual && performance.now() - this.#lastLent < Math.max(patienceMs, this.#birthMs)) return
    const room = Math.min(this.#most - here, here < usual ? usual - here : this.#most)
    for (let wanted = Math.min(this.#waiting.size - this.#coming, room); wanted > 0; wanted--) {
      if (this.#nursery() === undefined && !this.#openNursery()) return
      this.#start()
    }
  }

  #nursery(): Nursery | undefined {
    return this.#nurseries.find((one) => one.left > 0)
  }

  /** Another nursery is another process that the host has to start, which may keep a large host waiting; so it is not done lightly. */
  #openNursery(): boolean {
    const [first] = this.#waiting
    if (first === undefined || performance.now() - first.since < nurseryAfterMs) return false
    for (const spent of this.#nurseries.splice(0)) spent.end()
    try {
      this.#nurseries.push(openNursery(this.#folder))
      return true
    } catch {
      this.#fail()
      return false
    }
  }

  #start(): void {
    this.#coming++
    const check = !this.#isChecked
    const began = performance.now()
    void this.#nursery()
      ?.start({ check })
      .then(
        (worker) => {
          this.#coming--
          this.#isChecked = true
          this.#failures = 0
          this.#birthMs = Math.min(this.#birthMs, performance.now() - began)
          this.#welcome(worker)
        },
        () => {
          this.#coming--
          this.#fail()
        },
      )
  }

  #welcome(worker: PoolWorker): void {
    if (this.#isClosed) return worker.end()
    this.#all.add(worker)
    this.#company.watch(worker.pid)
    worker.onGone = () => {
      const place = this.#idle.indexOf(worker)
      if (place === -1) return
      this.#idle.splice(place, 1)
      this.#dismiss(worker)
    }
    this.#lend(worker)
  }

  #fail(): void {
    this.#failures++
    if (!this.isOpen || this.#all.size + this.#coming === 0) this.#turnAway()
  }
}
