/** A model that follows a script. */
import { expect, test } from 'vitest'
import type { ModelRequest } from '../../src/index.ts'
import { scriptedModel } from '../../src/testing.ts'

const request: ModelRequest = { purpose: 'prompt-hook', system: 's', messages: [{ role: 'user', text: 'Is it done?' }], maxOutputTokens: 100 }
const context = { signal: new AbortController().signal }

test('replies come in order, whole or in part, and every request is remembered', async () => {
  const call = { id: '1', name: 'Read', input: {} }
  const model = scriptedModel(['{"ok":true}', { text: 'x', finish: 'length' }, { toolCalls: [call] }, ({ purpose }) => purpose])
  expect(await model(request, context)).toEqual({ text: '{"ok":true}', finish: 'stop' })
  expect(await model(request, context)).toEqual({ text: 'x', finish: 'length' })
  expect(await model(request, context)).toEqual({ text: '', finish: 'tool-calls', toolCalls: [call] })
  expect(await model(request, context)).toEqual({ text: 'prompt-hook', finish: 'stop' })
  expect(model.requests).toEqual([request, request, request, request])
})

test('an error of the script, and a request too many, reject', async () => {
  const model = scriptedModel([new Error('429 quota')])
  await expect(model(request, context)).rejects.toThrow('429 quota')
  await expect(model(request, context)).rejects.toThrow('the script has 1 replies, and this is request 2')
})

test('an aborted request takes no reply', async () => {
  const model = scriptedModel(['first'])
  await expect(model(request, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  expect(await model(request, context)).toMatchObject({ text: 'first' })
})
