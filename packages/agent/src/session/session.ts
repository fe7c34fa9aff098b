/** One session from its start to its end: setting up, turns, compaction, clearing, resuming, and what is fired around them. */
import { randomUUID } from 'node:crypto'
import { attachAgentHooks } from '../agents/hooks.ts'
import type { Emit, TurnResult } from '../events.ts'
import { runBatch } from '../loop/batch.ts'
import { compactConversation } from '../loop/compact.ts'
import { remind } from '../loop/conversation.ts'
import { roomStations } from '../loop/make-room.ts'
import { continueSubagent } from '../loop/subagent.ts'
import { type Prompt, runTurn } from '../loop/turn.ts'
import { beginConversation } from './conversation.ts'
import { AgentError, type SessionHandle } from './handle.ts'
import { localCommands } from './local-commands.ts'
import { type Held, liveOf, openParts } from './open.ts'
import type { AgentOptions, Expanded } from './options.ts'
import { findTranscript, readTranscript, unansweredCalls } from './resume.ts'
import { environmentOf, foldersOf } from './surroundings.ts'

/** Opens a session; fires nothing yet. */
export async function openSession(options: AgentOptions, emit: Emit): Promise<SessionHandle> {
  const held = (await openParts(options, emit)) as Held
  if (options.agent !== undefined && !held.agents.has(options.agent))
    throw new AgentError(`There is no agent "${options.agent}".`, `The agents are: ${[...held.agents.keys()].join(', ')}.`)
  beginConversation(held)
  const session = handleOf(held)
  held.stations = stationsOf(held, session)
  Object.assign(held.conversation, { stations: held.stations })
  held.startNotes = async (source, said) => (await Promise.all((options.starters ?? []).map(async (starter) => starter(source, session, said)))).flat()
  for (const notice of held.stored?.notices ?? []) emit({ kind: 'notice', level: 'warning', text: notice })
  if (options.jsonSchema !== undefined) (await import('../loop/structured.ts')).attachStructuredOutput(held, options.jsonSchema)
  const definition = options.agent === undefined ? undefined : held.agents.get(options.agent)
  if (definition !== undefined) await attachAgentHooks(held.scope, definition, { emit, main: true })
  return session
}

function handleOf(held: Held): SessionHandle {
  const session: SessionHandle = {
    get sessionId() {
      return held.sessionId
    },
    root: held.root,
    hookline: held.hookline,
    get scope() {
      return held.scope
    },
    get conversation() {
      return held.conversation
    },
    agents: held.agents,
    background: held.background,
    get folders() {
      return foldersOf(held)
    },
    get env() {
      return environmentOf(held)
    },
    emit: held.emit,
    mcpServers: () => held.options.mcpServers?.() ?? [],
    commands: () => ['clear', 'compact', ...(held.options.commands?.() ?? [])],
    get mode() {
      return held.mode
    },
    set mode(mode) {
      if (mode === held.mode) return
      held.mode = mode
      held.emit({ kind: 'mode', mode })
    },
    inbox: held.inbox,
    setUp: async (trigger) => void (await held.scope.fire('Setup', { trigger })),
    start: () => start(held, held.source),
    run: (prompt, { signal }) => run(held, session, { prompt, signal }),
    compact: (request) => compactConversation(held, request),
    clear: () => clear(held),
    resume: (sessionId) => resume(held, sessionId),
    continueAgent: (agentId, message) => continueSubagent(held, agentId, message),
    addFolder(folder, source) {
      if (!held.folders.includes(folder)) held.folders.push(folder)
      if (source === undefined) return
      void held.scope.fire('DirectoryAdded', { directory: folder, source }).then(
        (verdict) => remind(held.conversation, verdict.toModel),
        () => undefined,
      )
    },
    notify: ({ type, message, title }) =>
      void held.scope.fire('Notification', { message, notification_type: type, ...(title === undefined ? {} : { title }) }).catch(() => undefined),
    end: (reason) => end(held, reason),
  }
  return session
}

function stationsOf(held: Held, session: SessionHandle): Held['stations'] {
  return {
    takePrompts: () => held.inbox.splice(0),
    async beforeRequest() {
      const late = held.scope.drain().map(({ toModel }) => toModel)
      const notes = await Promise.all((held.options.notes ?? []).map(async (note) => note(session)))
      return [...late, ...notes.flat()]
    },
    ...roomStations(held),
  }
}

/** Fires SessionStart and puts what its hooks say at the head of the conversation. */
async function start(held: Held, source: 'startup' | 'resume' | 'fork' | 'clear'): Promise<void> {
  const { scope, conversation, options, stored } = held
  held.started = true
  const known = stored === undefined || source === 'clear' ? {} : resumeFacts(stored.lastAnswerAt, stored.tokens)
  const verdict = await scope.fire('SessionStart', { source, ...known, ...(options.agent === undefined ? {} : { agent_type: options.agent }) })
  if (verdict.sessionTitle !== undefined && source !== 'clear') conversation.transcript.title(verdict.sessionTitle)
  remind(conversation, verdict.toModel)
  for (const text of await held.startNotes(source, verdict)) remind(conversation, text)
  if (verdict.initialUserMessage !== undefined && source !== 'clear') held.inbox.unshift({ text: verdict.initialUserMessage })
  if (verdict.stop !== undefined) held.stopped = verdict.stop.reason
}

const cacheLivesMs = 5 * 60_000

