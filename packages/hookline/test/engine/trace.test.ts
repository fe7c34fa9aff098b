/** The trace: which lines a call writes, in which order, who hears them, and what a listener cannot do. */
import { describe, expect, test } from 'vitest'
import type { Diagnostic, Hookline, TraceLine } from '../../src/index.ts'
import { call, engine, wait } from './opened.ts'

function heard(h: Hookline, options?: { sessionId?: string; replay?: number }): TraceLine[] {
  const lines: TraceLine[] = []
  h.trace.subscribe((line) => lines.push(line), options)
  return lines
}
const kinds = (lines: readonly TraceLine[]) => lines.map((line) => line.kind)

describe('the lines of a call', () => {
  test('are fired, skipped, started, ended as it happens, and the verdict last', async () => {
    const h = engine()
    h.on('PreToolUse', { name: 'slow' }, async () => void (await wait(20)))
    h.on('PreToolUse', { name: 'fast' }, async () => ({ permission: 'deny' as const, reason: 'no' }))
    h.on('PreToolUse', { matcher: 'Write' }, () => undefined)
    const lines = heard(h)
    const verdict = await h.fire('PreToolUse', call())
    expect(kinds(lines)).toEqual(['fired', 'skipped', 'started', 'started', 'ended', 'ended', 'verdict'])
    expect(lines).toMatchObject([
      { event: 'PreToolUse', sessionId: 's-1', selected: 2, skipped: 1, input: { tool_name: 'Bash' } },
      { hook: { id: 'code:PreToolUse:2:0' }, skipped: { why: 'matcher' } },
      { hook: { id: 'code:PreToolUse:0:0', label: 'slow' } },
      { hook: { id: 'code:PreToolUse:1:0' } },
      { hook: 'code:PreToolUse:1:0', ending: { kind: 'returned' }, outcome: 'blocking' },
      { hook: 'code:PreToolUse:0:0', outcome: 'success' },
      { verdict: { blocked: true } },
    ])
    expect((lines.at(-1) as { verdict: unknown }).verdict).toBe(verdict)
    for (const line of lines) expect(line).toMatchObject({ callId: verdict.callId, at: expect.any(Number) })
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, at) => lines[0]!.seq + at))
  })

  test('tell of a quiet call too', async () => {
    const h = engine()
    const lines = heard(h)
    await h.fire('Stop', {})
    expect(kinds(lines)).toEqual(['fired', 'verdict'])
  })

  test('name the agent, and the decision of the tool station', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ permission: 'allow', reason: 'fine' }))
    const lines = heard(h)
    await h.agent('a-1', 'Explore').permit({ name: 'Bash', input: { command: 'ls' }, id: 'toolu_1' })
    expect(lines[0]).toMatchObject({ kind: 'fired', agentId: 'a-1' })
    expect(lines.at(-1)).toMatchObject({ kind: 'permitted', behavior: 'allow', cause: 'hook', reason: 'fine' })
  })

  test('hold a failing hook as a notice', async () => {
    const h = engine()
    h.on('Stop', { name: 'broken' }, () => {
      throw new Error('no database')
    })
    const lines = heard(h)
    await h.fire('Stop', {})
    expect(lines.find((line) => line.kind === 'notice')).toMatchObject({
      notice: { code: 'hook-failed', hook: 'code:Stop:0:0', message: expect.stringContaining('no database') },
    })
  })
})

describe('who hears', () => {
  test('a subscriber of one session hears that session only, and what belongs to none', async () => {
    const h = engine()
    const lines = heard(h, { sessionId: 'one' })
    await h.session('one').fire('Stop', {})
    await h.session('two').fire('Stop', {})
    await h.reload()
    expect(lines.filter((line) => 'sessionId' in line).map((line) => 'sessionId' in line && line.sessionId)).toEqual(['one', 'one'])
  })

  test('a late subscriber gets the kept lines first, at most as many as it asks for', async () => {
    const h = engine({ keepTrace: 3 })
    h.on('Stop', () => undefined)
    await h.fire('Stop', {})
    expect(kinds(heard(h, { replay: 10 }))).toEqual(['started', 'ended', 'verdict'])
    expect(kinds(heard(h, { replay: 1 }))).toEqual(['verdict'])
    expect(kinds(heard(h))).toEqual([])
    const lines = heard(h, { replay: 1 })
    await h.fire('Stop', {})
    expect(kinds(lines)).toEqual(['verdict', 'fired', 'started', 'ended', 'verdict'])
  })

  test('nobody after the undo', async () => {
    const h = engine()
    const lines: TraceLine[] = []
    const undo = h.trace.subscribe((line) => lines.push(line))
    undo()
    undo()
    await h.fire('Stop', {})
    expect(lines).toEqual([])
  })
})

describe('a listener', () => {
  test('that throws is reported once and dropped, and the verdict stands', async () => {
    const notices: Diagnostic[] = []
    const h = engine({ onNotice: (notice) => notices.push(notice) })
    h.on('PreToolUse', () => ({ permission: 'deny', reason: 'no' }))
    let calls = 0
    h.trace.subscribe(() => {
      calls++
      throw new Error('full')
    })
    const lines = heard(h)
    expect((await h.fire('PreToolUse', call())).blocked).toBe(true)
    await h.fire('PreToolUse', call())
    expect(calls).toBe(1)
    expect(notices).toMatchObject([{ code: 'trace-listener-threw', message: expect.stringContaining('full') }])
    expect(kinds(lines).filter((kind) => kind === 'verdict')).toHaveLength(2)
  })

  test('cannot change a verdict', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ permission: 'deny', reason: 'no' }))
    h.trace.subscribe((line) => {
      if (line.kind !== 'verdict') return
      const { verdict } = line as { verdict: unknown } as { verdict: { blocked: boolean } }
      verdict.blocked = false
    })
    expect((await h.fire('PreToolUse', call())).blocked).toBe(true)
  })

  test('of notices that throws is left out', async () => {
    const h = engine({
      onNotice: () => {
        throw new Error('closed pipe')
      },
    })
    h.on('Stop', () => {
      throw new Error('no database')
    })
    expect((await h.fire('Stop', {})).blocked).toBe(false)
  })
})
