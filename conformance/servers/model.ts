/** A scripted provider on loopback: it speaks the Anthropic wire, streaming and not, and plays the turns of one row. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Block, Case, Turn } from '../row.ts'

/** One request for an answer: which route took it, what its messages said. */
export interface ModelCall {
  route: string
  body: WireRequest
}

export interface WireRequest {
  model: string
  system?: string | { text: string }[]
  messages: { role: string; content: string | WireBlock[] }[]
  tools?: { name: string }[]
  stream?: boolean
}

export interface WireBlock {
  type: string
  text?: string
  tool_use_id?: string
  content?: string | WireBlock[]
  is_error?: boolean
}

export interface ModelServer {
  port: number
  calls: ModelCall[]
  close(): Promise<void>
}

export const textOf = (content: string | WireBlock[] | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map((block) => block.text ?? textOf(block.content)).join('\n')

const systemOf = ({ system = '' }: WireRequest): string => (typeof system === 'string' ? system : system.map(({ text }) => text).join('\n'))

const noService = '(no such service)'

/** Starts the provider of one row; `cases` lists routes and turns, with `${ROOT}` already filled in. */
export async function startModel(row: Case): Promise<ModelServer> {
  const calls: ModelCall[] = []
  const played = new Map<string, number>()
  let toolId = 0

  const routeOf = (body: WireRequest): { name: string; turns: Turn[]; repeat: boolean } => {
    const first = textOf(body.messages.find((message) => message.role === 'user')?.content)
    const last = textOf(body.messages.at(-1)?.content)
    const tools = (body.tools ?? []).length > 0 ? 'some' : 'none'
    for (const route of row.routes ?? []) {
      const { when } = route
      if (when.first !== undefined && !new RegExp(when.first, 's').test(first)) continue
      if (when.last !== undefined && !new RegExp(when.last, 's').test(last)) continue
      if (when.tools !== undefined && when.tools !== tools) continue
      return { name: route.name, turns: route.turns, repeat: true }
    }
    if (/create a detailed summary|summary of (the|this) conversation/i.test(last))
      return { name: 'compact', turns: ['<summary>SUMMARY</summary>'], repeat: true }
    // The safety check of mode "auto" is a service that this provider does not have.
    if (/^You decide whether a coding agent may carry out one tool call/.test(systemOf(body))) return { name: noService, turns: [], repeat: false }
    return { name: 'main', turns: row.modelTurns, repeat: false }
  }

  const nextTurn = (route: { name: string; turns: Turn[]; repeat: boolean }): Turn => {
    const at = played.get(route.name) ?? 0
    played.set(route.name, at + 1)
    return route.turns[at] ?? (route.repeat ? route.turns.at(-1) : undefined) ?? 'END-OF-SCRIPT'
  }

  const answer = async (body: WireRequest, response: ServerResponse): Promise<void> => {
    const route = routeOf(body)
    if (route.name === noService) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'There is no safety check here.' } }))
      return
    }
    calls.push({ route: route.name, body })
    const turn = nextTurn(route)
    const plain = typeof turn === 'string' || Array.isArray(turn) ? {} : turn
    if (plain.delayMs !== undefined) await new Promise((done) => setTimeout(done, plain.delayMs))
    if (plain.status !== undefined) {
      response.writeHead(plain.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error: { type: plain.errorType ?? 'api_error', message: plain.message ?? 'error' } }))
      return
    }
    const blocks = blocksOf(turn).map((block) =>
      'tool' in block
        ? { type: 'tool_use', id: `toolu_fake_${String(++toolId).padStart(4, '0')}`, name: block.tool, input: block.input }
        : { type: 'text', text: block.text },
    )
    const stop = plain.stopReason ?? (blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn')
    const usage = { input_tokens: plain.inputTokens ?? 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 }
    const message = {
      id: `msg_fake_${calls.length}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: blocks,
      stop_reason: stop,
      stop_sequence: null,
      usage,
    }
    if (body.stream === true) stream(response, message)
    else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(message))
    }
  }

  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const path = (request.url ?? '').split('?')[0]
      if (request.method === 'POST' && path?.endsWith('/messages/count_tokens')) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"input_tokens":100}')
      } else if (request.method === 'POST' && path?.endsWith('/messages')) await answer(JSON.parse(text), response)
      else response.writeHead(404).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function blocksOf(turn: Turn): Block[] {
  if (typeof turn === 'string') return [{ text: turn }]
  if (Array.isArray(turn)) return turn
  return turn.blocks ?? (turn.text === undefined ? [] : [{ text: turn.text }])
}

type WireMessage = { content: { type: string; text?: string; input?: unknown }[]; stop_reason: string; usage: { output_tokens: number } }

/** The answer as the provider streams it: one event per part, text in two pieces so that joining is tried. */
function stream(response: ServerResponse, message: WireMessage): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object): void => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { ...message, content: [], stop_reason: null } })
  message.content.forEach((block, index) => {
    const tool = block.type === 'tool_use'
    send('content_block_start', { index, content_block: tool ? { ...block, input: {} } : { type: 'text', text: '' } })
    const whole = tool ? JSON.stringify(block.input) : (block.text ?? '')
    const half = Math.floor(whole.length / 2)
    for (const part of [whole.slice(0, half), whole.slice(half)]) {
      if (part !== '')
        send('content_block_delta', { index, delta: tool ? { type: 'input_json_delta', partial_json: part } : { type: 'text_delta', text: part } })
    }
    send('content_block_stop', { index })
  })
  send('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: message.usage.output_tokens } })
  send('message_stop', {})
  response.end()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
