/** One turn: a prompt passes UserPromptSubmit, the model answers, tools run, until Stop lets it end. */
import { randomUUID } from 'node:crypto'
import type { TurnResult } from '../events.ts'
import { ModelError, type TextBlock } from '../model/port.ts'
import { runBatch } from './batch.ts'
import { addMessage, type Conversation, lastText, leaveOutMedia, remind, reminder, takeReminders } from './conversation.ts'
import { type Answer, askModel } from './step.ts'
import { fireStop, fireStopFailure } from './stop.ts'

/** What a turn starts from. */
export interface Prompt {
  /** As typed: what hooks see. */
  text: string
  /** What the model reads in its place: an expanded command. */
  blocks?: readonly TextBlock[]
  /** Not typed by a person, for hooks: `system`. */
  source?: 'system'
}

export interface TurnContext {
  readonly signal: AbortSignal
}

type End = Pick<TurnResult, 'reason'> & Partial<TurnResult>

/** Runs a prompt to its end; rejects only for defects. A subagent's conversation takes no UserPromptSubmit. */
export async function runTurn(conversation: Conversation, prompt: Prompt, { signal }: TurnContext): Promise<TurnResult> {
  const started = performance.now()
  const before = { ...conversation.usage }
  const turn: Turn = { conversation, signal, turnId: randomUUID(), requests: 0, cuts: 0, refusals: 0, shortened: 0, stopReason: undefined }
  if (conversation.seat === undefined) {
    conversation.promptId = randomUUID()
    conversation.emit({ kind: 'turn-start', promptId: conversation.promptId, prompt: prompt.text })
  }
  const end = await endOf(turn, prompt)
  conversation.transcript.sync()
  const result: TurnResult = {
    text: lastText(conversation),
    ...(turn.stopReason === undefined ? {} : { stopReason: turn.stopReason }),
    ...(conversation.structured === undefined ? {} : { structured: conversation.structured.value }),
    turns: turn.requests,
    usage: { input: conversation.usage.input - before.input, output: conversation.usage.output - before.output },
    durationMs: Math.round(performance.now() - started),
    ...end,
  }
  if (conversation.seat === undefined) conversation.emit({ kind: 'turn-end', result })
  return result
}

interface Turn {
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly turnId: string
  requests: number
  /** Answers in a row that were cut at the limit of output. */
  cuts: number
  /** Answers in a row that a classifier of the provider withheld. */
  refusals: number
  /** How often the conversation was too long for the model. */
  shortened: number
  stopReason: string | undefined
}

async function endOf(turn: Turn, prompt: Prompt): Promise<End> {
  const { conversation, signal } = turn
  try {
    const refused = await takePrompt(conversation, prompt, signal)
    if (refused !== undefined) return refused
    return await loop(turn)
  } catch (error) {
    if (signal.aborted) return { reason: 'interrupted' }
    if (!(error instanceof ModelError)) throw error
    const text = await fireStopFailure(conversation, error)
    return { reason: 'error', text, error: { kind: error.kind, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) } }
  }
}

/** Puts the prompt into the conversation, unless a hook keeps it out. */
async function takePrompt(conversation: Conversation, { text, blocks, source }: Prompt, signal: AbortSignal): Promise<End | undefined> {
  const { scope, seat } = conversation
  let context = ''
  if (seat === undefined) {
    const verdict = await scope.fire(
      'UserPromptSubmit',
      { prompt: text, ...(source === undefined ? {} : { source }) },
      { signal, locals: { messages: () => conversation.messages } },
    )
    if (verdict.sessionTitle !== undefined) conversation.transcript.title(verdict.sessionTitle)
    if (verdict.blocked || verdict.stop !== undefined) {
      const reason = verdict.reason ?? verdict.stop?.reason ?? ''
      const original = verdict.suppressOriginalPrompt === true ? '' : `\n\nOriginal prompt: ${text}`
      return { reason: 'blocked', text: '', notice: `UserPromptSubmit operation blocked by hook:\n${reason}${original}` }
    }
    context = verdict.toModel
  }
  const waiting = takeReminders(conversation)
  addMessage(conversation, {
    role: 'user',
    content: [...waiting, ...(blocks ?? [{ type: 'text' as const, text }]), ...(context === '' ? [] : [reminder(context)])],
  })
  return undefined
}

async function loop(turn: Turn): Promise<End> {
  const { conversation, signal } = turn
  for (;;) {
    const { maxTurns } = conversation
    if (maxTurns !== undefined && turn.requests >= maxTurns) return { reason: 'max_turns' }
    await prepareRequest(conversation, signal)
    const answer = await askWithRoom(turn)
    turn.requests += 1
    turn.stopReason = answer.stopReason
    if (answer.calls.length > 0 && answer.finish !== 'length' && answer.finish !== 'refused') {
      turn.cuts = 0
      const end = await runBatch(conversation, answer.calls, { signal })
      if (end.kind === 'interrupted') return { reason: 'interrupted' }
      if (end.kind === 'deferred')
        return { reason: 'deferred', stopReason: 'tool_deferred', deferred: { id: end.call.id, name: end.call.name, input: end.call.input } }
      if (end.kind === 'stopped') return { reason: 'hook_stopped', ...(end.reason === '' ? {} : { notice: end.reason }) }
      await takeLatePrompts(conversation, signal)
      continue
    }
    if (goesOnAfter(turn, answer)) continue
    const said = await fireStop(conversation, { signal })
    if (said.kind === 'goes-on') addMessage(conversation, { role: 'user', content: [{ type: 'text', text: said.feedback }] }, { meta: true })
    else return endFor(said)
  }
}

