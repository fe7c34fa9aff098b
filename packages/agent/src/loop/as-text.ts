/** A conversation as one text of a given length: how a model is told of what is too long to be sent as it is. */
import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from '../model/port.ts'

/** The newest parts that fit, in order; each block is cut in its middle, so that one huge result does not crowd out the rest. */
export function conversationText(messages: readonly Message[], limit: number): string {
  const longest = Math.max(200, Math.floor(limit / 8))
  const kept: string[] = []
  let left = limit
  for (const { role, content } of messages.toReversed()) {
    const text = `${role}:\n${content.map((block) => cut(textOf(block), longest)).join('\n')}`
    if (text.length > left) {
      kept.push('[what came before is left out]')
      break
    }
    kept.push(text)
    left -= text.length
  }
  return kept.toReversed().join('\n\n')
}

/** The characters of all texts. */
export function lengthOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + content.reduce((all, block) => all + textOf(block).length, 0), 0)
}

function textOf(block: TextBlock | ToolUseBlock | ToolResultBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'tool_use' ? `[calls ${block.name} with ${JSON.stringify(block.input)}]` : `[result] ${block.content}`
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = Math.floor(longest / 2)
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`
}
