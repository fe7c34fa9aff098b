/** The root door of Hookline: runtime-neutral, no files, processes or sockets. */
import { emptySnapshot } from './config/empty.ts'
import { loadManaged } from './config/managed-object.ts'
import { checkOptions } from './engine/check-options.ts'
import type { EngineOptions } from './engine/options.ts'
import type { Hookline } from './engine/surface.ts'
import { createCallbackHandler } from './handlers/callback.ts'
import { createFunctionHandler } from './handlers/function.ts'
import { createModelHandlers } from './handlers/model-handlers.ts'
import { assemble } from './station/assemble.ts'
import { verifierSessions } from './station/verifier-session.ts'

// Marked, so that a bundle that takes one name of this door does not take the engine with it.
const openVerifier = /* @__PURE__ */ verifierSessions(() => ({ snapshot: emptySnapshot, runners: [createFunctionHandler()] }))

/**
 * Creates an engine that reads no files: hooks come from code, policy from `managed`. Verifiers of agent hooks have the tools in `tools`, and no others.
 * For settings files, processes and HTTP use `createHookline` of 'hookline/node'.
 * @throws HooklineError `invalid-option`, `unknown-event`.
 */
export function createEngine(options: EngineOptions = {}): Hookline {
  checkOptions(options)
  const snapshot = options.managed === undefined ? emptySnapshot : loadManaged(options.managed)
  return assemble(options, {
    snapshot,
    runners: [createCallbackHandler(), createFunctionHandler(), ...createModelHandlers(options, openVerifier)],
  }) as unknown as Hookline
}

export { matchValue } from './config/match-value.ts'
export { validateSettings } from './config/validate-settings.ts'
export { interpretAnswer } from './engine/interpret-answer.ts'
export type { EngineOptions } from './engine/options.ts'
export type { Hookline, Scope, Session } from './engine/surface.ts'
export { HooklineError, type HooklineErrorCode } from './errors.ts'
export { compileRules } from './permission/compile-rules.ts'
export { matchRule } from './permission/match-rule.ts'
export { resolvePermission } from './permission/resolve.ts'
export type * from './protocol/answering.ts'
export { defineEvent, type EventSpec, type StandardSchema } from './protocol/define-event.ts'
export { defineHooks } from './protocol/define-hooks.ts'
export type { Diagnostic } from './protocol/diagnostic.ts'
export type { Ending, Outcome } from './protocol/ending.ts'
export type * from './protocol/event-types.ts'
export { type EventTable, eventNames, events, type NamedRow } from './protocol/events.ts'
export type { Handler, HandlerSpec, Hooks } from './protocol/handler-spec.ts'
export type * from './protocol/hook.ts'
export type * from './protocol/permission.ts'
export type * from './protocol/ports.ts'
export type { Power, Powers } from './protocol/powers.ts'
export { allow, ask, block, context, defer, deny, stop } from './protocol/shorthands.ts'
export { type ToolInputs, toolNames } from './protocol/tools.ts'
export type * from './protocol/trace.ts'
export type { Behavior, Block, Conflict, Elicited, Message, Permission, Stopped, Text } from './protocol/verdict-parts.ts'