function endFor(said: Exclude<Awaited<ReturnType<typeof fireStop>>, { kind: 'goes-on' }>): End {
  if (said.kind === 'stopped') return { reason: 'hook_stopped', ...(said.reason === '' ? {} : { notice: said.reason }) }
  return said.kind === 'overridden' ? { reason: 'stop_block_cap', notice: said.notice } : { reason: 'completed' }
}

/** Everything that has to be told to the model before it is asked, and room for it. */
async function prepareRequest(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { stations } = conversation
  await stations.makeRoom?.(conversation, { signal })
  for (const text of (await stations.beforeRequest?.(conversation)) ?? []) remind(conversation, text)
  const waiting = takeReminders(conversation)
  if (waiting.length > 0) addMessage(conversation, { role: 'user', content: waiting }, { meta: true })
}

const mostShortenings = 3

/** Asks the model. A conversation that it refuses for its length or for a picture is made to fit and asked again, once. @throws ModelError. */
async function askWithRoom(turn: Turn): Promise<Answer> {
  const { conversation, signal, turnId } = turn
  try {
    return await askModel(conversation, { signal, turnId })
  } catch (error) {
    if (!(error instanceof ModelError) || !(await madeToFit(turn, error))) throw error
    return askModel(conversation, { signal, turnId })
  }
}

async function madeToFit(turn: Turn, error: ModelError): Promise<boolean> {
  const { conversation, signal } = turn
  if (error.badMedia === true && leaveOutMedia(conversation)) {
    conversation.emit({ kind: 'notice', level: 'warning', text: `${error.message} Pictures and PDFs are left out, and the model is asked again.` })
    return true
  }
  if (error.tooLong !== true || ++turn.shortened > mostShortenings) return false
  if ((await conversation.stations.shorten?.(conversation, { signal })) !== true) return false
  await prepareRequest(conversation, signal)
  return true
}

const mostCuts = 3
const cutNote =
  'Output token limit hit. Resume directly: no apology, no recap of what you were doing. Pick up mid-thought if that is where the cut happened. Break remaining work into smaller pieces.'
const refusalNote =
  'Your response above was stopped by a safety classifier; this is not an error of a tool or of the connection. The rest of it was withheld, and tool calls in it did not run. Do not produce that content again, even reworded.'

/** A cut answer is continued, a withheld one tried once more. @throws ModelError when that does not help. */
function goesOnAfter(turn: Turn, { finish, calls }: Answer): boolean {
  const { conversation } = turn
  if (finish === 'length') {
    if (++turn.cuts > mostCuts) throw new ModelError('max_output_tokens', 'The answer was cut at the limit of output again and again.')
    goOn(conversation, cutNote, calls)
    return true
  }
  turn.cuts = 0
  if (finish !== 'refused') return false
  if (++turn.refusals > 1) return false
  conversation.emit({ kind: 'notice', level: 'warning', text: 'The provider stopped the answer above; going on once with that noted.' })
  goOn(conversation, refusalNote, calls)
  return true
}

/** Calls in a cut answer are not whole; each still needs a result. */
function goOn(conversation: Conversation, note: string, calls: Answer['calls']): void {
  const results = calls.map((call) => ({
    type: 'tool_result' as const,
    tool_use_id: call.id,
    content: `${call.name} did not run: the answer that asked for it was cut.`,
    is_error: true as const,
  }))
  addMessage(conversation, { role: 'user', content: [...results, { type: 'text', text: note }] }, { meta: true })
}

/** Prompts that came while the turn ran join it. */
async function takeLatePrompts(conversation: Conversation, signal: AbortSignal): Promise<void> {
  for (const { text, source } of conversation.stations.takePrompts?.() ?? []) {
    const verdict = await conversation.scope.fire('UserPromptSubmit', { prompt: text, ...(source === undefined ? {} : { source }) }, { signal })
    if (verdict.blocked || verdict.stop !== undefined) {
      conversation.emit({
        kind: 'notice',
        level: 'warning',
        text: `UserPromptSubmit operation blocked by hook:\n${verdict.reason ?? verdict.stop?.reason ?? ''}`,
      })
      continue
    }
    if (source === 'system') remind(conversation, text)
    else
      remind(
        conversation,
        `The user sent a new message while you were working:\n${text}\n\nTake it into account as you go on; it does not replace the task unless it says so.`,
      )
    remind(conversation, verdict.toModel)
  }
}
