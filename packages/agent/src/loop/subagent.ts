/** Subagents: a conversation, a scope and a transcript of their own, in the foreground or beside the turn that started them. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { attachAgentHooks } from '../agents/hooks.ts'
import type { TurnResult } from '../events.ts'
import type { Held } from '../session/open.ts'
import { taskOutputPath } from '../session/places.ts'
import { type BackgroundTask, type SpawnRequest, type TeamSeat, type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts'
import { type Conversation, remind } from './conversation.ts'
import { completed } from './subagent-result.ts'
import { makeConversation, modelOf, type Run } from './subagent-seat.ts'
import { runTurn } from './turn.ts'

interface Spawning {
  readonly request: SpawnRequest
  readonly context: ToolContext
}

/** Starts a subagent. In the background it reports through the session's inbox when it is done. */
export async function spawnSubagent(held: Held, parent: Conversation, { request, context }: Spawning): Promise<ToolResult> {
  const definition = held.agents.get(request.subagentType)
  if (definition === undefined) throw new ToolError(`Agent type '${request.subagentType}' not found. Available agents: ${[...held.agents.keys()].join(', ')}`)
  const id = `a${randomBytes(8).toString('hex')}`
  const stop = new AbortController()
  const spawn: Run['spawn'] = (own, asked, inner) => spawnSubagent(held, own, { request: asked, context: inner })
  const run: Run = { held, parent, definition, id, request, toolUseId: context.toolUseId, spawn }
  if (!request.background && definition.background !== true) return inForeground(run, context.signal)
  return inBackground(run, stop)
}

async function inForeground(run: Run, signal: AbortSignal): Promise<ToolResult> {
  const { result, conversation } = await runSubagent(run, signal)
  if (result.reason === 'interrupted') throw new ToolError('The subagent was interrupted.')
  if (result.reason === 'error') throw new ToolError(result.text)
  return { text: result.text, response: completed(run, result, conversation) }
}

function inBackground(run: Run, stop: AbortController): ToolResult {
  const { held, definition, id, request } = run
  const outputFile = taskOutputPath(held.transcripts, held.sessionId, id)
  const task: BackgroundTask = {
    id,
    kind: 'subagent',
    description: request.description,
    agentType: definition.name,
    status: 'running',
    outputFile,
    stop: () => stop.abort(new Error('stopped')),
    done: Promise.resolve(),
  }
  held.background.push(task)
  // The Agent tool's own answer comes first.
  task.done = new Promise<void>((done) => setImmediate(done))
    .then(() => runSubagent(run, stop.signal))
    .then(
      ({ result }) =>
        finish(run, task, { status: result.reason === 'interrupted' ? 'killed' : result.reason === 'error' ? 'failed' : 'completed', text: result.text }),
      (error: unknown) =>
        finish(run, task, { status: stop.signal.aborted ? 'killed' : 'failed', text: error instanceof Error ? error.message : String(error) }),
    )
  const text = `Async agent launched successfully.\nagentId: ${id}\nThe agent works in the background; its report comes by itself when it is done. Its output grows in ${outputFile}. Do not wait for it, and do not do its work yourself.`
  return {
    text,
    response: {
      isAsync: true,
      status: 'async_launched',
      agentId: id,
      description: request.description,
      resolvedModel: modelOf(run),
      prompt: request.prompt,
      outputFile,
      canReadOutputFile: true,
      canContinueAgent: true,
    },
  }
}

function finish({ held, request, toolUseId }: Run, task: BackgroundTask, { status, text }: { status: BackgroundTask['status']; text: string }): void {
  task.status = status
  const file = task.outputFile as string
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (status === 'killed') return
  const words = status === 'completed' ? 'finished' : 'failed'
  held.inbox.push({
    text: [
      '<task-notification>',
      `<task-id>${task.id}</task-id>`,
      `<tool-use-id>${toolUseId}</tool-use-id>`,
      `<output-file>${file}</output-file>`,
      `<status>${status}</status>`,
      `<summary>Agent "${request.description}" ${words}</summary>`,
      `<result>${text}</result>`,
      '</task-notification>',
    ].join('\n'),
    source: 'system',
  })
  held.emit({ kind: 'wake' })
}

/** Goes on with a subagent that has finished; its report comes through the inbox. False when there is none with this id. */
export function continueSubagent(held: Held, id: string, message: string): boolean {
  const finished = held.finished.get(id)
  if (finished === undefined) return false
  held.finished.delete(id)
  const { run, conversation } = finished as { run: Run; conversation: Conversation }
  inBackground({ ...run, request: { ...run.request, prompt: message }, before: conversation }, new AbortController())
  return true
}

/** Runs a subagent to its end, with the events around it. */
async function runSubagent(run: Run, signal: AbortSignal): Promise<{ result: TurnResult; conversation: Conversation }> {
  const { held, parent, definition, id, request } = run
  const { emit } = held
  const isolated = request.isolation === 'worktree' || definition.isolation === 'worktree' ? await isolate(run, signal) : undefined
  const conversation = makeConversation(run, isolated?.path ?? parent.workspace.cwd)
  const { scope } = conversation
  const detach = await attachAgentHooks(scope, definition, { emit })
  const seat = request.name === undefined || !request.background ? undefined : parent.workspace.services.joinTeam?.(request.name, id)
  emit({ kind: 'subagent-start', agentId: id, type: definition.name, description: request.description })
  let result: TurnResult | undefined
  try {
    const verdict = await scope.fire('SubagentStart', { agent_id: id, agent_type: definition.name }, { signal })
    remind(conversation, verdict.toModel)
    result = await runTurn(conversation, { text: request.prompt }, { signal })
    if (seat !== undefined) result = await stayInTeam(run, { conversation, seat, result, signal })
    if (isolated === undefined && seat === undefined) held.finished.set(id, { run, conversation })
    return { result, conversation }
  } finally {
    seat?.leave()
    emit({ kind: 'subagent-end', agentId: id, type: definition.name, reason: result?.reason ?? 'error' })
    detach()
    conversation.transcript.close()
    parent.usage = { input: parent.usage.input + conversation.usage.input, output: parent.usage.output + conversation.usage.output }
    await isolated?.leave()
    await scope.close()
  }
}

/** A teammate does not end with its turn: it goes on with what its hooks or its mail say, until nothing does. */
async function stayInTeam(
  { id, definition }: Run,
  staying: { conversation: Conversation; seat: TeamSeat; result: TurnResult; signal: AbortSignal },
): Promise<TurnResult> {
  const { conversation, seat, signal } = staying
  let { result } = staying
  while (result.reason !== 'interrupted' && result.reason !== 'error') {
    const next = await seat.afterTurn({ scope: conversation.scope, signal, report: result.text })
    if (next === undefined) break
    const verdict = await conversation.scope.fire('SubagentStart', { agent_id: id, agent_type: definition.name }, { signal })
    remind(conversation, verdict.toModel)
    result = await runTurn(conversation, { text: next }, { signal })
  }
  return result
}

async function isolate({ parent, id }: Run, signal: AbortSignal): Promise<{ path: string; leave(): Promise<void> }> {
  const { isolate: make } = parent.workspace.services
  if (make === undefined) throw new ToolError('This agent has no worktrees: a subagent cannot be isolated here.')
  return make({ name: `agent-${id}` }, { scope: parent.scope, signal })
}
