/** One process that stays: it is handed a line, answers with a line, and is watched between two events. */
import type { Socket } from 'node:net'
import type { Ending } from '../protocol/ending.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Cause } from './cause.ts'
import type { Environment } from './environment.ts'
import { guardExit } from './exit-guard.ts'
import { followLive, type Live, type LiveOutput, type OutputStream } from './live.ts'
import { addMark, markName, newMark } from './mark.ts'
import { withId } from './persistent-ids.ts'
import { ExchangeOutput, isBlank } from './persistent-output.ts'
import type { Fence } from './sandbox.ts'
import { type Opened, open, type Unspawnable } from './spawn.ts'
import { terminate } from './terminate.ts'
import { afterPoll, deadlines, within } from './wait.ts'

/** What to start. */
export interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Environment
  /** What it must be fenced in with. */
  readonly fence?: Fence
}

/** One event for a process. */
export interface Exchange {
  /** One line, its end included. */
  readonly input: readonly Uint8Array[]
  /** Counted from when the process is handed the line. */
  readonly timeoutMs: number
  /** Kept bytes of each stream; more than that ends the process. Default 1 MiB. */
  readonly capBytes?: number
  readonly live?: LiveOutput
  /** Told of each line that answers nothing, for it carries the id of another event, or none though the process knows ids. */
  readonly onDropped?: (line: string) => void
}

const defaultCapBytes = 1_048_576
const drainMs = 200
// How long a process may take to leave by itself once its input has ended.
const leaveMs = 100
const keptAside = 1_000

/** Starts a process that stays. It alone keeps nobody's event loop running. */
export async function openPersistent({ program, args, cwd, env, fence }: Program): Promise<PersistentProcess | Unspawnable> {
  const mark = newMark()
  const marked: Environment = Object.assign(Object.create(null), env, { [markName]: addMark(env[markName], mark) })
  const opened = await open(program, args, { cwd, env: marked, fence })
  return opened.kind === 'unspawnable' ? opened : new PersistentProcess(opened, mark)
}

/** A process that was started. It answers one event at a time. */
export class PersistentProcess {
  readonly kind = 'process'
  /** How many events it has answered. */
  answered = 0
  readonly #opened: Opened
  readonly #mark: string
  readonly #exited: Promise<void>
  readonly #allSaid: Promise<unknown>
  readonly #release: () => void
  readonly #finish: Partial<Record<OutputStream, () => void>> = {}
  #ending: Ending | undefined
  #exchange: { readonly output: ExchangeOutput; readonly live: Live | undefined } | undefined
  #isInStep = true
  #fault: string | undefined
  /** It has carried an id back: from then on nothing counts without one. */
  #knowsIds = false
  #asked = 0
  /** What it said on stdout between two events. */
  #surplus: Uint8Array[] = []
  #surplusLength = 0
  #aside = ''
  #over: Promise<void> | undefined

