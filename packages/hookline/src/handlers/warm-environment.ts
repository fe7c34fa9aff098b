/** The variables of a hook that stays, and what tells two such hooks apart. */
import type { Environment } from '../process/environment.ts'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'
import { commandEnvironment, type HostEnvironment } from './command-environment.ts'

/**
 * What a hook sees that outlives the event it was started for. What belongs to one event or one session is in the event, not in here;
 * only a hook that is given an environment file stays with its session.
 */
export function warmEnvironment(host: HostEnvironment, hook: RunnableHook, context: RunContext): Environment {
  const env = commandEnvironment(host, hook, context)
  delete env['CLAUDE_EFFORT']
  if (context.envFile === undefined) delete env['CLAUDE_CODE_SESSION_ID']
  return env
}

/** What the environment of a hook depends on beside its host: hooks that agree in it may share what stays. */
export function environmentKey({ variables, env }: RunnableHook, { projectDir, envFile }: RunContext): string {
  return JSON.stringify([variables ?? {}, env ?? {}, projectDir, envFile ?? ''])
}
