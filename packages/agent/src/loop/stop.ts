/** The end of a turn: Stop or SubagentStop, which may send the agent back, and StopFailure, which takes their place after an error. */

import { ModelError } from '../model/port.ts'
import type { BackgroundTask } from '../tools/tool.ts'
import { type Conversation, lastWords } from './conversation.ts'

/** What the hooks of a stop made of it. */
export type StopSays = { kind: 'ends' } | { kind: 'goes-on'; feedback: string } | { kind: 'overridden'; notice: string } | { kind: 'stopped'; reason: string }

/** Fires Stop, or SubagentStop in a subagent. The scope counts blocks in a row and caps them. */
export async function fireStop(conversation: Conversation, { signal }: { signal: AbortSignal }): Promise<StopSays> {
  const { scope, seat, transcript, workspace } = conversation
  const common = { last_assistant_message: lastWords(conversation), background_tasks: tasksOf(workspace.services.background ?? []), session_crons: [] }
  const options = { signal, locals: { messages: () => conversation.messages } }
  const verdict =
    seat === undefined
      ? await scope.fire('Stop', common, options)
      : await scope.fire('SubagentStop', { ...common, agent_id: seat.id, agent_type: seat.type, agent_transcript_path: transcript.path }, options)
  if (verdict.stop !== undefined) return { kind: 'stopped', reason: verdict.stop.reason }
  if (verdict.blocked) return { kind: 'goes-on', feedback: `Stop hook feedback:\n${verdict.toModel}` }
  const capped = verdict.warnings.find((warning) => warning.code === 'stop-block-cap')
  return capped === undefined
    ? { kind: 'ends' }
    : { kind: 'overridden', notice: capped.hint === undefined ? capped.message : `${capped.message} ${capped.hint}` }
}

/** Fires StopFailure, which replaces Stop. Gives the text that stands for the answer. */
export async function fireStopFailure(conversation: Conversation, error: ModelError): Promise<string> {
  const text = failureText(error)
  if (conversation.seat !== undefined) return text
  await conversation.scope.fire('StopFailure', {
    error: error.kind,
    ...(error.detail === undefined || text.includes(error.detail) ? {} : { error_details: error.detail }),
    last_assistant_message: text,
  })
  return text
}

/** An error of the model service as the person and hooks read it. */
export function failureText(error: ModelError): string {
  const status = error.status === undefined ? '' : `${error.status} `
  const said = `API Error: ${status}${error.detail ?? error.message}`
  return error.kind === 'authentication_failed' ? `Failed to authenticate. ${said}` : said
}

/** What still runs in the background, in the words of the wire. */
export function tasksOf(
  tasks: readonly BackgroundTask[],
): { id: string; type: string; status: string; description: string; command?: string; agent_type?: string }[] {
  return tasks
    .filter((task) => task.status === 'running')
    .map(({ id, kind, status, description, command, agentType }) => ({
      id,
      type: kind,
      status,
      description: clip(description),
      ...(command === undefined ? {} : { command: clip(command) }),
      ...(agentType === undefined ? {} : { agent_type: agentType }),
    }))
}

const longestText = 1_000

function clip(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}… [cut]`
}
