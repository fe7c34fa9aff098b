/** Middleware around the corridor: nesting, rewrites, answers without the hooks, additions, and what happens when it goes wrong. */
import { describe, expect, test } from 'vitest'
import { type Diagnostic, defineEvent } from '../../src/index.ts'
import { call, engine, turn } from './opened.ts'

describe('layers', () => {
  test('nest in the order in which they were registered, the first outermost, the hooks inside', async () => {
    const h = engine()
    const walked: string[] = []
    for (const name of ['outer', 'middle', 'inner'])
      h.use('Stop', async (c, next) => {
        walked.push(`${name} in`)
        const verdict = await next(c)
        walked.push(`${name} out`)
        return verdict
      })
    h.on('Stop', () => void walked.push('hook'))
    await h.fire('Stop', {})
    expect(walked).toEqual(['outer in', 'middle in', 'inner in', 'hook', 'inner out', 'middle out', 'outer out'])
  })

  test('of the engine stand around those of the session, and * stands around every event', async () => {
    const h = engine()
    const session = h.session('one')
    const walked: string[] = []
    session.use('Stop', (c, next) => {
      walked.push('session')
      return next(c)
    })
    h.use('*', (c, next) => {
      walked.push(`engine ${c.event}`)
      return next(c)
    })
    await session.fire('Stop', {})
    await h.fire('SessionEnd', { reason: 'other' })
    expect(walked).toEqual(['engine Stop', 'session', 'engine SessionEnd'])
  })

  test('run where no hook is attached, and go with their undo, which takes back no other', async () => {
    const h = engine()
    const runs: string[] = []
    const layer = (name: string) =>
      h.use('Stop', (c, next) => {
        runs.push(name)
        return next(c)
      })
    const [first, second] = [layer('first'), layer('second')]
    expect(h.has('Stop')).toBe(true)
    await h.fire('Stop', {})
    first()
    first()
    await h.fire('Stop', {})
    expect(runs).toEqual(['first', 'second', 'second'])
    second()
    expect(h.has('Stop')).toBe(false)
  })

  test('of an event that the host defined see its calls', async () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => ({ value }),
        types: undefined as unknown as { input: unknown; output: { n: number } },
      },
    } as const
    const tick = defineEvent({ name: 'Tick', summary: 'A tick.', input: schema, powers: ['block'] })
    const h = engine()
    h.use(tick, (c) => c.answer({ block: `tick ${c.input.n}` }))
    expect(await h.fire(tick, { n: 1 })).toMatchObject({ blocked: true, reason: 'tick 1' })
  })
})

describe('a rewrite', () => {
  test('reaches the hooks, the verdict and the layers further in, and keeps the call id', async () => {
    const h = engine()
    const seen: unknown[] = []
    h.use('PreToolUse', (c, next) => next(c.with({ tool_input: { command: 'ls -a' } })))
    h.use('PreToolUse', (c, next) => {
      seen.push(c.input.tool_input)
      return next(c)
    })
    h.on('PreToolUse', (input, { callId }) => void seen.push(input.tool_input, callId))
    const verdict = await h.fire('PreToolUse', call('ls'))
    expect(seen).toEqual([{ command: 'ls -a' }, { command: 'ls -a' }, verdict.callId])
    expect(verdict.input.tool_input).toEqual({ command: 'ls -a' })
  })

  test('decides which hooks match', async () => {
    const h = engine()
    h.use('PreToolUse', (c, next) => next(c.with({ tool_name: 'Write' })))
    h.on('PreToolUse', { matcher: 'Write' }, () => ({ permission: 'deny', reason: 'no writing' }))
    expect((await h.fire('PreToolUse', call())).blocked).toBe(true)
  })

  test('that does not fit the event is a failure of the layer', async () => {
    const h = engine()
    h.use('PreToolUse', (c, next) => next(c.with({ tool_name: 7 as never })))
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict.permission).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('"tool_name" must be a string') })
  })
})

describe('an answer without next', () => {
  test('runs no hook', async () => {
    const h = engine()
    let runs = 0
    h.on('PreToolUse', () => void runs++)
    h.use('PreToolUse', (c) => c.answer({ permission: 'deny', reason: 'read-only today' }))
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: true, permission: { reason: 'read-only today' }, hooks: [] })
    expect(runs).toBe(0)
  })

  test('can be added to from outside, and the strictest word stays', async () => {
    const h = engine()
    h.use('PreToolUse', async (c, next) => (await next(c)).and({ permission: 'allow', context: 'seen' }))
    h.use('PreToolUse', (c) => c.answer({ permission: 'ask', reason: 'sure?' }))
    expect(await h.fire('PreToolUse', call())).toMatchObject({ permission: { behavior: 'ask', reason: 'sure?' }, context: [{ text: 'seen' }] })
  })
})

