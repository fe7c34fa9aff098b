/** A provider on loopback that speaks OpenAI's wire forms, chat completions and responses, and plays turns with faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type FakeProvider, readBody, serve } from './anthropic.ts'

export type Block = { text: string } | { tool: string; input: unknown } | { tool: string; rawInput: string }
export type Turn =
  | string
  | Block[]
  | { blocks: Block[]; finishReason?: string }
  | { status: number; message?: string; code?: string; type?: string; headers?: Record<string, string> }
  /** The stream ends after this text without the provider's end; `destroy` cuts the connection. */
  | { cutAfter: string; destroy?: true }
  | { raw: string }
  | { hang: true }

export interface OpenAIRequest {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as it came
  body: any
  headers: IncomingMessage['headers']
}

/** Plays `turns` in order, then "END-OF-SCRIPT". Its base URL is `url` with `/v1`. */
export async function startOpenAI(turns: Turn[]): Promise<FakeProvider<OpenAIRequest>> {
  const requests: OpenAIRequest[] = []
  let at = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? ''
      requests.push({ path, body, headers: request.headers })
      const turn = turns[at++] ?? 'END-OF-SCRIPT'
      if (path.endsWith('/chat/completions')) return chat(response, turn, body.model)
      if (path.endsWith('/responses')) return responses(response, turn, body.model)
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `no ${path}` } }))
    })
  })
  return serve(server, requests)
}

/** Turns that are the same in both forms. */
function fault(response: ServerResponse, turn: Turn): boolean {
  if (typeof turn === 'string' || Array.isArray(turn)) return false
  if ('hang' in turn) return true
  if ('raw' in turn) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(turn.raw)
  else if ('status' in turn) {
    const error = { message: turn.message ?? 'an error', type: turn.type ?? 'error', code: turn.code ?? null, param: null }
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers }).end(JSON.stringify({ error }))
  } else return false
  return true
}

function blocksOf(turn: Turn): Block[] {
  if (typeof turn === 'string') return [{ text: turn }]
  if (Array.isArray(turn)) return turn
  return 'blocks' in turn ? turn.blocks : 'cutAfter' in turn ? [{ text: turn.cutAfter }] : []
}

const json = (block: Extract<Block, { tool: string }>) => ('rawInput' in block ? block.rawInput : JSON.stringify(block.input))

function chat(response: ServerResponse, turn: Turn, model: string): void {
  if (fault(response, turn)) return
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    )
  send({ role: 'assistant', content: '' })
  const blocks = blocksOf(turn)
  let calls = 0
  for (const block of blocks) {
    if ('text' in block) for (const text of block.text.match(/[\s\S]{1,12}/g) ?? []) send({ content: text })
    else {
      const index = calls++
      send({ tool_calls: [{ index, id: `call_${index + 1}`, type: 'function', function: { name: block.tool, arguments: '' } }] })
      for (const part of json(block).match(/[\s\S]{1,20}/g) ?? []) send({ tool_calls: [{ index, function: { arguments: part } }] })
    }
  }
  if (cut(response, turn)) return
  const finish = typeof turn === 'object' && 'finishReason' in turn && turn.finishReason !== undefined ? turn.finishReason : calls > 0 ? 'tool_calls' : 'stop'
  send({}, finish)
  response.write(
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })}\n\n`,
  )
  response.end('data: [DONE]\n\n')
}

function responses(response: ServerResponse, turn: Turn, model: string): void {
  if (fault(response, turn)) return
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sequence = 0
  const send = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`)
  const about = { id: 'resp_1', object: 'response', created_at: 1, model, output: [] }
  send('response.created', { response: { ...about, status: 'in_progress' } })
  for (const [index, block] of blocksOf(turn).entries()) {
    const common = { output_index: index, item_id: `item_${index}` }
    if ('text' in block) {
      send('response.output_item.added', {
        output_index: index,
        item: { id: common.item_id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
      })
      for (const delta of block.text.match(/[\s\S]{1,12}/g) ?? []) send('response.output_text.delta', { ...common, content_index: 0, delta })
      send('response.output_item.done', {
        output_index: index,
        item: {
          id: common.item_id,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: block.text, annotations: [] }],
        },
      })
    } else {
      const item = { id: common.item_id, type: 'function_call', call_id: `call_${index + 1}`, name: block.tool }
      send('response.output_item.added', { output_index: index, item: { ...item, arguments: '', status: 'in_progress' } })
      for (const delta of json(block).match(/[\s\S]{1,20}/g) ?? []) send('response.function_call_arguments.delta', { ...common, delta })
      send('response.output_item.done', { output_index: index, item: { ...item, arguments: json(block), status: 'completed' } })
    }
  }
  if (cut(response, turn)) return
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  }
  send('response.completed', { response: { ...about, status: 'completed', usage, incomplete_details: null, service_tier: 'default' } })
  response.end()
}

function cut(response: ServerResponse, turn: Turn): boolean {
  if (typeof turn === 'string' || Array.isArray(turn) || !('cutAfter' in turn)) return false
  if (turn.destroy === true) setTimeout(() => response.destroy(), 20)
  else response.end()
  return true
}
