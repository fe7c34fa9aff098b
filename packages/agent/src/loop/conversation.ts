/** One conversation: what was said, what waits to be said, the model and the tools it has, and what it may do. */
import type { Scope } from 'hookline'
import type { Emit } from '../events.ts'
import type { AgentModel, Message, TextBlock, ToolResultBlock, Usage } from '../model/port.ts'
import type { PermissionSetup } from '../permissions/setup.ts'
import type { Transcript } from '../session/transcript.ts'
import type { Workspace } from '../tools/tool.ts'
import type { Toolbox } from './toolbox.ts'
import type { Prompt } from './turn.ts'

/** Which subagent a conversation belongs to; absent for the main one. */
export interface SubagentSeat {
  readonly id: string
  /** Empty for internal helpers, such as the one that compacts. */
  readonly type: string
  /** The call of the Agent tool that started it. */
  readonly parentToolUseId?: string
}

/** Doors from the loop to what belongs to the whole session; each may be absent. */
export interface Stations {
  /** Called before each request to the model; what it gives is told to the model there: late answers of hooks, instructions, changes. */
  beforeRequest?: (conversation: Conversation) => Promise<readonly string[]> | readonly string[]
  /** Prompts that arrived while a turn runs: they join it between two requests. */
  takePrompts?: () => readonly Prompt[]
  /** Called when the conversation is near the model's limit; gives true when it is shorter now. */
  makeRoom?: (conversation: Conversation, context: { signal: AbortSignal }) => Promise<boolean>
  /** Called when the model refused the conversation for its length; gives true when it is shorter now. */
  shorten?: (conversation: Conversation, context: { signal: AbortSignal }) => Promise<boolean>
}

/** One object per conversation: the main one, or a subagent's. */
export interface Conversation {
  readonly sessionId: string
  readonly seat?: SubagentSeat
  readonly scope: Scope
  readonly workspace: Workspace
  readonly transcript: Transcript
  readonly toolbox: Toolbox
  readonly permissions: PermissionSetup
  readonly stations: Stations
  readonly emit: Emit
  /** When hooks of MessageDisplay see a text: once it is whole, or in batches of lines while it comes. */
  readonly display?: 'messages' | 'lines'
  model: AgentModel
  /** Model name that was asked for, when it is not the provider's default. */
  modelName?: string
  /** Asked before each request. */
  system: () => string
  messages: Message[]
  /** Texts of hooks and notes for the model that no message carries yet. */
  readonly reminders: string[]
  promptId?: string
  /** Tokens of the last answer: how full the conversation is. */
  tokens: number
  usage: Usage
  /** Tools that were refused, for the record of a run. */
  readonly denials: { tool_name: string; tool_use_id: string; tool_input: unknown }[]
  /** What hooks told the classifier of mode "auto" about calls that ran, newest last. */
  readonly classifierNotes: string[]
  /** Model requests that one prompt may take; absent: any number. */
  maxTurns?: number
  /** The last input of the StructuredOutput tool. */
  structured?: { value: unknown }
}

/** Adds a message: to the transcript first, so that nothing the model or a person has seen is lost. */
export function addMessage(conversation: Conversation, message: Message, facts: MessageFacts = {}): string {
  const id = conversation.transcript.message(message, facts)
  conversation.messages.push(message)
  return id
}

/** What a transcript keeps beside a message. */
export interface MessageFacts {
  model?: string
  stopReason?: string
  usage?: Usage
  /** Not typed by a person: feedback of hooks, notes. */
  meta?: true
  compactSummary?: true
}

/** Takes the reminders that wait, as blocks for a user message. */
export function takeReminders(conversation: Conversation): TextBlock[] {
  return conversation.reminders.splice(0).map(reminder)
}

/** A text that the agent adds in its own name. It cannot end its own frame and go on as somebody else. */
export function reminder(text: string): TextBlock {
  return { type: 'text', text: text.replaceAll(/<(\/?)system-reminder/gi, '&lt;$1system-reminder'), reminder: true }
}

/** Notes a text for the model unless it is empty. */
export function remind(conversation: Conversation, text: string): void {
  if (text.trim() !== '') conversation.reminders.push(text)
}

/** The text of the last block of text in the last message, when the model wrote it. */
export function lastText(conversation: Conversation): string {
  const last = conversation.messages.at(-1)
  if (last?.role !== 'assistant') return ''
  return last.content.findLast((block) => block.type === 'text')?.text ?? ''
}

/** All the text of the model's last message: what hooks get as `last_assistant_message`. */
export function lastWords(conversation: Conversation): string {
  const last = conversation.messages.findLast((message) => message.role === 'assistant')
  return (last?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** Takes pictures and PDFs out of the conversation, when the model refuses one of them. Gives whether there were any. */
export function leaveOutMedia(conversation: Conversation): boolean {
  let found = false
  conversation.messages = conversation.messages.map((message) => {
    if (message.role !== 'user' || !message.content.some((block) => block.type === 'tool_result' && block.media !== undefined)) return message
    found = true
    return { ...message, content: message.content.map(withoutMedia) }
  })
  return found
}

function withoutMedia(block: TextBlock | ToolResultBlock): TextBlock | ToolResultBlock {
  if (block.type !== 'tool_result' || block.media === undefined) return block
  const { media: _, content, ...rest } = block
  return { ...rest, content: `${content}\n(It was left out: the model service did not take it.)` }
}
