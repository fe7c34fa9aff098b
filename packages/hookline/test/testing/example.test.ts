/** Example inputs are inputs: every event takes its own. */
import { describe, expect, test } from 'vitest'
import { createEngine, defineEvent, eventNames } from '../../src/index.ts'
import { example } from '../../src/testing.ts'

describe('the example of every event', () => {
  test.each([...eventNames, 'PostSampling' as const])('%s is a valid input', async (event) => {
    const h = createEngine({ cwd: '/project' })
    let runs = 0
    h.on(event, () => void runs++)
    await h.fire(event, example(event))
    expect(runs).toBe(1)
  })
})

test('fields are laid over it, and a tool gets an input of its own', () => {
  expect(example('PreToolUse')).toEqual({ tool_name: 'Bash', tool_input: { command: 'echo hello' }, tool_use_id: 'tool-1' })
  expect(example('PreToolUse', { tool_name: 'Write' })).toMatchObject({
    tool_name: 'Write',
    tool_input: { file_path: expect.any(String), content: expect.any(String) },
  })
  expect(example('PreToolUse', { tool_name: 'mcp__gh__search' })).toMatchObject({ tool_input: {} })
  expect(example('PreToolUse', { tool_input: { command: 'rm' } }).tool_input).toEqual({ command: 'rm' })
  expect(example('Stop', { last_assistant_message: 'done' })).toEqual({ last_assistant_message: 'done' })
})

test('each example is a new object', () => {
  expect(example('PreToolUse').tool_input).not.toBe(example('PreToolUse').tool_input)
})

test('the Stop loop stays in the hands of the scope', () => {
  expect(example('Stop')).not.toHaveProperty('stop_hook_active')
})

test('an event of the host takes the fields that it is given', () => {
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      types: undefined as unknown as { input: unknown; output: { branch: string } },
    },
  } as const
  const deploy = defineEvent({ name: 'Deploy', summary: 'A deployment.', input: schema, match: 'branch' })
  expect(example(deploy, { branch: 'main' })).toEqual({ branch: 'main' })
})

test('an unknown event is a mistake that is named', () => {
  expect(() => example('Stopp' as never)).toThrow(expect.objectContaining({ code: 'unknown-event' }))
})
