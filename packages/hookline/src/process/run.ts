/** One run of one program, from its start to its result: open, feed, listen, wait, drain or end, tell. */
import type { Ending } from '../protocol/ending.ts'
import type { RawResult } from '../protocol/runner.ts'
import { type Capture, capture, type Source } from './capture.ts'
import { Cause } from './cause.ts'
import { decode } from './decode.ts'
import type { Environment } from './environment.ts'
import { guardExit } from './exit-guard.ts'
import { feed } from './feed.ts'
import { type FirstLine, followFirstLine } from './first-line.ts'
import { followLive, type Live, type LiveOutput, type OutputStream } from './live.ts'
import { addMark, markName, newMark } from './mark.ts'
import type { Fence } from './sandbox.ts'
import { open } from './spawn.ts'
import { terminate } from './terminate.ts'
import { afterPoll, deadlines, within } from './wait.ts'

/** How a program is to run. */
export interface RunOptions {
  readonly cwd: string
  readonly env: Environment
  /** What it reads, in order; the stream then ends. */
  readonly input?: readonly Uint8Array[]
  /** Counted from the start of the process. */
  readonly timeoutMs: number
  /** Kept bytes of each stream; more than that ends the run. Default 1 MiB. */
  readonly capBytes?: number
  readonly live?: LiveOutput
  /** What it must be fenced in with; without one that can be built it does not run. */
  readonly fence?: Fence
  /**
   * Asked while the process runs, once its first line of stdout begins with `{`. A number is a new deadline, in ms from now:
   * the run goes on in the background, and takes no place among those that run at once.
   */
  readonly onFirstLine?: (line: string) => number | undefined
}

/** A run that was begun. `done` never rejects. */
export interface Run {
  readonly done: Promise<RawResult>
  /** Ends the run as aborted, unless it has ended or something else is ending it. */
  abort(): void
}

/** A program that runs, whoever started it. */
export interface Running {
  /** Leads the group that the program and all it starts are in, save what starts a session of its own. */
  readonly leader: number
  readonly mark: string
  /** The leader, and the first process it starts, only fence the others in. */
  readonly fenced?: true
  readonly stdout: Source
  readonly stderr: Source
  /** Tells once how it ended, if it ends by itself. */
  onExit(tell: (ending: Ending) => void): void
  /** Hands it what it reads. */
  feed(): void
  /** It is about to be ended from outside. */
  expectEnd?(): void
  /** Nobody listens any more. */
  letGo(): void
}

export const defaultCapBytes = 1_048_576
const drainMs = 200
// A fence that has ended says so at once; only a busy machine makes us wait.
const fenceMs = 2_000

/** Begins a run now. */
export function startRun(program: string, args: readonly string[], options: RunOptions): Run {
  const cause = new Cause()
  return { done: perform(program, args, { ...options, cause }), abort: () => cause.name({ kind: 'aborted' }) }
}

/** Starts a process for the run and follows it to its end. */
export async function perform(program: string, args: readonly string[], options: RunOptions & { cause: Cause }): Promise<RawResult> {
  const mark = newMark()
  const opened = await open(program, args, { cwd: options.cwd, env: markedEnvironment(options.env, mark), fence: options.fence })
  if (opened.kind === 'unspawnable') return { ending: { kind: 'unspawnable', why: opened.why } }
  const { child, pid, fence } = opened
  const running: Running = {
    leader: pid,
    mark,
    ...(fence === undefined ? {} : { fenced: true }),
    stdout: child.stdout,
    stderr: child.stderr,
    // No exit code is invented for a process that a signal ended.
    onExit: (tell) => child.once('exit', (code, signal) => tell(code === null ? { kind: 'signalled', signal: signal ?? 'unknown' } : { kind: 'exited', code })),
    feed: () => feed(child.stdin, options.input ?? []),
    letGo() {
      for (const held of [child.stdin, child.stdout, child.stderr]) held.destroy()
      child.unref()
    },
  }
  const result = await attend(running, options)
  if (fence === undefined) return result
  // What the fence says may come after the end of what it fenced in, and is heard to its end: else a hook that ran would count as one that never did.
  if (result.ending.kind === 'exited') await within(fenceMs, fence.ended)
  fence.letGo()
  if (result.ending.kind !== 'exited') return result
  const ending = fence.endingOf(result.ending.code, result.stderr ?? '')
  return ending.kind === 'unspawnable' ? { ending } : { ...result, ending }
}

