/** One worker of the pool: a shell that runs one command at a time, and tells how each ended on a channel of its own. */
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { endingOfCode } from './ending-of-code.ts'
import { type Exported, type RunScript, writeRun } from './pool-script.ts'
import { Tap } from './pool-tap.ts'
import { WorkerPart } from './pool-worker-run.ts'
import type { Running } from './run.ts'

/** One run for a worker. */
export interface WorkerRun extends RunScript {
  /** Called when the worker is gone while its command goes on, so that nobody will ever tell how that ended. */
  onLost(): void
}

/** A run. */
export interface WorkerRunning extends Running {
  /** The process of the command's shell, once that has begun. Before it has, nothing of the command was run. */
  readonly began: number | undefined
}

const longestLine = 4_096
const status = /^(\d+) (\d+)$/
// What bash as /bin/sh may say before it begins with its command; the worker itself never does.
const warning = /: warning: setlocale: /

/** A worker that is ready. Its process leads a session and a group; what its commands start is in that group. */
export class PoolWorker {
  readonly pid: number
  /** Called when its process is gone. */
  onGone: () => void = () => {}
  readonly #base: string
  readonly #channel: Socket
  readonly #stdout: Tap
  readonly #stderr: Tap
  readonly #exported: Exported = { variables: new Map() }
  #runs = 0
  #run: WorkerPart | undefined
  #line = ''
  #hasSpoken = false
  #isGone = false

  constructor(pid: number, base: string, channel: Socket) {
    this.pid = pid
    this.#base = base
    this.#channel = channel
    this.#stdout = new Tap(`${base}.o`)
    this.#stderr = new Tap(`${base}.e`)
    channel.on('data', (chunk: Buffer) => this.#hear(chunk))
    channel.once('close', () => this.#leave())
    channel.unref()
    channel.resume()
  }

  /** False once it can do no other run: it is gone or leaving, did not begin its last run, or somebody else still holds its pipes. */
  get isFit(): boolean {
    return !this.#isGone && this.#channel.writable && this.#run === undefined && this.#stdout.isEnded && this.#stderr.isEnded
  }

  /** Makes ready for a run that starts when it is fed. Throws when its files are gone. */
  prepare(run: WorkerRun): WorkerRunning {
    this.#stdout.renew()
    this.#stderr.renew()
    const part = new WorkerPart(this.#stdout, this.#stderr, run.onLost)
    this.#run = part
    return {
      leader: this.pid,
      mark: run.mark,
      stdout: this.#stdout,
      stderr: this.#stderr,
      get began() {
        return part.began
      },
      onExit: (tell) => {
        part.tell = tell
      },
      feed: () => this.#start(run, part),
      // It reads the end of its input once the command is gone, and leaves: it catches the signal that is sent to its group.
      expectEnd: () => this.#channel.end(),
      letGo: () => {
        part.stop()
        this.#run = undefined
        this.#channel.unref()
        for (const tap of [this.#stdout, this.#stderr]) {
          tap.letGo()
          if (this.#isGone) tap.close()
        }
      },
    }
  }

  /** Lets it leave, and removes its files. What its last command left in the background goes on. */
  end(): void {
    this.#channel.destroy()
    this.#leave()
    for (const ending of ['o', 'e']) remove(`${this.#base}.${ending}`)
  }

  #start(run: WorkerRun, part: WorkerPart): void {
    if (this.#isGone || !this.#channel.writable) return part.finish({ kind: 'exited', code: 0 })
    this.#hasSpoken = false
    this.#channel.ref()
    this.#channel.write(writeRun(run, { id: ++this.#runs, exported: this.#exported }))
    part.watchLater()
  }

  #hear(chunk: Buffer): void {
    const lines = (this.#line + chunk.toString('latin1')).split('\n')
    this.#line = (lines.pop() ?? '').slice(-longestLine)
    for (const line of lines) {
      const [, run, code] = status.exec(line) ?? []
      if (Number(run) === this.#runs) this.#run?.finish(endingOfCode(Number(code), { hasSpoken: this.#hasSpoken }))
      else if (warning.test(line)) this.#run?.warn(line)
      else this.#hasSpoken = true
    }
  }

  #leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    if (this.#run === undefined) for (const tap of [this.#stdout, this.#stderr]) tap.close()
    else this.#run.lose()
    this.onGone()
  }
}

/** The pool's folder goes with what is left in it. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Later, with the folder.
  }
}
