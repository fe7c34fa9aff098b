/** A provider on loopback that speaks the wire form of Gemini's streamGenerateContent, and plays turns with faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type FakeProvider, readBody, serve } from './anthropic.ts'

export type Block = { text: string } | { tool: string; input: unknown; signature?: string }
export type Turn =
  | string
  | Block[]
  | { blocks: Block[]; finishReason?: string }
  | { status: number; message: string; code?: string; headers?: Record<string, string> }
  /** The stream ends after this text without a reason; `destroy` cuts the connection. */
  | { cutAfter: string; destroy?: true }
  | { raw: string; contentType?: string }

export interface GoogleRequest {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as it came
  body: any
  headers: IncomingMessage['headers']
}

/** Plays `turns` in order, then "END-OF-SCRIPT". Its base URL is `url` with `/v1beta`. */
export async function startGoogle(turns: Turn[]): Promise<FakeProvider<GoogleRequest>> {
  const requests: GoogleRequest[] = []
  let at = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? ''
      requests.push({ path, body, headers: request.headers })
      if (/\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(path)) return answer(response, turns[at++] ?? 'END-OF-SCRIPT')
      fail(response, { status: 404, message: `no ${path}`, code: 'NOT_FOUND' })
    })
  })
  return serve(server, requests)
}

function fail(response: ServerResponse, { status, message, code = 'UNKNOWN', headers }: Extract<Turn, { status: number }>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { code: status, message, status: code } }))
}

function answer(response: ServerResponse, turn: Turn): void {
  if (typeof turn === 'object' && 'status' in turn) return fail(response, turn)
  if (typeof turn === 'object' && 'raw' in turn) return void response.writeHead(200, { 'content-type': turn.contentType ?? 'text/event-stream' }).end(turn.raw)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (parts: object[], more: object = {}, usage: object = {}) =>
    response.write(`data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...usage })}\r\n\r\n`)
  if (typeof turn === 'object' && 'cutAfter' in turn) {
    send([{ text: turn.cutAfter }])
    if (turn.destroy === true) setTimeout(() => response.destroy(), 20)
    else response.end()
    return
  }
  const blocks: Block[] = typeof turn === 'string' ? [{ text: turn }] : Array.isArray(turn) ? turn : turn.blocks
  for (const block of blocks) {
    if ('tool' in block)
      send([{ functionCall: { name: block.tool, args: block.input }, ...(block.signature === undefined ? {} : { thoughtSignature: block.signature }) }])
    else for (const text of block.text.match(/[\s\S]{1,12}/g) ?? []) send([{ text }])
  }
  const finishReason = typeof turn === 'object' && 'blocks' in turn ? (turn.finishReason ?? 'STOP') : 'STOP'
  send(
    [{ text: '' }],
    { finishReason },
    { usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }, modelVersion: 'gemini-pro-latest' },
  )
  response.end()
}
