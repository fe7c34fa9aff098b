/** Hooks in code that are asked without a walk: what they are promised all the same. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { emptySnapshot } from '../../src/config/empty.ts'
import { openHookline } from '../../src/engine/open.ts'
import { createCallbackHandler } from '../../src/handlers/callback.ts'
import type { Hookline, TraceLine, Verdict } from '../../src/index.ts'
import { station } from '../../src/station/station.ts'
import { call, engine, turn, wait } from './opened.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Fires until the hooks are trusted to be quick. The clock stands still meanwhile, so that a busy machine does not count as slow hooks. */
async function warm(h: Hookline, times = 4): Promise<void> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1)
  for (let time = 0; time < times; time++) await h.fire('PreToolUse', call())
  clock.mockRestore()
}

describe('the clock', () => {
  test('is seldom read for hooks that were quick', () => {
    const h = engine()
    h.on('PreToolUse', () => undefined)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1)
    for (let time = 0; time < 1_000; time++) void h.fireNow('PreToolUse', call())
    // Walks, after 1, 3, 7 … calls, of two readings each.
    expect(clock.mock.calls.length).toBeLessThanOrEqual(2 * 11)
  })

  test('is read at every call for hooks that take their time', () => {
    const h = engine()
    let now = 0
    h.on('PreToolUse', () => {
      now += 5
    })
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    for (let time = 0; time < 20; time++) expect(h.fireNow('PreToolUse', call())).toMatchObject({ ms: 5, hooks: [{ ms: 5 }] })
  })

  test('has told of a hook that was quick and then waits', async () => {
    const h = engine()
    let slow = false
    h.on('PreToolUse', () => (slow ? wait(60) : undefined))
    await warm(h)
    slow = true
    for (let time = 0; time < 3; time++) {
      const verdict = await h.fire('PreToolUse', call())
      // The turn in which it was asked may be missing.
      expect(verdict.ms).toBeGreaterThan(20)
      expect(verdict.hooks[0]).toMatchObject({ status: 'ran', outcome: 'success' })
      expect((verdict.hooks[0] as { ms: number }).ms).toBeGreaterThan(20)
    }
  })

  test('counts from the first to the last of hooks that wait side by side', async () => {
    const h = engine()
    h.on('PreToolUse', () => wait(60))
    h.on('PreToolUse', () => wait(1))
    for (let time = 0; time < 2; time++) expect((await h.fire('PreToolUse', call())).ms).toBeGreaterThan(20)
  })
})

