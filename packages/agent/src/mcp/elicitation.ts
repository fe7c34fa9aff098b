/** A server asks the person something: Elicitation first, then the person, then ElicitationResult, then the answer goes back. */
import type { Scope } from 'hookline'

export interface ElicitationRequest {
  server: string
  message: string
  mode: 'form' | 'url'
  url?: string
  id?: string
  schema?: Record<string, unknown>
}

export interface ElicitationAnswer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** Asks the person; absent where nobody can be asked: the answer then is `cancel`. */
export type AskElicitation = (request: ElicitationRequest, context: { signal: AbortSignal }) => Promise<ElicitationAnswer>

export interface ElicitationContext {
  scope: Scope
  signal: AbortSignal
  ask?: AskElicitation
  notify: (notice: { type: string; message: string; title?: string }) => Promise<void>
}

/** Answers one request of a server; never rejects, save by the host's own signal. */
export async function elicit(request: ElicitationRequest, context: ElicitationContext): Promise<ElicitationAnswer> {
  const { scope, signal } = context
  const common = { mcp_server_name: request.server, mode: request.mode, ...(request.id === undefined ? {} : { elicitation_id: request.id }) }
  const before = await scope.fire(
    'Elicitation',
    {
      ...common,
      message: request.message,
      ...(request.url === undefined ? {} : { url: request.url }),
      ...(request.schema === undefined ? {} : { requested_schema: request.schema }),
    },
    { signal },
  )
  const given = before.elicitation
  const answer = given === undefined ? await askPerson(request, context) : withoutUndefined(given)
  const after = await scope.fire('ElicitationResult', { ...common, ...answer }, { signal })
  const final = after.elicitation === undefined ? answer : withoutUndefined({ ...answer, ...after.elicitation })
  await context.notify({ type: 'elicitation_response', message: `Elicitation response for server "${request.server}": ${final.action}` })
  return final.action === 'accept' ? { action: 'accept', content: final.content ?? {} } : { action: final.action }
}

async function askPerson(request: ElicitationRequest, context: ElicitationContext): Promise<ElicitationAnswer> {
  if (context.ask === undefined) return { action: 'cancel' }
  const type = request.mode === 'url' ? 'elicitation_url_dialog' : 'elicitation_dialog'
  await context.notify({ type, message: `MCP server "${request.server}" asks: ${request.message}` })
  return context.ask(request, { signal: context.signal })
}

function withoutUndefined(answer: { action: ElicitationAnswer['action']; content?: Record<string, unknown> | undefined }): ElicitationAnswer {
  return answer.content === undefined ? { action: answer.action } : { action: answer.action, content: answer.content }
}
