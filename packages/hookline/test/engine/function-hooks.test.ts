/** Function hooks: yes/no checks of a session, by id. */
import { expect, test } from 'vitest'
import { call, engine } from './opened.ts'

test('no gives the message as a block, in the words of the event', async () => {
  const h = engine()
  h.addFunctionHook('Stop', { errorMessage: 'call StructuredOutput first' }, () => false)
  h.addFunctionHook('PreToolUse', { errorMessage: 'not now', matcher: 'Bash' }, () => false)
  h.addFunctionHook('SessionStart', { errorMessage: 'odd start' }, () => false)
  expect(await h.fire('Stop', {})).toMatchObject({ blocked: true, reason: 'call StructuredOutput first', blocks: [{ to: 'model' }] })
  expect(await h.fire('PreToolUse', call())).toMatchObject({ permission: { behavior: 'deny', reason: 'not now' } })
  expect(await h.fire('PreToolUse', call('x', 'Write'))).toMatchObject({ permission: { behavior: 'passthrough' } })
  expect(await h.fire('SessionStart', { source: 'startup' })).toMatchObject({ blocked: false, messages: [{ text: 'odd start', to: 'user' }] })
})

test('yes, now or promised, is no opinion', async () => {
  const h = engine()
  h.addFunctionHook('Stop', { errorMessage: 'no' }, () => true)
  h.addFunctionHook('Stop', { errorMessage: 'no' }, async () => true)
  expect(await h.fire('Stop', {})).toMatchObject({ blocked: false, messages: [], warnings: [] })
})

test('anything but true is no', async () => {
  const h = engine()
  for (const check of [() => 'yes', async () => 'yes', () => 1, () => undefined]) {
    const undo = h.addFunctionHook('Stop', { errorMessage: 'no' }, check as never)
    expect((await h.fire('Stop', {})).blocked).toBe(true)
    undo()
  }
})

test('the check sees the input, the conversation and the ids', async () => {
  const h = engine()
  const seen: unknown[] = []
  h.addFunctionHook(
    'PreToolUse',
    { errorMessage: 'no' },
    (input, { locals, sessionId, toolUseId }) => seen.push(input.tool_input, locals.messages?.(), sessionId, toolUseId) > 0,
  )
  await h.fire('PreToolUse', call('pwd'), { locals: { messages: () => [1, 2] } })
  expect(seen).toEqual([{ command: 'pwd' }, [1, 2], 's-1', 'toolu_1'])
})

test('a check that throws is a failure, and blocks where it is asked to', async () => {
  const h = engine()
  const broken = () => {
    throw new Error('no transcript')
  }
  h.addFunctionHook('PreToolUse', { errorMessage: 'no', id: 'open' }, broken)
  expect(await h.fire('PreToolUse', call())).toMatchObject({
    blocked: false,
    hooks: [{ type: 'function', outcome: 'nonBlockingError', ending: { kind: 'threw', error: 'no transcript' } }],
  })
  h.removeFunctionHook('open')
  h.addFunctionHook('PreToolUse', { errorMessage: 'no', onFailure: 'block' }, broken)
  expect((await h.fire('PreToolUse', call())).blocked).toBe(true)
})

test('is taken back by its undo or by its id, once', async () => {
  const h = engine()
  const first = h.addFunctionHook('Stop', { errorMessage: 'first' }, () => false)
  const second = h.addFunctionHook('Stop', { id: 'mine', errorMessage: 'second' }, () => false)
  expect([typeof first.id, second.id]).toEqual(['string', 'mine'])
  expect(h.removeFunctionHook('mine')).toBe(true)
  expect(h.removeFunctionHook('mine')).toBe(false)
  second()
  expect((await h.fire('Stop', {})).reason).toBe('first')
  first()
  first()
  expect(h.has('Stop')).toBe(false)
})

test('belongs to its session', async () => {
  const h = engine()
  const [one, two] = [h.session('one'), h.session('two')]
  one.addFunctionHook('Stop', { id: 'mine', errorMessage: 'no' }, () => false)
  two.addFunctionHook('Stop', { id: 'mine', errorMessage: 'no' }, () => true)
  expect([(await one.fire('Stop', {})).blocked, (await two.fire('Stop', {})).blocked, h.has('Stop')]).toEqual([true, false, false])
  expect(h.removeFunctionHook('mine')).toBe(false)
})

test('two with one id, or one without a message, is a mistake of the host', () => {
  const h = engine()
  h.addFunctionHook('Stop', { id: 'mine', errorMessage: 'no' }, () => true)
  expect(() => h.addFunctionHook('Stop', { id: 'mine', errorMessage: 'no' }, () => true)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  expect(() => h.addFunctionHook('Stop', {} as never, () => true)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
})