describe('a hook that was quick before', () => {
  test('is ended at its deadline', async () => {
    const h = engine()
    let hangs = false
    h.on('PreToolUse', { timeout: 0.05, onFailure: 'block' }, () => (hangs ? new Promise(() => undefined) : undefined))
    await warm(h)
    hangs = true
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'timedOut', afterMs: 50 } }] })
  })

  test('is ended when its scope closes, and the host learns why', async () => {
    const h = engine()
    let hangs = false
    let signal: AbortSignal | undefined
    h.on('PreToolUse', (_input, context) => {
      signal = context.signal
      return hangs ? new Promise<void>(() => undefined) : undefined
    })
    await warm(h)
    hangs = true
    const fired = h.fire('PreToolUse', call())
    await turn()
    const refused = expect(fired).rejects.toMatchObject({ code: 'closed' })
    await h.close()
    await refused
    expect(signal?.aborted).toBe(true)
  })

  test('sees the whole input and its context', async () => {
    const h = engine()
    const seen: unknown[] = []
    h.on('PreToolUse', (input, context) => void seen.push([input, context.toolUseId, context.sessionId, typeof context.callId]))
    for (let time = 0; time < 4; time++) await h.fire('PreToolUse', call())
    const input = { session_id: 's-1', transcript_path: '', cwd: '/project', hook_event_name: 'PreToolUse', ...call() }
    expect(seen).toEqual(Array.from({ length: 4 }, () => [input, 'toolu_1', 's-1', 'string']))
  })

  test.each<[name: string, make: (see: (...args: unknown[]) => void) => (...args: never[]) => unknown]>([
    [
      'through a rest',
      (see) =>
        (...all) =>
          see(...all),
    ],
    [
      'through a default',
      (see) =>
        (first: unknown = undefined, second: unknown = undefined) =>
          see(first, second),
    ],
    [
      'through its arguments',
      (see) =>
        function () {
          // biome-ignore lint/complexity/noArguments: what is tested
          see(...arguments)
        },
    ],
    ['bound', (see) => see.bind(undefined)],
    ['behind a proxy', (see) => new Proxy(() => undefined, { apply: (_target, _self, args) => see(...args) })],
  ])('sees its arguments %s', async (_name, make) => {
    const h = engine()
    const seen: unknown[][] = []
    h.on('PreToolUse', make((...args) => void seen.push(args)) as never)
    for (let time = 0; time < 4; time++) await h.fire('PreToolUse', call())
    expect(seen.map(([input, context]) => [(input as { cwd: string }).cwd, typeof context])).toEqual(Array.from({ length: 4 }, () => ['/project', 'object']))
  })

  test.each<[name: string, input: unknown]>([
    ['a wrong type', { ...call(), tool_name: 7 }],
    ['a wrong type of a common field', { ...call(), permission_mode: 7 }],
    ['a missing field', { tool_name: 'Bash', tool_input: {} }],
    ['a field of another event beside a wrong one', { ...call(), extra: 1, cwd: null }],
    ['another event', { ...call(), hook_event_name: 'Stop' }],
    ['no object', null],
    ['a list', []],
  ])('does not keep the host from being told of an input that does not fit: %s', async (_name, input) => {
    const h = engine()
    h.on('PreToolUse', () => undefined)
    for (let time = 0; time < 4; time++) expect(() => h.fireNow('PreToolUse', input as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    await warm(h)
    expect(() => h.fireNow('PreToolUse', input as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    expect(h.fireNow('PreToolUse', { ...call(), permission_mode: 'plan', extra: 1 } as never)).toMatchObject({ input: { permission_mode: 'plan', extra: 1 } })
  })

  test('is heard by whoever listens meanwhile', async () => {
    const h = engine()
    let goOn: () => void = () => undefined
    let waits = false
    h.on('PreToolUse', () => (waits ? new Promise<void>((settle) => (goOn = settle)) : undefined))
    await warm(h)
    waits = true
    const fired = h.fire('PreToolUse', call())
    const lines: TraceLine[] = []
    h.trace.subscribe((line) => lines.push(line))
    goOn()
    await fired
    expect(lines.map(({ kind }) => kind)).toEqual(['ended', 'verdict'])
  })

  test('does not stand in the way of the guard', async () => {
    const looked: unknown[] = []
    const guard = {
      on: true,
      refuses(input: Readonly<Record<string, unknown>>) {
        looked.push(input['cwd'])
        return 'hands off'
      },
    }
    const parts = { snapshot: emptySnapshot, runners: [createCallbackHandler()], stopBlockCap: 8, keepTrace: 0, guard }
    const h = openHookline(parts, { sessionId: 's-1', cwd: '/project', station: station() }) as unknown as Hookline
    let asked = 0
    h.on('PreToolUse', () => void asked++)
    for (let time = 0; time < 6; time++) {
      const verdict = h.fireNow('PreToolUse', call()) as Verdict<'PreToolUse'>
      expect(verdict).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: 'hands off' } })
      expect(verdict.hooks.map(({ label }) => label)).toContain('self-protection')
    }
    expect([asked, new Set(looked)]).toEqual([6, new Set(['/project'])])
    await h.close()
  })

  test('is looked for anew when another one comes, or it goes', async () => {
    const h = engine()
    const undo = h.on('PreToolUse', () => undefined)
    await warm(h)
    const deny = h.on('PreToolUse', () => ({ permission: 'deny' }))
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: true })
    deny()
    undo()
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: false, hooks: [] })
  })
})

test('every hook of a scope and of those above it is asked, again and again', async () => {
  const h = engine()
  const asked: string[] = []
  const session = h.session('s-2', { cwd: '/elsewhere' })
  const agent = session.agent('a-1', 'Explore')
  h.on('SubagentStart', ({ agent_id }) => void asked.push(`top ${agent_id}`))
  session.on('SubagentStart', { matcher: 'Explore' }, ({ cwd }) => void asked.push(`session ${cwd}`))
  agent.on('SubagentStart', () => void asked.push('agent'))
  for (let time = 0; time < 4; time++) await agent.fire('SubagentStart', {} as never)
  expect(asked).toEqual(Array.from({ length: 4 }, () => ['top a-1', 'session /elsewhere', 'agent']).flat())
})

test('a verdict of hooks that said nothing tells who was asked and who was not', async () => {
  const h = engine()
  h.on('PreToolUse', { name: 'all' }, () => undefined)
  h.on('PreToolUse', { name: 'writes', matcher: 'Write' }, () => undefined)
  for (let time = 0; time < 4; time++) {
    const { hooks } = await h.fire('PreToolUse', call())
    expect(hooks).toMatchObject([
      { label: 'all', status: 'ran', ending: { kind: 'returned' }, outcome: 'success' },
      { label: 'writes', status: 'skipped', skipped: { why: 'matcher' } },
    ])
  }
})
