/** What `createEngine` takes (contract §2). */

import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { BaseInput, EventDef } from '../protocol/event-types.ts'
import type { Hooks } from '../protocol/handler-spec.ts'
import type { Permissions } from '../protocol/permission.ts'
import type { AskTrust, Mcp, Model, TrustMode, VerifierTool } from '../protocol/ports.ts'
import type { Late } from '../protocol/trace.ts'

export interface EngineOptions {
  /** Default: a fresh UUID. */
  sessionId?: string
  cwd?: string
  transcriptPath?: string
  /** Common input fields that change while the session lives, such as `cwd` and `prompt_id`; asked with the name of the event whenever hooks run. */
  base?: (event: string) => Partial<BaseInput>
  /** Hooks in code, source id "code". */
  hooks?: Hooks
  /** Host-defined events that settings may name. */
  events?: readonly EventDef[]
  /** Policy of the embedding program, the strongest source. */
  managed?: object
  permissions?: Partial<Permissions>
  /** Absent: prompt and agent hooks are skipped as "handler-not-available". */
  model?: Model
  /** Absent: mcp_tool hooks are skipped as "handler-not-available". */
  mcp?: Mcp
  tools?: readonly VerifierTool[]
  /** Who vouches for what the folder brings (design decision 7). */
  trust?: TrustMode | AskTrust
  /** Whether a person is there; default false. */
  interactive?: boolean
  /** How many blocks of a stop in a row are obeyed; default 8, 0 means any number. */
  stopBlockCap?: number
  /** A background hook wants the model now. */
  onRewake?: (late: Late) => void
  /** Standing warnings, broken settings, failing hooks; default: nowhere. */
  onNotice?: (notice: Diagnostic) => void
  /** Closes everything. */
  signal?: AbortSignal
  /** Trace lines kept for late subscribers; default 0. */
  keepTrace?: number
}