function resumeFacts(lastAnswerAt: number | undefined, tokens: number) {
  if (lastAnswerAt === undefined) return {}
  const since = Math.max(0, Date.now() - lastAnswerAt)
  return {
    seconds_since_last_response: Math.round(since / 1000),
    context_tokens: tokens,
    prompt_cache_likely_expired: since > cacheLivesMs,
    estimated_cache_write_usd: 0,
  }
}

interface Running {
  readonly prompt: Prompt
  readonly signal: AbortSignal
}

/** A prompt that an expander answers needs no turn; the others run one. */
async function run(held: Held, session: SessionHandle, { prompt, signal }: Running): Promise<TurnResult> {
  if (!held.started) await start(held, held.source)
  if (held.stopped !== undefined) return local(held, { reason: 'hook_stopped', notice: held.stopped })
  const own = AbortSignal.any([signal, held.signal])
  const expanded = prompt.source === 'system' ? undefined : await expand(held, session, { prompt, signal: own })
  if (expanded?.kind === 'done') return local(held, { reason: 'local', text: expanded.text })
  if (expanded?.kind === 'blocked') return local(held, { reason: 'blocked', notice: expanded.notice })
  const { conversation } = held
  await tryDeferred(held, own)
  if (expanded !== undefined) remind(conversation, expanded.context ?? '')
  held.turns += 1
  return runTurn(
    conversation,
    { ...prompt, ...(expanded?.text === undefined ? {} : { text: expanded.text }), ...(expanded?.blocks === undefined ? {} : { blocks: expanded.blocks }) },
    { signal: own },
  ).finally(() => (held.turns -= 1))
}

async function expand({ options }: Held, session: SessionHandle, { prompt, signal }: Running): Promise<Expanded | undefined> {
  for (const expander of [...(options.expanders ?? []), localCommands]) {
    const expanded = await expander(prompt.text, { session, signal })
    if (expanded !== undefined) return expanded
  }
  return undefined
}

function local(held: Held, facts: Pick<TurnResult, 'reason'> & Partial<TurnResult>): TurnResult {
  const result: TurnResult = { text: '', turns: 0, usage: { input: 0, output: 0 }, durationMs: 0, ...facts }
  held.emit({ kind: 'turn-end', result })
  return result
}

/** Calls that a hook put off are tried again, PreToolUse and all. */
async function tryDeferred({ stored, conversation }: Held, signal: AbortSignal): Promise<void> {
  if (stored === undefined || stored.deferred.length === 0) return
  const open = unansweredCalls(conversation.messages).filter((call) => stored.deferred.includes(call.id))
  if (open.length > 0) await runBatch(conversation, open, { signal })
  stored.deferred = []
}

async function clear(held: Held): Promise<void> {
  await leave(held, 'clear')
  enter(held, randomUUID())
  held.source = 'startup'
  delete held.stored
  beginConversation(held)
  await start(held, 'clear')
}

async function resume(held: Held, sessionId: string): Promise<void> {
  const path = findTranscript(held.transcripts, sessionId)
  if (path === undefined) throw new AgentError(`No conversation found with session ID: ${sessionId}`)
  await leave(held, 'resume')
  enter(held, sessionId)
  held.source = 'resume'
  held.stored = readTranscript(path)
  beginConversation(held)
  await start(held, 'resume')
}

async function leave(held: Held, reason: string): Promise<void> {
  await fireEnd(held, reason)
  held.conversation.transcript.close()
}

/** The scope of another session, with common fields of its own. */
function enter(held: Held, sessionId: string): void {
  held.sessionId = sessionId
  held.scope = held.hookline.session(sessionId, liveOf(held, held.effort))
}

async function fireEnd(held: Held, reason: string): Promise<void> {
  const verdict = await held.scope.fire('SessionEnd', { reason })
  for (const report of verdict.hooks) {
    if (report.status !== 'ran' || report.outcome === 'success') continue
    const why = report.ending.kind === 'timedOut' || report.ending.kind === 'aborted' ? 'Hook cancelled' : (report.stderr ?? '').trim() || 'it failed'
    held.emit({ kind: 'notice', level: 'error', text: `SessionEnd hook [${report.label}] failed: ${why}` })
  }
  held.emit({ kind: 'session-end', reason })
}

async function end(held: Held, reason: string): Promise<void> {
  if (held.ended) return
  held.ended = true
  for (const task of held.background) if (task.status === 'running') task.stop()
  if (held.started) await fireEnd(held, reason)
  held.abort.abort(new Error('The session ended.'))
  held.conversation.transcript.close()
  await letBegin(held)
  await (held.ownsHookline ? held.hookline.close() : held.scope.close())
  // The ends of background hooks are told, too.
  held.unfeed()
}

const beginningMs = 250

/** A background hook that was started just now gets the moment that a process needs to begin; nobody waits for its end. */
async function letBegin({ scope }: Held): Promise<void> {
  const now = Date.now()
  const waits = scope.background.map(({ startedAt, done }) => [startedAt + beginningMs - now, done] as const).filter(([ms]) => ms > 0)
  if (waits.length === 0) return
  const longest = Math.min(beginningMs, Math.max(...waits.map(([ms]) => ms)))
  let timer: NodeJS.Timeout | undefined
  const over = new Promise((done) => {
    timer = setTimeout(done, longest)
  })
  await Promise.race([over, Promise.all(waits.map(([, done]) => done))])
  clearTimeout(timer)
}
