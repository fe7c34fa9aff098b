/** The agent's model over a server that speaks Anthropic's wire form: answers, faults and retries. */
import { afterEach, describe, expect, it } from 'vitest'
import { createAgentModel } from '../../src/model/choose.ts'
import { ModelError, type ModelEvent, type ModelRequest } from '../../src/model/port.ts'
import { startAnthropic, type Turn, textOf } from '../servers/anthropic.ts'

const key = 'sk-ant-secret-key-0123456789'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const bash = {
  name: 'Bash',
  description: 'Runs a command',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
}
const hello: ModelRequest = {
  purpose: 'main',
  system: 'You are an agent.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [bash],
}

async function connect(turns: Turn[], model?: string) {
  const server = await startAnthropic(turns)
  closers.push(() => server.close())
  const retry = { retries: 3, firstMs: 5, longestMs: 3000 }
  const agent = createAgentModel({ env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url }, retry, ...(model === undefined ? {} : { model }) })
  return { server, agent }
}

async function all(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

async function failure(turns: Turn[]): Promise<ModelError & { requests: number }> {
  const { agent, server } = await connect(turns)
  const error = await all(agent.stream(hello, { signal: new AbortController().signal })).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelError)
  return Object.assign(error as ModelError, { requests: server.requests.length })
}

const textIn = (events: ModelEvent[]) => events.map((it) => (it.kind === 'text' ? it.text : '')).join('')
const live = () => ({ signal: new AbortController().signal })

describe('an answer', () => {
  it('streams its text, then its end with the tokens and the provider’s reason', async () => {
    const { agent } = await connect(['one two three four five six'])
    const events = await all(agent.stream(hello, live()))
    expect(textIn(events)).toBe('one two three four five six')
    expect(events.filter((it) => it.kind === 'text').length).toBeGreaterThan(1)
    expect(events.at(-1)).toEqual({ kind: 'end', finish: 'stop', usage: { input: 100, output: 20 }, model: 'claude-opus-5-5', stopReason: 'end_turn' })
  })

  it('hands out the calls of tools with their ids and input, and runs none', async () => {
    const { agent } = await connect([[{ text: 'I look.' }, { tool: 'Bash', input: { command: 'ls' } }, { tool: 'Bash', input: { command: 'pwd' } }]])
    const events = await all(agent.stream(hello, live()))
    expect(events.filter((it) => it.kind === 'tool')).toEqual([
      { kind: 'tool', id: 'toolu_fake_0001', name: 'Bash', input: { command: 'ls' } },
      { kind: 'tool', id: 'toolu_fake_0002', name: 'Bash', input: { command: 'pwd' } },
    ])
    expect(events.at(-1)).toMatchObject({ finish: 'tool-calls', stopReason: 'tool_use' })
  })

  it.each([
    ['input that is not JSON comes as the text that was sent', [{ tool: 'Bash', rawInput: '{"command": "ls' }], [{ name: 'Bash', input: '{"command": "ls' }]],
    ['input that fails the schema comes as it is', [{ tool: 'Bash', input: { cmd: 1 } }], [{ name: 'Bash', input: { cmd: 1 } }]],
    ['a tool that nobody offered comes as it is', [{ tool: 'Nope', input: { a: 1 } }], [{ name: 'Nope', input: { a: 1 } }]],
  ])('%s', async (_title, blocks, expected) => {
    const { agent } = await connect([blocks as Turn])
    const events = await all(agent.stream(hello, live()))
    expect(events.filter((it) => it.kind === 'tool')).toMatchObject(expected)
    expect(events.at(-1)?.kind).toBe('end')
  })

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'refused'],
  ])('with the stop reason %s finishes as %s', async (stopReason, finish) => {
    const { agent } = await connect([{ blocks: [{ text: 'a' }], stopReason }])
    expect((await all(agent.stream(hello, live()))).at(-1)).toMatchObject({ kind: 'end', finish, stopReason })
  })
})

