/** Runs a tool under a permit: the rewritten input goes in, and the event of its success or failure fires after it. */
import type { ScopeCore } from '../engine/scope.ts'
import type { Verdict } from '../protocol/event-types.ts'
import { events } from '../protocol/events.ts'
import type { Permit, ToolCall, ToolRun } from '../protocol/permission.ts'
import type { Stopped } from '../protocol/verdict-parts.ts'
import { keptOf, type PermitOptions, permit } from './permit.ts'

/** The tool, and what its decision takes. */
export interface Execution {
  readonly execute: (input: never, context: { signal: AbortSignal }) => unknown
  readonly options: PermitOptions
}

/** `permit`, then `execute`, then PostToolUse or PostToolUseFailure. Takes a permit that the host got earlier. */
export async function runTool(scope: ScopeCore, given: ToolCall | Permit, { execute, options }: Execution): Promise<ToolRun<unknown>> {
  const permitted = 'behavior' in given ? given : await permit(scope, given, options)
  const { toModel, toUser, stop } = permitted
  const before = { permit: permitted, toModel, toUser, ...(stop === undefined ? {} : { stop }) }
  if (permitted.behavior === 'defer') return { ...before, kind: 'deferred' }
  if (permitted.behavior === 'deny' || permitted.behavior === 'ask') return { ...before, kind: 'refused' }
  const { call } = permitted
  const signal = options.signal ?? scope.closing
  const startedAt = performance.now()
  try {
    const output = await execute(call.input as never, { signal })
    const ms = Math.round(performance.now() - startedAt)
    keptOf(scope).drop(call.id)
    return await succeeded(scope, { before, call, output, ms, options })
  } catch (error) {
    if (error instanceof AfterTool) throw error.cause
    const ms = Math.round(performance.now() - startedAt)
    keptOf(scope).drop(call.id)
    return failed(scope, { before, call, error, ms, options })
  }
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

/** What goes wrong after the tool ran is the host's mistake, not the tool's failure. */
class AfterTool extends Error {}

async function succeeded(scope: ScopeCore, { before, call, output, ms, options }: After & { output: unknown }): Promise<ToolRun<unknown>> {
  try {
    const input = { ...common(call, ms), tool_response: output === undefined ? null : output }
    const verdict = (await scope.fire(events.PostToolUse, input, options)) as unknown as Verdict<'PostToolUse'>
    return { ...joined(before, verdict), kind: 'ran', output: 'updatedOutput' in verdict ? verdict.updatedOutput : output, ms }
  } catch (cause) {
    throw new AfterTool('after the tool', { cause })
  }
}

async function failed(scope: ScopeCore, { before, call, error, ms, options }: After & { error: unknown }): Promise<ToolRun<unknown>> {
  const aborted = options.signal?.aborted === true
  const text = error instanceof Error ? error.message : String(error)
  // The host's signal has done its work on the tool; the event about it must still fire.
  const { signal: _, ...rest } = options
  const verdict = (await scope.fire(
    events.PostToolUseFailure,
    { ...common(call, ms), error: text, ...(aborted ? { is_interrupt: true } : {}) },
    rest,
  )) as unknown as Verdict<'PostToolUseFailure'>
  return { ...joined(before, verdict), kind: 'failed', error, ms }
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
  const join = (a: string, b: string) => [a, b].filter((text) => text !== '').join('\n')
  const stop = before.stop ?? verdict.stop
  return {
    permit: before.permit,
    toModel: join(before.toModel, verdict.toModel),
    toUser: join(before.toUser, verdict.toUser),
    ...(stop === undefined ? {} : { stop }),
  }
}
