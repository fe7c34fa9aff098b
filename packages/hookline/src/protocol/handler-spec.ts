/** How a hook is written in a settings file or in `defineHooks`: the handler types and their fields. */
import type { Callback } from './answering.ts'
import type { EventName } from './event-types.ts'
import type { SandboxSetting } from './sandbox.ts'

/** The ways a hook can answer, discriminated by the wire's `type`. */
export type Handler =
  | { type: 'command'; command: string; args?: string[]; shell?: 'bash' | 'powershell'; async?: boolean; asyncRewake?: boolean; persistent?: boolean }
  | { type: 'http'; url: string; headers?: Record<string, string>; allowedEnvVars?: string[] }
  | { type: 'prompt' | 'agent'; prompt: string; model?: string; continueOnBlock?: boolean }
  | { type: 'mcp_tool'; server: string; tool: string; input?: Record<string, unknown> }
  | { type: 'module'; path: string }

/** A handler with the fields every type shares. `timeout` is in seconds. */
export type HandlerSpec = Handler & {
  if?: string
  timeout?: number
  statusMessage?: string
  once?: boolean
  onFailure?: 'continue' | 'block'
  sandbox?: SandboxSetting
}

/** Hooks in code: the settings format, with callbacks beside the handler objects. */
export type Hooks = { [E in EventName]?: ({ matcher?: string; hooks: (HandlerSpec | Callback<E>)[] } | Callback<E>)[] }

/** Every handler type there is: those of settings files, then the two that only code can attach. */
export const handlerTypes = ['command', 'http', 'mcp_tool', 'prompt', 'agent', 'module', 'callback', 'function'] as const
export type HandlerType = (typeof handlerTypes)[number]
