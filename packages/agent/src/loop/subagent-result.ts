/** The structured output of the Agent tool: what hooks see of a subagent that finished. */
import type { TurnResult } from '../events.ts'
import type { Conversation } from './conversation.ts'
import { modelOf, type Run } from './subagent-seat.ts'

const statKeys: Readonly<Record<string, string>> = {
  Read: 'readCount',
  Grep: 'searchCount',
  Glob: 'searchCount',
  Bash: 'bashCount',
  Edit: 'editFileCount',
  Write: 'editFileCount',
  NotebookEdit: 'editFileCount',
}

/** The structured output of the Agent tool. */
export function completed(run: Run, result: TurnResult, conversation: Conversation): object {
  const calls = conversation.messages.flatMap((message) => (message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool_use') : []))
  const stats: Record<string, number> = { readCount: 0, searchCount: 0, bashCount: 0, editFileCount: 0, linesAdded: 0, linesRemoved: 0, otherToolCount: 0 }
  for (const { name } of calls) {
    const key = statKeys[name] ?? 'otherToolCount'
    stats[key] = (stats[key] ?? 0) + 1
  }
  return {
    status: 'completed',
    prompt: run.request.prompt,
    agentId: run.id,
    agentType: run.definition.name,
    ...(calls.length === 0 ? {} : { toolsUsed: [...new Set(calls.map((call) => call.name))] }),
    content: [{ type: 'text', text: result.text }],
    resolvedModel: modelOf(run),
    totalDurationMs: result.durationMs,
    totalTokens: result.usage.input + result.usage.output,
    totalToolUseCount: calls.length,
    usage: { input_tokens: result.usage.input, output_tokens: result.usage.output },
    toolStats: stats,
    canContinueAgent: true,
  }
}
