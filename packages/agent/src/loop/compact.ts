/** Compaction: a summary takes the place of the conversation, when the person asks or the model's limit is near. */
import { randomBytes } from 'node:crypto'
import type { HookReport, Verdict } from 'hookline'
import { type Message, ModelError, type TextBlock } from '../model/port.ts'
import type { Held } from '../session/open.ts'
import { subagentPath } from '../session/places.ts'
import { openTranscript } from '../session/transcript.ts'
import { transcriptVersion } from '../session/version.ts'
import { conversationText, lengthOf } from './as-text.ts'
import { addMessage, type Conversation, reminder } from './conversation.ts'
import { tasksOf } from './stop.ts'

export interface CompactRequest {
  trigger: 'manual' | 'auto'
  instructions?: string
  signal: AbortSignal
  /** A subagent's; default the main one. */
  conversation?: Conversation
}

/** Compacts a conversation; only the main one starts anew with SessionStart. Gives the reason, in words, when it was not done. @throws ModelError. */
export async function compactConversation(held: Held, request: CompactRequest): Promise<string | undefined> {
  const { trigger, instructions, signal, conversation = held.conversation } = request
  const { scope, seat } = conversation
  if (conversation.messages.length === 0) return 'There is nothing to compact.'
  const before = await scope.fire('PreCompact', { trigger, custom_instructions: instructions ?? null }, { signal })
  if (before.blocked) return `Compaction was blocked by a hook: ${before.reason ?? 'no reason given'}`
  const asked = [instructions ?? '', ...plainOutputs(before)].filter((text) => text !== '').join('\n')
  const tokensBefore = conversation.tokens
  const waiting = trigger === 'auto' ? promptAtEnd(conversation.messages) : undefined
  if (waiting !== undefined) conversation.messages.pop()
  const summary = await summarize(held, conversation, { asked, signal }).catch((error: unknown) => {
    if (waiting !== undefined) conversation.messages.push(waiting)
    throw error
  })
  conversation.transcript.note('compact_boundary', { content: 'Conversation compacted', compactMetadata: { trigger, preTokens: tokensBefore } })
  conversation.messages = []
  conversation.tokens = 0
  conversation.workspace.filesRead.clear()
  const model = conversation.modelName ?? conversation.model.name
  const started = seat === undefined ? await scope.fire('SessionStart', { source: 'compact', model }, { signal }) : undefined
  addMessage(
    conversation,
    {
      role: 'user',
      content: [
        ...(started === undefined || started.toModel === '' ? [] : [reminder(started.toModel)]),
        { type: 'text', text: `This session goes on from an earlier conversation that was too long. What happened so far:\n\n${innerText(summary)}` },
      ],
    },
    { meta: true, compactSummary: true },
  )
  if (started !== undefined) for (const text of await held.startNotes('compact', started)) conversation.reminders.push(text)
  if (waiting !== undefined) addMessage(conversation, waiting)
  await scope.fire('PostCompact', { trigger, compact_summary: summary }, { signal })
  if (seat === undefined) held.emit({ kind: 'compacted', trigger, tokensBefore })
  return undefined
}

/** A prompt that nobody answered yet: it is not part of the past. */
function promptAtEnd(messages: readonly Message[]): Message | undefined {
  const last = messages.at(-1)
  return last?.role === 'user' && messages.length > 1 && last.content.every((block) => block.type === 'text') ? last : undefined
}

/** What hooks of PreCompact printed as plain text is added to the instructions. */
function plainOutputs({ hooks }: Verdict<'PreCompact'>): string[] {
  return hooks.flatMap((report) => {
    if (report.status !== 'ran') return []
    const { ending, stdout = '', answer } = report as Extract<HookReport, { status: 'ran' }>
    const text = stdout.trim()
    return ending.kind === 'exited' && ending.code === 0 && answer === undefined && text !== '' && !text.startsWith('{') ? [text] : []
  })
}

const task = [
  'Your task is to create a detailed summary of the conversation so far, so that the work can go on without it.',
  'Keep: what the person asked for, in their words where they matter; decisions and their reasons; files that were read or changed, with the parts that matter; errors and how they were solved; what is done, what is under way, and the next step.',
  'Use no tools. Give the summary inside <summary> tags and nothing else.',
].join('\n')

/** Asks the model for the summary; to hooks it is the work of an internal helper. */
async function summarize(
  { scope, transcripts, sessionId, background }: Held,
  conversation: Conversation,
  { asked, signal }: { asked: string; signal: AbortSignal },
): Promise<string> {
  const id = `a${randomBytes(8).toString('hex')}`
  const path = subagentPath(transcripts, sessionId, id)
  const transcript = openTranscript(path, { sessionId, agentId: id, cwd: () => conversation.workspace.cwd, version: transcriptVersion })
  const question: Message = { role: 'user', content: [{ type: 'text', text: asked === '' ? task : `${task}\n\nAdditional Instructions:\n${asked}` }] }
  const text = await summaryOf(conversation, question, signal)
  transcript.message(question)
  transcript.message({ role: 'assistant', content: [{ type: 'text', text }] })
  transcript.close()
  const helper = scope.agent(id, '')
  await helper.fire(
    'SubagentStop',
    { agent_id: id, agent_type: '', agent_transcript_path: path, last_assistant_message: text, background_tasks: tasksOf(background), session_crons: [] },
    { signal },
  )
  await helper.close()
  return text
}

/** How often what does not fit is halved. */
const mostHalvings = 4

/** A conversation that is too long for this request, too, is told as a text that is halved until it fits. @throws ModelError. */
async function summaryOf(conversation: Conversation, question: Message, signal: AbortSignal): Promise<string> {
  const { messages } = conversation
  let asked: readonly Message[] = [...messages, question]
  for (let halvings = 1; ; halvings++) {
    try {
      return await askForSummary(conversation, asked, signal)
    } catch (error) {
      if (!(error instanceof ModelError) || error.tooLong !== true || halvings > mostHalvings) throw error
      const told = conversationText(messages, Math.ceil(lengthOf(messages) / 2 ** halvings))
      asked = [{ role: 'user', content: [{ type: 'text', text: `The conversation so far, in parts:\n\n${told}` }, ...(question.content as TextBlock[])] }]
    }
  }
}

async function askForSummary(conversation: Conversation, messages: readonly Message[], signal: AbortSignal): Promise<string> {
  const { model, modelName, system } = conversation
  let text = ''
  const request = { purpose: 'compact' as const, ...(modelName === undefined ? {} : { model: modelName }), system: system(), messages, tools: [] }
  for await (const event of model.stream(request, { signal })) {
    if (event.kind === 'text') text += event.text
    else if (event.kind === 'retry' && event.restart === true) text = ''
    else if (event.kind === 'end')
      conversation.usage = { input: conversation.usage.input + event.usage.input, output: conversation.usage.output + event.usage.output }
  }
  return text
}

function innerText(summary: string): string {
  return /<summary>([\s\S]*)<\/summary>/.exec(summary)?.[1]?.trim() ?? summary.trim()
}

/** Whether the conversation is so near the limit that the next answer may not fit. */
export function isNearlyFull({ tokens }: Conversation, contextWindow: number): boolean {
  return tokens >= contextWindow - Math.min(33_000, Math.ceil(contextWindow / 5))
}
