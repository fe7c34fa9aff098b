/** Command hooks: a program reads the event on standard input and answers with its output and its exit code. */
import { createBackend, type PoolMode } from '../process/backend.ts'
import { sandboxFault } from '../process/sandbox-tools.ts'
import { createStarter, defaultLimit, type RunOptions, type Starter } from '../process/starter.ts'
import { currentFolder } from '../process/working-folder.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import { Handover } from './async-line.ts'
import type { HostEnvironment } from './command-environment.ts'
import { shellFault } from './command-fault.ts'
import { fenceFor } from './command-fence.ts'
import { commandLine } from './command-line.ts'
import { createSurroundings } from './command-surroundings.ts'
import { createWarmCommands, isWarm } from './warm-command.ts'
import type { Surroundings } from './warm-files.ts'

/** What a host decides about command hooks. */
export interface CommandOptions {
  /** What hooks inherit; default: `process.env`, as it is when an event starts its first hook. */
  readonly env?: HostEnvironment
  /** The folder to fall back to when an event's own is gone; default: where this process stands. */
  readonly startDir?: string
  /** How many hooks run at once, and how many more in the background; default 64. The others wait, and their time does not run. */
  readonly limit?: number | undefined
  /** How many hooks one event may start, as far as is known: so many can be started without this process, however large it is by then. Default 1. */
  readonly expected?: number | undefined
  /** When the shell pool is started, which runs hooks faster and with the same results; default `off`, a process of its own for each. */
  readonly pool?: PoolMode
  readonly platform?: NodeJS.Platform
  /** What no hook behind a fence may write to: where trust records and logs are kept. */
  readonly guarded?: readonly string[]
}

// Output is shown while a hook runs only when it takes long enough for somebody to wonder (protocol §3.5).
const showAfterMs = 1_000
const newline = Uint8Array.of(0x0a)

/** Makes the runner for `command` hooks. It never throws and never rejects. */
export function createCommandHandler(options: CommandOptions = {}): HandlerRunner {
  const limit = options.limit ?? defaultLimit
  const backend = createBackend(options.pool ?? 'off', { limit, expected: options.expected })
  // Background hooks take turns among themselves: however many of them run for hours, none keeps a guard waiting.
  const [awaited, background] = [createStarter({ limit, backend }), createStarter({ limit, backend })]
  const startDir = options.startDir ?? currentFolder()
  const env = () => options.env ?? process.env
  const host: Host = {
    starterFor: ({ info }) => (info.flags.includes('async') || info.flags.includes('asyncRewake') ? background : awaited),
    surroundings: createSurroundings({ env, startDir }),
    startDir,
    env,
    platform: options.platform ?? process.platform,
    guarded: options.guarded ?? [],
  }
  const warm = createWarmCommands(host)
  return {
    type: 'command',
    supports: ['persistent'],
    sandboxFault,
    readsPayload: true,
    async run(hook, context) {
      try {
        if (isWarm(hook)) return await warm.run(hook, context, { input: inputOf(context), ...liveOf(context) })
        return await runCommand(hook, context, host)
      } catch (error) {
        return brokenRun(error)
      }
    },
    async close() {
      await Promise.all([awaited.close(), background.close(), warm.close()])
      backend.close()
    },
  }
}

interface Host {
  starterFor(hook: RunnableHook): Starter
  readonly surroundings: (hook: RunnableHook, context: RunContext) => Surroundings
  readonly startDir: string | undefined
  readonly platform: NodeJS.Platform
  readonly guarded: readonly string[]
  env(): HostEnvironment
}

async function runCommand(hook: RunnableHook, context: RunContext, host: Host): Promise<RawResult> {
  const { spec } = hook
  if (spec?.type !== 'command') return { ending: { kind: 'refused', why: 'a command hook without a command cannot run' } }
  let isAborted = false
  let abort = () => {
    isAborted = true
  }
  const act = () => abort()
  // Nobody has made the signal yet, most often, and nobody needs it for this.
  const undo = context.whenAborted?.(act) ?? onAbort(context.signal, act)
  if (isAborted) return { ending: { kind: 'aborted' } }
  const inherited = host.env()
  const { cwd, env } = host.surroundings(hook, context)
  const line = commandLine(spec, hook, { context, env, host: inherited, cwd, platform: host.platform })
  if (line.kind === 'ended') {
    undo()
    return { ending: line.ending }
  }

  const handover = new Handover(hook, context)
  const fence = fenceFor(hook, spec, { context, host: inherited, around: { cwd, env: line.env }, guarded: host.guarded })
  const run = host.starterFor(hook).start(line.program, line.args, {
    cwd,
    env: line.env,
    input: inputOf(context),
    timeoutMs: context.timeoutMs,
    ...fence,
    ...liveOf(context),
    ...handover.options,
  })
  abort = run.abort
  const done = run.done.then((result) => {
    undo()
    const warnings = [...(cwd === context.cwd ? [] : [movedTo(cwd, hook, context)]), ...shellFault(hook, result, { cwd, env: line.env })]
    return warnings.length === 0 ? result : { ...result, warnings }
  })
  // The host's signal ends the call, not what goes on after it.
  return handover.follow(done, run, undo)
}

/** The event as one line, so that a shell's `read` and a program that reads lines get all of it. */
function inputOf({ payload }: RunContext): readonly Uint8Array[] {
  return payload.at(-1) === newline[0] ? [payload] : [payload, newline]
}

function liveOf(context: RunContext): Pick<RunOptions, 'live'> {
  if (context.output === undefined) return {}
  return { live: { afterMs: showAfterMs, show: (stream, text) => context.output?.(stream, text) } }
}

function movedTo(cwd: string, { info }: RunnableHook, context: RunContext): Diagnostic {
  const gone = context.cwd === '' ? 'The event names no working folder' : `The working folder ${JSON.stringify(context.cwd)} is gone`
  return {
    severity: 'warning',
    code: 'working-folder-gone',
    message: `${gone}; hook ${JSON.stringify(info.label)} ran in ${JSON.stringify(cwd)} instead.`,
    hook: info.id,
  }
}

/** An input that cannot be written down, say: told as data, since an event must not fall over one hook. */
function brokenRun(error: unknown): RawResult {
  return { ending: { kind: 'refused', why: `the hook could not be asked: ${error instanceof Error ? error.message : String(error)}` } }
}
