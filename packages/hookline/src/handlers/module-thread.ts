/** One worker with one module in it: hands it events, hears its answers, and can be ended at any moment. */
import { setImmediate as turn } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Environment } from '../process/environment.ts'
import { addMark, markName, newMark } from '../process/mark.ts'
import { within } from '../process/wait.ts'
import type { Ending } from '../protocol/ending.ts'
import type { ModuleCall } from './module-call.ts'
import { endStrays } from './module-strays.ts'
import { type WorkerAsk, type WorkerPart, type WorkerSays, type WorkerStart, workerProgram } from './module-worker.ts'

export interface ThreadOptions extends WorkerStart {
  readonly env: Environment
  readonly resourceLimits: ResourceLimits
  /** The worker had to be ended for one call: takes over the others that were with it. */
  readonly onLeft: (calls: readonly ModuleCall[]) => void
  /** The worker is gone. */
  readonly onEnd: () => void
}

/** Bytes of an event that are copied in one turn of the event loop. */
const largestAtOnce = 1_048_576

// A worker inside a call of the system that waits cannot be ended before that returns.
const endMs = 1_000

/** A worker that was started. It alone keeps nobody's event loop running. */
export class ModuleThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #mark = newMark()
  readonly #calls = new Map<number, ModuleCall>()
  #isFit = true
  #over: Promise<void> | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
    const { env, resourceLimits, url, name, limit } = options
    this.#worker = new Worker(workerProgram, {
      eval: true,
      workerData: { url, name, limit } satisfies WorkerStart,
      env: { ...env, [markName]: addMark(env[markName], this.#mark) },
      resourceLimits,
      // What the host was started with is meant for the host.
      execArgv: [],
      argv: [],
      stdin: false,
      // Not on the output of the host. Nobody reads here: the worker hands over what is printed, and a reader would keep the host running.
      stdout: true,
      stderr: true,
    })
    this.#worker.on('message', (said: WorkerSays) => this.#hear(said))
    this.#worker.on('error', (error) => this.#fail(this.#crashOf(error)))
    this.#worker.on('exit', (code) => this.#fail(`the module ended its worker with process.exit(${code})`))
    // After the listeners: the first one would hold the event loop again.
    this.#worker.unref()
  }

  /** True while it may be handed events. */
  get isFit(): boolean {
    return this.#isFit
  }

  /** Hands over one event. */
  ask(call: ModuleCall): void {
    this.#calls.set(call.id, call)
    call.begin((ending) => void this.endFor(call, ending))
    if (call.ask.payload.length <= largestAtOnce) this.#worker.postMessage(call.ask satisfies WorkerAsk)
    else void this.#askInParts(call)
  }

  /** Copying a large event at once would keep the host's event loop waiting. */
  async #askInParts(call: ModuleCall): Promise<void> {
    const { payload, ...ask } = call.ask
    const isStillHere = () => this.#calls.get(call.id) === call && this.#over === undefined
    for (let at = 0; at < payload.length && isStillHere(); at += largestAtOnce) {
      const part = new Uint8Array(payload.subarray(at, at + largestAtOnce))
      this.#worker.postMessage({ id: call.id, part } satisfies WorkerPart, [part.buffer])
      await turn()
    }
    if (isStillHere()) this.#worker.postMessage(ask satisfies WorkerAsk)
  }

  /** Ends the worker because of one call, which ends so; the others are not to blame. */
  async endFor(call: ModuleCall, ending: Ending): Promise<void> {
    if (call.isOver || !this.#calls.delete(call.id)) return
    call.close()
    await this.end()
    call.finish(ending)
    const left = [...this.#calls.values()]
    this.#calls.clear()
    if (left.length > 0) this.#options.onLeft(left)
  }

  /** No further events; the worker goes when the last answer is there. */
  retire(): void {
    this.#isFit = false
    if (this.#calls.size === 0) void this.end()
  }

  /** Ends every call that is with it, and the worker. */
  async abort(): Promise<void> {
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of calls) call.close()
    await this.end()
    for (const call of calls) call.finish({ kind: 'aborted' })
  }

  /** Ends the worker and what it started; settles when that is done. Harmless to call twice. */
  end(): Promise<void> {
    this.#isFit = false
    this.#over ??= within(endMs, this.#worker.terminate())
      .then(() => endStrays(this.#mark))
      .then(this.#options.onEnd)
    return this.#over
  }

  #hear(said: WorkerSays): void {
    // The module can speak on this line, too: what is not about a call of ours is nothing.
    const call = this.#calls.get(said?.id)
    if (said?.kind === 'wrote') return this.#wrote(said.id, said.text)
    if (call === undefined || call.isOver) return
    switch (said.kind) {
      case 'silent':
        return this.#finish(call, { kind: 'returned' })
      case 'answered':
        return this.#finishWith(call, said.bytes)
      case 'overflowed':
        return this.#finish(call, { kind: 'overflowed', stream: 'body', limit: this.#options.limit })
      case 'threw': {
        const text = `${said.error}${said.at === '' ? '' : ` (${said.at.trim()})`}`
        if (said.closed && call.mayClose) return this.#finish(call, { kind: 'returned' }, { block: `${this.#options.name} failed: ${text}` })
        return this.#finish(call, { kind: 'threw', error: text })
      }
      case 'unusable':
        return this.#finish(call, { kind: 'refused', why: said.why })
      case 'unloadable':
        // What keeps it from loading may be put right beside the file: the next event tries anew.
        this.#isFit = false
        return this.#finish(call, { kind: 'unspawnable', why: said.why })
    }
  }

  #finish(call: ModuleCall, ending: Ending, value?: unknown): void {
    this.#calls.delete(call.id)
    call.finish(ending, value)
    if (!this.#isFit && this.#calls.size === 0) void this.end()
  }

  #finishWith(call: ModuleCall, bytes: Uint8Array): void {
    try {
      this.#finish(call, { kind: 'returned' }, deserialize(bytes))
    } catch {
      this.#finish(call, { kind: 'threw', error: 'its answer cannot be read' })
    }
  }

  /** What is printed outside of every event belongs to the oldest one that waits. */
  #wrote(id: number, text: string): void {
    const call = id === 0 ? this.#calls.values().next().value : this.#calls.get(id)
    if (call === undefined || call.isOver || call.wrote(String(text))) return
    void this.endFor(call, { kind: 'overflowed', stream: 'stderr', limit: this.#options.limit })
  }

  #crashOf(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return `outside of its hook: ${message || String(error)}`
    return `the module used more memory than it may (${this.#options.resourceLimits.maxOldGenerationSizeMb} MiB)`
  }

  /** The worker is gone by itself, and nobody can tell for which of its events. */
  #fail(error: string): void {
    this.#isFit = false
    if (this.#over !== undefined) return
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of calls) call.finish({ kind: 'threw', error })
    void this.end()
  }
}