describe('a request', () => {
  it('carries messages, results and reminders in the order and form that the provider expects', async () => {
    const { agent, server } = await connect(['ok'])
    await all(
      agent.stream(
        {
          ...hello,
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'hello' }] },
            {
              role: 'assistant',
              content: [
                { type: 'text', text: '' },
                { type: 'tool_use', id: 't1', name: 'Bash', input: 'not json' },
                { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'x' } },
              ],
            },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'from a hook', reminder: true },
                { type: 'tool_result', tool_use_id: 't1', content: 'bad', is_error: true },
                { type: 'tool_result', tool_use_id: 't2', content: '' },
              ],
            },
          ],
        },
        live(),
      ),
    )
    const { body, headers } = server.requests[0]!
    expect(headers['x-api-key']).toBe(key)
    expect(body.tools?.map((it) => it.name)).toEqual(['Bash'])
    expect(body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 't1', input: { input: 'not json' } },
          { type: 'tool_use', id: 't2', input: { command: 'x' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', is_error: true },
          { type: 'tool_result', tool_use_id: 't2' },
          { type: 'text', text: '<system-reminder>\nfrom a hook\n</system-reminder>' },
        ],
      },
    ])
    expect(textOf(body.messages[2])).toContain('bad')
  })

  it('for another model of the request goes to that model', async () => {
    const { agent, server } = await connect(['ok'])
    await all(agent.stream({ ...hello, model: 'haiku' }, live()))
    expect(server.requests[0]!.body.model).toBe('claude-haiku-5-5')
  })
})

