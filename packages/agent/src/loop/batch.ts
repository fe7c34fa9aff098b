/** The calls of one answer: those that only read run side by side, results stand in source order, and PostToolBatch closes them. */
import type { ToolResultBlock, ToolUseBlock } from '../model/port.ts'
import { type CallOutcome, type Prepared, prepareCall, runCall } from './call.ts'
import { addMessage, type Conversation, reminder, takeReminders } from './conversation.ts'

/** What a batch means for the turn. */
export type BatchEnd = { kind: 'goes-on' } | { kind: 'stopped'; reason: string } | { kind: 'interrupted' } | { kind: 'deferred'; call: ToolUseBlock }

/** Runs the calls and puts their results into the conversation. */
export async function runBatch(conversation: Conversation, calls: readonly ToolUseBlock[], { signal }: { signal: AbortSignal }): Promise<BatchEnd> {
  const outcomes = await runAll(conversation, calls, signal)
  const deferred = outcomes.find((outcome) => outcome.status === 'deferred')
  if (deferred !== undefined) {
    conversation.transcript.note('tool_deferred', { tool_use_id: deferred.call.id })
    return { kind: 'deferred', call: deferred.call }
  }
  const interrupted = signal.aborted || outcomes.some((outcome) => outcome.interrupt === true)
  const closing = interrupted ? undefined : await closeBatch(conversation, outcomes, signal)
  const notes = outcomes.flatMap((outcome) => noteOf(outcome, outcomes.length > 1))
  addMessage(conversation, {
    role: 'user',
    content: [
      ...outcomes.map(resultOf),
      ...notes.map(reminder),
      ...(closing?.context === undefined ? [] : [reminder(closing.context)]),
      ...takeReminders(conversation),
    ],
  })
  announce(conversation)
  if (interrupted) return { kind: 'interrupted' }
  const stop = outcomes.find((outcome) => outcome.stop !== undefined)?.stop ?? closing?.stop
  return stop === undefined ? { kind: 'goes-on' } : { kind: 'stopped', reason: stop }
}

/** Neighbours that only read run side by side; a call that changes something runs alone. */
async function runAll(conversation: Conversation, calls: readonly ToolUseBlock[], signal: AbortSignal): Promise<CallOutcome[]> {
  const prepared = calls.map((call) => prepareCall(call, conversation))
  const outcomes: CallOutcome[] = []
  for (let at = 0; at < prepared.length; ) {
    let end = at + 1
    if (isQuiet(prepared[at], conversation)) while (end < prepared.length && isQuiet(prepared[end], conversation)) end++
    outcomes.push(...(await sideBySide(prepared.slice(at, end), (one) => runOne(one, conversation, { signal, amongOthers: calls.length > 1 }))))
    at = end
  }
  return outcomes
}

/** An answer may hold any number of calls; the machine is not asked for as many processes. */
const mostAtOnce = 8

async function sideBySide<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const lane = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, lane))
  return results
}

function isQuiet(one: Prepared | undefined, conversation: Conversation): boolean {
  if (one?.kind !== 'prepared') return true
  return conversation.permissions.sideBySide(one.tool, one.input, conversation)
}

async function runOne(one: Prepared, conversation: Conversation, context: { signal: AbortSignal; amongOthers: boolean }): Promise<CallOutcome> {
  if (one.kind === 'immediate') return one.outcome
  if (context.signal.aborted) return cancelled(one)
  try {
    return await runCall(one, conversation, context)
  } catch (error) {
    if (context.signal.aborted) return cancelled(one)
    throw error
  }
}

function cancelled({ call, tool }: Extract<Prepared, { kind: 'prepared' }>): CallOutcome {
  return { call, tool, status: 'cancelled', text: `${tool.name} was interrupted before it ran.` }
}

/** Fires PostToolBatch with what the model is about to read. */
async function closeBatch(conversation: Conversation, outcomes: readonly CallOutcome[], signal: AbortSignal): Promise<{ context?: string; stop?: string }> {
  const { scope } = conversation
  if (!scope.has('PostToolBatch')) return {}
  const verdict = await scope.fire(
    'PostToolBatch',
    () => ({
      tool_calls: outcomes.map(({ call, tool, text }) => ({
        tool_name: tool?.name ?? call.name,
        tool_input: call.input as Record<string, unknown>,
        tool_use_id: call.id,
        tool_response: tool?.responseBlocks === true ? [{ type: 'text', text }] : text,
      })),
    }),
    { signal },
  )
  return { ...(verdict.toModel === '' ? {} : { context: verdict.toModel }), ...(verdict.stop === undefined ? {} : { stop: verdict.stop.reason }) }
}

function resultOf({ call, status, text, media }: CallOutcome): ToolResultBlock {
  const shown = media === undefined ? {} : { media }
  return { type: 'tool_result', tool_use_id: call.id, content: text, ...shown, ...(status === 'ran' ? {} : { is_error: true }) }
}

/** With several calls, a note says which one it is about. */
function noteOf({ call, note, status }: CallOutcome, several: boolean): string[] {
  if (note === undefined || status === 'refused') return []
  return [several ? `About the call ${call.id} of ${call.name}:\n${note}` : note]
}

function announce({ emit, messages, seat, transcript }: Conversation): void {
  const message = messages.at(-1)
  if (message === undefined) return
  emit({
    kind: 'message',
    message,
    id: transcript.lastId,
    ...(seat === undefined ? {} : { agentId: seat.id }),
    ...(seat?.parentToolUseId === undefined ? {} : { parentToolUseId: seat.parentToolUseId }),
  })
}
