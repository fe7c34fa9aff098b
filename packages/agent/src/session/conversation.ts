/** Makes the main conversation of a session: empty, or as a transcript kept it. */
import { addMessage, type Conversation } from '../loop/conversation.ts'
import { createToolbox, type Toolbox } from '../loop/toolbox.ts'
import { toolTable } from '../tools/table.ts'
import type { Workspace } from '../tools/tool.ts'
import type { Held } from './open.ts'
import { transcriptPath } from './places.ts'
import { unansweredCalls } from './resume.ts'
import { servicesOf } from './services.ts'
import { environmentOf, foldersOf } from './surroundings.ts'
import { systemText } from './system.ts'
import { openTranscript } from './transcript.ts'
import { transcriptVersion } from './version.ts'

/** Replaces `held.conversation`; a stored one is told to the model as it was, context of hooks included. */
export function beginConversation(held: Held): Conversation {
  const { options, root } = held
  const before = held.conversation as Conversation | undefined
  const workspace: Workspace = {
    sessionId: held.sessionId,
    scope: held.scope,
    cwd: root,
    root,
    get env() {
      return environmentOf(held)
    },
    filesRead: new Map(),
    services: {},
  }
  const definition = options.agent === undefined ? undefined : held.agents.get(options.agent)
  const toolbox = before?.toolbox ?? mainTools(held)
  const stored = held.stored
  const append = stored !== undefined && held.source !== 'fork'
  const conversation: Conversation = {
    sessionId: held.sessionId,
    scope: held.scope,
    workspace,
    toolbox,
    permissions: held.permissions,
    stations: held.stations,
    emit: held.emit,
    ...(options.display === undefined ? {} : { display: options.display }),
    transcript: openTranscript(
      append ? stored.path : transcriptPath(held.transcripts, held.sessionId),
      { sessionId: held.sessionId, cwd: () => workspace.cwd, version: transcriptVersion },
      append ? { parent: stored.lastId } : {},
    ),
    model: before?.model ?? options.model,
    ...modelNameOf(before?.modelName ?? options.modelName ?? inherited(definition?.model)),
    system: () =>
      systemText({
        given: definition?.prompt ?? options.system ?? { append: '' },
        cwd: workspace.cwd,
        folders: foldersOf(held),
        agents: toolbox.find('Agent') === undefined ? [] : held.agents.values(),
        deferred: toolbox.deferred(workspace.services),
      }),
    messages: append ? [...stored.messages] : [],
    reminders: [],
    tokens: stored?.tokens ?? 0,
    usage: before?.usage ?? { input: 0, output: 0 },
    denials: before?.denials ?? [],
    classifierNotes: [],
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
  }
  Object.assign(workspace, { services: servicesOf(held, conversation) })
  if (stored !== undefined && !append) for (const message of stored.messages) addMessage(conversation, message)
  if (stored !== undefined) mend(conversation, stored.deferred)
  held.conversation = conversation
  return conversation
}

function modelNameOf(name: string | undefined): { modelName?: string } {
  return name === undefined ? {} : { modelName: name }
}

function inherited(name: string | undefined): string | undefined {
  return name === 'inherit' ? undefined : name
}

function mainTools({ options, agents }: Held): Toolbox {
  const definition = options.agent === undefined ? undefined : agents.get(options.agent)
  const toolbox = createToolbox(options.tools ?? toolTable, definition?.tools)
  toolbox.remove([...(options.withoutTools ?? []), ...(definition?.withoutTools ?? [])])
  return toolbox
}

/** Calls that were running when the session ended have no result; the model is told so. Calls that were put off stay open. */
function mend(conversation: Conversation, deferred: readonly string[]): void {
  const open = unansweredCalls(conversation.messages).filter((call) => !deferred.includes(call.id))
  if (open.length === 0) return
  addMessage(conversation, {
    role: 'user',
    content: open.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: `${call.name} was interrupted: the session ended while it ran, so nobody knows how far it came.`,
      is_error: true,
    })),
  })
}
