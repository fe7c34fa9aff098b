/** The composition root for Node: the engine wired to settings files, processes and this machine. */
import type { Snapshot } from './config/snapshot.ts'
import { loadSnapshot } from './config/load.ts'
import type { EngineOptions } from './engine/options.ts'
import type { Hookline } from './engine/surface.ts'
import { createCallbackHandler, createFunctionHandler } from './handlers/callback.ts'
import { createCommandHandler } from './handlers/command.ts'
import { assemble } from './station/assemble.ts'
import { nodePorts } from './platform/ports.ts'
import { trustGate } from './config/trust-gate.ts'
import type { SourceKind } from './protocol/hook.ts'

/** What `createHookline` takes beside the engine's options (contract §2). */
export interface HooklineOptions extends EngineOptions {
  /** Which places are read; default all but `session`. */
  sources?: readonly SourceKind[]
  /** More settings: files, inline JSON or objects, source kind `session`. */
  settings?: readonly (string | object)[]
  /** Look at the settings files and reload when they change; default false. */
  watch?: boolean
  /** What hooks inherit; default `process.env`. */
  env?: Record<string, string | undefined>
  /** The kept record; default false. */
  audit?: false | { path?: string; sync?: 'decision' | 'batch' | 'off' }
}

/**
 * Creates a Hookline for one settings folder: reads the settings, compiles the hooks, checks the policy.
 * @throws HooklineError `policy-unreadable` when a managed policy cannot be relied on, `invalid-option`.
 */
export async function createHookline(options: HooklineOptions = {}): Promise<Hookline> {
  throw new Error('not wired yet')
}

export type { EngineOptions, Hookline }
