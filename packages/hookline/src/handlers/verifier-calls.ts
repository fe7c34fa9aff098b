/** Runs the tool calls of one turn of a verifier: side by side, results in the order of the calls, each behind the fence and of bounded length. */
import type { ModelMessage, ModelToolCall, VerifierTool } from '../protocol/ports.ts'
import { errorText } from './error-text.ts'
import { fenced } from './judged-data.ts'

const longestResult = 50_000
/** All results of one verifier together, in UTF-16 units. */
export const longestResults = 1_000_000
const mostCalls = 16

/** What running needs beside the calls. */
export interface CallsContext {
  readonly tools: readonly VerifierTool[]
  readonly seal: string
  readonly signal: AbortSignal
  /** How much the results may still hold. */
  readonly room: number
}

/** One result message per call. Never throws: a tool that fails is told to the model. */
export async function runCalls(calls: readonly ModelToolCall[], context: CallsContext): Promise<readonly ModelMessage[]> {
  const ran = await Promise.all(
    calls.map(async (call, at) => (at < mostCalls ? await runCall(call, context) : failed(call, `Not run: at most ${mostCalls} calls in one turn.`))),
  )
  let left = context.room
  return ran.map((message, at) => {
    left -= message.text.length
    return left >= 0 ? message : failed(calls[at] as ModelToolCall, 'Left out: you have read as much as you may. Hand in your verdict.')
  })
}

async function runCall(call: ModelToolCall, { tools, seal, signal }: CallsContext): Promise<ModelMessage> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return failed(call, `There is no tool ${JSON.stringify(String(call.name).slice(0, 100))}.`)
  try {
    return { role: 'tool', id: call.id, text: fenced(cut(String(await tool.execute(call.input, { signal }))), seal) }
  } catch (error) {
    return failed(call, errorText(error))
  }
}

function cut(text: string): string {
  return text.length <= longestResult ? text : `${text.slice(0, longestResult)}\n… (cut: ${text.length - longestResult} more characters)`
}

/** The result of a call that did not do its work. */
export function failed({ id }: ModelToolCall, text: string): ModelMessage {
  return { role: 'tool', id, text, isError: true }
}
