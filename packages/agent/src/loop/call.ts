/** One tool call: prepare (is there such a tool, does the input fit), permit, execute, and what the model reads of it. */
import { isDeepStrictEqual } from 'node:util'
import type { Permit, ToolRun } from 'hookline'
import type { z } from 'zod'
import type { Media, ToolUseBlock } from '../model/port.ts'
import { type AnyTool, ToolError, type ToolResult } from '../tools/tool.ts'
import type { Conversation } from './conversation.ts'

/** What became of one call. `text` is the result that the model reads; `note` stands beside it. */
export interface CallOutcome {
  readonly call: ToolUseBlock
  readonly tool: AnyTool | undefined
  readonly status: 'ran' | 'failed' | 'refused' | 'deferred' | 'cancelled'
  readonly text: string
  /** What the model looks at beside the text. */
  readonly media?: readonly Media[]
  readonly note?: string
  /** A hook ended the turn. */
  readonly stop?: string
  /** Somebody refused and wants the turn to end at once. */
  readonly interrupt?: true
}

/** A call that may be tried, or the answer it got without any hook. */
export type Prepared = { kind: 'prepared'; call: ToolUseBlock; tool: AnyTool; input: Record<string, unknown> } | { kind: 'immediate'; outcome: CallOutcome }

/** Finds the tool and checks the input; no hook sees a call that is none. */
export function prepareCall(call: ToolUseBlock, { toolbox, workspace }: Conversation): Prepared {
  const tool = toolbox.find(call.name)
  if (tool === undefined) return immediate(call, `<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`)
  const parsed = tool.schema.safeParse(call.input)
  if (!parsed.success)
    return {
      kind: 'immediate',
      outcome: { call, tool, status: 'failed', text: `<tool_use_error>InputValidationError: ${misfits(tool, parsed.error)}</tool_use_error>` },
    }
  const input = tool.normalize?.(parsed.data, workspace) ?? parsed.data
  return { kind: 'prepared', call, tool, input: input as Record<string, unknown> }
}

function immediate(call: ToolUseBlock, text: string): Prepared {
  return { kind: 'immediate', outcome: { call, tool: undefined, status: 'failed', text } }
}

/** What is wrong with an input, in the model's words. */
export function misfits(tool: AnyTool, error: z.ZodError): string {
  const lines = error.issues.flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `An unexpected parameter \`${key}\` was provided`)
    if (issue.code === 'invalid_type' && issue.input === undefined) return [`The required parameter \`${path}\` is missing`]
    return [path === '' ? issue.message : `The parameter \`${path}\`: ${issue.message}`]
  })
  return `${tool.name} failed due to the following ${lines.length === 1 ? 'issue' : 'issues'}:\n${lines.join('\n')}`
}

export interface CallContext {
  readonly signal: AbortSignal
  /** Other calls stand beside this one: it cannot be deferred. */
  readonly amongOthers: boolean
}

/** Permits and runs a prepared call; rejects only when the signal fired before the tool started. */
export async function runCall(
  { call, tool, input }: Extract<Prepared, { kind: 'prepared' }>,
  conversation: Conversation,
  { signal, amongOthers }: CallContext,
): Promise<CallOutcome> {
  const { scope, workspace, permissions, emit, seat } = conversation
  const who = seat === undefined ? {} : { agentId: seat.id }
  const started = performance.now()
  emit({ kind: 'tool-start', id: call.id, name: tool.name, input, ...who })
  const end = (outcome: CallOutcome): CallOutcome => {
    emit({ kind: 'tool-end', id: call.id, name: tool.name, status: outcome.status, text: outcome.text, ms: Math.round(performance.now() - started), ...who })
    return outcome
  }
  const options = { ...permissions.optionsFor(conversation), signal }
  const permit = await scope.permit({ name: tool.name, input, id: call.id, ...(tool.mcpServer === undefined ? {} : { mcpServer: tool.mcpServer }) }, options)
  const closed = refusal({ call, tool, permit, amongOthers })
  if (closed !== undefined) {
    if (closed.status === 'refused') conversation.denials.push({ tool_name: tool.name, tool_use_id: call.id, tool_input: call.input })
    return end(closed)
  }
  const execute = (given: unknown, context: { signal: AbortSignal }) =>
    tool.execute(given, {
      workspace,
      toolUseId: call.id,
      signal: context.signal,
      ...(isDeepStrictEqual(permit.call.input, input) ? { sent: call.input } : {}),
      progress: (text) => emit({ kind: 'tool-progress', id: call.id, text, ...who }),
    })
  let handed: ToolResult | undefined
  const run: ToolRun<unknown> = await scope.runTool(
    permit,
    async (given, context) => {
      handed = await execute(given, context)
      return handed.response
    },
    options,
  )
  if (run.forClassifier !== undefined) noteForClassifier(conversation, `${tool.name} (${call.id}): ${run.forClassifier}`)
  return end(outcomeOf({ call, tool, run, handed: handed as ToolResult | undefined }))
}