/** The variables of a run, with its mark. */
function markedEnvironment(env: Environment, mark: string): Environment {
  return Object.assign(Object.create(null), env, { [markName]: addMark(env[markName], mark) })
}

/** Follows a program that was just started: its deadline, its output, its end. */
export async function attend(running: Running, options: RunOptions & { cause: Cause }): Promise<RawResult> {
  const { cause } = options
  const { leader, mark, fenced } = running
  const release = guardExit(leader)
  const exited = exitOf(running, cause)
  const expireAfter = (ms: number) => deadlines.add(ms, () => afterPoll(() => cause.name({ kind: 'timedOut', afterMs: ms })))
  let cancelDeadline = expireAfter(options.timeoutMs)
  const goOnFor = (ms: number) => {
    cancelDeadline()
    cancelDeadline = expireAfter(ms)
  }
  const { stdout, stderr, live, firstLine } = listen(running, { ...options, goOnFor })
  const allSaid = Promise.all([stdout.ended, stderr.ended])
  running.feed()

  await Promise.race([exited, cause.named])
  firstLine?.stop()
  cancelDeadline()
  // A child left in the background may hold the pipes for hours: the exit of the main process decides, and the end of the output is waited for only so long.
  if (cause.ending === undefined && !(stdout.hasEnded && stderr.hasEnded)) await within(drainMs, Promise.race([allSaid, cause.named]))
  if (cause.ending !== undefined) {
    running.expectEnd?.()
    await terminate({ leader, mark, ...(fenced === undefined ? {} : { fenced }) })
    await within(drainMs, Promise.all([allSaid, exited]))
  }

  live?.stop()
  running.letGo()
  release()
  return tell(cause.ending ?? (await exited), stdout, stderr)
}

function exitOf(running: Running, cause: Cause): Promise<Ending> {
  return new Promise((resolve) => {
    running.onExit((ending) => {
      cause.exited()
      resolve(ending)
    })
  })
}

interface Listening {
  readonly stdout: Capture
  readonly stderr: Capture
  readonly live: Live | undefined
  readonly firstLine: FirstLine | undefined
}

interface ListenOptions extends RunOptions {
  readonly cause: Cause
  readonly goOnFor: (ms: number) => void
}

function listen(running: Running, { capBytes = defaultCapBytes, live: wanted, cause, onFirstLine, goOnFor }: ListenOptions): Listening {
  const follow = (stream: OutputStream) =>
    capture(running[stream], {
      cap: capBytes,
      onBytes: (bytes) => {
        live?.add(stream, bytes)
        if (stream === 'stdout') firstLine?.add()
      },
      onOverflow: () => cause.name({ kind: 'overflowed', stream, limit: capBytes }),
    })
  const stdout = follow('stdout')
  const stderr = follow('stderr')
  const live = wanted && followLive(wanted, () => ({ stdout: stdout.bytes(), stderr: stderr.bytes() }))
  const takeOver = (line: string) => {
    const ms = onFirstLine?.(line)
    if (ms !== undefined) goOnFor(ms)
    return ms !== undefined
  }
  const firstLine = onFirstLine && followFirstLine(takeOver, stdout.bytes)
  return { stdout, stderr, live, firstLine }
}

function tell(ending: Ending, stdout: Capture, stderr: Capture): RawResult {
  const cut = ending.kind !== 'exited'
  const said = decode(stdout.bytes(), { cut })
  const over = stdout.overflowed ? 'stdout' : stderr.overflowed ? 'stderr' : undefined
  return {
    ending,
    stdout: said.text,
    // Only stdout speaks the protocol; what is not UTF-8 on stderr is shown as well as it can be and is no failure.
    stderr: decode(stderr.bytes(), { cut }).text,
    ...(over === undefined ? {} : { cut: over }),
    ...(said.replaced ? { notUtf8: true } : {}),
  }
}
