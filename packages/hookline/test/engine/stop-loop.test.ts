/** The Stop loop: who counts, who resets, and where it ends. */
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../src/index.ts'
import { call, engine } from './opened.ts'

const stopFields = { agent_transcript_path: '/a.jsonl' } as never

async function stops(scope: Scope, times: number): Promise<boolean[]> {
  const blocked: boolean[] = []
  for (let at = 0; at < times; at++) blocked.push((await scope.fire('Stop', {})).blocked)
  return blocked
}
const obeyed = (n: number) => Array<boolean>(n).fill(true)

describe('the cap', () => {
  test('of eight blocks in a row lets the ninth stop through, with the ignored reason', async () => {
    const h = engine()
    h.on('Stop', () => ({ block: 'tests fail' }))
    expect(await stops(h, 8)).toEqual(obeyed(8))
    const ninth = await h.fire('Stop', {})
    expect(ninth.blocked).toBe(false)
    expect(ninth.warnings).toMatchObject([{ code: 'stop-block-cap', message: expect.stringMatching(/8 times in a row.*tests fail/) }])
    expect(ninth.toJSON()).toMatchObject({ blocked: false })
  })

  test('starts anew after a stop was let through', async () => {
    const h = engine({ stopBlockCap: 2 })
    h.on('Stop', () => ({ block: 'no' }))
    expect(await stops(h, 6)).toEqual([true, true, false, true, true, false])
  })

  test('of zero is no cap', async () => {
    const h = engine({ stopBlockCap: 0 })
    h.on('Stop', () => ({ block: 'no' }))
    expect(await stops(h, 40)).toEqual(obeyed(40))
  })

  test('counts context, which sends the agent back too', async () => {
    const h = engine({ stopBlockCap: 1 })
    h.on('Stop', () => ({ context: 'one more thing' }))
    expect(await stops(h, 2)).toEqual([true, false])
  })

  const resets: [name: string, act: (h: Scope) => unknown][] = [
    ['a tool call', (h) => h.fire('PreToolUse', call())],
    ['a prompt', (h) => h.fire('UserPromptSubmit', { prompt: 'go on' })],
  ]
  test.each(resets)('is forgotten at %s', async (_, act) => {
    const h = engine({ stopBlockCap: 2 })
    h.on('Stop', () => ({ block: 'no' }))
    expect(await stops(h, 2)).toEqual([true, true])
    await act(h)
    expect(await stops(h, 3)).toEqual([true, true, false])
  })

  test('is not forgotten at other events', async () => {
    const h = engine({ stopBlockCap: 2 })
    h.on('Stop', () => ({ block: 'no' }))
    await stops(h, 2)
    await h.fire('PostToolUse', { ...call(), tool_response: null })
    await h.fire('Notification', { message: 'm', notification_type: 'idle_prompt' })
    expect(await stops(h, 1)).toEqual([false])
  })
})

describe('stop_hook_active', () => {
  test('is false first, true after a block, and false again in the next turn', async () => {
    const h = engine()
    const active: boolean[] = []
    h.on('Stop', (input) => (active.push(input.stop_hook_active) < 3 ? { block: 'no' } : undefined))
    await stops(h, 4)
    expect(active).toEqual([false, true, true, false])
  })

  test('stays true over the tool calls between two stops', async () => {
    const h = engine()
    const active: boolean[] = []
    h.on('Stop', (input) => {
      active.push(input.stop_hook_active)
      return { block: 'no' }
    })
    await stops(h, 1)
    await h.fire('PreToolUse', call())
    await stops(h, 1)
    await h.fire('UserPromptSubmit', { prompt: 'again' })
    await stops(h, 1)
    expect(active).toEqual([false, true, false])
  })

  test('ends with a stop of the turn', async () => {
    const h = engine()
    const active: boolean[] = []
    h.on('Stop', (input) => ({ block: 'no', ...(active.push(input.stop_hook_active) === 2 ? { stop: 'enough' } : {}) }))
    await stops(h, 3)
    expect(active).toEqual([false, true, false])
  })

  test('belongs to each session and each agent', async () => {
    const h = engine({ stopBlockCap: 1 })
    h.on('Stop', () => ({ block: 'no' }))
    h.on('SubagentStop', () => ({ block: 'no' }))
    const [one, two] = [h.session('one'), h.session('two')]
    expect([...(await stops(one, 2)), ...(await stops(two, 1))]).toEqual([true, false, true])
    const agent = two.agent('a-1', 'Explore')
    const said = [await agent.fire('SubagentStop', stopFields), await agent.fire('SubagentStop', stopFields)]
    expect(said.map((verdict) => verdict.blocked)).toEqual([true, false])
    expect(await stops(two, 1)).toEqual([false])
  })
})

test('a stop wins over a block: both are read, the turn ends', async () => {
  const h = engine()
  h.on('Stop', () => ({ block: 'tests fail' }))
  h.on('Stop', () => ({ stop: 'budget spent' }))
  expect(await h.fire('Stop', {})).toMatchObject({ blocked: true, stop: { reason: 'budget spent', by: 'code:Stop:1:0' }, toUser: 'budget spent' })
})
