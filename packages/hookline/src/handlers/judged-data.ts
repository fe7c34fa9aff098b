/** Turns a hook's question and the event into what a model is shown: the rule in plain text, the judged data behind a fence that nobody can guess. */
import type { RunContext } from '../protocol/runner.ts'

/** The longest event that a model is shown, in bytes of JSON. A cut event would be judged by its harmless part. */
const longestEvent = 1_048_576
/** What is shown of a conversation: its end, in characters. */
const longestConversation = 200_000

/** A question as a model is to get it. */
export interface Question {
  /** Stands in both marks of the fence; made anew for each call. */
  readonly seal: string
  readonly text: string
  /** All that is judged, as it stands behind the fence. */
  readonly data: string
}

/** The question, or why it cannot be put. */
export type Put = Question | { readonly refused: string }

const placeholder = /(\\?)\$ARGUMENTS(?![A-Za-z0-9_])/g

/**
 * Puts the event where the prompt says `$ARGUMENTS`, or at its end; `\$ARGUMENTS` stays as text (protocol §2.5).
 * Where a no sends the agent back to work, the conversation is shown too, when the host has it.
 */
export function putQuestion(prompt: string, context: RunContext): Put {
  const { payload, row, locals } = context
  if (payload.length > longestEvent)
    return { refused: `the event is ${Math.ceil(payload.length / 1024)} KiB long, and a model is shown events of at most ${longestEvent / 1024} KiB` }
  const seal = crypto.randomUUID().replaceAll('-', '')
  const event = new TextDecoder().decode(payload)
  let placed = false
  const asked = prompt.replace(placeholder, (_, escaped: string) => {
    if (escaped !== '') return '$ARGUMENTS'
    if (placed) return 'the event above'
    placed = true
    return fenced(event, seal)
  })
  const whole = placed ? asked : `${asked}\n\nARGUMENTS: ${fenced(event, seal)}`
  const conversation = row.onBlock === 'resume' ? conversationOf(locals.messages) : ''
  if (conversation === '') return { seal, text: whole, data: event }
  return { seal, text: `${whole}\n\nThe conversation so far, one message a line: ${fenced(conversation, seal)}`, data: `${event}\n${conversation}` }
}

/** Data between the two marks that only this call has. */
export function fenced(data: string, seal: string): string {
  return `\n<data-${seal}>\n${data}\n</data-${seal}>\n`
}

function conversationOf(messages: (() => readonly unknown[]) | undefined): string {
  if (messages === undefined) return ''
  try {
    const lines = messages().map((message) => JSON.stringify(message) ?? 'null')
    const text = lines.join('\n')
    return text.length <= longestConversation ? text : `… (the beginning is left out)\n${text.slice(-longestConversation)}`
  } catch {
    // What a host keeps may be no data. The event itself is still judged.
    return ''
  }
}
