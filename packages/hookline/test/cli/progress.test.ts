/** Progress on a terminal: which hook runs and for how long, gone when it is over, and nothing for quick hooks. */
import { describe, expect, test, vi } from 'vitest'
import { paintFor } from '../../src/cli/render/paint.ts'
import { showProgress } from '../../src/cli/render/progress.ts'
import type { Trace, TraceLine } from '../../src/index.ts'

/** A trace that a test writes to, and a screen that remembers. */
function stage() {
  let listener: (line: TraceLine) => void = () => undefined
  let left = false
  const trace: Trace = {
    subscribe: (one) => {
      listener = one
      const undo = () => {
        left = true
      }
      return Object.assign(undo, { [Symbol.dispose]: undo })
    },
  }
  const written: string[] = []
  const started = (id: string, statusMessage?: string) =>
    listener({ kind: 'started', hook: { id, label: `${id}.sh` }, ...(statusMessage === undefined ? {} : { statusMessage }) } as TraceLine)
  const ended = (id: string) => listener({ kind: 'ended', hook: id } as TraceLine)
  return { trace, written, started, ended, screen: { isTTY: true, write: (text: string) => written.push(text) }, undone: () => left }
}

describe('progress', () => {
  test('shows the status message and the time once a hook is slow, and clears the line at the end', () => {
    vi.useFakeTimers()
    try {
      const { trace, written, started, ended, screen, undone } = stage()
      const done = showProgress(trace, screen)
      started('lint', 'Linting \u001b[31meverything')
      vi.advanceTimersByTime(300)
      expect(written).toEqual([])
      vi.advanceTimersByTime(1_300)
      expect(written.at(-1)).toBe('Linting everything 1.5 s')
      started('test')
      vi.advanceTimersByTime(1_000)
      expect(written.at(-1)).toBe('Linting everything 2.5 s, and 1 more')
      ended('lint')
      vi.advanceTimersByTime(250)
      expect(written.at(-1)).toMatch(/^running test\.sh \d/)
      done()
      expect(written.at(-1)).toBe('\r\u001b[2K')
      expect(undone()).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('writes nothing for quick hooks', () => {
    vi.useFakeTimers()
    try {
      const { trace, written, started, ended, screen } = stage()
      const done = showProgress(trace, screen)
      started('quick')
      vi.advanceTimersByTime(200)
      ended('quick')
      vi.advanceTimersByTime(2_000)
      done()
      expect(written).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

test.each<[what: string, color: boolean, env: Record<string, string>, tty: boolean, on: boolean]>([
  ['a terminal has colours', true, {}, true, true],
  ['a pipe has none', true, {}, false, false],
  ['--no-color wins over all', false, { FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR wins over FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['an empty NO_COLOR counts as not set', true, { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR colours a pipe', true, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 takes colours away', true, { FORCE_COLOR: '0' }, true, false],
  ['a dumb terminal has none', true, { TERM: 'dumb' }, true, false],
])('%s', (_what, color, env, tty, on) => {
  expect(paintFor({ color, env, tty }).red('x')).toBe(on ? '\u001b[31mx\u001b[39m' : 'x')
})
