/** The face of `-p`: runs what was asked for and prints it as text, as one JSON document, or as a stream of lines. */
import type { Agent } from '../agent.ts'
import type { AgentEvent, TurnResult } from '../events.ts'
import { UsageError } from '../session/handle.ts'
import type { Io } from './io.ts'
import { createLines, isFailure, resultLine, resultText } from './stream-lines.ts'
import { safe, safeJson } from './terminal/text.ts'

export interface PrintOptions {
  output: 'text' | 'json' | 'stream-json'
  hooks: boolean
  verbose: boolean
  /** No prompt at all is a mistake; where they come as lines there may be none. */
  required: boolean
  signal: AbortSignal
}

/** Where prompts come from: one text, or a stream of them that ends. */
export type Prompts = AsyncIterable<string>

/** Gives the exit code: 1 when the last turn failed. */
export async function print(agent: Agent, prompts: Prompts, { io: given, options }: { io: Io; options: PrintOptions }): Promise<number> {
  const { session } = agent
  const io = guarded(given, options.output)
  const lines = createLines(session, { hooks: options.hooks })
  const seen: object[] = []
  let last: TurnResult | undefined
  const show = (event: AgentEvent) => {
    if (event.kind === 'turn-end') last = event.result
    if (options.output === 'text') tell(event, io, options)
    else for (const line of lines(event)) options.output === 'stream-json' ? io.out(`${JSON.stringify(line)}\n`) : seen.push(line)
    if (event.kind === 'notice' && event.level === 'error' && options.output !== 'text') io.err(`${event.text}\n`)
  }
  using _ = agent.on(show)
  await agent.start()
  show({
    kind: 'session',
    sessionId: session.sessionId,
    model: session.conversation.modelName ?? session.conversation.model.name,
    cwd: session.root,
    tools: session.conversation.toolbox.names(),
    mode: session.mode,
    mcpServers: session.mcpServers(),
    commands: session.commands(),
    agents: [...session.agents.keys()],
  })
  await drive(agent, prompts, options.signal)
  if (last === undefined && options.required && !options.signal.aborted)
    throw new UsageError('There is no prompt.', 'Say one behind -p, or pipe one into stdin.')
  if (last !== undefined && options.output === 'json') io.out(`${JSON.stringify(options.verbose ? seen : resultLine(last, session))}\n`)
  if (last?.error?.hint !== undefined) io.err(`${last.error.hint}\n`)
  // What hooks of SessionEnd have to say is still heard.
  await agent.close()
  return last !== undefined && isFailure(last) ? 1 : 0
}

/** Nothing that a model or a hook writes steers a terminal: not what people read, and not JSON on a screen. A pipe gets the answer as it is. */
function guarded(io: Io, output: PrintOptions['output']): Pick<Io, 'out' | 'err'> {
  const out = output !== 'text' ? safeJson : io.shown === true ? safe : (text: string) => text
  return { out: (text) => io.out(out(text)), err: (text) => io.err(safe(text)) }
}

/** Runs prompts as they come, and what ends in the background puts into the inbox; a prompt that comes while a turn runs joins it. */
async function drive(agent: Agent, prompts: Prompts, signal: AbortSignal): Promise<void> {
  let open = true
  let wake = () => {}
  const reading = (async () => {
    for await (const prompt of prompts) {
      agent.send(prompt)
      wake()
    }
  })().finally(() => {
    open = false
    wake()
  })
  reading.catch(() => undefined)
  while (!signal.aborted) {
    const result = await agent.next({ signal })
    if (result !== undefined) continue
    if (!open) {
      if (await agent.settled()) continue
      break
    }
    await new Promise<void>((resolve) => {
      wake = resolve
      const undo = agent.on((event) => {
        if (event.kind !== 'wake') return
        undo()
        resolve()
      })
      if (!open || agent.session.inbox.length > 0) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
  if (!signal.aborted) await reading
}

function tell(event: AgentEvent, io: Pick<Io, 'out' | 'err'>, { verbose }: PrintOptions): void {
  if (event.kind === 'turn-end') {
    const { result } = event
    const text = resultText(result)
    if (text !== '') io.out(text.endsWith('\n') ? text : `${text}\n`)
    if (result.reason !== 'blocked' && result.notice !== undefined) io.err(`${result.notice}\n`)
    if (result.reason === 'max_turns') io.err('The limit of --max-turns was reached.\n')
  } else if (event.kind === 'notice' && (event.level !== 'info' || verbose)) io.err(`${event.text}\n`)
  else if (event.kind === 'retry') io.err(`The model did not answer (${event.reason}); trying again in ${Math.round(event.delayMs / 100) / 10} s.\n`)
  else if (verbose && event.kind === 'tool-start') io.err(`${event.name} ${JSON.stringify(event.input)}\n`)
}
