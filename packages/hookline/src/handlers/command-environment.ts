/** The variables a command hook sees: the host's, the settings' and the protocol's own (protocol §5.6, design decision 20). */

import { type Environment, inheritable, removeCredentials } from '../process/environment.ts'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'

/** The host's variables, as `process.env` has them. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>

const optionPrefix = 'CLAUDE_PLUGIN_OPTION_'
const scrubSwitch = 'CLAUDE_CODE_SUBPROCESS_ENV_SCRUB'
// What the protocol says about this very run. A value that the host inherited, from a hook it runs inside of, is about another one.
const ownNames = [
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_ENV_FILE',
  'CLAUDE_EFFORT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_PID',
  // Only a hook that stays is spoken to line by line; one that was started by such a hook is not.
  'HOOKLINE_PERSISTENT',
] as const
// A bash that is the first shell, by this count, and reads from a socket takes itself for a remote login: it runs the user's `.bashrc` before anything else.
const shellLevel = 'SHLVL'
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Builds the environment of one run. */
export function commandEnvironment(host: HostEnvironment, hook: RunnableHook, context: RunContext): Environment {
  return completed(inheritable(host), hook, { host, context })
}

/**
 * The same, for a caller that has what a child may inherit of the host, and takes it over.
 * The protocol's names come last, so that no settings file can point a guard at another script.
 */
export function completed(env: Environment, hook: RunnableHook, { host, context }: { host: HostEnvironment; context: RunContext }): Environment {
  for (const name of Object.keys(env)) if (isOwn(name)) delete env[name]
  for (const [name, value] of Object.entries(hook.env ?? {})) if (!isOwn(name)) env[name] = value
  if (isOn(host[scrubSwitch]) || isOn(hook.env?.[scrubSwitch])) removeCredentials(env, isOwn)
  for (const [name, value] of Object.entries(hook.variables ?? {})) if (variableName.test(name)) env[name] = value
  if (!(Number(env[shellLevel]) >= 1)) env[shellLevel] = '1'
  const effort = (context.input['effort'] as { level?: unknown } | undefined)?.level
  return Object.assign(env, {
    CLAUDE_PROJECT_DIR: context.projectDir,
    CLAUDE_CODE_SESSION_ID: context.sessionId,
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_PID: String(process.pid),
    ...(typeof effort === 'string' ? { CLAUDE_EFFORT: effort } : {}),
    ...(context.envFile === undefined ? {} : { CLAUDE_ENV_FILE: context.envFile }),
  })
}

function isOwn(name: string): boolean {
  return name.startsWith(optionPrefix) || (ownNames as readonly string[]).includes(name)
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true'
}
