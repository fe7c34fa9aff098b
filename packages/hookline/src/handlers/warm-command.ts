/** Command hooks that stay: one process answers event after event, a line each (design decision 16). */
import type { LiveOutput } from '../process/live.ts'
import { type Cannot, createKeeper, type KeeperOptions, type KeptProgram } from '../process/persistent.ts'
import { pickFolder } from '../process/working-folder.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import type { HostEnvironment } from './command-environment.ts'
import { fenceFor } from './command-fence.ts'
import { type CommandSpec, commandLine } from './command-line.ts'
import { environmentKey, warmEnvironment } from './warm-environment.ts'
import { filesInShell, filesInWords } from './warm-files.ts'

/** What the command handler knows of its host. */
export interface WarmHost {
  readonly startDir: string | undefined
  readonly platform: NodeJS.Platform
  readonly guarded: readonly string[]
  env(): HostEnvironment
}

/** One event, as a process reads it. */
export interface WarmEvent {
  readonly input: readonly Uint8Array[]
  readonly live?: LiveOutput
}

/** A command hook that asked to stay. */
export interface WarmHook extends RunnableHook {
  readonly spec: CommandSpec
}

export interface WarmCommands {
  run(hook: WarmHook, context: RunContext, event: WarmEvent): Promise<RawResult>
  close(): Promise<void>
}

/** Tells the process that it is read line by line; `defineHook` answers accordingly. */
const persistentName = 'HOOKLINE_PERSISTENT'

/** True for a command that asked to stay. */
export function isWarm(hook: RunnableHook): hook is WarmHook {
  return hook.spec?.type === 'command' && hook.spec.persistent === true
}

/** Runs hooks that stay, and keeps their processes. */
export function createWarmCommands(host: WarmHost, options: KeeperOptions = {}): WarmCommands {
  const keeper = createKeeper(options)
  return {
    async run(hook, context, { input, live }) {
      if (context.signal.aborted) return { ending: { kind: 'aborted' } }
      const warnings: Diagnostic[] = []
      const run = keeper.ask(keyOf(hook, context), {
        program: () => programOf(hook, context, host),
        note: (what) => warnings.push(replaced(what, hook)),
        onDropped: (line) => warnings.push(dropped(line, hook)),
        strict: hook.info.onFailure === 'block',
        input,
        timeoutMs: context.timeoutMs,
        ...(live === undefined ? {} : { live }),
      })
      const undo = onAbort(context.signal, run.abort)
      const result = await run.done
      undo()
      return warnings.length === 0 ? result : { ...result, warnings }
    },
    close: () => keeper.close(),
  }
}

function programOf(hook: WarmHook, context: RunContext, host: WarmHost): KeptProgram | Cannot {
  const inherited = host.env()
  // The folder of an event is in the event; a process that serves many stands where the session began.
  const cwd = pickFolder([context.projectDir, host.startDir])
  const env = Object.assign(warmEnvironment(inherited, hook, context), { [persistentName]: '1', PWD: cwd })
  const line = commandLine(hook.spec, hook, { context, env, host: inherited, cwd, platform: host.platform })
  if (line.kind === 'ended') return line
  const { program, args } = line
  const surroundings = { cwd, env: line.env }
  const files = hook.spec.args === undefined ? filesInShell(hook.spec.command, surroundings) : filesInWords([program, ...args], surroundings)
  const fence = fenceFor(hook, hook.spec, { context, host: inherited, around: surroundings, guarded: host.guarded })
  return { kind: 'program', program, args, env: line.env, cwd, files, ...fence }
}

// A hook stays the same object until the settings are read anew.
const digests = new WeakMap<RunnableHook, string>()

/** One process for each hook and environment, wherever the event stands. */
function keyOf(hook: WarmHook, context: RunContext): string {
  let own = digests.get(hook)
  if (own === undefined) {
    const { command, args, shell } = hook.spec
    own = JSON.stringify([hook.info.digest, command, args ?? null, shell ?? null, hook.sandbox ?? null])
    digests.set(hook, own)
  }
  return `${own} ${environmentKey(hook, context)}`
}

function replaced(what: string, { info }: RunnableHook): Diagnostic {
  return {
    severity: 'warning',
    code: 'persistent-restarted',
    message: `The process of hook ${JSON.stringify(info.label)} ${what}; it was started anew.`,
    hint: 'A persistent hook reads events until its input ends, answers each with one line, and writes everything else to stderr.',
    hook: info.id,
  }
}

function dropped(line: string, { info }: RunnableHook): Diagnostic {
  const shown = line.trim()
  return {
    severity: 'warning',
    code: 'persistent-dropped',
    message: `The process of hook ${JSON.stringify(info.label)} wrote a line that answers no open event, and it was dropped: ${JSON.stringify(shown.length > 200 ? `${shown.slice(0, 200)}…` : shown)}.`,
    hint: 'Carry "hookline_id" of the event back in its answer, once, and write everything else to stderr.',
    hook: info.id,
  }
}
