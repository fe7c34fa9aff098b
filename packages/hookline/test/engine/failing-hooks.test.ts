/** Failures are told one by one, and a hook that keeps failing once more, as a standing warning. */
import { describe, expect, test } from 'vitest'
import { FailingHooks } from '../../src/engine/failing-hooks.ts'
import type { Diagnostic } from '../../src/index.ts'
import { call, engine } from './opened.ts'

describe('the count', () => {
  const minute = 60_000
  test.each<[what: string, times: number[], told: number[]]>([
    ['two failures', [0, 1], []],
    ['three within a minute', [0, 1_000, minute - 1], [minute - 1]],
    ['three in more than a minute', [0, 1_000, minute], []],
    ['three after one that is long past', [0, 2 * minute, 2 * minute + 1, 2 * minute + 2], [2 * minute + 2]],
    ['many: once', [0, 1, 2, 3, 4, 5], [2]],
    ['many, for minutes: once', [0, 1, 2, 3 * minute, 3 * minute + 1, 3 * minute + 2], [2]],
  ])('%s', (_, times, told) => {
    const failing = new FailingHooks()
    expect(times.filter((at) => failing.failed('a', at))).toEqual(told)
  })

  test('is each hook’s own, and starts anew when the hook ends well', () => {
    const failing = new FailingHooks()
    expect(['a', 'b', 'a', 'b', 'a'].map((id, at) => failing.failed(id, at))).toEqual([false, false, false, false, true])
    failing.succeeded('a')
    expect([5, 6, 7].map((at) => failing.failed('a', at))).toEqual([false, false, true])
    expect(failing.failed('b', 8)).toBe(true)
  })

  test('does not grow for ever', () => {
    const failing = new FailingHooks()
    failing.failed('first', 0)
    failing.failed('first', 0)
    for (let at = 0; at < 2_000; at++) failing.failed(`code:${at}`, 0)
    expect(failing.failed('first', 0)).toBe(false)
  })
})

describe('the host', () => {
  function failing(fail: () => never | void) {
    const notices: Diagnostic[] = []
    const h = engine({ onNotice: (notice) => notices.push(notice) })
    h.on('PreToolUse', { name: 'lint' }, fail as never)
    return { h, notices, codes: () => notices.map(({ code }) => code) }
  }
  const broken = () => {
    throw new Error('no database')
  }

  test('is told of every failure in one line, and of the third once more', async () => {
    const { h, notices, codes } = failing(broken)
    for (let at = 0; at < 5; at++) await h.fire('PreToolUse', call())
    expect(codes()).toEqual(['hook-failed', 'hook-failed', 'hook-failed', 'hook-keeps-failing', 'hook-failed', 'hook-failed'])
    expect(notices[3]).toMatchObject({
      severity: 'warning',
      hook: 'code:PreToolUse:0:0',
      message: expect.stringMatching(/^Hook "lint" \(code:PreToolUse:0:0\) failed 3 times within 60 s\. The last failure: .*no database/),
      hint: expect.stringContaining('disabledHooks'),
    })
    for (const { message } of notices) expect(message).not.toMatch(/\n/)
  })

  test('is told again after the hook ended well in between', async () => {
    let ok = false
    const { h, codes } = failing(() => (ok ? undefined : broken()))
    for (const now of [false, false, true, false, false]) {
      ok = now
      await h.fire('PreToolUse', call())
    }
    expect(codes()).not.toContain('hook-keeps-failing')
    await h.fire('PreToolUse', call())
    expect(codes()).toContain('hook-keeps-failing')
  })

  test('is told of hooks in the background too', async () => {
    const notices: Diagnostic[] = []
    const h = engine({ onNotice: (notice) => notices.push(notice) })
    h.on('PreToolUse', { async: true }, broken)
    for (let at = 0; at < 3; at++) await h.fire('PreToolUse', call())
    await Promise.all(h.background.map((job) => job.done))
    expect(notices.map(({ code }) => code)).toContain('hook-keeps-failing')
  })

  test('is not told so of hooks that it aborted itself', async () => {
    const notices: Diagnostic[] = []
    const h = engine({ onNotice: (notice) => notices.push(notice) })
    h.on('PreToolUse', (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
    for (let at = 0; at < 4; at++) {
      const abort = new AbortController()
      const fired = h.fire('PreToolUse', call(), { signal: abort.signal })
      abort.abort(new Error('Esc'))
      await expect(fired).rejects.toThrow('Esc')
    }
    expect(notices.map(({ code }) => code)).not.toContain('hook-keeps-failing')
  })
})
