/** Runs a tool under a permit: the rewritten input goes in, and the event of its success or failure fires after it. */
import type { ScopeCore } from '../engine/scope.ts'
import type { Verdict } from '../protocol/event-types.ts'
import { events } from '../protocol/events.ts'
import type { Permit, ToolCall, ToolRun } from '../protocol/permission.ts'
import type { Stopped } from '../protocol/verdict-parts.ts'
import { joinTexts, type PermitOptions } from './desk.ts'
import { keptOf } from './kept.ts'
import { permit } from './permit.ts'
import { withSignal } from './until-aborted.ts'

/** The tool, and what its decision takes. */
export interface Execution {
  readonly execute: (input: never, context: { signal: AbortSignal }) => unknown
  readonly options: PermitOptions
}

/**
 * `permit`, then `execute`, then PostToolUse or PostToolUseFailure. Takes a permit that the host got earlier.
 * An abort before the tool starts rejects; one that comes later is the tool's to obey, and what it did is told to the hooks.
 */
export async function runTool(scope: ScopeCore, given: ToolCall | Permit, { execute, options }: Execution): Promise<ToolRun<unknown>> {
  const permitted = 'behavior' in given ? given : await permit(scope, given, options)
  const { behavior, call, toModel, toUser, stop } = permitted
  const before = { permit: permitted, toModel, toUser, ...(stop === undefined ? {} : { stop }) }
  if (behavior === 'defer') return { ...before, kind: 'deferred' }
  if (behavior !== 'allow' && behavior !== 'passthrough') return { ...before, kind: 'refused' }
  options.signal?.throwIfAborted()
  const startedAt = performance.now()
  const ran = await attempt(() => withSignal(scope, options.signal, (signal) => execute(call.input as never, { signal })))
  const ms = Math.round(performance.now() - startedAt)
  keptOf(scope).drop(call.id)
  const after: After = { before, call, ms, options }
  return 'error' in ran ? failed(scope, ran.error, after) : succeeded(scope, ran.output, after)
}

interface Before {
  readonly permit: Permit
  readonly toModel: string
  readonly toUser: string
  readonly stop?: Stopped
}

interface After {
  readonly before: Before
  readonly call: ToolCall
  readonly ms: number
  readonly options: PermitOptions
}

async function attempt(run: () => Promise<unknown>): Promise<{ output: unknown } | { error: unknown }> {
  try {
    return { output: await run() }
  } catch (error) {
    return { error }
  }
}

async function succeeded(scope: ScopeCore, output: unknown, { before, call, ms, options }: After): Promise<ToolRun<unknown>> {
  const input = { ...common(call, ms), tool_response: output === undefined ? null : output }
  const verdict = (await scope.fire(events.PostToolUse, input, stillOpen(options))) as unknown as Verdict<'PostToolUse'>
  const forClassifier = verdict.classifierContext.map(({ text }) => text).join('\n')
  return {
    ...joined(before, verdict),
    ...(forClassifier === '' ? {} : { forClassifier }),
    kind: 'ran',
    output: 'updatedOutput' in verdict ? verdict.updatedOutput : output,
    ms,
  }
}

async function failed(scope: ScopeCore, error: unknown, { before, call, ms, options }: After): Promise<ToolRun<unknown>> {
  const text = error instanceof Error ? error.message : String(error)
  const input = { ...common(call, ms), error: text, is_interrupt: options.signal?.aborted === true }
  const verdict = (await scope.fire(events.PostToolUseFailure, input, stillOpen(options))) as unknown as Verdict<'PostToolUseFailure'>
  return { ...joined(before, verdict), kind: 'failed', error, ms }
}

/** A signal that has fired has done its work on the tool; the event about what the tool did must still fire. */
function stillOpen({ signal, ...options }: PermitOptions): PermitOptions {
  return signal === undefined || signal.aborted ? options : { ...options, signal }
}

function common(call: ToolCall, ms: number) {
  return {
    tool_name: call.name,
    tool_input: call.input,
    tool_use_id: call.id,
    duration_ms: ms,
    ...(call.mcpServer === undefined ? {} : { mcp_server: call.mcpServer }),
  }
}

function joined(before: Before, verdict: { readonly toModel: string; readonly toUser: string; readonly stop?: Stopped }): Before {
  const stop = before.stop ?? verdict.stop
  return {
    permit: before.permit,
    toModel: joinTexts(before.toModel, verdict.toModel),
    toUser: joinTexts(before.toUser, verdict.toUser),
    ...(stop === undefined ? {} : { stop }),
  }
}
