/** What a tool is to the loop: a name, a schema, and one function that does the work. */
import type { PermissionMode, Scope } from 'hookline'
import type { z } from 'zod'
import type { Media } from '../model/port.ts'

export type { Media } from '../model/port.ts'

/** What a tool hands back: `response` is the structured output that hooks see as `tool_response`; `text` is what the model reads. */
export interface ToolResult {
  response: unknown
  text: string
  /** Pictures and PDFs that the model looks at beside the text. */
  media?: readonly Media[]
}

/** A tool that could not do its work says so by throwing this; `message` is what hooks and the model read. Anything else thrown is a defect. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ToolError'
  }
}

/** The conversation that a call runs in, as far as tools may see it. One object per conversation: the main one, or a subagent's. */
export interface Workspace {
  readonly sessionId: string
  /** Set in a subagent. */
  readonly agentId?: string
  readonly scope: Scope
  /** The current directory; a Bash call may move it. */
  cwd: string
  /** Where the session started. */
  readonly root: string
  /** Environment of the shell commands that tools start. */
  readonly env: Record<string, string | undefined>
  /** Absolute path → what was read: Write and Edit refuse a file that was not read, or that changed since. */
  readonly filesRead: Map<string, { mtimeMs: number; size: number }>
  /** What the rest of the agent does for tools; absent where a conversation cannot do it, and the tool then says so. */
  readonly services: Services
}

/** A background shell command or subagent. */
export interface BackgroundTask {
  id: string
  kind: 'shell' | 'subagent'
  description: string
  /** Of a shell command. */
  command?: string
  /** Of a subagent. */
  agentType?: string
  status: 'running' | 'completed' | 'failed' | 'killed'
  /** Of a shell command that has ended. */
  exitCode?: number
  /** Where its output grows, when it has one. */
  outputFile?: string
  stop(): void
  done: Promise<void>
}

/** Doors from tools to the rest of the agent. Each is a function, so that a host or a test can bring its own. */
export interface Services {
  /** Runs a subagent to its end; `response` has the shape of the Agent tool's output. */
  spawnAgent?: (request: SpawnRequest, context: ToolContext) => Promise<ToolResult>
  /** Loads a skill: gives the text for the model. */
  useSkill?: (request: { skill: string; args?: string }, context: ToolContext) => Promise<ToolResult>
  /** Asks the person; absent without a person. */
  askUser?: (questions: readonly AskedQuestion[], context: { signal: AbortSignal }) => Promise<Record<string, string>>
  /** Called when a shell command moved the current directory. */
  cwdChanged?: (oldCwd: string, newCwd: string) => Promise<void>
  /** Sends a message to a teammate or a running subagent. */
  sendMessage?: (request: { to: string; message: string; summary?: string }, context: ToolContext) => Promise<ToolResult>
  /** Makes a named background subagent a teammate: what it does after each turn, and that it has left. */
  joinTeam?: (name: string, agentId: string) => TeamSeat
  /** The shared task list of the session or the team. */
  tasks?: TaskList
  /** Worktrees of the session. */
  enterWorktree?: (request: { name?: string }, context: ToolContext) => Promise<ToolResult>
  exitWorktree?: (request: { action: 'keep' | 'remove'; discardChanges?: boolean }, context: ToolContext) => Promise<ToolResult>
  /** A folder of its own for a subagent; `leave` is called when it has finished. */
  isolate?: (request: { name: string }, context: { scope: Scope; signal: AbortSignal }) => Promise<{ path: string; leave(): Promise<void> }>
  /** Files that a tool read: rules and nested instructions that belong to them are loaded before the next request. */
  fileTouched?: (path: string) => void
  /** What runs in the background of this session, newest last. */
  background?: BackgroundTask[]
  /** Called when a shell command of the background has ended by itself. */
  taskEnded?: (task: BackgroundTask) => void
  /** Tools whose schema the model has not seen yet (ToolSearch looks through them and makes them visible). */
  deferredTools?: () => readonly AnyTool[]
  reveal?: (names: readonly string[]) => void
  /** Changes the permission mode of the session (plan mode); absent where nobody may. */
  setMode?: (mode: PermissionMode) => void
  /** One question to a small model about a page (WebFetch); absent: the page's text is handed over whole, capped. */
  summarize?: (request: { prompt: string; text: string }, context: { signal: AbortSignal }) => Promise<string>
}

/** A teammate's place: `afterTurn` gives its next prompt, or nothing when it is to end. */
export interface TeamSeat {
  afterTurn(turn: { scope: Scope; signal: AbortSignal; report: string }): Promise<string | undefined>
  leave(): void
}

export interface SpawnRequest {
  description: string
  prompt: string
  subagentType: string
  model?: string
  background: boolean
  isolation?: 'worktree'
  name?: string
}

export interface AskedQuestion {
  question: string
  header: string
  options: readonly { label: string; description: string }[]
  multiSelect: boolean
}

export interface Task {
  id: string
  subject: string
  description: string
  activeForm?: string
  status: 'pending' | 'in_progress' | 'completed'
  owner?: string
  blocks: string[]
  blockedBy: string[]
  metadata?: Record<string, unknown>
}

/** Tasks in a file of the session, or of the team: several conversations may hold it at once. */
export interface TaskList {
  create(task: Omit<Task, 'id' | 'status' | 'blocks' | 'blockedBy'>): Promise<Task>
  get(id: string): Promise<Task | undefined>
  list(): Promise<readonly Task[]>
  /** `blocks` and `blockedBy` are added to what is there, and the other task is linked back. */
  update(id: string, change: Partial<Omit<Task, 'id'>>): Promise<Task | undefined>
  remove(id: string): Promise<boolean>
}

export interface ToolContext {
  readonly workspace: Workspace
  readonly toolUseId: string
  readonly signal: AbortSignal
  /** The input as the model sent it, before `normalize`; absent when a hook or a person rewrote it. */
  readonly sent?: unknown
  /** A line of progress for the person; may be called at any time before the tool ends. */
  progress(text: string): void
}

/** One tool. `schema` checks what the model sent before any hook sees it; `inputSchema` (JSON Schema) is for the model. */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Former names that settings and models may still use. */
  readonly aliases?: readonly string[]
  readonly description: string
  readonly kind: 'read' | 'edit' | 'other'
  readonly schema: S
  /** Absent: made from `schema`. */
  readonly inputSchema?: object
  /** Not offered to the model at first; ToolSearch finds it. */
  readonly deferred?: boolean
  /** Without this service the tool cannot work, and is not offered. */
  readonly needs?: keyof Services
  /** What hooks see as `mcp_server`, for tools of MCP servers. */
  readonly mcpServer?: { name: string; source: string }
  /** Makes the input what hooks see, e.g. a relative path absolute. Must not fail. */
  normalize?(input: z.output<S>, workspace: Workspace): z.output<S>
  execute(input: z.output<S>, context: ToolContext): Promise<ToolResult>
  /** What the model reads of an output of this shape that a hook put in the place of the tool's own. */
  textOf?(response: unknown): string | undefined
  /** The pictures and PDFs in such an output. */
  mediaOf?(response: unknown): readonly Media[]
  /** Hooks of a batch see the result as content blocks, as for subagents; absent: as text. */
  readonly responseBlocks?: true
}

// A table of tools holds tools of every input; each is called only with what its own schema gave.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyTool = Tool<any>

/** Types a tool; the identity at run time. */
export function defineTool<S extends z.ZodType>(tool: Tool<S>): Tool<S> {
  return tool
}
