/** Where a scope stands: what it shares with its session, its engine and the scopes above it. */
import type { FireOptions } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Permissions, Permit, ToolCall, ToolRun } from '../protocol/permission.ts'
import type { CallOrigin, OpenCall } from './call.ts'
import type { PlainInput } from './check-input.ts'
import type { Walk } from './corridor.ts'
import type { Engine } from './engine.ts'
import type { Guard } from './guard.ts'
import type { AnyVerdict } from './middleware.ts'
import type { Plan } from './plan.ts'
import type { ScopeCore } from './scope.ts'

/** An event as a host names it. */
export type AnyEvent = string | { readonly name: string }
/** The tool station, which stands on scopes and is brought by the composition root. */
export interface Station {
  permit(scope: ScopeCore, call: ToolCall, options?: FireOptions & Partial<Permissions>): Promise<Permit>
  runTool<O>(
    scope: ScopeCore,
    call: ToolCall | Permit,
    run: { execute: (input: never, context: { signal: AbortSignal }) => unknown; options?: FireOptions & Partial<Permissions> },
  ): Promise<ToolRun<O>>
}

/** A scope, as far as those need it that start from it. */
export interface WayScope extends CallOrigin {
  readonly closed: boolean
  /** Opens a call: fills in the common fields and checks the whole. */
  openCall(row: NamedRow, input: unknown, options?: FireOptions): OpenCall
  /** The same for an input that was checked. */
  openChecked(row: NamedRow, own: object): OpenCall
  /** Takes a call through the corridor and all that stands around it. */
  run(way: Walk, call: OpenCall, signal?: AbortSignal): AnyVerdict | Promise<AnyVerdict>
  /** Whether the guard has something against a call of which only the input is known. */
  refused(guard: Guard, input: unknown): boolean
  /** The last word on a verdict, before the host has it. */
  conclude(plan: Plan, verdict: AnyVerdict): AnyVerdict
  /** @throws HooklineError `closed`. */
  assertOpen(): void
}

/** What all scopes of one session share. */
export interface SessionState {
  readonly sessionId: string
  /** Keys of the `once` hooks that succeeded. */
  readonly spent: Set<string>
  /** The list that hooks gave last through `watchPaths`. */
  dynamicWatch: readonly string[]
}

/** Where a scope stands. */
export interface Seat {
  readonly engine: Engine
  readonly station: Station
  readonly session: SessionState
  readonly parent?: ScopeCore
  /** Common input fields that this scope fills in. */
  readonly base: PlainInput
  /** Common input fields that change while the scope lives, such as `cwd`; asked with the event whenever an input is put together. */
  readonly live?: (event: string) => PlainInput
  readonly projectDir: string
  readonly agentId?: string
}
