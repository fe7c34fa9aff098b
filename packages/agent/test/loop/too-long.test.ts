/** A conversation that the model refuses for its length: compacted once and asked again, or told as what it is. */
import { expect, test } from 'vitest'
import type { Turn } from '../servers/anthropic.ts'
import { recorder, setStage } from '../stage.ts'

const tooLong: Turn = { status: 400, errorType: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }
const compact = (...turns: Turn[]) => [{ name: 'compact', when: { last: 'create a detailed summary' }, turns }]
const events = ['PreCompact', 'SessionStart', 'PostCompact', 'Stop', 'StopFailure'] as const

test('It is compacted and the request made again, with the prompt as it was; nobody sees an error', async () => {
  const stage = await setStage({ turns: ['first', tooLong, 'second'], routes: compact('<summary>SHORT</summary>') })
  const { agent } = await stage.open()
  const { seen, fired, hooks } = recorder(...events)
  agent.session.scope.on(hooks)
  await agent.ask('a long story')
  expect(await agent.ask('go on')).toMatchObject({ reason: 'completed', text: 'second' })
  expect(fired()).toEqual(['SessionStart', 'Stop', 'PreCompact', 'SessionStart', 'PostCompact', 'Stop'])
  expect(seen[2]).toMatchObject({ trigger: 'auto', custom_instructions: null })
  expect(stage.requests.map(({ route }) => route)).toEqual(['main', 'main', 'compact', 'main'])
  expect(stage.told(3)).toMatch(/SHORT[\s\S]*go on$/)
  expect(stage.told(3)).not.toContain('a long story')
})

test('In the middle of a turn its work goes on from the summary', async () => {
  const stage = await setStage({
    turns: [[{ tool: 'Read', input: { file_path: 'a.txt' } }], tooLong, 'done'],
    routes: compact('<summary>READ a.txt</summary>'),
    files: { 'a.txt': 'FILE-TEXT' },
  })
  const { agent } = await stage.open()
  expect(await agent.ask('read it')).toMatchObject({ reason: 'completed', text: 'done' })
  expect(stage.told(3)).toContain('READ a.txt')
  expect(stage.told(3)).not.toContain('FILE-TEXT')
})

test('Too long for its own summary, too, it is told in halves until it fits', async () => {
  const stage = await setStage({ turns: ['first', tooLong, 'second'], routes: compact(tooLong, tooLong, '<summary>SHORT</summary>') })
  const { agent } = await stage.open()
  await agent.ask(`BEGIN ${'long '.repeat(4000)} END`)
  expect(await agent.ask('go on')).toMatchObject({ reason: 'completed', text: 'second' })
  const lengths = [2, 3, 4].map((at) => stage.told(at).length)
  expect(lengths[1]).toBeLessThan((lengths[0] as number) / 1.5)
  expect(lengths[2]).toBeLessThan(lengths[1] as number)
  expect(stage.told(4)).toContain('create a detailed summary')
})

test.each<[string, { turns: Turn[]; block?: true; prompts: string[] }]>([
  ['and compacting was blocked by a hook', { turns: ['first', tooLong], block: true, prompts: ['a', 'b'] }],
  ['again after it was compacted', { turns: ['first', tooLong, tooLong], prompts: ['a', 'b'] }],
  ['and is only one message', { turns: [tooLong], prompts: ['a'] }],
])('Too long %s, it ends the turn with StopFailure of its kind, and says what to do', async (_, { turns, block, prompts }) => {
  const stage = await setStage({ turns, routes: compact('<summary>SHORT</summary>') })
  const { agent } = await stage.open()
  const { seen, hooks } = recorder('StopFailure')
  agent.session.scope.on(hooks)
  if (block === true) agent.session.scope.on('PreCompact', () => ({ block: 'not now' }))
  let result: unknown
  for (const prompt of prompts) result = await agent.ask(prompt)
  expect(result).toMatchObject({ reason: 'error', error: { kind: 'invalid_request', hint: expect.stringContaining('/compact') } })
  expect(seen).toMatchObject([{ error: 'invalid_request', last_assistant_message: expect.stringContaining('prompt is too long') }])
})

test('The session is not lost by it: the next prompt finds room', async () => {
  const stage = await setStage({ turns: [tooLong, tooLong, 'fine'], routes: compact('<summary>SHORT</summary>') })
  const { agent } = await stage.open()
  await agent.ask('much too much')
  expect(await agent.ask('go on')).toMatchObject({ reason: 'completed', text: 'fine' })
})

test.each<[string, Turn[]]>([
  ['that the model refuses for its length', [[{ tool: 'Read', input: { file_path: 'a.txt' } }], tooLong, 'reported']],
  ['that comes near the limit', [{ blocks: [{ tool: 'Read', input: { file_path: 'a.txt' } }], inputTokens: 190_000 }, 'reported']],
])('A subagent’s conversation %s is compacted too, in its own name, and the main one stays as it is', async (_, turns) => {
  const spawn = [{ tool: 'Agent', input: { description: 'd', prompt: 'SUBTASK', subagent_type: 'general-purpose', run_in_background: false } }]
  const stage = await setStage({
    turns: [spawn, 'done'],
    routes: [...compact('<summary>SHORT</summary>'), { name: 'sub', when: { first: 'SUBTASK|SHORT' }, turns }],
    files: { 'a.txt': 'FILE-TEXT' },
  })
  const { agent } = await stage.open()
  const { seen, fired, hooks } = recorder('PreCompact', 'PostCompact', 'SessionStart')
  agent.session.scope.on(hooks)
  expect(await agent.ask('go')).toMatchObject({ reason: 'completed', text: 'done' })
  expect(fired()).toEqual(['SessionStart', 'PreCompact', 'PostCompact'])
  expect(seen.slice(1).map(({ agent_type }) => agent_type)).toEqual(['general-purpose', 'general-purpose'])
  const last = stage.requests.findLastIndex(({ route }) => route === 'sub')
  expect(stage.told(last)).toContain('SHORT')
  expect(stage.told(last)).not.toContain('FILE-TEXT')
  expect(stage.told(stage.requests.length - 1)).toMatch(/go[\s\S]*reported/)
})