describe('a failure', () => {
  const rows: [string, Turn, string, RegExp, number][] = [
    [
      '401 is a matter of the key',
      { status: 401, errorType: 'authentication_error', message: 'no key' },
      'authentication_failed',
      /does not accept the key: 401 no key/,
      1,
    ],
    ['403 too', { status: 403, errorType: 'permission_error', message: 'not yours' }, 'authentication_failed', /does not allow this: 403 not yours/, 1],
    [
      '404 is an unknown model',
      { status: 404, errorType: 'not_found_error', message: 'model: x' },
      'model_not_found',
      /does not know the model "claude-opus-5-5"/,
      1,
    ],
    ['a 400 without a known reason is unknown', { status: 400, errorType: 'invalid_request_error', message: 'bad thing' }, 'unknown', /400 bad thing/, 1],
    [
      'a prompt that is too long is an invalid request',
      { status: 400, errorType: 'invalid_request_error', message: 'prompt is too long' },
      'invalid_request',
      /too long/,
      1,
    ],
    [
      'an empty account is a matter of billing',
      { status: 400, errorType: 'invalid_request_error', message: 'Your credit balance is too low' },
      'billing_error',
      /billing/,
      1,
    ],
    ['429 is asked again, then said', { status: 429, errorType: 'rate_limit_error', message: 'slow' }, 'rate_limit', /limits the rate/, 4],
    ['529 is asked again, then said', { status: 529, errorType: 'overloaded_error', message: 'busy' }, 'overloaded', /is overloaded: 529 busy/, 4],
    ['500 is asked again, then said', { status: 500, errorType: 'api_error', message: 'oops' }, 'server_error', /500 oops/, 4],
    ['502 of a proxy is asked again, then said', { status: 502, body: '<html>Bad Gateway</html>' }, 'server_error', /502/, 4],
    ['overload in the stream is overload', { errorEvent: { type: 'overloaded_error', message: 'busy' } }, 'overloaded', /is overloaded: busy/, 4],
    ['a cut connection is a server error', { cutAfter: 'half an' }, 'server_error', /broke off .*(closed|RESET|terminated)/, 4],
    ['a stream without an end is a server error', { cutAfter: 'half an', clean: true }, 'server_error', /broke off in the middle/, 4],
    [
      'a page instead of an answer says what it is',
      { raw: '<html>login</html>', contentType: 'text/html; charset=utf-8' },
      'server_error',
      /answered with an HTML page in the place of a stream/,
      3,
    ],
    ['a document instead of a stream too', { raw: '{"ok":true}', contentType: 'application/json' }, 'server_error', /answered with application\/json/, 3],
    ['garbage in the stream is a server error', { raw: 'event: x\ndata: {not json\n\n' }, 'server_error', /is no answer/, 3],
  ]
  it.each(rows)('%s', async (_title, turn, kind, message, requests) => {
    const error = await failure(Array.from({ length: 8 }, () => turn))
    expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(message)])
    expect(error.requests).toBe(requests)
  })

  it('that passes is not seen but as a retry', async () => {
    const { agent, server } = await connect([{ status: 529, errorType: 'overloaded_error', message: 'busy' }, { status: 429, message: 'slow' }, 'fine'])
    const events = await all(agent.stream(hello, live()))
    expect(events.map((it) => it.kind)).toEqual(['retry', 'retry', 'text', 'end'])
    expect(server.requests).toHaveLength(3)
  })

  it('in the middle of an answer makes the answer begin anew', async () => {
    const { agent } = await connect([{ cutAfter: 'half', clean: true }, 'whole'])
    const events = await all(agent.stream(hello, live()))
    expect(events.map((it) => [it.kind, it.kind === 'retry' ? it.restart : undefined])).toEqual([
      ['text', undefined],
      ['retry', true],
      ['text', undefined],
      ['end', undefined],
    ])
  })

  it('waits as long as retry-after says, and not at all when that is too long', async () => {
    const patient = await connect([{ status: 429, message: 'slow', headers: { 'retry-after': '0.05' } }, 'fine'])
    expect(await all(patient.agent.stream(hello, live()))).toContainEqual(expect.objectContaining({ kind: 'retry', delayMs: 50 }))
    const { agent, server } = await connect([{ status: 429, message: 'slow', headers: { 'retry-after': '3600' } }, 'fine'])
    await expect(all(agent.stream(hello, live()))).rejects.toMatchObject({ kind: 'rate_limit' })
    expect(server.requests).toHaveLength(1)
  })

  it('never shows the key', async () => {
    const error = await failure([{ status: 401, errorType: 'authentication_error', message: `invalid x-api-key ${key}, Bearer abc, sk-proj-abcdefgh1234` }])
    expect(`${error.message} ${error.hint} ${error.detail} ${JSON.stringify(error)}`).not.toMatch(/secret-key|abcdefgh1234|Bearer abc/)
    expect(error.hint).toContain('ANTHROPIC_API_KEY')
  })

  it('of a page hints at the base URL', async () => {
    const error = await failure(Array.from({ length: 3 }, () => ({ raw: '<html>login</html>', contentType: 'text/html' })))
    expect(error.hint).toMatch(/Check the base URL: what answers at 127\.0\.0\.1:\d+ is no API of Anthropic/)
  })

  it.each<[string, Turn, true | undefined]>([
    ['a prompt that is too long', { status: 400, errorType: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }, true],
    ['a request that is too large', { status: 413, errorType: 'request_too_large', message: 'Request exceeds the maximum size' }, true],
    ['the same in the stream', { errorEvent: { type: 'invalid_request_error', message: 'prompt is too long' } }, true],
    ['another mistake', { status: 400, errorType: 'invalid_request_error', message: 'tool names must be unique' }, undefined],
    ['a limit of the rate', { status: 429, errorType: 'rate_limit_error', message: 'too many input tokens per minute' }, undefined],
  ])('of %s says whether a shorter conversation may help', async (_title, turn, tooLong) => {
    const error = await failure(Array.from({ length: 4 }, () => turn))
    expect(error.tooLong).toBe(tooLong)
  })

  it('to reach the host names the address', async () => {
    const { agent, server } = await connect([])
    await server.close()
    await expect(all(agent.stream(hello, live()))).rejects.toMatchObject({
      kind: 'server_error',
      message: expect.stringMatching(/Anthropic cannot be reached at 127\.0\.0\.1:\d+: .*ECONNREFUSED/),
    })
  })
})

describe('an abort', () => {
  it('rejects with the reason of the signal while the provider is silent', async () => {
    const { agent } = await connect([{ hang: true }])
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(all(agent.stream(hello, { signal: stop.signal }))).rejects.toThrow('enough')
  })

  it('ends the wait before a retry', async () => {
    const { agent } = await connect([{ status: 429, message: 'slow', headers: { 'retry-after': '2.9' } }])
    const stop = new AbortController()
    const seen: string[] = []
    const run = async () => {
      for await (const event of agent.stream(hello, { signal: stop.signal })) {
        seen.push(event.kind)
        if (event.kind === 'retry') setTimeout(() => stop.abort(new Error('enough')), 5)
      }
    }
    await expect(run()).rejects.toThrow('enough')
    expect(seen).toEqual(['retry'])
  })
})
