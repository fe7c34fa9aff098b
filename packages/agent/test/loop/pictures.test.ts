/** Pictures and PDFs on their way to the model: as content where the provider takes it, told of where not, kept in the transcript, dropped when refused. */
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAgentModel } from '../../src/model/choose.ts'
import { startGoogle } from '../servers/google.ts'
import { startOpenAI } from '../servers/openai.ts'
import { recorder, type Stage, type StageOptions, setStage } from '../stage.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const look = (file_path: string) => [{ tool: 'Read', input: { file_path } }]

async function stageWith(options: Partial<StageOptions>): Promise<Stage> {
  const stage = await setStage({ turns: [], files: { 'a.pdf': '%PDF-1.4 text' }, ...options })
  writeFileSync(`${stage.cwd}/p.png`, Buffer.from(png, 'base64'))
  return stage
}

const resultOf = (stage: Stage, at: number) => (stage.requests[at]?.body.messages.at(-1)?.content as object[] | undefined)?.[0]

describe('A picture that the model reads', () => {
  test('is part of the result, and hooks see it in the response', async () => {
    const stage = await stageWith({ turns: [look('p.png'), 'done'] })
    const { agent } = await stage.open()
    const { seen, hooks } = recorder('PostToolUse')
    agent.session.scope.on(hooks)
    await agent.ask('look')
    expect(resultOf(stage, 1)).toMatchObject({
      type: 'tool_result',
      content: [
        { type: 'text', text: '[image/png, 70 bytes]' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      ],
    })
    expect(seen).toMatchObject([{ tool_response: { type: 'image', file: { base64: png, type: 'image/png', originalSize: 70 } } }])
  })

  test('is there again when the session goes on', async () => {
    const stage = await stageWith({ turns: [look('p.png'), 'done', 'again'] })
    const { agent } = await stage.open({ sessionId: 's-1' })
    await agent.ask('look')
    await agent.close()
    const { agent: next } = await stage.open({ resume: { sessionId: 's-1' } })
    await next.ask('and now?')
    const sent = JSON.stringify(stage.requests[2]?.body.messages)
    expect(sent).toContain(png)
    expect(sent.split('[image/png, 70 bytes]')).toHaveLength(2)
  })

  const gif = Buffer.from('GIF89a.').toString('base64')

  test.each<[string, object, (sent: string) => void]>([
    [
      'a text',
      { type: 'text', file: { filePath: 'p.png', content: 'HIDDEN', numLines: 1, startLine: 1, totalLines: 1 } },
      (sent) => expect(sent).toContain('HIDDEN'),
    ],
    ['another picture', { type: 'image', file: { base64: gif, type: 'image/gif', originalSize: 7 } }, (sent) => expect(sent).toContain(gif)],
    [
      'a picture that is none',
      { type: 'image', file: { base64: 'AAAA', type: 'image/gif', originalSize: 3 } },
      (sent) => expect(sent).not.toContain('"image/gif"'),
    ],
  ])('gives way to %s of a hook', async (_, updatedOutput, check) => {
    const stage = await stageWith({ turns: [look('p.png'), 'done'] })
    const { agent } = await stage.open()
    agent.session.scope.on('PostToolUse', () => ({ updatedOutput }))
    await agent.ask('look')
    const sent = JSON.stringify(stage.requests[1]?.body)
    check(sent)
    expect(sent).not.toContain(png)
  })

  test('and that the provider refuses is left out, once for all, and the session goes on', async () => {
    const refused = { status: 400, errorType: 'invalid_request_error', message: 'Could not process image' }
    const stage = await stageWith({ turns: [look('p.png'), refused, 'done', 'fine'] })
    const { agent, events } = await stage.open()
    expect(await agent.ask('look')).toMatchObject({ reason: 'completed', text: 'done' })
    expect(await agent.ask('go on')).toMatchObject({ reason: 'completed', text: 'fine' })
    expect(stage.requests.map(({ body }) => JSON.stringify(body).includes(png))).toEqual([false, true, false, false])
    expect(stage.told(2)).toContain('It was left out')
    expect(events).toContainEqual(expect.objectContaining({ kind: 'notice', text: expect.stringContaining('Could not process image') }))
  })
})

test('A PDF is a document of the result', async () => {
  const stage = await stageWith({ turns: [look('a.pdf'), 'done'] })
  const { agent } = await stage.open()
  await agent.ask('look')
  expect(resultOf(stage, 1)).toMatchObject({
    content: [{ type: 'text' }, { type: 'document', source: { media_type: 'application/pdf', data: Buffer.from('%PDF-1.4 text').toString('base64') } }],
  })
})

test('Gemini gets it inline', async () => {
  const stage = await stageWith({})
  const google = await startGoogle([look('p.png'), 'done'])
  onTestFinished(() => google.close())
  const env = { ...stage.env, GOOGLE_GENERATIVE_AI_API_KEY: 'k', GOOGLE_GENERATIVE_AI_BASE_URL: `${google.url}/v1beta` }
  const { agent } = await stage.open({ model: createAgentModel({ env, model: 'google/gemini-pro-latest' }) })
  await agent.ask('look')
  expect(JSON.stringify(google.requests[1]?.body)).toContain(`"inlineData":{"mimeType":"image/png","data":"${png}"}`)
})

test('A server of one’s own is told that there is one, and that it cannot be shown', async () => {
  const stage = await stageWith({})
  const server = await startOpenAI([look('p.png'), 'done'])
  onTestFinished(() => server.close())
  const env = { OPENAI_BASE_URL: `${server.url}/v1` }
  const { agent } = await stage.open({ model: createAgentModel({ env, model: 'my-model' }) })
  await agent.ask('look')
  const sent = JSON.stringify(server.requests[1]?.body)
  expect(sent).toContain('cannot be shown to this model')
  expect(sent).not.toContain(png)
})
