/** The verifier of an agent hook: a model with tools that looks around until it hands in a verdict, 50 turns at most. */
import { events } from '../protocol/events.ts'
import type { Model, ModelMessage, ModelToolCall, VerifierTool } from '../protocol/ports.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { VerifierSession } from '../protocol/verifier.ts'
import { askModel } from './ask-model.ts'
import { type HandedIn, readVerdict, strictest, structuredOutput } from './structured-output.ts'
import { failed as failedCall, longestResults, runCalls } from './verifier-calls.ts'

const mostTurns = 50
const mostTokens = 8_192

/** What a verifier works with. */
export interface VerifierWork {
  readonly model: Model
  /** As the hook wrote it. */
  readonly named: { readonly model?: string }
  readonly system: string
  readonly text: string
  readonly seal: string
  readonly tools: readonly VerifierTool[]
  readonly session: VerifierSession
  readonly signal: AbortSignal
}

/** Lets the verifier work. Never throws; a verifier without a verdict is a failure, never a pass. */
export async function verify(work: VerifierWork): Promise<RawResult> {
  const { session, signal } = work
  const messages: ModelMessage[] = [{ role: 'user', text: work.text }]
  let handedIn: HandedIn | undefined
  let reminded = false
  let room = longestResults
  session.addFunctionHook(events.Stop.name, { id: 'structured-output', errorMessage: reminder }, () => handedIn !== undefined)
  for (let turn = 1; turn <= mostTurns; turn++) {
    if (signal.aborted) return { ending: { kind: 'aborted' } }
    const asked = await askModel(work.model, requestOf(work, messages, reminded || turn === mostTurns), signal)
    if (asked.kind === 'failed') return { ending: asked.ending }
    const { text, toolCalls = [] } = asked.reply
    // Providers refuse a message without any content.
    messages.push(toolCalls.length === 0 ? { role: 'assistant', text: text.trim() === '' ? '(nothing)' : text } : { role: 'assistant', text, toolCalls })
    if (toolCalls.length > 0) {
      const said = toolCalls.filter(isVerdict).map(readVerdict)
      handedIn = strictest(said.filter((one) => typeof one === 'object'))
      if (handedIn !== undefined) return { ending: { kind: 'judged', ...handedIn } }
      const came = await results(toolCalls, { ...work, room })
      for (const { text: read } of came) room -= read.length
      messages.push(...came)
      continue
    }
    // Wanting to stop without a verdict is what the session's own hook is there for.
    const stop = await session.fire(events.Stop.name, { last_assistant_message: text })
    if (!stop.blocked) return without('its verifier ended without a verdict')
    reminded = true
    messages.push({ role: 'user', text: stop.toModel })
  }
  return without(`its verifier handed in no verdict within ${mostTurns} turns`)
}

const reminder = `You must call the tool ${structuredOutput.name} to hand in your verdict. Call it now.`

function requestOf({ model: _, named, system, tools }: VerifierWork, messages: readonly ModelMessage[], required: boolean) {
  return {
    purpose: 'agent-hook' as const,
    ...named,
    system,
    // A copy: the list grows, and a model may keep what it was given.
    messages: [...messages],
    tools: [...tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), structuredOutput],
    toolChoice: required ? ('required' as const) : ('auto' as const),
    maxOutputTokens: mostTokens,
  }
}

function isVerdict({ name }: ModelToolCall): boolean {
  return name === structuredOutput.name
}

/** The results of a turn's calls, verdicts that could not be read among them, in order. */
async function results(
  calls: readonly ModelToolCall[],
  { tools, seal, signal, room }: VerifierWork & { readonly room: number },
): Promise<readonly ModelMessage[]> {
  const ran = await runCalls(
    calls.filter((call) => !isVerdict(call)),
    { tools, seal, signal, room },
  )
  const rest = [...ran]
  return calls.map((call) => {
    if (!isVerdict(call)) return rest.shift() as ModelMessage
    const fault = readVerdict(call)
    return failedCall(call, typeof fault === 'string' ? fault : 'Call it again.')
  })
}

function without(error: string): RawResult {
  return { ending: { kind: 'threw', error } }
}
