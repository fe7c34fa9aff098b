/** One session as commands, notes and hosts see it: its conversation, and what may be done to it as a whole. */
import type { Hookline, Session as HookSession, PermissionMode } from 'hookline'
import type { AgentDefinition } from '../agents/definition.ts'
import type { Emit, TurnResult } from '../events.ts'
import type { Conversation } from '../loop/conversation.ts'
import type { Prompt } from '../loop/turn.ts'
import type { BackgroundTask } from '../tools/tool.ts'

export interface SessionHandle {
  /** Changes when the session is cleared, or another one is resumed. */
  readonly sessionId: string
  /** Where the session started: the folder whose settings count. */
  readonly root: string
  readonly hookline: Hookline
  /** The scope of the present conversation. */
  readonly scope: HookSession
  readonly conversation: Conversation
  readonly agents: ReadonlyMap<string, AgentDefinition>
  readonly background: BackgroundTask[]
  /** Folders beside the root that the session works in. */
  readonly folders: readonly string[]
  readonly env: Record<string, string | undefined>
  readonly emit: Emit
  mcpServers(): readonly { name: string; status: string }[]
  /** Names of slash commands. */
  commands(): readonly string[]
  mode: PermissionMode
  /** Prompts that wait for a turn: of the person, of tasks that ended, of hooks that woke the model. */
  readonly inbox: Prompt[]
  /** Fires Setup. */
  setUp(trigger: 'init' | 'maintenance'): Promise<void>
  /** Fires SessionStart, once; a resumed session says so. */
  start(): Promise<void>
  run(prompt: Prompt, context: { signal: AbortSignal }): Promise<TurnResult>
  /** Puts a summary in the place of the conversation. Gives what became of it, in words, when it could not be done. */
  compact(request: { trigger: 'manual' | 'auto'; instructions?: string; signal: AbortSignal }): Promise<string | undefined>
  /** Ends this session with the reason `clear` and begins an empty one. */
  clear(): Promise<void>
  /** Leaves this session for a stored one. @throws AgentError when there is none. */
  resume(sessionId: string): Promise<void>
  /** Hands a message to a subagent that has finished; it goes on in the background. False when there is none with this id. */
  continueAgent(agentId: string, message: string): boolean
  /** Adds a folder to work in; `source` set: hooks of DirectoryAdded are told, and nobody waits for them. */
  addFolder(folder: string, source?: 'slash_command' | 'register_repo_root'): void
  /** Fires Notification; nobody waits. */
  notify(notification: { type: string; message: string; title?: string }): void
  /** Fires SessionEnd and closes everything. Harmless to call twice. */
  end(reason: string): Promise<void>
}

/** A mistake of whoever started or steers the agent, in words for them. */
export class AgentError extends Error {
  readonly hint?: string
  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'AgentError'
    if (hint !== undefined) this.hint = hint
  }
}

/** Words of a command line that cannot be read. */
export class UsageError extends AgentError {}
