/** A command in the background that ends by itself is told to the model: in the turn that runs, or as a turn of its own. */
import { expect, test, vi } from 'vitest'
import { bash, recorder, setStage } from '../stage.ts'

const settings = { permissions: { allow: ['Bash'] } }
const behind = (command: string) => [{ tool: 'Bash', input: { command, description: 'the build', run_in_background: true } }]
const note = /<task-notification>[\s\S]*<status>failed<\/status>\n<summary>Background command "the build" failed \(exit code 3\)<\/summary>/

test('In a turn that runs it joins the next request', async () => {
  const stage = await setStage({ turns: [behind('exit 3'), bash('sleep 1'), 'done'], settings })
  const { agent } = await stage.open()
  const { seen, hooks } = recorder('UserPromptSubmit')
  agent.session.scope.on(hooks)
  await agent.ask('go')
  expect(stage.told(2)).toMatch(note)
  expect(seen.map(({ source }) => source)).toEqual([undefined, 'system'])
})

test('Without one it is a prompt of its own, which hooks see as coming from the system', async () => {
  const stage = await setStage({ turns: [behind('sleep 1; exit 3'), 'waiting', 'it failed'], settings })
  const { agent, events } = await stage.open()
  const { seen, hooks } = recorder('UserPromptSubmit')
  agent.session.scope.on(hooks)
  await agent.ask('go')
  await vi.waitFor(() => expect(agent.session.inbox).toHaveLength(1), 20_000)
  expect(events.at(-1)).toEqual({ kind: 'wake' })
  expect(await agent.next()).toMatchObject({ text: 'it failed' })
  expect(seen.at(-1)).toMatchObject({ prompt: expect.stringMatching(note), source: 'system' })
})

test('One that was stopped, or that the session’s end stopped, is not', async () => {
  const stage = await setStage({ turns: [behind('sleep 60'), 'waiting'], settings })
  const { agent } = await stage.open()
  await agent.ask('go')
  const [task] = agent.session.background
  await agent.close()
  await task?.done
  expect(task).toMatchObject({ status: 'killed' })
  expect(agent.session.inbox).toEqual([])
})
