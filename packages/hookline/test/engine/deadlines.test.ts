/** Deadlines behind one timer: each fires once and in time, none is waited for that was taken back, and nothing keeps the process alive. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Deadlines } from '../../src/protocol/deadlines.ts'
import { call, engine } from './opened.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Deadlines whose expiries are written down by name. */
function fake() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const over: string[] = []
  const deadlines = new Deadlines()
  return { over, deadlines, add: (name: string, ms: number) => deadlines.add(ms, () => over.push(name)) }
}

describe('deadlines', () => {
  test('expire in the order of time, whatever the order of adding', () => {
    const { over, add } = fake()
    add('late', 500)
    add('soon', 20)
    vi.advanceTimersByTime(10)
    add('soon too', 20)
    vi.advanceTimersByTime(10)
    expect(over).toEqual(['soon'])
    vi.advanceTimersByTime(480)
    expect(over).toEqual(['soon', 'soon too', 'late'])
  })

  test('wait behind one timer, however many they are', () => {
    const { over, add } = fake()
    for (let index = 0; index < 1_000; index++) add('x', 100)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(100)
    expect(over).toHaveLength(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that are taken back never expire, and leave no timer behind', () => {
    const { over, add, deadlines } = fake()
    const undo = [add('a', 10), add('b', 20)]
    for (const back of [...undo, ...undo]) back()
    expect([deadlines.size, vi.getTimerCount()]).toEqual([0, 0])
    vi.advanceTimersByTime(100)
    expect(over).toEqual([])
  })

  test('longer than a timer can wait do not fire at once', () => {
    const { over, add } = fake()
    add('never', Number.MAX_SAFE_INTEGER)
    vi.advanceTimersByTime(5_000)
    expect(over).toEqual([])
  })

  test('may be added while others expire', () => {
    const { over, deadlines } = fake()
    deadlines.add(10, () => {
      over.push('first')
      deadlines.add(10, () => over.push('second'))
    })
    vi.advanceTimersByTime(20)
    expect(over).toEqual(['first', 'second'])
  })
})

test('a hundred hooks that are still at work share one timer', async () => {
  const h = engine()
  let goOn: () => void = () => undefined
  const gate = new Promise<void>((settle) => {
    goOn = settle
  })
  for (let index = 0; index < 100; index++) h.on('PreToolUse', () => gate)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const fired = h.fire('PreToolUse', call())
  await new Promise((turn) => setImmediate(() => setImmediate(turn)))
  const made = timers.mock.calls.length
  timers.mockRestore()
  goOn()
  expect((await fired).hooks).toHaveLength(100)
  // One looks which calls are still young, one waits for the deadline of all.
  expect(made).toBeLessThanOrEqual(2)
})
