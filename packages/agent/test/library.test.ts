/** The agent as a library: through its door, without the command line, on a host's own Hookline. */
import { createEngine } from 'hookline'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentEvent, builtInTools, createAgent, createScriptModel, defineTool, ToolError } from '../src/index.ts'
import { folderWith } from './folder.ts'

const model = (...modelTurns: Parameters<typeof createScriptModel>[0]['modelTurns']) => createScriptModel({ modelTurns }, 'test')
const env = () => ({ HOME: folderWith(), PATH: process.env['PATH'] ?? '' })

test('events come as an async iterable, and the result is its return value', async () => {
  await using agent = await createAgent({
    model: model([{ text: 'I look.' }, { tool: 'Bash', input: { command: 'echo hi' } }], 'done'),
    cwd: folderWith(),
    env: env(),
    mode: 'bypassPermissions',
  })
  const kinds: AgentEvent['kind'][] = []
  const run = agent.run('hello')
  let step = await run.next()
  for (; step.done !== true; step = await run.next()) kinds.push(step.value.kind)
  expect(step.value).toMatchObject({ reason: 'completed', text: 'done' })
  expect(kinds.filter((kind) => kind !== 'text')).toEqual(['turn-start', 'message', 'tool-start', 'tool-end', 'message', 'message', 'turn-end'])
})

test('a host brings its own tools and its own Hookline, whose hooks guard them', async () => {
  const hookline = createEngine({
    hooks: {
      PreToolUse: [
        (input) => (input.tool_name === 'Pay' && Number(input.tool_input['euro']) > 100 ? { permission: 'deny', reason: 'too much' } : { permission: 'allow' }),
      ],
    },
  })
  const paid: number[] = []
  const pay = defineTool({
    name: 'Pay',
    description: 'Pays.',
    kind: 'other',
    schema: z.strictObject({ euro: z.number() }),
    async execute({ euro }) {
      if (euro < 0) throw new ToolError('Nobody pays less than nothing.')
      paid.push(euro)
      return { response: { euro }, text: `Paid ${euro}.` }
    },
  })
  const calls = [500, 5, -1].map((euro) => ({ tool: 'Pay', input: { euro } }))
  await using agent = await createAgent({ model: model(calls, 'done'), tools: [...builtInTools, pay], hookline, cwd: folderWith(), env: env() })
  const texts: string[] = []
  for await (const event of agent.run('pay')) if (event.kind === 'tool-end') texts.push(event.text)
  expect(paid).toEqual([5])
  expect(texts).toEqual([expect.stringContaining('too much'), 'Paid 5.', 'Nobody pays less than nothing.'])
  await agent.close()
  // The host's own engine stays open.
  expect((await hookline.fire('Stop', {})).blocked).toBe(false)
  await hookline.close()
})

test('a turn ends when the host aborts it, and the next one works', async () => {
  await using agent = await createAgent({
    model: model([{ tool: 'Bash', input: { command: 'sleep 60' } }], 'fine'),
    cwd: folderWith(),
    env: env(),
    mode: 'bypassPermissions',
  })
  const stop = new AbortController()
  agent.on((event) => event.kind === 'tool-start' && setTimeout(() => stop.abort(), 200))
  expect(await agent.ask('hello', { signal: stop.signal })).toMatchObject({ reason: 'interrupted' })
  expect(await agent.ask('again')).toMatchObject({ reason: 'completed', text: 'fine' })
})

test('an agent that is closed twice has ended once', async () => {
  const agent = await createAgent({ model: model('done'), cwd: folderWith(), env: env() })
  let ends = 0
  agent.session.scope.on('SessionEnd', () => void ends++)
  await agent.ask('hello')
  await agent.close()
  await agent.close()
  expect(ends).toBe(1)
})
