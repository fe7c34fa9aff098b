/** The agent's messages in the words of the AI SDK. */
import type { AssistantModelMessage, ModelMessage, ToolResultPart } from 'ai'
import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from './port.ts'

/** What the agent adds in its own name is marked, so that a model can tell it from what the person wrote. */
export function textOf(block: TextBlock): string {
  return block.reminder === true ? `<system-reminder>\n${block.text}\n</system-reminder>` : block.text
}

/**
 * Results of tools come first in a message, as providers ask for them right behind the calls; empty texts are left out,
 * and so is a message without anything in it. `media`: pictures and PDFs in results are shown; otherwise they are only told of.
 */
export function toModelMessages(messages: readonly Message[], { media = false }: { media?: boolean } = {}): ModelMessage[] {
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
    if (results.length > 0)
      out.push({ role: 'tool', content: results.map((block) => resultPart(block, { toolName: names.get(block.tool_use_id) ?? 'unknown', media })) })
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

interface Result {
  readonly toolName: string
  readonly media: boolean
}

function resultPart(block: ToolResultBlock, { toolName, media }: Result): ToolResultPart {
  return { type: 'tool-result', toolCallId: block.tool_use_id, toolName, output: outputOf(block, media) }
}

function outputOf({ content, is_error, media = [] }: ToolResultBlock, shown: boolean): ToolResultPart['output'] {
  // An empty result is refused by some providers.
  const text = content === '' ? '(no output)' : content
  if (is_error === true) return { type: 'error-text', value: text }
  if (media.length === 0) return { type: 'text', value: text }
  if (!shown) return { type: 'text', value: `${text}\n(Pictures and PDFs cannot be shown to this model.)` }
  const files = media.map(({ mediaType, data }) =>
    mediaType.startsWith('image/') ? { type: 'image-data' as const, mediaType, data } : { type: 'file-data' as const, mediaType, data, filename: 'file.pdf' },
  )
  return { type: 'content', value: [{ type: 'text', text }, ...files] }
}
