/** Agent hooks: a verifier looks around with tools until it hands in a verdict, and fires no hook of the host meanwhile. */
import { describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions, type Hooks, type ModelReply, type ModelRequest, type VerifierTool } from '../../src/index.ts'
import { example, type ScriptedReply, scriptedModel } from '../../src/testing.ts'

let calls = 0
/** A reply that calls tools. */
function uses(...tools: [name: string, input: unknown][]): Partial<ModelReply> {
  return { toolCalls: tools.map(([name, input]) => ({ id: `call-${++calls}`, name, input })) }
}
const handsIn = (ok: unknown, reason?: unknown) => uses(['StructuredOutput', reason === undefined ? { ok } : { ok, reason }])

const look: VerifierTool = {
  name: 'Look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  execute: (input) => `saw ${JSON.stringify(input)}`,
}

async function fire(
  replies: readonly ScriptedReply[],
  { hook = {}, event = 'PreToolUse', ...options }: { hook?: object; event?: 'PreToolUse' | 'Stop' } & EngineOptions = {},
) {
  const model = scriptedModel(replies)
  const hooks = { [event]: [{ hooks: [{ type: 'agent', prompt: 'Is it safe?', onFailure: 'block', ...hook }] }] } as Hooks
  const hookline = createEngine({ hooks, model, tools: [look], ...options })
  const verdict = await hookline.fire(event, example(event) as never)
  const { background } = hookline
  await hookline.close()
  return { verdict, model, background }
}

const lastTexts = ({ messages }: ModelRequest, count: number) => messages.slice(-count).map((message) => message.text)

describe('a verdict', () => {
  test('of yes passes and decides nothing', async () => {
    const { verdict, model } = await fire([handsIn(true)])
    expect(verdict).toMatchObject({
      blocked: false,
      permission: { behavior: 'passthrough' },
      hooks: [{ ending: { kind: 'judged', ok: true }, outcome: 'success' }],
    })
    expect(model.requests[0]).toMatchObject({ purpose: 'agent-hook', toolChoice: 'auto', tools: [{ name: 'Look' }, { name: 'StructuredOutput' }] })
    expect(model.requests[0]?.tools?.[0]).not.toHaveProperty('execute')
  })

  test('of no refuses, and never ends the turn', async () => {
    const { verdict } = await fire([handsIn(false, 'It deletes too much.')])
    expect(verdict).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: 'It deletes too much.' } })
    expect(verdict.stop).toBeUndefined()
  })

  test('of no wins over a yes in the same turn', async () => {
    const { verdict } = await fire([uses(['StructuredOutput', { ok: true }], ['StructuredOutput', { ok: false, reason: 'R' }])])
    expect(verdict.blocked).toBe(true)
  })

  test('knows nothing of "impossible"', async () => {
    const { verdict } = await fire([uses(['StructuredOutput', { ok: false, reason: 'R', impossible: true }])], { event: 'Stop' })
    expect(verdict.blocked).toBe(true)
  })

  test.each([[{}], [{ ok: 'true' }], [{ ok: true, reason: 1 }], ['{"ok":true}'], [null], [[true]]])('%j is sent back to the verifier', async (input) => {
    const { verdict, model } = await fire([uses(['StructuredOutput', input]), handsIn(true)])
    expect(verdict.blocked).toBe(false)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', isError: true })
  })
})

