/** The agent's messages in the words of the AI SDK. */
import type { AssistantModelMessage, ModelMessage } from 'ai'
import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from './port.ts'

/** What the agent adds in its own name is marked, so that a model can tell it from what the person wrote. */
export function textOf(block: TextBlock): string {
  return block.reminder === true ? `<system-reminder>\n${block.text}\n</system-reminder>` : block.text
}

/**
 * Results of tools come first in a message, as providers ask for them right behind the calls; empty texts are left out,
 * and so is a message without anything in it.
 */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  const names = new Map<string, string>()
  const out: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      const content = message.content.flatMap((block): AssistantPart[] => {
        if (block.type === 'tool_use') names.set(block.id, block.name)
        return assistantPart(block)
      })
      if (content.length > 0) out.push({ role: 'assistant', content })
      continue
    }
    const results = message.content.filter((block) => block.type === 'tool_result')
    const texts = message.content.filter((block) => block.type === 'text' && block.text !== '') as TextBlock[]
    if (results.length > 0) out.push({ role: 'tool', content: results.map((block) => resultPart(block, names.get(block.tool_use_id) ?? 'unknown')) })
    if (texts.length > 0) out.push({ role: 'user', content: texts.map((block) => ({ type: 'text', text: textOf(block) })) })
  }
  return out
}

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

function assistantPart(block: TextBlock | ToolUseBlock): AssistantPart[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
  const signed = block.signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: block.signature } } }
  return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: objectOf(block.input), ...signed }]
}

/** Providers take objects only; what was no JSON goes back as the text that it was. */
function objectOf(input: unknown): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>
  return { input }
}

function resultPart(block: ToolResultBlock, toolName: string) {
  // An empty result is refused by some providers.
  const value = block.content === '' ? '(no output)' : block.content
  return {
    type: 'tool-result' as const,
    toolCallId: block.tool_use_id,
    toolName,
    output: { type: block.is_error === true ? ('error-text' as const) : ('text' as const), value },
  }
}
