/** Where a command runs and what it sees: worked out once for all hooks of an event that agree in it, and looked at anew for the next event. */
import { type Environment, inheritable } from '../process/environment.ts'
import { pickFolder } from '../process/working-folder.ts'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'
import { completed, type HostEnvironment } from './command-environment.ts'
import type { Surroundings } from './warm-files.ts'

/** What is known of the host. */
export interface SurroundingsOptions {
  readonly env: () => HostEnvironment
  readonly startDir: string | undefined
}

interface OfEvent {
  readonly cwd: string
  readonly inherited: Environment
}

// A host has a few sessions and sources at a time.
const mostKept = 64

/** Makes the look-up for one host. The variables it hands out are frozen: another event, or another hook, may have others. */
export function createSurroundings({ env, startDir }: SurroundingsOptions): (hook: RunnableHook, context: RunContext) => Surroundings {
  // By the payload, which is one object for all hooks of an event.
  const ofEvents = new WeakMap<Uint8Array, OfEvent>()
  const made = new Map<string, Environment>()
  const look = lookAt(() => made.clear())

  const ofEvent = (context: RunContext): OfEvent => {
    const known = ofEvents.get(context.payload)
    if (known !== undefined) return known
    const found = { cwd: pickFolder([context.cwd, startDir, context.projectDir]), inherited: look(env()) }
    ofEvents.set(context.payload, found)
    return found
  }

  return (hook, context) => {
    const { cwd, inherited } = ofEvent(context)
    const key = keyOf(hook, context, cwd)
    const known = made.get(key)
    if (known !== undefined) return { cwd, env: known }
    const variables = Object.freeze(Object.assign(completed({ ...inherited }, hook, { host: env(), context }), { PWD: cwd }))
    if (made.size >= mostKept) made.clear()
    made.set(key, variables)
    return { cwd, env: variables }
  }
}

/** Reads the host's variables, and hands back the same object as long as they are the same. */
function lookAt(onChange: () => void): (host: HostEnvironment) => Environment {
  let names: readonly string[] = []
  let values: readonly (string | undefined)[] = []
  let last: Environment | undefined
  return (host) => {
    // Not `Object.keys`: that asks for each variable of a process whether it is to be seen, which all are.
    const now = Reflect.ownKeys(host) as string[]
    if (last !== undefined && now.length === names.length && now.every((name, index) => name === names[index] && host[name] === values[index])) return last
    names = now
    values = now.map((name) => host[name])
    last = inheritable(host)
    onChange()
    return last
  }
}

/** All that the variables of a hook depend on beside those of the host. */
function keyOf({ env, variables }: RunnableHook, { projectDir, sessionId, envFile, input }: RunContext, cwd: string): string {
  const effort = (input['effort'] as { level?: unknown } | undefined)?.level
  return JSON.stringify([cwd, projectDir, sessionId, envFile, typeof effort === 'string' ? effort : undefined, env, variables])
}
