/** An option that cannot be used is refused by name, in code and on files. */
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../src/index.ts'
import { createHookline } from '../../src/node.ts'

const wrong: [string, object][] = [
  ['sources', { sources: ['Project'] }],
  ['interactive', { interactive: 'yes' }],
  ['trust', { trust: 'zzz' }],
  ['hooks', { hooks: 5 }],
  ['hooks', { hooks: { PreToolUse: 5 } }],
  ['onNotice', { onNotice: 5 }],
  ['signal', { signal: 'x' }],
  ['settings', { settings: 'x' }],
  ['env', { env: 5 }],
  ['watch', { watch: 'x' }],
  ['audit', { audit: 5 }],
  ['stopBlockCap', { stopBlockCap: -1 }],
  ['keepTrace', { keepTrace: 1.5 }],
  ['sessionId', { sessionId: '' }],
  ['model', { model: 'small' }],
  ['mcp', { mcp: { servers: [] } }],
  ['tools', { tools: [{ name: 'Read' }] }],
  ['tools', { tools: [null] }],
]

describe.each(wrong)('option %s', (name, options) => {
  const refusal = { code: 'invalid-option', message: expect.stringContaining(`"${name}"`) }

  test(`${JSON.stringify(options)} is refused by createHookline`, async () => {
    await expect(createHookline(options as never)).rejects.toMatchObject(refusal)
  })

  test(`${JSON.stringify(options)} is refused by createEngine`, () => {
    expect(() => createEngine(options as never)).toThrow(expect.objectContaining(refusal))
  })
})

test.each([null, 5, 'x', []])('%j in place of the options is refused', async (options) => {
  expect(() => createEngine(options as never)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  await expect(createHookline(options as never)).rejects.toMatchObject({ code: 'invalid-option' })
})

test.each([
  ['onNotise', 'onNotice'],
  ['Trust', 'trust'],
  ['tols', 'tools'],
  ['consurrency', 'concurrency'],
])('the misspelt option %s is refused, with the one that was meant', async (name, meant) => {
  const refusal = { code: 'invalid-option', message: expect.stringContaining(name), hint: expect.stringContaining(`"${meant}"`) }
  await expect(createHookline({ [name]: 1 } as never)).rejects.toMatchObject(refusal)
  expect(() => createEngine({ [name]: 1 } as never)).toThrow(expect.objectContaining(refusal))
})

test('an option of a host that resembles none of ours is left alone', async () => {
  const hookline = await createHookline({ sources: [], flavour: 'mint' } as never)
  await hookline.close()
})