const keptNotes = 20

/** Only the newest count: a classifier reads them with every call. */
function noteForClassifier({ classifierNotes }: Conversation, note: string): void {
  classifierNotes.push(note)
  classifierNotes.splice(0, classifierNotes.length - keptNotes)
}

/** The outcome of a call that does not run, or undefined when it does. */
function refusal({ call, tool, permit, amongOthers }: { call: ToolUseBlock; tool: AnyTool; permit: Permit; amongOthers: boolean }): CallOutcome | undefined {
  const common = {
    call,
    tool,
    ...(permit.stop === undefined ? {} : { stop: permit.stop.reason }),
    ...(permit.interrupt === true ? { interrupt: true as const } : {}),
  }
  if (permit.behavior === 'defer' && !amongOthers) return { ...common, status: 'deferred', text: '' }
  if (permit.behavior === 'defer')
    return { ...common, status: 'refused', text: `${tool.name} was put off by a hook, which cannot be done for one of several calls. Ask for it alone.` }
  if (permit.behavior !== 'allow' && permit.behavior !== 'passthrough')
    return { ...common, status: 'refused', text: permit.toModel === '' ? `${tool.name} was not permitted.` : permit.toModel }
  const again = tool.schema.safeParse(permit.call.input)
  if (again.success) return undefined
  const text = `A PreToolUse hook for ${tool.name} gave an updatedInput that does not fit the tool: ${misfits(tool, again.error)}\nThe input from the model was valid; the hook's rewrite of it was not.`
  return { ...common, status: 'refused', text }
}

function outcomeOf({ call, tool, run, handed }: { call: ToolUseBlock; tool: AnyTool; run: ToolRun<unknown>; handed: ToolResult | undefined }): CallOutcome {
  const common = { call, tool, ...(run.toModel === '' ? {} : { note: run.toModel }), ...(run.stop === undefined ? {} : { stop: run.stop.reason }) }
  if (run.kind === 'ran') {
    const own = handed !== undefined && run.output === handed.response
    const media = own ? handed.media : tool.mediaOf?.(run.output)
    return { ...common, status: 'ran', text: own ? handed.text : rewritten(tool, run.output), ...(media === undefined || media.length === 0 ? {} : { media }) }
  }
  if (run.kind === 'failed') return { ...common, status: 'failed', text: failureText(tool, run.error) }
  return { ...common, status: 'refused', text: run.toModel }
}

function failureText(tool: AnyTool, error: unknown): string {
  if (error instanceof ToolError) return error.message
  return `<tool_use_error>${tool.name} failed: ${error instanceof Error ? error.message : String(error)}</tool_use_error>`
}

/** The text of an output that a hook put in the place of the tool's own. */
function rewritten(tool: AnyTool, output: unknown): string {
  const own = tool.textOf?.(output)
  if (own !== undefined) return own
  if (typeof output === 'string') return output
  if (Array.isArray(output) && output.every(isText)) return output.map((block) => block.text).join('\n')
  return JSON.stringify(output) ?? ''
}

function isText(block: unknown): block is { text: string } {
  return typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
}