  constructor(opened: Opened, mark: string) {
    this.#opened = opened
    this.#mark = mark
    const { child, pid } = opened
    this.#release = guardExit(pid)
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#ending = code === null ? { kind: 'signalled', signal: signal ?? 'unknown' } : { kind: 'exited', code }
        this.#release()
        resolve()
      })
    })
    this.#allSaid = Promise.all([this.#listen('stdout'), this.#listen('stderr'), opened.fence?.ended])
    // EPIPE and its kin: the process is gone, or reads no more. What becomes of the event says its exit, or its deadline.
    child.stdin.on('error', () => {
      this.#isInStep = false
    })
    child.unref()
    for (const pipe of child.stdio) (pipe as unknown as Socket | null)?.unref()
  }

  /** True when it lives and may be handed an event. */
  get isFit(): boolean {
    return this.#ending === undefined && this.#isInStep && this.#over === undefined
  }

  /** What it did between two events that it should not: ended with something else than 0, or spoke unasked. A sentence without its subject. */
  get complaint(): string | undefined {
    if (this.#fault !== undefined) return this.#fault
    const own = this.#ending
    const ending = own?.kind === 'exited' ? (this.#opened.fence?.endingOf(own.code, this.#aside) ?? own) : own
    if (ending === undefined || this.#over !== undefined || (ending.kind === 'exited' && ending.code === 0)) return undefined
    const how = ending.kind === 'exited' ? `ended with code ${ending.code}` : `was ended by ${ending.kind === 'signalled' ? ending.signal : ending.kind}`
    const last = this.#aside.trim().split('\n', 1)[0] ?? ''
    return `${how} between two events${last === '' ? '' : ` and wrote: ${last}`}`
  }

  /** It spoke unasked, and carries no ids: nobody can tell what its next line would answer. */
  get isAmbiguous(): boolean {
    return this.#fault !== undefined
  }

  /** Hands over one event and waits for its line. A process that had to be ended is gone when this settles. */
  async ask({ input, timeoutMs, capBytes = defaultCapBytes, live: wanted, onDropped }: Exchange, cause: Cause): Promise<RawResult> {
    const { stdin } = this.#opened.child
    let onLine = () => {}
    const answered = new Promise<void>((resolve) => {
      // What else was written by then, to stderr before the line or to stdout after it, is read in the same turn.
      onLine = () => afterPoll(resolve)
    })
    const onOverflow = (stream: OutputStream) => {
      this.#opened.child[stream].pause()
      this.#finish[stream]?.()
      cause.name({ kind: 'overflowed', stream, limit: capBytes })
    }
    const id = `${this.#mark}.${++this.#asked}`
    const output = new ExchangeOutput({ id, idsOnly: this.#knowsIds, cap: capBytes, onLine: () => onLine(), onOverflow })
    for (const chunk of this.#surplus.splice(0)) output.add('stdout', chunk)
    this.#surplusLength = 0
    const live = wanted && followLive(wanted, () => ({ stdout: output.bytes('stdout'), stderr: output.bytes('stderr') }))
    this.#exchange = { output, live }
    const expire = () => afterPoll(() => cause.name({ kind: 'timedOut', afterMs: timeoutMs }))
    const cancelDeadline = deadlines.add(timeoutMs, expire)
    stdin.cork()
    for (const piece of withId(input, id)) stdin.write(piece)
    stdin.uncork()

    await Promise.race([answered, this.#exited, cause.named])
    cancelDeadline()
    if (this.#ending !== undefined && cause.ending === undefined) await within(drainMs, Promise.race([this.#allSaid, cause.named]))
    if (cause.ending !== undefined) await this.end()
    live?.stop()
    this.#exchange = undefined
    return this.#tell(output, cause.ending ?? this.#ending, onDropped)
  }

  /** Ends it and all that it started, and settles when that is done. Told politely, it may leave by itself once its input ends. Harmless to call twice. */
  end({ politely = false } = {}): Promise<void> {
    this.#over ??= this.#end(politely)
    return this.#over
  }

  async #end(politely: boolean): Promise<void> {
    const { child, pid, fence } = this.#opened
    // What ended by itself is left as any other hook that did: its number may already belong to somebody else.
    if (this.#ending === undefined) {
      if (politely) {
        child.stdin.end()
        await within(leaveMs, this.#exited)
      }
      await terminate({ leader: pid, mark: this.#mark, ...(fence === undefined ? {} : { fenced: true }) })
      await within(drainMs, Promise.all([this.#allSaid, this.#exited]))
    }
    for (const held of child.stdio) held?.destroy()
    fence?.letGo()
    this.#release()
  }

  #tell(output: ExchangeOutput, ended: Ending | undefined, onDropped: Exchange['onDropped']): RawResult {
    const fenced = ended?.kind === 'exited' ? this.#opened.fence?.endingOf(ended.code, output.stderr({ cut: false })) : undefined
    if (fenced?.kind === 'unspawnable') return { ending: fenced }
    const ending = fenced ?? ended ?? ({ kind: 'returned' } as const)
    const cut = ending.kind !== 'exited' && ending.kind !== 'returned'
    const { text, replaced, inStep, byId, dropped } = output.said({ cut })
    if (byId) this.#knowsIds = true
    // A line that was begun belongs to nobody until it ends.
    if (byId && output.rest.length > 0) this.#keepSurplus(output.rest)
    for (const line of dropped) onDropped?.(line)
    if (ended === undefined) this.answered++
    // A line that is no object may be a stray one with the real answer behind it, and nobody could tell to which event that belongs.
    if (!inStep) this.#isInStep = false
    const over = output.overflowed
    return { ending, stdout: text, stderr: output.stderr({ cut }), ...(over === undefined ? {} : { cut: over }), ...(replaced ? { notUtf8: true } : {}) }
  }

  #listen(name: OutputStream): Promise<void> {
    const stream = this.#opened.child[name]
    return new Promise((resolve) => {
      this.#finish[name] = resolve
      stream.once('end', resolve)
      stream.once('close', resolve)
      stream.on('error', () => {})
      stream.on('data', (chunk: Buffer) => {
        if (this.#exchange === undefined) return this.#overhear(name, chunk)
        this.#exchange.output.add(name, chunk)
        this.#exchange.live?.add(name, chunk)
      })
    })
  }

  /** Something is said between two events. */
  #overhear(name: OutputStream, chunk: Buffer): void {
    if (name === 'stderr') this.#aside = (this.#aside + chunk.toString('utf8', 0, keptAside)).slice(-keptAside)
    else if (this.#knowsIds) this.#keepSurplus(chunk)
    else if (!chunk.every(isBlank)) {
      this.#isInStep = false
      this.#fault = 'wrote to stdout between two events'
    }
  }

  /** What carries ids is sorted out when the next event is there to be told of it. */
  #keepSurplus(chunk: Uint8Array): void {
    this.#surplusLength += chunk.length
    if (this.#surplusLength <= defaultCapBytes) this.#surplus.push(chunk)
    else {
      this.#isInStep = false
      this.#fault = 'wrote without end to stdout between two events'
    }
  }
}