describe('a verifier', () => {
  test('gets the results of its tools in the order of its calls, each behind the fence', async () => {
    const { verdict, model } = await fire([uses(['Look', { a: 1 }], ['Nothing', {}], ['Look', { b: 2 }]), handsIn(true)])
    expect(verdict.blocked).toBe(false)
    const [first = '', second = '', third = ''] = lastTexts(model.requests[1] as ModelRequest, 3)
    expect(first).toMatch(/^\n<data-(\w{32})>\nsaw \{"a":1\}\n<\/data-\1>\n$/)
    expect(second).toBe('There is no tool "Nothing".')
    expect(third).toContain('saw {"b":2}')
    expect(model.requests[0]?.messages).toHaveLength(1)
  })

  test('hears of a tool that fails, in its message alone', async () => {
    const broken = { ...look, execute: () => Promise.reject(new Error('no disk, token=abcdef123456')) }
    const { model } = await fire([uses(['Look', {}]), handsIn(true)], { tools: [broken] })
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'tool', id: expect.any(String), text: 'no disk, token=***', isError: true })
  })

  test('gets only so much to read', async () => {
    const flood = { ...look, execute: () => 'x'.repeat(3_000_000) }
    const { model } = await fire(
      [...Array.from({ length: 3 }, () => uses(...Array.from({ length: 20 }, () => ['Look', {}] as [string, unknown]))), handsIn(true)],
      {
        tools: [flood],
      },
    )
    const { messages = [] } = model.requests[3] ?? {}
    expect(messages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(1_100_000)
    expect(messages.filter(({ text }) => text.startsWith('Not run: at most 16'))).toHaveLength(4)
    expect(messages.at(-5)?.text).toMatch(/^Left out/)
  })

  test('that only talks is sent back once by the hook of its own session; its words are no verdict', async () => {
    const { verdict, model } = await fire(['{"ok": true}', '{"ok": true}'])
    expect(verdict).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'threw', error: 'its verifier ended without a verdict' } }] })
    expect(model.requests).toHaveLength(2)
    expect(lastTexts(model.requests[1] as ModelRequest, 1)[0]).toMatch(/must call the tool StructuredOutput/)
    expect(model.requests[1]?.toolChoice).toBe('required')
  })

  test('that is sent back may still hand in a verdict, also after saying nothing', async () => {
    expect((await fire(['It looks fine.', handsIn(true)])).verdict.blocked).toBe(false)
    const { verdict, model } = await fire(['', handsIn(true)])
    expect(verdict.blocked).toBe(false)
    expect(model.requests[1]?.messages.map(({ text }) => text.trim() !== '')).toEqual([true, true, true])
  })

  test('has 50 turns, the last of which must call a tool', async () => {
    const { verdict, model } = await fire(Array.from({ length: 60 }, () => uses(['Look', {}])))
    expect(verdict).toMatchObject({ blocked: true, hooks: [{ ending: { error: 'its verifier handed in no verdict within 50 turns' } }] })
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array(49).fill('auto'), 'required'])
  })

  test.each<[string, ScriptedReply]>([
    ['is cut off', { text: '', finish: 'length' }],
    ['refuses', { text: '', finish: 'refused' }],
    ['cannot be reached', new Error('ECONNREFUSED')],
  ])('that %s is a failure, also after other turns', async (_what, reply) => {
    const { verdict } = await fire([uses(['Look', {}]), reply])
    expect(verdict).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'threw' } }] })
    expect((await fire([reply], { hook: { onFailure: 'continue' } })).verdict).toMatchObject({ blocked: false, hooks: [{ outcome: 'nonBlockingError' }] })
  })

  test('is aborted at its deadline, with its tools, and asks no more', async () => {
    let aborted = 0
    const slow = {
      ...look,
      execute: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise<string>(() => signal.addEventListener('abort', () => aborted++)),
    }
    const { verdict, model } = await fire([uses(['Look', {}]), handsIn(true)], { tools: [slow], hook: { timeout: 0.1 } })
    expect(verdict).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'timedOut', afterMs: 100 } }] })
    expect(aborted).toBe(1)
    expect(model.requests).toHaveLength(1)
  })

  test('fires no hook of the host, neither for its tools nor for its end, and leaves nothing behind', async () => {
    const model = scriptedModel([uses(['Look', {}]), 'done', handsIn(false, 'R')])
    const seen: string[] = []
    const hookline = createEngine({ model, tools: [look], hooks: { PreToolUse: [{ hooks: [{ type: 'agent', prompt: 'x' }] }] } })
    hookline.use('*', (call, next) => {
      seen.push(call.event)
      return next(call)
    })
    for (const event of ['Stop', 'SubagentStop', 'SubagentStart', 'PostToolUse'] as const) hookline.on(event, () => void seen.push('hook'))
    const kept: string[] = []
    hookline.trace.subscribe((line) => void kept.push(line.kind))
    expect((await hookline.fire('PreToolUse', example('PreToolUse'))).blocked).toBe(true)
    expect(seen).toEqual(['PreToolUse'])
    expect(kept.filter((kind) => kind === 'fired')).toHaveLength(1)
    expect(hookline.list()).toHaveLength(5)
    await hookline.close()
  })

  test('a host tool cannot take the place of the tool for verdicts', async () => {
    const { verdict, model } = await fire([handsIn(false, 'R')], { tools: [{ ...look, name: 'StructuredOutput' }] })
    expect(model.requests[0]?.tools).toHaveLength(1)
    expect(verdict.blocked).toBe(true)
  })
})
