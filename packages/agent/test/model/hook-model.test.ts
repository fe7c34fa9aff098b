/** How hooks think: the engine's model port over the agent's model, with a provider on loopback. */
import { afterEach, describe, expect, it } from 'vitest'
import { createModel } from '../../src/model.ts'
import { startAnthropic, type Turn } from '../servers/anthropic.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function connect(turns: Turn[], options: { model?: string; env?: Record<string, string> } = {}) {
  const server = await startAnthropic(turns)
  closers.push(() => server.close())
  const retry = { retries: 2, firstMs: 5, longestMs: 1000 }
  const model = await createModel({
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, ...options.env },
    retry,
    ...(options.model === undefined ? {} : { model: options.model }),
  })
  return { server, model: model! }
}

const live = () => ({ signal: new AbortController().signal })
const asked = { purpose: 'prompt-hook' as const, system: 'Judge.', messages: [{ role: 'user' as const, text: 'Is it fine?' }], maxOutputTokens: 500 }
const verdict = { name: 'Verdict', description: 'd', inputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }

describe('a hook that thinks', () => {
  it('gets the whole reply of the provider’s small model', async () => {
    const { model, server } = await connect(['{"ok": true}'])
    expect(await model(asked, live())).toEqual({ text: '{"ok": true}', finish: 'stop', usage: { inputTokens: 100, outputTokens: 20 } })
    expect(server.requests[0]?.body).toMatchObject({ model: 'claude-haiku-5-5', max_tokens: 500 })
  })

  it.each([
    ['the one that the hook names', {}, 'claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['the one behind an alias', {}, 'opus', 'claude-opus-5-5'],
    ['the one of --model, where the hook names none', { model: 'sonnet' }, undefined, 'claude-sonnet-5-5'],
    ['the small one of the environment', { env: { ANTHROPIC_SMALL_FAST_MODEL: 'tiny' } }, undefined, 'tiny'],
  ])('asks %s', async (_title, options, named, expected) => {
    const { model, server } = await connect(['x'], options)
    await model({ ...asked, ...(named === undefined ? {} : { model: named }) }, live())
    expect(server.requests[0]?.body.model).toBe(expected)
  })

  it('may call tools, and is told what they gave', async () => {
    const { model, server } = await connect([[{ text: 'Looking.' }, { tool: 'Verdict', input: { ok: true } }]])
    const messages = [
      ...asked.messages,
      { role: 'assistant' as const, text: '', toolCalls: [{ id: 't1', name: 'Read', input: { file_path: 'a' } }] },
      { role: 'tool' as const, id: 't1', text: 'gone', isError: true },
    ]
    expect(await model({ ...asked, messages, tools: [verdict], toolChoice: 'required' }, live())).toMatchObject({
      text: 'Looking.',
      finish: 'tool-calls',
      toolCalls: [{ id: 'toolu_fake_0001', name: 'Verdict', input: { ok: true } }],
    })
    expect(server.requests[0]?.body).toMatchObject({
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true }] },
      ],
    })
  })

  it('never gets half an answer twice', async () => {
    const { model } = await connect([{ cutAfter: '{"ok": fal', clean: true }, '{"ok": true}'])
    expect((await model(asked, live())).text).toBe('{"ok": true}')
  })

  it.each([
    ['a model of another provider', 'gpt-5.5', [], { kind: 'model_not_found' }],
    ['a provider that refuses', undefined, [{ status: 400, message: 'bad' }], { kind: 'unknown' }],
  ])('fails with %s', async (_title, named, turns, error) => {
    const { model } = await connect(turns as Turn[])
    await expect(model({ ...asked, ...(named === undefined ? {} : { model: named }) }, live())).rejects.toMatchObject(error)
  })

  it('says when the answer was cut by its length', async () => {
    const { model } = await connect([{ blocks: [{ text: '{"ok"' }], stopReason: 'max_tokens' }])
    expect((await model(asked, live())).finish).toBe('length')
  })
})
