/** What a person sees of events: lines, text as it comes, one spinner; nothing of it steers the terminal. */
import type { HookInfo } from 'hookline'
import { describe, expect, test, vi } from 'vitest'
import type { AgentEvent } from '../../../src/events.ts'
import { createSpinner } from '../../../src/faces/terminal/spinner.ts'
import { createView } from '../../../src/faces/terminal/view.ts'

const bad = 'x\u001b[31m\u009b2J\rz'
const hook = { id: bad, event: 'PreToolUse', type: 'command', label: bad, source: { id: 'user', kind: 'user' } } as unknown as HookInfo
const message = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] })
const ended = { kind: 'hook-end', callId: 'c', hook, event: 'PreToolUse', stdout: bad, stderr: bad, ms: 1 } as const
const result = { reason: 'completed', text: bad, turns: 1, usage: { input: 1, output: 1 }, durationMs: 1 } as const

function watch(options: { verbose?: boolean; width?: number } = {}) {
  let screen = ''
  const plain = (_: string, text: string) => text
  const write = (text: string): void => {
    screen += text
  }
  const width = () => options.width ?? 80
  const spinner = createSpinner(write, { paint: plain, width, still: false })
  const view = createView({ write, paint: plain, width, spinner, verbose: options.verbose ?? false })
  const show = (...shown: AgentEvent[]): void => {
    for (const event of shown) view(event)
  }
  return { view: show, screen: () => screen, spinner }
}

const events: [string, AgentEvent][] = [
  ['text', { kind: 'text', text: bad }],
  ['a tool', { kind: 'tool-start', id: '1', name: bad, input: { command: bad } }],
  ['the progress of a tool', { kind: 'tool-progress', id: '1', text: bad }],
  ['the end of a tool', { kind: 'tool-end', id: '1', name: 'Bash', status: 'ran', text: bad, ms: 1 }],
  ['a refusal', { kind: 'tool-end', id: '1', name: 'Bash', status: 'refused', text: bad, ms: 1 }],
  ['a hook at work', { kind: 'hook-start', callId: 'c', hook, event: 'PreToolUse', statusMessage: bad }],
  ['the output of a hook', { kind: 'hook-output', callId: 'c', hook: 'h', event: 'PreToolUse', stream: 'stdout', text: bad }],
  ['the end of a hook', { ...ended, ending: { kind: 'exited', code: 2 }, outcome: 'blocking' }],
  ['a hook that does not fit', { kind: 'hook-unfit', callId: 'c', hook, event: 'SessionStart', why: bad }],
  ['a notice', { kind: 'notice', level: 'warning', text: bad }],
  ['a retry', { kind: 'retry', attempt: 1, delayMs: 100, reason: bad }],
  ['a subagent', { kind: 'subagent-start', agentId: 'a', type: bad, description: bad }],
  ['a command', { kind: 'turn-end', result: { ...result, reason: 'local' } }],
  ['a blocked prompt', { kind: 'turn-end', result: { ...result, reason: 'blocked', notice: bad } }],
  ['an error', { kind: 'turn-end', result: { ...result, reason: 'error', error: { kind: 'unknown', message: bad, hint: bad } } }],
]

describe('Nothing that comes from elsewhere steers the terminal', () => {
  test.each(events)('%s', (_, event) => {
    vi.useFakeTimers()
    try {
      const { view, screen, spinner } = watch({ verbose: true })
      view(event)
      vi.advanceTimersByTime(500)
      spinner.stop()
      // What the spinner itself writes: to the start of the line, and wipe it.
      expect(screen().replaceAll('\r\u001b[K', '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      expect(screen()).not.toBe('')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('The view', () => {
  test('shows text as it comes and begins a line for what follows', () => {
    const { view, screen } = watch()
    view(
      { kind: 'text', text: 'I lo' },
      { kind: 'text', text: 'ok.' },
      { kind: 'message', message: message('I look.'), id: 'm' },
      { kind: 'tool-start', id: '1', name: 'Read', input: { file_path: 'a' } },
    )
    expect(screen()).toBe('I look.\n● Read a\n')
  })

  test('never wipes a line of text that is being written', () => {
    vi.useFakeTimers()
    try {
      const { view, screen, spinner } = watch()
      view({ kind: 'turn-start', promptId: 'p', prompt: 'x' })
      vi.advanceTimersByTime(300)
      expect(screen()).toContain('thinking')
      view({ kind: 'text', text: 'half a li' })
      const before = screen()
      vi.advanceTimersByTime(1_000)
      expect(screen()).toBe(before)
      view({ kind: 'text', text: 'ne\n' })
      vi.advanceTimersByTime(300)
      expect(screen().slice(before.length)).toMatch(/^ne\n\r.*thinking/)
      spinner.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test.each<[string, Extract<AgentEvent, { kind: 'hook-end' }>, boolean, RegExp | undefined]>([
    ['a hook that blocks', { ...ended, ending: { kind: 'exited', code: 2 }, outcome: 'blocking' }, false, /PreToolUse hook .* blocked/],
    ['no hook that ended well', { ...ended, ending: { kind: 'exited', code: 0 }, outcome: 'success' }, false, undefined],
    ['every hook when asked to', { ...ended, ending: { kind: 'exited', code: 0 }, outcome: 'success' }, true, /done, 1 ms/],
    ['no failure twice: a notice tells it', { ...ended, ending: { kind: 'exited', code: 1 }, outcome: 'nonBlockingError' }, false, undefined],
    ['that a hook goes on', { ...ended, ending: { kind: 'deferred', jobId: 'j' }, outcome: 'success' }, true, /goes on in the background/],
    ['no end that the session made', { ...ended, background: true, ending: { kind: 'aborted' }, outcome: 'cancelled' }, true, undefined],
  ])('tells of %s', (_, event, verbose, expected) => {
    const { view, screen } = watch({ verbose })
    view(event)
    if (expected === undefined) expect(screen()).toBe('')
    else expect(screen()).toMatch(expected)
  })

  test.each([1, 10, 20, 40])('keeps its lines within %i cells', (width) => {
    const { view, screen, spinner } = watch({ width, verbose: true })
    vi.useFakeTimers()
    try {
      view(
        { kind: 'hook-start', callId: 'c', hook: { ...hook, label: 'h' }, event: 'PreToolUse', statusMessage: 'looking at 完成 and other things for a while' },
        { ...ended, hook: { ...hook, label: 'h' }, stdout: 'long '.repeat(50), ending: { kind: 'exited', code: 2 }, outcome: 'blocking' },
        { kind: 'tool-end', id: '1', name: 'Bash', status: 'ran', text: 'long '.repeat(50), ms: 1 },
      )
      vi.advanceTimersByTime(2_000)
      spinner.stop()
    } finally {
      vi.useRealTimers()
    }
    // Marks in front of a line, such as "  └ ", have their place even where there is hardly any.
    for (const line of screen().split(/\r\u001b\[K|\n/)) expect(line.length).toBeLessThanOrEqual(Math.max(width, 4))
  })
})
