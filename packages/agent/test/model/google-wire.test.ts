/** The agent's model over a server that speaks Gemini's wire form: answers, calls, faults and retries. */
import { expect, it, onTestFinished } from 'vitest'
import { createAgentModel } from '../../src/model/choose.ts'
import { ModelError, type ModelEvent, type ModelRequest } from '../../src/model/port.ts'
import { startGoogle, type Turn } from '../servers/google.ts'

const key = 'AIzaSyTestKey0123456789'
const bash = { name: 'Bash', description: 'Runs a command', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }
const hello: ModelRequest = {
  purpose: 'main',
  system: 'You are an agent.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [bash],
}
const live = () => ({ signal: new AbortController().signal })

async function connect(turns: Turn[]) {
  const server = await startGoogle(turns)
  onTestFinished(() => server.close())
  const env = { GOOGLE_GENERATIVE_AI_API_KEY: key, GOOGLE_GENERATIVE_AI_BASE_URL: `${server.url}/v1beta` }
  return { server, agent: createAgentModel({ env, retry: { retries: 3, firstMs: 5, longestMs: 3000 } }) }
}

async function all(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

async function failure(turns: Turn[]): Promise<ModelError & { requests: number }> {
  const { agent, server } = await connect(turns)
  const error = await all(agent.stream(hello, live())).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  return Object.assign(error as ModelError, { requests: server.requests.length })
}

const textIn = (events: ModelEvent[]) => events.map((it) => (it.kind === 'text' ? it.text : '')).join('')

it('streams text and gives the tokens', async () => {
  const { agent, server } = await connect(['one two three four five'])
  const events = await all(agent.stream(hello, live()))
  expect(textIn(events)).toBe('one two three four five')
  expect(events.filter((it) => it.kind === 'text').length).toBeGreaterThan(1)
  expect(events.at(-1)).toMatchObject({ kind: 'end', finish: 'stop', usage: { input: 100, output: 20 }, stopReason: 'STOP' })
  const [request] = server.requests
  expect(request).toMatchObject({ path: '/v1beta/models/gemini-pro-latest:streamGenerateContent?alt=sse', headers: { 'x-goog-api-key': key } })
  expect(request?.body).toMatchObject({
    systemInstruction: { parts: [{ text: 'You are an agent.' }] },
    contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
    tools: [{ functionDeclarations: [{ name: 'Bash' }] }],
  })
})

it('hands out the calls of tools with ids of their own', async () => {
  const { agent } = await connect([[{ text: 'I look.' }, { tool: 'Bash', input: { command: 'ls' } }, { tool: 'Bash', input: { command: 'pwd' } }]])
  const events = await all(agent.stream(hello, live()))
  const calls = events.filter((it) => it.kind === 'tool')
  expect(calls).toMatchObject([
    { name: 'Bash', input: { command: 'ls' } },
    { name: 'Bash', input: { command: 'pwd' } },
  ])
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  expect(events.at(-1)).toMatchObject({ finish: 'tool-calls' })
})

it('sends results behind their calls, and failures too', async () => {
  const { agent, server } = await connect(['ok'])
  await all(
    agent.stream(
      {
        ...hello,
        messages: [
          ...hello.messages,
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'x' } }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't1', content: 'it failed', is_error: true },
              { type: 'text', text: 'from a hook', reminder: true },
            ],
          },
        ],
      },
      live(),
    ),
  )
  const sent = JSON.stringify(server.requests[0]?.body.contents)
  expect(sent).toMatch(/functionCall.*"name":"Bash".*functionResponse.*"name":"Bash".*it failed.*from a hook/)
})

it('hands the signature of a call back with it: without one the call would be refused', async () => {
  const { agent, server } = await connect([[{ tool: 'Bash', input: { command: 'ls' }, signature: 'SIGNED' }], 'ok'])
  const [call] = (await all(agent.stream(hello, live()))).filter((it) => it.kind === 'tool')
  expect(call).toMatchObject({ signature: 'SIGNED' })
  const { id, name, input, signature } = call as Extract<ModelEvent, { kind: 'tool' }>
  const said = { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id, name, input, ...(signature === undefined ? {} : { signature }) }] }
  const results = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: id, content: 'a.txt' }] }
  await all(agent.stream({ ...hello, messages: [...hello.messages, said, results] }, live()))
  expect(server.requests[1]?.body.contents[1].parts).toMatchObject([{ functionCall: { name: 'Bash' }, thoughtSignature: 'SIGNED' }])
})

it.each([
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'refused'],
])('with the reason %s finishes as %s', async (finishReason, finish) => {
  const { agent } = await connect([{ blocks: [{ text: 'a' }], finishReason }])
  expect((await all(agent.stream(hello, live()))).at(-1)).toMatchObject({ kind: 'end', finish, stopReason: finishReason })
})

it.each<[string, Turn, string, RegExp, number]>([
  [
    'a key that is none',
    { status: 400, message: 'API key not valid. Please pass a valid API key.', code: 'INVALID_ARGUMENT' },
    'authentication_failed',
    /does not accept the key/,
    1,
  ],
  ['403', { status: 403, message: 'no right', code: 'PERMISSION_DENIED' }, 'authentication_failed', /does not allow this: 403 no right/, 1],
  ['404', { status: 404, message: 'models/x is not found', code: 'NOT_FOUND' }, 'model_not_found', /does not know the model "gemini-pro-latest"/, 1],
  ['429 is asked again, then said', { status: 429, message: 'Resource has been exhausted', code: 'RESOURCE_EXHAUSTED' }, 'rate_limit', /limits the rate/, 4],
  ['503 is asked again, then said', { status: 503, message: 'The model is overloaded.', code: 'UNAVAILABLE' }, 'overloaded', /is overloaded: 503/, 4],
  ['500 is asked again, then said', { status: 500, message: 'oops', code: 'INTERNAL' }, 'server_error', /500 oops/, 4],
  [
    'too much context',
    { status: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', code: 'INVALID_ARGUMENT' },
    'invalid_request',
    /token count/,
    1,
  ],
  ['a cut connection', { cutAfter: 'half an', destroy: true }, 'server_error', /broke off/, 4],
  ['a stream without an end', { cutAfter: 'half an' }, 'server_error', /broke off in the middle/, 4],
  ['a page', { raw: '<html>login</html>', contentType: 'text/html' }, 'server_error', /an HTML page in the place of a stream/, 3],
])('%s', async (_title, turn, kind, message, requests) => {
  const error = await failure(Array.from({ length: 8 }, () => turn))
  expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(message)])
  expect(error.requests).toBe(requests)
})

it('waits as long as retry-after says', async () => {
  const { agent } = await connect([{ status: 429, message: 'slow', code: 'RESOURCE_EXHAUSTED', headers: { 'retry-after': '0.05' } }, 'fine'])
  expect(await all(agent.stream(hello, live()))).toContainEqual(expect.objectContaining({ kind: 'retry', delayMs: 50 }))
})

it('never shows the key', async () => {
  const error = await failure([{ status: 403, message: `the key ${key} may not`, code: 'PERMISSION_DENIED' }])
  expect(`${error.message} ${error.hint} ${error.detail}`).not.toContain('SyTestKey')
})
