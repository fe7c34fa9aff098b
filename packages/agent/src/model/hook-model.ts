/** The engine's `Model` port over an `AgentModel`: how `prompt` and `agent` hooks think. Their calls fire no hooks. */
import type { Model, ModelMessage, ModelReply, ModelToolCall } from 'hookline'
import type { AgentModel, Message, ModelRequest } from './port.ts'

/** A hook that names no model gets the small one of the provider, or what `fallback` says. */
export function createHookModel(model: AgentModel, options: { fallback?: string } = {}): Model {
  return async (asked, { signal }) => {
    const name = asked.model ?? options.fallback ?? model.small
    const request: ModelRequest = {
      purpose: 'hook',
      ...(name === undefined ? {} : { model: name }),
      system: asked.system,
      messages: asked.messages.map(messageOf),
      tools: asked.tools ?? [],
      ...(asked.toolChoice === undefined ? {} : { toolChoice: asked.toolChoice }),
      maxOutputTokens: asked.maxOutputTokens,
    }
    return answered(model.stream(request, { signal }))
  }
}

async function answered(stream: ReturnType<AgentModel['stream']>): Promise<ModelReply> {
  let text = ''
  let toolCalls: ModelToolCall[] = []
  for await (const event of stream) {
    if (event.kind === 'text') text += event.text
    else if (event.kind === 'tool') toolCalls.push({ id: event.id, name: event.name, input: event.input })
    else if (event.kind === 'retry' && event.restart === true) {
      text = ''
      toolCalls = []
    } else if (event.kind === 'end') {
      const usage = { inputTokens: event.usage.input, outputTokens: event.usage.output }
      return { text, finish: event.finish, usage, ...(toolCalls.length === 0 ? {} : { toolCalls }) }
    }
  }
  throw new Error('the model gave no end')
}

function messageOf(message: ModelMessage): Message {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] }
  if (message.role === 'tool')
    return {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: message.id, content: message.text, ...(message.isError === true ? { is_error: true } : {}) }],
    }
  const calls = (message.toolCalls ?? []).map((call) => ({ type: 'tool_use' as const, ...call }))
  return { role: 'assistant', content: [...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]), ...calls] }
}
