/** The fence of a command: what its hook asks for, and the files that it cannot do without. */
import { homedir } from 'node:os'
import type { Fence } from '../process/sandbox.ts'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'
import type { HostEnvironment } from './command-environment.ts'
import type { CommandSpec } from './command-line.ts'
import { filesInShell, filesInWords, type Surroundings } from './warm-files.ts'

/** What a fence depends on beside the hook. */
export interface FenceSetting {
  readonly context: RunContext
  readonly host: HostEnvironment
  /** Where the command starts, and with what. */
  readonly around: Surroundings
  /** What no hook may write to. */
  readonly guarded: readonly string[]
}

/** As an option of a run: nothing where nothing was asked for. */
export function fenceFor(hook: RunnableHook, spec: CommandSpec, { context, host, around, guarded }: FenceSetting): { readonly fence?: Fence } {
  const { sandbox, variables = {} } = hook
  if (sandbox === undefined) return {}
  const { projectDir } = context
  const home = host['HOME'] || homedir()
  if (sandbox.mode !== 'restricted') return { fence: { sandbox, projectDir, home } }
  const files = spec.args === undefined ? filesInShell(spec.command, around) : filesInWords([spec.command, ...spec.args], around)
  const own = (name: string) => (Object.hasOwn(variables, name) ? [variables[name] as string] : [])
  return {
    fence: {
      sandbox,
      projectDir,
      home,
      readable: [...files, ...own('CLAUDE_PLUGIN_ROOT')],
      writable: [...own('CLAUDE_PLUGIN_DATA'), ...(context.envFile === undefined ? [] : [context.envFile])],
      guarded,
    },
  }
}
