/** The http handler against real servers on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpHandler, type HttpHandlerOptions } from '../../../src/handlers/http/http.ts'
import { events } from '../../../src/protocol/events.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../../src/protocol/runner.ts'

interface Seen {
  headers: IncomingMessage['headers']
  body: string
  connection: number
}
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; seen: Seen[]; connections: () => number; server: Server }> {
  const seen: Seen[] = []
  let connections = 0
  const ids = new WeakMap<object, number>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ headers: request.headers, body, connection: ids.get(request.socket) ?? 0 })
    answer(request, response)
  })
  server.on('connection', (socket) => ids.set(socket, ++connections))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUps.push(
    () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(done)
      }),
  )
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, connections: () => connections, server }
}

function handler(options: HttpHandlerOptions = {}): HandlerRunner {
  const made = createHttpHandler(options)
  cleanUps.push(() => made.close?.())
  return made
}

function hook(url: string, more: object = {}): RunnableHook {
  return { info: {} as never, spec: { type: 'http', url, ...more } }
}

function context(more: Partial<RunContext> = {}): RunContext {
  const input = { tool_name: 'Bash' }
  return {
    row: events.PreToolUse,
    callId: 'c-1',
    sessionId: 's-1',
    input,
    payload: new TextEncoder().encode(JSON.stringify(input)),
    signal: new AbortController().signal,
    timeoutMs: 5_000,
    locals: {},
    projectDir: '/',
    cwd: '/',
    ...more,
  }
}

const run = async (made: HandlerRunner, one: RunnableHook, more: Partial<RunContext> = {}): Promise<RawResult> => made.run(one, context(more))

describe('an http hook', () => {
  it('posts the payload as JSON with the call id and hands the body on', async () => {
    const { origin, seen } = await serve((_, response) => response.end('{"continue":true}'))
    const result = await run(handler({ policy: () => ({ allowedHttpOrigins: [origin] }) }), hook(`${origin}/hook?x=1`))
    expect(result).toEqual({ ending: { kind: 'replied', status: 200 }, stdout: '{"continue":true}' })
    expect(seen[0]).toMatchObject({ body: '{"tool_name":"Bash"}', headers: { 'content-type': 'application/json', 'x-hookline-call-id': 'c-1' } })
  })

  it('keeps its connection open for the next call', async () => {
    const { origin, connections } = await serve((_, response) => response.end('{}'))
    const made = handler({ policy: () => ({ allowedHttpOrigins: [origin] }) })
    for (let count = 0; count < 10; count++) await run(made, hook(origin))
    // The client may open a second connection while the first is still being given back; it never opens a third.
    expect(connections()).toBeLessThanOrEqual(2)
  })

  it.each([
    ['a literal', (port: string) => `http://127.0.0.1:${port}/`],
    ['an odd spelling', (port: string) => `http://2130706433:${port}/`],
    ['a name', (port: string) => `http://localhost:${port}/`],
    ['a mapped address', (port: string) => `http://[::ffff:127.0.0.1]:${port}/`],
  ])('never connects to this machine through %s that nobody listed', async (_name, spell) => {
    const { origin, connections } = await serve((_, response) => response.end('{}'))
    const result = await run(handler(), hook(spell(new URL(origin).port)))
    expect(result.ending).toMatchObject({ kind: 'refused', why: expect.stringContaining('loopback') })
    expect(connections()).toBe(0)
  })

  it('judges the address that is dialled, not the one looked up before', async () => {
    const { origin, connections } = await serve((_, response) => response.end('{}'))
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    let asked = 0
    const made = handler({ lookUp: async () => answers[Math.min(asked++, 1)] as string[] })
    asked = 1
    const result = await run(made, hook(`http://rebind.example.com:${new URL(origin).port}/`))
    expect(result.ending).toMatchObject({ kind: 'refused', why: expect.stringContaining('loopback') })
    expect(connections()).toBe(0)
  })

  it('takes origins from its own start environment', async () => {
    const { origin } = await serve((_, response) => response.end('{}'))
    const result = await run(handler({ env: { HOOKLINE_HTTP_ORIGINS: `http://other.test ${origin}` } }), hook(origin))
    expect(result.ending).toEqual({ kind: 'replied', status: 200 })
  })

  it('does not follow redirects', async () => {
    const target = await serve((_, response) => response.end('{}'))
    const { origin } = await serve((_, response) => response.writeHead(307, { location: target.origin }).end())
    const made = handler({ policy: () => ({ allowedHttpOrigins: [origin, target.origin] }) })
    expect((await run(made, hook(origin))).ending).toEqual({ kind: 'replied', status: 307 })
    expect(target.seen).toHaveLength(0)
  })

  it('refuses a URL that is not on the allow-list', async () => {
    const { origin, seen } = await serve((_, response) => response.end('{}'))
    const made = handler({ policy: () => ({ allowedHttpOrigins: [origin], allowedHttpHookUrls: ['https://hooks.example.com/*'] }) })
    expect((await run(made, hook(origin))).ending).toMatchObject({ kind: 'refused', why: expect.stringContaining('not-listed') })
    expect(seen).toHaveLength(0)
  })

  it('fills headers from both allow-lists only, and leaves the framing alone', async () => {
    const { origin, seen } = await serve((_, response) => response.end('{}'))
    const env = { TOKEN: ' abc\r\n', OTHER: 'leak', SECOND: 'two' }
    const made = handler({ env, policy: () => ({ allowedHttpOrigins: [origin], httpHookAllowedEnvVars: ['TOKEN'] }) })
    const headers = {
      Authorization: 'Bearer $TOKEN',
      'X-A': '${OTHER}|${SECOND}|$NOPE',
      Host: 'evil.test',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
    }
    await run(made, hook(origin, { headers, allowedEnvVars: ['TOKEN', 'SECOND'] }))
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer  abc', 'x-a': '||', host: new URL(origin).host })
    expect(seen[0]?.body).toBe('{"tool_name":"Bash"}')
  })

  it.each([
    ['CR and LF', 'abc\r\nX-Evil: 1'],
    ['LF', 'abc\nX-Evil: 1'],
    ['CR', 'abc\rX-Evil: 1'],
    ['a folded line', 'abc\r\n X-Evil: 1'],
    ['NUL', 'abc\0def'],
    ['an escape', 'abc\u001b[2J'],
    ['DEL', 'abc\u007f'],
    ['a letter whose low byte is LF', 'abc\u010aX-Evil: 1'],
    ['a letter whose low byte is CR', 'abc\u010dX-Evil: 1'],
    ['NEL', 'abc\u0085X-Evil: 1'],
    ['a letter of Latin-1', 'caf\u00e9'],
    ['half a character', 'abc\ud800'],
  ])('sends nothing when a header holds %s, and does not say what it held', async (_what, value) => {
    const { origin, seen } = await serve((_, response) => response.end('{}'))
    const made = handler({ env: { TOKEN: value }, policy: () => ({ allowedHttpOrigins: [origin] }) })
    const { ending } = await run(made, hook(origin, { headers: { 'X-Token': 'Bearer $TOKEN.' }, allowedEnvVars: ['TOKEN'] }))
    expect(ending).toEqual({ kind: 'refused', why: expect.stringContaining('the header "x-token" holds a line break') })
    expect((ending as { why: string }).why).not.toMatch(/abc|caf/)
    expect((await run(made, hook(origin, { headers: { 'X-Written': `a${value}.` } }))).ending.kind).toBe('refused')
    expect(seen).toEqual([])
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('reads a %s body, and stops at a bomb', async (encoding, compress) => {
    let body = compress(Buffer.from('{"a":1}'))
    const { origin } = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    const made = handler({ policy: () => ({ allowedHttpOrigins: [origin] }) })
    expect(await run(made, hook(origin))).toMatchObject({ stdout: '{"a":1}' })
    body = compress(Buffer.alloc(64 * 1024 * 1024, 65))
    expect((await run(made, hook(origin))).ending).toEqual({ kind: 'overflowed', stream: 'body', limit: 1_048_576 })
  })

  it('stops reading a body over its cap', async () => {
    const { origin } = await serve((_, response) => {
      const chunk = Buffer.alloc(65_536, 65)
      const push = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', push)
      }
      push()
    })
    const result = await run(handler({ policy: () => ({ allowedHttpOrigins: [origin] }) }), hook(origin))
    expect(result.ending).toEqual({ kind: 'overflowed', stream: 'body', limit: 1_048_576 })
  })

  it.each([
    ['before the headers', (_: IncomingMessage, __: ServerResponse) => {}],
    ['in the middle of the body', (_: IncomingMessage, response: ServerResponse) => void response.write('{')],
    [
      'through a body that drips',
      (_: IncomingMessage, response: ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('times out %s', async (_name, answer) => {
    const { origin } = await serve(answer)
    const result = await run(handler({ policy: () => ({ allowedHttpOrigins: [origin] }) }), hook(origin), { timeoutMs: 150 })
    expect(result.ending).toEqual({ kind: 'timedOut', afterMs: 150 })
  })

  it('ends as aborted when the host aborts', async () => {
    const { origin } = await serve(() => {})
    const abort = new AbortController()
    const pending = run(handler({ policy: () => ({ allowedHttpOrigins: [origin] }) }), hook(origin), { signal: abort.signal })
    setTimeout(() => abort.abort(), 50)
    expect((await pending).ending).toEqual({ kind: 'aborted' })
  })

  it.each([
    ['nobody listens', async () => 'http://127.0.0.1:1', 'blocked-port', 'refused'],
    ['the connection is refused', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED', 'unspawnable'],
    ['the name does not exist', async () => 'http://nowhere.invalid/', 'nowhere.invalid', 'unspawnable'],
  ])('says why when %s', async (_name, makeUrl, why, kind) => {
    const url = await makeUrl()
    const { ending } = await run(
      handler({
        policy: () => ({ allowedHttpOrigins: [new URL(url).origin] }),
        ...(url.includes('.invalid')
          ? { lookUp: async (host: string) => Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })) }
          : {}),
      }),
      hook(url),
    )
    expect(ending.kind).toBe(kind)
    expect(JSON.stringify(ending)).toContain(why)
  })

  it('says that a reply broke off', async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"a"')
      setTimeout(() => response.destroy(), 20)
    })
    const { ending } = await run(handler({ policy: () => ({ allowedHttpOrigins: [origin] }) }), hook(origin))
    expect(ending).toMatchObject({ kind: 'threw', error: expect.stringContaining('broke off') })
  })

  it('asks again when a kept connection was closed under it', async () => {
    let closed = 0
    const tcp = createTcpServer((socket) => {
      let served = 0
      socket.on('error', () => {})
      socket.on('data', () => {
        served += 1
        if (served === 1) return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\n{}')
        closed += 1
        return socket.destroy()
      })
    })
    await new Promise<void>((ready) => tcp.listen(0, '127.0.0.1', ready))
    cleanUps.push(() => new Promise((done) => tcp.close(done)))
    const origin = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`
    const made = handler({ policy: () => ({ allowedHttpOrigins: [origin] }) })
    const endings = []
    for (let count = 0; count < 6; count++) endings.push((await run(made, hook(origin))).ending)
    expect(endings).toEqual(Array(6).fill({ kind: 'replied', status: 200 }))
    expect(closed).toBeGreaterThan(0)
  })

  it('judges the host before a proxy hears of it', async () => {
    const proxy = await serve((_, response) => response.end('{}'))
    const made = handler({ env: { HTTP_PROXY: proxy.origin }, lookUp: async () => ['10.1.2.3'] })
    expect((await run(made, hook('http://internal.example.com/'))).ending).toMatchObject({ kind: 'refused', why: expect.stringContaining('private') })
    expect(proxy.connections()).toBe(0)
    const open = handler({ env: { HTTP_PROXY: proxy.origin }, lookUp: async () => ['93.184.215.14'] })
    expect((await run(open, hook('http://public.example.com/a'))).ending).toEqual({ kind: 'replied', status: 200 })
    expect(proxy.seen).toHaveLength(1)
  })
})

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