test('an addition is the last in configuration order', async () => {
  const h = engine()
  h.on('PreToolUse', () => ({ updatedInput: { command: 'hook' }, context: 'hook' }))
  h.use('PreToolUse', async (c, next) => (await next(c)).and({ updatedInput: { command: 'layer' }, context: 'layer' }, 'layer'))
  const verdict = await h.fire('PreToolUse', call())
  expect(verdict.input.tool_input).toEqual({ command: 'layer' })
  expect(verdict.context.map((one) => [one.by, one.text])).toEqual([
    ['code:PreToolUse:0:0', 'hook'],
    ['layer', 'layer'],
  ])
  expect(verdict.conflicts).toEqual([{ field: 'updatedInput', won: 'layer', lost: ['code:PreToolUse:0:0'] }])
})

describe('a layer that fails', () => {
  const failing: [event: 'PreToolUse' | 'Stop' | 'SessionEnd', input: object, expected: object][] = [
    ['PreToolUse', call(), { blocked: true, permission: { behavior: 'deny', reason: 'Middleware "audit" on PreToolUse failed: disk full' } }],
    ['Stop', {}, { blocked: true, reason: 'Middleware "audit" on Stop failed: disk full' }],
    ['SessionEnd', { reason: 'other' }, { blocked: false }],
  ]
  test.each(failing)('before next on %s is a denial where something can be blocked, a notice elsewhere', async (event, input, expected) => {
    const notices: Diagnostic[] = []
    const h = engine({ onNotice: (notice) => notices.push(notice) })
    let runs = 0
    h.on(event, () => void runs++)
    h.use(
      event,
      () => {
        throw new Error('disk full')
      },
      { name: 'audit' },
    )
    expect(await h.fire(event, input as never)).toMatchObject(expected)
    expect(notices).toMatchObject([{ code: 'middleware-failed', message: `Middleware "audit" on ${event} failed: disk full` }])
    expect(runs).toBe(0)
  })

  test('after next keeps what the hooks said and denies beside it', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ context: 'seen' }))
    h.use('PreToolUse', async (c, next) => {
      await next(c)
      throw new Error('too late')
    })
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: true, context: [{ text: 'seen' }] })
  })

  const wrong: [name: string, layer: (c: never, next: (c: never) => Promise<never>) => unknown, says: string][] = [
    ['calls next twice', (c, next) => next(c).then(() => next(c)), 'next() was called twice'],
    ['returns nothing', () => undefined, 'it returned no verdict; did you forget "return next(call)"?'],
    ['returns a look-alike', () => ({ blocked: false }), 'it returned no verdict'],
  ]
  test.each(wrong)('because it %s denies', async (_, layer, says) => {
    const h = engine()
    let runs = 0
    h.on('PreToolUse', () => void runs++)
    h.use('PreToolUse', layer as never)
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict.permission).toMatchObject({ behavior: 'deny', reason: expect.stringContaining(says) })
    expect(runs).toBeLessThan(2)
  })

  test('a layer that calls next without waiting leaves no rejection behind', async () => {
    const h = engine()
    h.use('PreToolUse', (c, next) => {
      void next(c)
      return c.answer({})
    })
    h.use('PreToolUse', () => {
      throw new Error('inner')
    })
    expect((await h.fire('PreToolUse', call())).blocked).toBe(false)
    await turn()
  })

  test('when the host aborts, the abort is what the host hears', async () => {
    const h = engine()
    const abort = new AbortController()
    h.use('Stop', async (c, next) => {
      const verdict = await next(c)
      c.signal.throwIfAborted()
      return verdict
    })
    h.on('Stop', () => new Promise(() => {}))
    const pending = h.fire('Stop', {}, { signal: abort.signal })
    await turn()
    abort.abort(new Error('user pressed Esc'))
    await expect(pending).rejects.toThrow('user pressed Esc')
  })
})

test('middleware sees the locals and the signal of the call', async () => {
  const h = engine()
  const seen: unknown[] = []
  h.use('Stop', (c, next) => {
    seen.push(c.locals.messages?.(), c.signal.aborted, c.sessionId)
    return next(c)
  })
  await h.fire('Stop', {}, { locals: { messages: () => ['hello'] } })
  expect(seen).toEqual([['hello'], false, 's-1'])
})
