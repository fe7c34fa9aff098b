/** A provider on loopback that speaks Anthropic's Messages wire form and plays turns, with the faults that real providers show. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Block = { text: string } | { tool: string; input: unknown } | { tool: string; rawInput: string }
export type Turn =
  | string
  | Block[]
  | { blocks: Block[]; stopReason?: string; inputTokens?: number; delayMs?: number }
  /** An HTTP error. */
  | { status: number; errorType?: string; message?: string; headers?: Record<string, string>; body?: string }
  /** The connection is cut after this text; `clean` ends the response without the provider's end. */
  | { cutAfter: string; clean?: true }
  /** An `error` event in the middle of the stream. */
  | { errorEvent: { type: string; message: string }; after?: string }
  /** Anything else on the wire. */
  | { raw: string; contentType?: string }
  /** Never answers. */
  | { hang: true }

export interface Route {
  name: string
  when: { first?: string; last?: string; tools?: 'none' | 'some' }
  turns: Turn[]
}

export interface AnthropicRequest {
  route: string
  body: {
    model: string
    system?: unknown
    messages: { role: string; content: unknown }[]
    tools?: { name: string; input_schema: unknown }[]
    max_tokens: number
    tool_choice?: unknown
  }
  headers: IncomingMessage['headers']
}

export interface FakeProvider<R> {
  url: string
  requests: R[]
  close(): Promise<void>
}

/** Plays `turns` in order, then "END-OF-SCRIPT"; a route repeats its last turn. */
export async function startAnthropic(turns: Turn[], routes: Route[] = []): Promise<FakeProvider<AnthropicRequest>> {
  const requests: AnthropicRequest[] = []
  const places = new Map<string, number>()
  let ids = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (!request.url?.endsWith('/v1/messages')) return void fail(response, 404, { type: 'not_found_error', message: `no ${request.url}` })
      const route = routes.find((it) => fits(it, body))
      requests.push({ route: route?.name ?? 'main', body, headers: request.headers })
      const at = places.get(route?.name ?? '') ?? 0
      places.set(route?.name ?? '', at + 1)
      const turn = route === undefined ? (turns[at] ?? 'END-OF-SCRIPT') : (route.turns[at] ?? route.turns.at(-1) ?? '')
      void answer(response, turn, { model: body.model, nextId: () => `toolu_fake_${String(++ids).padStart(4, '0')}` })
    })
  })
  return serve(server, requests)
}

/** Listens on a free port of loopback. */
export async function serve<R>(server: ReturnType<typeof createServer>, requests: R[]): Promise<FakeProvider<R>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export async function readBody(request: IncomingMessage): Promise<AnthropicRequest['body']> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}

function fail(response: ServerResponse, status: number, error: { type: string; message: string }, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ type: 'error', error }))
}

async function answer(response: ServerResponse, turn: Turn, { model, nextId }: { model: string; nextId: () => string }): Promise<void> {
  if (typeof turn === 'object' && !Array.isArray(turn)) {
    if ('hang' in turn) return
    if ('raw' in turn) return void response.writeHead(200, { 'content-type': turn.contentType ?? 'text/event-stream' }).end(turn.raw)
    if ('status' in turn) {
      if (turn.body !== undefined) return void response.writeHead(turn.status, { 'content-type': 'text/html', ...turn.headers }).end(turn.body)
      return fail(response, turn.status, { type: turn.errorType ?? 'api_error', message: turn.message ?? 'an error' }, turn.headers)
    }
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object = {}) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const extras = typeof turn === 'object' && !Array.isArray(turn) && 'blocks' in turn ? turn : undefined
  if (extras?.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, extras.delayMs))
  const usage = { input_tokens: extras?.inputTokens ?? 100, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  send('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage } })
  if (typeof turn === 'object' && 'cutAfter' in turn) {
    sendText(send, 0, turn.cutAfter)
    if (turn.clean === true) response.end()
    else setTimeout(() => response.destroy(), 20)
    return
  }
  if (typeof turn === 'object' && 'errorEvent' in turn) {
    if (turn.after !== undefined) sendText(send, 0, turn.after)
    send('error', { error: turn.errorEvent })
    return void response.end()
  }
  const blocks: Block[] = typeof turn === 'string' ? [{ text: turn }] : Array.isArray(turn) ? turn : 'blocks' in turn ? turn.blocks : []
  for (const [index, block] of blocks.entries()) {
    if ('text' in block) {
      sendText(send, index, block.text)
      continue
    }
    send('content_block_start', { index, content_block: { type: 'tool_use', id: nextId(), name: block.tool, input: {} } })
    const json = 'rawInput' in block ? block.rawInput : JSON.stringify(block.input)
    for (const part of json.match(/[\s\S]{1,40}/g) ?? []) send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: part } })
    send('content_block_stop', { index })
  }
  const stopReason = extras?.stopReason ?? (blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn')
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 20 } })
  send('message_stop')
  response.end()
}

function sendText(send: (type: string, data: object) => void, index: number, text: string): void {
  send('content_block_start', { index, content_block: { type: 'text', text: '' } })
  for (const part of text.match(/[\s\S]{1,12}/g) ?? []) send('content_block_delta', { index, delta: { type: 'text_delta', text: part } })
  send('content_block_stop', { index })
}

function fits({ when }: Route, body: AnthropicRequest['body']): boolean {
  if (when.tools !== undefined && ((body.tools?.length ?? 0) > 0 ? 'some' : 'none') !== when.tools) return false
  if (when.first !== undefined && !new RegExp(when.first, 's').test(textOf(body.messages.find((it) => it.role === 'user')))) return false
  return when.last === undefined || new RegExp(when.last, 's').test(textOf(body.messages.at(-1)))
}

/** All texts of a message, those of tool results too. */
export function textOf(message: { content: unknown } | undefined): string {
  const { content } = message ?? {}
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((it) => (typeof it.text === 'string' ? it.text : 'content' in it ? textOf(it) : '')).join('\n')
}
