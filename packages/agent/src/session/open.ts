/** Opens a session: its Hookline, its first conversation, new or read back, and the parts that it keeps as a whole. */
import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic, Hookline, Session as HookSession, Late, PermissionMode, Undo } from 'hookline'
import { createHookline, defaultModeOf } from 'hookline/node'
import { type AgentDefinition, builtInAgents } from '../agents/definition.ts'
import { findAgents } from '../agents/find.ts'
import type { Emit } from '../events.ts'
import { type Conversation, remind } from '../loop/conversation.ts'
import { feedHooks } from '../loop/hook-feed.ts'
import type { Prompt } from '../loop/turn.ts'
import { createHookModel } from '../model/hook-model.ts'
import { classifyWith } from '../permissions/classify.ts'
import { createPermissionSetup, type PermissionSetup } from '../permissions/setup.ts'
import { storeUpdates } from '../permissions/store.ts'
import type { BackgroundTask } from '../tools/tool.ts'
import { AgentError } from './handle.ts'
import { liveFields } from './live.ts'
import type { AgentOptions, StartSaid } from './options.ts'
import { transcriptFolder, transcriptPath } from './places.ts'
import { findTranscript, lastSession, readTranscript, type Stored } from './resume.ts'
import { foldersOf } from './surroundings.ts'

/** What a session is made of; everything in it that changes is changed by the session's own functions. */
export interface Held {
  readonly options: AgentOptions
  readonly emit: Emit
  readonly env: Record<string, string | undefined>
  readonly root: string
  readonly transcripts: string
  readonly hookline: Hookline
  readonly ownsHookline: boolean
  readonly effort: string
  readonly agents: Map<string, AgentDefinition>
  readonly background: BackgroundTask[]
  readonly inbox: Prompt[]
  readonly permissions: PermissionSetup
  readonly unfeed: Undo
  /** Subagents that may be gone on with, by id. */
  readonly finished: Map<string, object>
  /** Of the main conversation. */
  stations: Conversation['stations']
  sessionId: string
  scope: HookSession
  /** Set right after the parts are there. */
  conversation: Conversation
  mode: PermissionMode
  folders: string[]
  /** How this session began. */
  source: 'startup' | 'resume' | 'fork'
  stored?: Stored
  started: boolean
  ended: boolean
  /** Turns that run now. */
  turns: number
  /** A hook of SessionStart ended the session before its first prompt. */
  stopped?: string
  /** Fires when the session ends. */
  readonly signal: AbortSignal
  readonly abort: AbortController
  /** What a session starts with beside its hooks: instructions. */
  startNotes(source: StartSource, said: StartSaid): Promise<readonly string[]>
}

export type StartSource = 'startup' | 'resume' | 'fork' | 'clear' | 'compact'

/** What is there before the first conversation is. */
export type Parts = Omit<Held, 'conversation'> & { conversation?: Conversation }

/** @throws AgentError for a session that is not there; HooklineError for settings and policies that cannot be used. */
export async function openParts(options: AgentOptions, emit: Emit): Promise<Parts> {
  const env = options.env ?? process.env
  const root = realFolder(options.cwd ?? process.cwd())
  const transcripts = transcriptFolder(root, env, options.transcripts)
  const stored = readStored(options, transcripts)
  const forks = options.resume?.fork === true
  const sessionId = forks ? (options.sessionId ?? randomUUID()) : (stored?.sessionId ?? options.sessionId ?? randomUUID())
  const inbox: Prompt[] = []
  const abort = new AbortController()
  const background: BackgroundTask[] = []
  const parts = { options, emit, env, root, transcripts, sessionId, inbox, background } as unknown as Parts
  const live = liveOf(parts, options.effort ?? 'medium')
  const hookline = options.hookline ?? (await ownHookline(options, { parts, live, sessionId }))
  const agents = new Map(
    [
      ...builtInAgents,
      ...findAgents({ cwd: root, env, ...(options.agentFolders === undefined ? {} : { folders: options.agentFolders }) }, emit),
      ...(options.agents ?? []),
    ].map((one) => [one.name, one]),
  )
  return Object.assign(parts, {
    hookline,
    ownsHookline: options.hookline === undefined,
    effort: options.effort ?? 'medium',
    agents,
    scope: hookline.session(sessionId, live),
    mode: options.mode ?? defaultModeOf(hookline) ?? 'default',
    folders: [...(options.folders ?? [])].map((folder) => resolve(root, folder)),
    permissions: permissionsOf(parts),
    unfeed: feedHooks(hookline.trace, emit),
    stations: {},
    finished: new Map<string, object>(),
    source: forks ? ('fork' as const) : stored === undefined ? ('startup' as const) : ('resume' as const),
    ...(stored === undefined ? {} : { stored }),
    started: false,
    turns: 0,
    ended: false,
    abort,
    signal: options.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, options.signal]),
    startNotes: async () => [],
  })
}

