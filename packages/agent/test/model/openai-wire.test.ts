/** The agent's model over servers that speak OpenAI's wire forms: a server of one's own (chat completions) and OpenAI itself (responses). */
import { afterEach, describe, expect, it } from 'vitest'
import { createSdkModel } from '../../src/model/ai-sdk.ts'
import { createAgentModel } from '../../src/model/choose.ts'
import type { AgentModel, ModelEvent, ModelRequest } from '../../src/model/port.ts'
import { startOpenAI, type Turn } from '../servers/openai.ts'

const key = 'sk-proj-secret0123456789'
const retry = { retries: 3, firstMs: 5, longestMs: 3000 }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const bash = { name: 'Bash', description: 'Runs a command', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }
const hello: ModelRequest = {
  purpose: 'main',
  system: 'You are an agent.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [bash],
}
const live = () => ({ signal: new AbortController().signal })

type Way = 'a server of one’s own' | 'OpenAI'

/** OpenAI's own address cannot be reached in a test: its provider is opened with another one. */
async function connect(way: Way, turns: Turn[]): Promise<{ agent: AgentModel; server: Awaited<ReturnType<typeof startOpenAI>> }> {
  const server = await startOpenAI(turns)
  closers.push(() => server.close())
  const baseURL = `${server.url}/v1`
  if (way !== 'OpenAI') return { server, agent: createAgentModel({ env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseURL }, model: 'my-model', retry }) }
  const agent: AgentModel = createSdkModel({
    name: 'gpt-6-sol',
    label: 'openai gpt-6-sol',
    asked: { provider: 'OpenAI', address: new URL(baseURL).host, keyName: 'OPENAI_API_KEY', secrets: [key] },
    open: async (name) => (await import('@ai-sdk/openai')).createOpenAI({ baseURL, apiKey: key })(name),
    retry,
    named: () => agent,
  })
  return { agent, server }
}

async function all(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

const textIn = (events: ModelEvent[]) => events.map((it) => (it.kind === 'text' ? it.text : '')).join('')

describe.each<[Way, string, string]>([
  ['a server of one’s own', 'my-model', '/v1/chat/completions'],
  ['OpenAI', 'gpt-6-sol', '/v1/responses'],
])('%s', (way, model, path) => {
  it('streams text and gives the tokens', async () => {
    const { agent, server } = await connect(way, ['one two three four five'])
    const events = await all(agent.stream(hello, live()))
    expect(textIn(events)).toBe('one two three four five')
    expect(events.at(-1)).toMatchObject({ kind: 'end', finish: 'stop', usage: { input: 100, output: 20 }, model })
    expect(server.requests[0]).toMatchObject({ path, body: { model, stream: true }, headers: { authorization: `Bearer ${key}` } })
  })

  it.each([
    [
      'calls of tools',
      [
        { tool: 'Bash', input: { command: 'ls -la' } },
        { tool: 'Bash', input: { command: 'pwd' } },
      ],
      [{ command: 'ls -la' }, { command: 'pwd' }],
    ],
    ['input that is not JSON as the text that was sent', [{ tool: 'Bash', rawInput: '{"command": ' }], ['{"command": ']],
  ] as [string, Turn, unknown[]][])('hands out %s', async (_title, turn, inputs) => {
    const { agent } = await connect(way, [turn])
    const events = await all(agent.stream(hello, live()))
    expect(events.flatMap((it) => (it.kind === 'tool' ? [it.input] : []))).toEqual(inputs)
    expect(events.at(-1)).toMatchObject({ kind: 'end' })
  })

  const faults: [string, Turn, string, RegExp, number][] = [
    [
      '401',
      { status: 401, message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' },
      'authentication_failed',
      /does not accept the key: 401 Incorrect API key provided: \[key\]/,
      1,
    ],
    ['403', { status: 403, message: 'no' }, 'authentication_failed', /does not allow this/, 1],
    ['404', { status: 404, message: 'no such model', code: 'model_not_found' }, 'model_not_found', /does not know the model/, 1],
    ['an empty account', { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' }, 'billing_error', /billing/, 1],
    ['429', { status: 429, message: 'slow down' }, 'rate_limit', /limits the rate/, 4],
    ['503', { status: 503, message: 'busy' }, 'server_error', /503 busy/, 4],
    ['too much context', { status: 400, message: "This model's maximum context length is 8192 tokens" }, 'invalid_request', /maximum context/, 1],
    ['a stream that ends early', { cutAfter: 'half an' }, 'server_error', /broke off/, 4],
    ['a connection that is cut', { cutAfter: 'half an', destroy: true }, 'server_error', /broke off/, 4],
    ['garbage', { raw: 'data: {not json\n\n' }, 'server_error', /no answer/, 3],
  ]
  it.each(faults)('says what %s means', async (_title, turn, kind, message, requests) => {
    const { agent, server } = await connect(
      way,
      Array.from({ length: 8 }, () => turn),
    )
    await expect(all(agent.stream(hello, live()))).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
    expect(server.requests).toHaveLength(requests)
  })

  it('rejects with the reason of an abort', async () => {
    const { agent } = await connect(way, [{ hang: true }])
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(all(agent.stream(hello, { signal: stop.signal }))).rejects.toThrow('enough')
  })
})

it('of a conversation sends results behind their calls, failures as text', async () => {
  const { agent, server } = await connect('a server of one’s own', ['ok'])
  const messages: ModelRequest['messages'] = [
    ...hello.messages,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'x' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: 'Exit code 1', is_error: true },
        { type: 'text', text: 'note', reminder: true },
      ],
    },
  ]
  await all(agent.stream({ ...hello, messages }, live()))
  expect(server.requests[0]?.body.messages).toMatchObject([
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'hello' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'Bash', arguments: '{"command":"x"}' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Exit code 1' },
    { role: 'user', content: '<system-reminder>\nnote\n</system-reminder>' },
  ])
})

it('without a key sends none', async () => {
  const server = await startOpenAI(['ok'])
  closers.push(() => server.close())
  const agent = createAgentModel({ env: { OLLAMA_HOST: server.url }, model: 'ollama/llama3.2', retry })
  expect(textIn(await all(agent.stream(hello, live())))).toBe('ok')
  expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'llama3.2' } })
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
})
