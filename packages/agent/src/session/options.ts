/** What a host gives to create an agent. */
import type { Ask, AskTrust, Hookline, Judge, Mcp, PermissionMode, SourceKind, TrustMode } from 'hookline'
import type { AgentDefinition } from '../agents/definition.ts'
import type { AgentModel, TextBlock } from '../model/port.ts'
import type { AnyTool, Services } from '../tools/tool.ts'
import type { SessionHandle } from './handle.ts'
import type { StartSource } from './open.ts'

export interface AgentOptions {
  /** Who answers. `createAgentModel` of '@hookline/agent/model' gives one from the environment. */
  model: AgentModel
  /** The model that was asked for, when it is not the provider's default. */
  modelName?: string
  /** Default: the built-in ones. */
  tools?: readonly AnyTool[]
  /** Names of tools that are left out. */
  withoutTools?: readonly string[]
  /** A Hookline of the host; absent: one is created for `cwd` from the settings there, and closed with the agent. */
  hookline?: Hookline
  /** For the Hookline that is created. */
  settings?: readonly (string | object)[]
  sources?: readonly SourceKind[]
  pluginDirs?: readonly string[]
  trust?: TrustMode | AskTrust
  interactive?: boolean
  watch?: boolean
  audit?: false | { path?: string; sync?: 'decision' | 'batch' | 'off' }
  mcp?: Mcp
  /** For listings. */
  mcpServers?: () => readonly { name: string; status: string }[]
  commands?: () => readonly string[]

  cwd?: string
  /** Environment of the shell commands and hooks; default that of the process. */
  env?: Record<string, string | undefined>
  sessionId?: string
  /** Goes on with a session: its id, or the last one of the folder. `fork`: under a new id, the old one stays as it is. */
  resume?: { sessionId: string; fork?: boolean } | { last: true; fork?: boolean }
  /** Folder of the transcripts; default below the state folder of Hookline. */
  transcripts?: string
  mode?: PermissionMode
  /** Asks the person; absent: nobody is there. */
  ask?: Ask
  /** Judges calls in mode "auto"; default: the model. */
  classify?: Judge
  /** Folders beside `cwd` that the session works in. */
  folders?: readonly string[]
  /** Model requests that one prompt may take; default: any number. */
  maxTurns?: number
  /** Tokens that the model can hold; default 200,000. The conversation is compacted when it comes near. */
  contextWindow?: number
  /** Level of effort as hooks see it; default `medium`. */
  effort?: string
  /** Takes the place of the system text, or is added to it. */
  system?: string | { append: string }
  /** What MessageDisplay hooks are shown at once: whole texts (default), or the finished lines while a text comes. Events of the kind `text` are what they made of it then. */
  display?: 'messages' | 'lines'
  /** A JSON Schema: the answer must be given through the StructuredOutput tool. */
  jsonSchema?: object
  /** Subagent types beside those of the folder and the built-in ones; they win over both. */
  agents?: readonly AgentDefinition[]
  /** Where agent files are looked for; default `.claude/agents` of the folder and of the person. */
  agentFolders?: readonly string[]
  /** The type that the main conversation is itself. */
  agent?: string
  /** Doors from tools to the rest of the host; they win over the agent's own. */
  services?: Partial<Services>
  /** What reads prompts before the model does: slash commands. The first that answers wins. */
  expanders?: readonly Expander[]
  /** What has something to say when a session starts, is cleared or compacted: instructions for the model. */
  starters?: readonly Starter[]
  /** What has something to say before each request: instructions of files, changed folders. */
  notes?: readonly NoteSource[]
  signal?: AbortSignal
}

/** What became of a prompt before it reached the hooks of UserPromptSubmit; undefined: it is none of this expander's. */
export type Expanded =
  | { kind: 'prompt'; text?: string; blocks?: readonly TextBlock[]; context?: string }
  /** Done without the model; `text` is for the person. */
  | { kind: 'done'; text: string }
  /** A hook or a mistake keeps it from the model. */
  | { kind: 'blocked'; notice: string }
export type Expander = (prompt: string, context: { session: SessionHandle; signal: AbortSignal }) => Promise<Expanded | undefined>

/** Texts for the head of the conversation; `said` is what hooks of SessionStart asked for. */
export type Starter = (source: StartSource, session: SessionHandle, said: StartSaid) => Promise<readonly string[]> | readonly string[]

export interface StartSaid {
  /** Skills and commands are to be read again: a hook may have made some. */
  reloadSkills?: true
}

/** Texts for the model before its next request. */
export type NoteSource = (session: SessionHandle) => Promise<readonly string[]> | readonly string[]
