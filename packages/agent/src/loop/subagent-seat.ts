/** A subagent's own conversation: its scope, its transcript, its tools, its model and its mode. */
import type { PermissionMode } from 'hookline'
import type { AgentDefinition } from '../agents/definition.ts'
import { isBelow } from '../permissions/place.ts'
import type { PermissionSetup } from '../permissions/setup.ts'
import { liveFields } from '../session/live.ts'
import type { Held } from '../session/open.ts'
import { subagentPath } from '../session/places.ts'
import { environmentOf, foldersOf } from '../session/surroundings.ts'
import { systemText } from '../session/system.ts'
import { openTranscript } from '../session/transcript.ts'
import { transcriptVersion } from '../session/version.ts'
import type { SpawnRequest, ToolContext, ToolResult, Workspace } from '../tools/tool.ts'
import { type Conversation, remind } from './conversation.ts'
import { roomStations } from './make-room.ts'
import { createToolbox } from './toolbox.ts'

/** One run of a subagent. */
export interface Run {
  readonly held: Held
  readonly parent: Conversation
  readonly definition: AgentDefinition
  readonly id: string
  readonly request: SpawnRequest
  readonly toolUseId: string
  /** Starts a subagent of its own, where its type may. */
  readonly spawn: (parent: Conversation, asked: SpawnRequest, context: ToolContext) => Promise<ToolResult>
  /** What it said before: it goes on with that. */
  readonly before?: Conversation
}

/** Makes the conversation; one that goes on has what it said before. */
export function makeConversation(run: Run, cwd: string): Conversation {
  const { held, parent, definition, id, toolUseId, before } = run
  const transcript = openTranscript(
    subagentPath(held.transcripts, held.sessionId, id),
    {
      sessionId: held.sessionId,
      agentId: id,
      cwd: () => workspace.cwd,
      version: transcriptVersion,
    },
    before === undefined ? {} : { parent: before.transcript.lastId },
  )
  const live = liveFields({
    sessionId: () => held.sessionId,
    transcriptPath: () => held.conversation.transcript.path,
    cwd: () => workspace.cwd,
    promptId: () => held.conversation.promptId,
    mode: permissionsOf(run).mode,
    effort: held.effort,
  })
  const scope = held.scope.agent(id, definition.name, live)
  const workspace: Workspace = {
    sessionId: held.sessionId,
    agentId: id,
    scope,
    cwd,
    root: held.root,
    get env() {
      return environmentOf(held)
    },
    filesRead: new Map(),
    services: {},
  }
  const toolbox = createToolbox(parent.toolbox.all(), definition.tools)
  toolbox.remove([
    ...(definition.withoutTools ?? []),
    ...(definition.tools?.includes('Agent') === true ? [] : ['Agent']),
    'AskUserQuestion',
    'StructuredOutput',
  ])
  const model = modelNameOf(run)
  const conversation: Conversation = {
    sessionId: held.sessionId,
    seat: { id, type: definition.name, parentToolUseId: toolUseId },
    scope,
    workspace,
    transcript,
    toolbox,
    permissions: permissionsOf(run),
    stations: roomStations(held),
    emit: held.emit,
    model: parent.model,
    ...(model === undefined ? {} : { modelName: model }),
    system: () =>
      systemText({
        given: definition.prompt,
        cwd: workspace.cwd,
        folders: cwd === held.root ? foldersOf(held) : [...foldersOf(held), cwd],
        agents: [],
        deferred: toolbox.deferred(workspace.services),
      }),
    messages: before?.messages ?? [],
    reminders: [],
    tokens: 0,
    usage: { input: 0, output: 0 },
    denials: held.conversation.denials,
    classifierNotes: held.conversation.classifierNotes,
    ...(definition.maxTurns === undefined ? {} : { maxTurns: definition.maxTurns }),
  }
  const { askUser: _, ...services } = parent.workspace.services
  Object.assign(workspace, {
    services: {
      ...services,
      spawnAgent: (asked: SpawnRequest, context: ToolContext) => run.spawn(conversation, asked, context),
      cwdChanged: async (oldCwd: string, newCwd: string) =>
        remind(conversation, `# Environment update\n - Primary working directory: ${newCwd} (was ${oldCwd})`),
      deferredTools: () => toolbox.deferred(workspace.services),
      reveal: (names: readonly string[]) => toolbox.reveal(names),
    },
  })
  return conversation
}

/** A type may have a mode of its own. One that a file of the folder brings can only be stricter than the session's. */
function permissionsOf({ held, definition: { mode, file } }: Run): PermissionSetup {
  if (mode === undefined) return held.permissions
  const brought = file !== undefined && isBelow(file, held.root)
  return brought && !strictModes.includes(mode) ? held.permissions : held.permissions.inMode(mode)
}

const strictModes: readonly PermissionMode[] = ['plan', 'dontAsk', 'default']

/** The model of a subagent: the call's, else its type's, else its parent's. */
export function modelNameOf({ request: { model }, definition, parent }: Run): string | undefined {
  const named = model ?? definition.model
  return named === undefined || named === 'inherit' ? parent.modelName : named
}

export function modelOf(run: Run): string {
  return modelNameOf(run) ?? run.parent.model.name
}
