/** What costs something is made when somebody reads it: a call without hooks, and hooks that say nothing, pay nothing. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, engine } from './opened.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Counts what the runtime was asked for while `act` ran. */
async function counted(act: () => unknown): Promise<{ controllers: number; timers: number; serialised: number }> {
  const controllers = vi.spyOn(globalThis, 'AbortController')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const serialised = vi.spyOn(JSON, 'stringify')
  await act()
  const counts = { controllers: controllers.mock.calls.length, timers: timers.mock.calls.length, serialised: serialised.mock.calls.length }
  vi.restoreAllMocks()
  return counts
}
const nothing = { controllers: 0, timers: 0, serialised: 0 }

describe('no controller, no timer and no text is made', () => {
  test('when no hook is attached, and the input function is not called', async () => {
    const h = engine()
    let asked = 0
    const verdicts = await counted(() => {
      const verdict = h.fireNow('PreToolUse', () => {
        asked++
        return call()
      })
      return [verdict, (verdict as { blocked: boolean }).blocked]
    })
    expect(verdicts).toEqual(nothing)
    expect(asked).toBe(0)
  })

  test('when no hook of the event matches', async () => {
    const h = engine()
    h.on('PreToolUse', { matcher: 'Write' }, () => ({ permission: 'deny' }))
    expect(await counted(() => h.fire('PreToolUse', call()))).toEqual(nothing)
  })

  test('when synchronous hooks look at their input only', async () => {
    const h = engine()
    h.on('PreToolUse', (input) => (input.tool_name === 'Write' ? { context: 'x' } : undefined))
    h.on('PreToolUse', () => ({ context: 'y' }))
    expect(await counted(() => h.fire('PreToolUse', call()))).toEqual(nothing)
  })
})

describe('a verdict that nobody filled', () => {
  test('reads as the verdict of hooks that said nothing', async () => {
    const [quiet, asked] = [engine(), engine()]
    asked.on('PreToolUse', () => undefined)
    const [a, b] = [await quiet.fire('PreToolUse', call()), await asked.fire('PreToolUse', call())]
    const comparable = (verdict: object) => ({ ...(JSON.parse(JSON.stringify(verdict)) as object), callId: '', ms: 0, hooks: [] })
    expect(comparable(a)).toEqual(comparable(b))
    expect(a.permission).toEqual({ behavior: 'passthrough', by: [] })
    expect([a.blocks, a.context, a.messages, a.conflicts, a.warnings, a.hooks]).toEqual([[], [], [], [], [], []])
    for (const key of ['stop', 'updatedInput', 'reason', 'terminalSequence']) expect(key in a).toBe(false)
  })

  test('opens its input when that is read, once', async () => {
    let asked = 0
    const verdict = await engine().fire('PreToolUse', () => {
      asked++
      return call('pwd')
    })
    expect(verdict.input.tool_input).toEqual({ command: 'pwd' })
    expect(verdict.input).toMatchObject({ session_id: 's-1', hook_event_name: 'PreToolUse' })
    expect([verdict.callId, verdict.callId]).toEqual([verdict.callId, verdict.callId])
    expect(asked).toBe(1)
  })

  test('takes an answer with and()', async () => {
    const verdict = (await engine().fire('PreToolUse', call())).and({ permission: 'deny', reason: 'host says no' }, 'host')
    expect(verdict).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: 'host says no', by: ['host'] } })
  })
})