/** Scripts get the folder as the kernel names it, as their own `pwd` does. */
function realFolder(folder: string): string {
  try {
    return realpathSync(resolve(folder))
  } catch {
    throw new AgentError(`There is no folder ${resolve(folder)}.`, 'Start in the folder that the agent should work in.')
  }
}

function readStored({ resume }: AgentOptions, folder: string): Stored | undefined {
  if (resume === undefined) return undefined
  const id = 'sessionId' in resume ? resume.sessionId : lastSession(folder)
  if (id === undefined) throw new AgentError('There is no session to go on with in this folder.', 'Start a new one without --continue.')
  const path = findTranscript(folder, id)
  if (path === undefined) throw new AgentError(`No conversation found with session ID: ${id}`, `Transcripts of this folder lie in ${folder}.`)
  return readTranscript(path)
}

export function liveOf(parts: Parts, effort: string): ReturnType<typeof liveFields> {
  const { options } = parts
  return liveFields({
    sessionId: () => parts.sessionId,
    transcriptPath: () => parts.conversation?.transcript.path ?? transcriptPath(parts.transcripts, parts.sessionId),
    cwd: () => parts.conversation?.workspace.cwd ?? parts.root,
    promptId: () => parts.conversation?.promptId,
    mode: () => parts.mode,
    effort,
    ...(options.agent === undefined ? {} : { agentType: options.agent }),
  })
}

async function ownHookline(
  options: AgentOptions,
  { parts, live, sessionId }: { parts: Parts; live: ReturnType<typeof liveFields>; sessionId: string },
): Promise<Hookline> {
  const { settings, sources, pluginDirs, trust, interactive, watch, audit, mcp } = options
  return createHookline({
    cwd: parts.root,
    sessionId,
    base: live,
    env: parts.env,
    model: createHookModel(options.model),
    onNotice: (notice) => tellNotice(parts, notice),
    onRewake: (late) => rewake(parts, late),
    ...(settings === undefined ? {} : { settings }),
    ...(sources === undefined ? {} : { sources }),
    ...(pluginDirs === undefined ? {} : { pluginDirs }),
    ...(trust === undefined ? {} : { trust }),
    ...(interactive === undefined ? {} : { interactive }),
    ...(watch === undefined ? {} : { watch }),
    ...(audit === undefined ? {} : { audit }),
    ...(mcp === undefined ? {} : { mcp }),
  })
}

function tellNotice({ emit }: Parts, diagnostic: Diagnostic): void {
  // The verdict of the event says it too, with the place where it happened.
  if (diagnostic.code === 'hook-failed') return
  emit({ kind: 'notice', level: diagnostic.severity, text: noticeText(diagnostic), diagnostic })
}

/** Where, what, what next. */
function noticeText({ message, hint, file, line, column }: Diagnostic): string {
  const where = [file, line, column].filter((part) => part !== undefined).join(':')
  const what = file === undefined || message.includes(file) ? message : `${where}: ${message}`
  return hint === undefined ? what : `${/[.!?]$/.test(what) ? what : `${what}.`} ${hint}`
}

/** A background hook wants the model now: in a running turn it joins the next request, else it starts one. */
function rewake(parts: Parts, late: Late): void {
  const { conversation, inbox, emit } = parts
  if (late.toUser !== '') emit({ kind: 'notice', level: 'info', text: late.toUser })
  if (late.toModel === '' || conversation === undefined) return
  if (parts.turns > 0) {
    remind(conversation, late.toModel)
    return
  }
  inbox.push({ text: late.toModel, source: 'system' })
  emit({ kind: 'wake' })
}

function permissionsOf(parts: Parts): PermissionSetup {
  const { options } = parts
  return createPermissionSetup({
    mode: () => parts.mode,
    folders: () => foldersOf(parts as Held),
    classify: options.classify ?? classifyWith(options.model, { conversation: () => parts.conversation }),
    onUpdate: (updates) => storeUpdates(parts as Held, updates),
    ...(options.ask === undefined ? {} : { ask: options.ask }),
  })
}
