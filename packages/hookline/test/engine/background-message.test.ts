/** What a background hook tells reaches the model, what went wrong with it the person. */
import { expect, it } from 'vitest'
import { createEngine, type Late } from '../../src/index.ts'

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1', tool_response: {} }

async function late(answer: () => unknown): Promise<Late[]> {
  const engine = createEngine()
  engine.on('PostToolUse', { async: true, name: 'later' }, answer as () => undefined)
  await engine.fire('PostToolUse', call)
  await Promise.all(engine.background.map((job) => job.done))
  const answers = engine.drain()
  expect(engine.drain()).toEqual([])
  await engine.close()
  return answers
}

it("hands a background hook's context and message to the model", async () => {
  const [one] = await late(() => ({ context: 'tests passed', message: 'took 3 s' }))
  expect(one).toMatchObject({ toUser: '', messages: [{ text: 'took 3 s', to: 'model' }], context: [{ text: 'tests passed' }] })
  expect(one?.toModel).toContain('tests passed')
  expect(one?.toModel).toContain('took 3 s')
})

it('tells the person, and not the model, that a background hook failed', async () => {
  const [one] = await late(() => {
    throw new Error('boom')
  })
  expect(one?.toUser).toContain('boom')
  expect(one?.toModel).toBe('')
})
