/** One answer of the model: streamed, shown through MessageDisplay, put into the conversation, looked at by PostSampling. */
import type { Finish, ModelEvent, TextBlock, ToolUseBlock, Usage } from '../model/port.ts'
import { addMessage, type Conversation, lastWords } from './conversation.ts'
import { createShower, type Shower, showTexts } from './show.ts'

/** What came of one request. */
export interface Answer {
  text: string
  calls: ToolUseBlock[]
  finish: Finish
  stopReason: string
}

export interface StepContext {
  readonly signal: AbortSignal
  readonly turnId: string
}

/** Asks the model once. @throws ModelError, and the signal's reason. */
export async function askModel(conversation: Conversation, { signal, turnId }: StepContext): Promise<Answer> {
  const { emit, model, toolbox, seat } = conversation
  const displays = seat === undefined && conversation.scope.has('MessageDisplay') ? (conversation.display ?? 'messages') : 'plain'
  const shower = displays === 'lines' ? createShower(conversation, { signal, turnId }) : undefined
  const heard = await listen(
    model.stream(
      {
        purpose: seat === undefined ? 'main' : 'subagent',
        ...(conversation.modelName === undefined ? {} : { model: conversation.modelName }),
        system: conversation.system(),
        messages: conversation.messages,
        tools: toolbox.specs(conversation.workspace.services),
      },
      { signal },
    ),
    conversation,
    shower,
  )
  const { blocks, end } = heard
  conversation.tokens = end.usage.input + end.usage.output
  conversation.usage = { input: conversation.usage.input + end.usage.input, output: conversation.usage.output + end.usage.output }
  const stopReason = end.stopReason ?? wireReasons[end.finish]
  const message = { role: 'assistant' as const, content: blocks }
  const id = addMessage(conversation, message, { model: end.model, stopReason, usage: end.usage })
  const texts = blocks.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []))
  const display = displays === 'messages' ? await showTexts(conversation, texts, { signal, turnId }) : await shower?.end()
  emit({
    kind: 'message',
    message,
    id,
    usage: end.usage,
    stopReason,
    ...(display === undefined ? {} : { display }),
    ...(seat === undefined ? {} : { agentId: seat.id }),
    ...(seat?.parentToolUseId === undefined ? {} : { parentToolUseId: seat.parentToolUseId }),
  })
  await sampled(conversation, signal)
  return { text: lastWords(conversation), calls: blocks.filter((block) => block.type === 'tool_use'), finish: end.finish, stopReason }
}

const wireReasons: Readonly<Record<Finish, string>> = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens', refused: 'refusal' }

type End = Extract<ModelEvent, { kind: 'end' }> & { usage: Usage }

interface Heard {
  blocks: (TextBlock | ToolUseBlock)[]
  end: End
}

async function listen(stream: AsyncIterable<ModelEvent>, conversation: Conversation, shower: Shower | undefined): Promise<Heard> {
  try {
    return await collect(stream, conversation, shower)
  } catch (error) {
    // What came before the answer broke off is shown to its end.
    await shower?.end().catch(() => undefined)
    throw error
  }
}

async function collect(stream: AsyncIterable<ModelEvent>, { emit, seat }: Conversation, shower: Shower | undefined): Promise<Heard> {
  let blocks: (TextBlock | ToolUseBlock)[] = []
  let open: string | undefined
  const who = seat === undefined ? {} : { agentId: seat.id }
  for await (const event of stream) {
    if (event.kind === 'text') {
      const last = blocks.at(-1)
      if (last?.type === 'text' && event.block === open) last.text += event.text
      else blocks.push({ type: 'text', text: event.text })
      open = event.block
      if (shower === undefined) emit({ kind: 'text', text: event.text, ...who })
      else shower.text(event.text, String(blocks.length))
    } else if (event.kind === 'tool') {
      const signed = event.signature === undefined ? {} : { signature: event.signature }
      blocks.push({ type: 'tool_use', id: event.id, name: event.name, input: event.input, ...signed })
    } else if (event.kind === 'retry') {
      // What a cut answer said is void.
      if (event.restart === true) {
        blocks = []
        shower?.restart()
      }
      emit({ kind: 'retry', attempt: event.attempt, delayMs: event.delayMs, reason: event.reason })
    } else return { blocks, end: event }
  }
  throw new Error('The model ended its answer without an end.')
}

/** In-process hooks after each answer; whatever goes wrong in them is told and never interrupts. */
async function sampled(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { scope } = conversation
  if (!scope.has('PostSampling')) return
  const locals = { messages: () => conversation.messages }
  await scope.fire('PostSampling', { last_assistant_message: lastWords(conversation) }, { signal, locals }).catch((error: unknown) => {
    signal.throwIfAborted()
    conversation.emit({ kind: 'notice', level: 'warning', text: `A hook of PostSampling failed: ${error instanceof Error ? error.message : String(error)}` })
  })
}
