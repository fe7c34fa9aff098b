/** The stage `interpret`: failed runs, their notices, and what fails closed. */
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../src/protocol/event-types.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import type { Interpreted } from '../../src/protocol/words.ts'
import { exited, output, read, returned } from './interpret-setup.ts'

const deny = output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'why' })
const allow = output('PreToolUse', { permissionDecision: 'allow' })
const ask = output('PreToolUse', { permissionDecision: 'ask' })
const ended = (ending: RawResult['ending'], stdout: object | string = ''): RawResult => ({ ...exited(0, stdout), ending })

const failures: [string, RawResult, string, Interpreted['outcome']][] = [
  [
    'code 1',
    exited(1, 'text', 'policy says no\nmore'),
    'ended with code 1; only 2 blocks. It wrote: policy says no. End with 2 to block, with 0 to let it pass.',
    'nonBlockingError',
  ],
  [
    'code 127',
    exited(127, '', 'sh: 1: gone: not found'),
    'ended with code 127 (command not found); only 2 blocks. It wrote: sh: 1: gone: not found. Check the spelling and the path of the command, and that it is installed.',
    'nonBlockingError',
  ],
  ['code 126', exited(126), 'ended with code 126 (found, but not executable); only 2 blocks. Make the file executable.', 'nonBlockingError'],
  [
    'code 137',
    exited(137),
    'ended with code 137 (signal 9 ended a process in it); only 2 blocks. End with 2 to block, with 0 to let it pass.',
    'nonBlockingError',
  ],
  ['a deadline', ended({ kind: 'timedOut', afterMs: 60_004 }), 'timed out after 60 s and was killed. Raise "timeout" or set "async".', 'cancelled'],
  [
    'a signal',
    ended({ kind: 'signalled', signal: 'SIGKILL' }),
    'was killed by SIGKILL. Hookline did not do it: look for who did, or for a lack of memory.',
    'nonBlockingError',
  ],
  [
    'a deadline that the hook chose itself',
    ended({ kind: 'timedOut', afterMs: 90_000 }),
    'timed out after 90 s and was killed. Raise "timeout" or set "async".',
    'cancelled',
  ],
  ['a short deadline', ended({ kind: 'timedOut', afterMs: 250 }), 'timed out after 0.25 s and was killed. Raise "timeout" or set "async".', 'cancelled'],
  [
    'a start that says itself what to do',
    ended({ kind: 'unspawnable', why: 'E2BIG: too large; use a file' }),
    'could not be started: E2BIG: too large; use a file.',
    'nonBlockingError',
  ],
  ['an abort', ended({ kind: 'aborted' }), 'was stopped because the call was aborted.', 'cancelled'],
  [
    'a program that cannot start',
    ended({ kind: 'unspawnable', why: 'ENOENT' }),
    'could not be started: ENOENT. Check that the command exists and may be executed.',
    'nonBlockingError',
  ],
  ['a refused run', ended({ kind: 'refused', why: 'no sandbox' }), 'was not run: no sandbox.', 'nonBlockingError'],
  ['a throw', ended({ kind: 'threw', error: 'boom\n    at x.js:1' }), 'threw: boom.', 'nonBlockingError'],
  [
    'a flood',
    ended({ kind: 'overflowed', stream: 'stdout', limit: 1_048_576 }),
    'wrote more than 1 MiB to stdout and was stopped. Write less, or to a file.',
    'nonBlockingError',
  ],
  ['a cut-off object', exited(0, '{"a":'), 'printed JSON that is not complete: it ends at position 5.', 'nonBlockingError'],
  ['an object with a comma too many', exited(0, '{\n"a":1,}'), 'printed JSON that does not parse: "}" at position 8, line 2.', 'nonBlockingError'],
  ['two answers', exited(0, '{"continue":true}\n{"continue":false}'), 'printed 2 lines of JSON; an answer is one object.', 'nonBlockingError'],
  [
    'an answer of the wrong type',
    exited(0, { systemMessage: 5 }),
    'gave a malformed answer: systemMessage must be a string, not a number.',
    'nonBlockingError',
  ],
  [
    'an answer without its event',
    exited(0, { hookSpecificOutput: { permissionDecision: 'deny' } }),
    'gave a malformed answer: hookSpecificOutput lacks hookEventName ("PreToolUse").',
    'nonBlockingError',
  ],
  [
    'an answer to another event',
    exited(0, { hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }),
    'gave a malformed answer: hookSpecificOutput is addressed to "Stop", not to "PreToolUse".',
    'nonBlockingError',
  ],
  ['an allow of a failing process', exited(1, allow), 'answered "allow", which does not count: it ended with code 1.', 'nonBlockingError'],
]

describe('a failed hook', () => {
  it.each(failures)('is noticed in one line that says who, where, what and what next: %s', (_, raw, tail, outcome) => {
    const said = read('PreToolUse', raw)
    const line = `Hook "npm run lint" (project settings, .claude/settings.json:14, PreToolUse) ${tail}`
    expect(said.messages).toEqual([{ text: line, to: 'user', level: 'warning', by: 'project:PreToolUse:0:0' }])
    expect(said.warnings[0]).toMatchObject({
      severity: 'warning',
      message: line,
      hook: 'project:PreToolUse:0:0',
      file: '.claude/settings.json',
      line: 14,
      column: 9,
    })
    expect(said).toMatchObject({ outcome, words: {} })
    expect(line).toContain(said.failure)
  })

  it.each(failures)('denies when it fails closed: %s', (_, raw) => {
    const said = read('PreToolUse', raw, { failClosed: true })
    expect(said).toMatchObject({ outcome: 'blocking', failedClosed: true, words: { permission: 'deny', reason: said.messages[0]?.text } })
    expect(said.messages[0]).toMatchObject({ level: 'error' })
    expect(said.messages[0]?.text).toContain('A failure of this hook counts as a refusal.')
  })

  it.each(['module', 'http', 'prompt'])('the hint about commands is for commands: %s', (type) => {
    expect(read('PreToolUse', ended({ kind: 'unspawnable', why: 'ENOENT: there is no file "x.mjs"' }), { type }).messages[0]?.text).not.toContain('command')
  })

  it('masks what looks like a credential and takes out control characters', () => {
    const info = {
      id: 'x',
      label: 'curl -H "Authorization: Bearer abcdefghijkl" \u001b[2J\n https://u:pw@h/',
      type: 'command',
      source: { id: 'user', kind: 'user' },
    } as const
    const text = read('PreToolUse', exited(1, '', 'token=abcdef \u001b[31mred'), { info }).messages[0]?.text
    expect(text).toBe(
      'Hook "curl -H "Authorization: Bearer ***" https://u:***@h/" (user settings, PreToolUse) ended with code 1; only 2 blocks. It wrote: token=*** red. End with 2 to block, with 0 to let it pass.',
    )
  })

  it('says where hooks of other sources stand', () => {
    const where = (source: { id: string; kind: 'plugin' | 'builtin' | 'session' | 'managed' }) =>
      read('Stop', exited(1), { info: { id: 'x', label: 'x', type: 'command', source } }).messages[0]?.text.slice(0, 40)
    expect(where({ id: 'plugin:fmt', kind: 'plugin' })).toContain('(plugin fmt, Stop)')
    expect(where({ id: 'builtin', kind: 'builtin' })).toContain('(built in, Stop)')
    expect(where({ id: 'code', kind: 'session' })).toContain('(code, Stop)')
    expect(where({ id: 'managed', kind: 'managed' })).toContain('(managed settings, Stop)')
  })

  it('carries the findings of its handler on', () => {
    const warning = { severity: 'warning', code: 'other-folder', message: 'm' } as const
    expect(read('PreToolUse', { ...exited(0), warnings: [warning] }).warnings).toEqual([warning])
    expect(read('PreToolUse', { ...returned(undefined), warnings: [warning] }).warnings).toEqual([warning])
  })
})

const closing: [EventName, boolean, Interpreted['words'] | 'reason'][] = [
  ['PreToolUse', true, { permission: 'deny' }],
  ['PermissionRequest', true, { permission: 'deny' }],
  ['PreModelSwitch', true, { permission: 'deny' }],
  ['PreSkillShellCommand', true, { permission: 'deny' }],
  ['UserPromptSubmit', true, {}],
  ['TaskCreated', true, {}],
  ['ConfigChange', true, {}],
  ['PreCompact', true, {}],
  ['PostToolBatch', true, {}],
  ['Elicitation', true, {}],
  ['WorktreeCreate', true, {}],
  ['WorktreeRemove', true, {}],
]

describe('failing closed is what the row says it is', () => {
  it.each(closing)('%s blocks', (event, closed, extra) => {
    const said = read(event, exited(1, '', 'x'), { failClosed: closed })
    const { text } = said.messages[0] ?? {}
    const expected = 'permission' in (extra as object) ? { permission: 'deny', reason: text } : { block: text }
    expect(said).toMatchObject({ outcome: 'blocking', failedClosed: true })
    expect(said.words).toEqual(expected)
  })

  it.each<EventName>(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle', 'SessionStart', 'Notification', 'PermissionDenied', 'SessionEnd'])(
    '%s stays open',
    (event) => {
      const said = read(event, exited(1, '', 'x'), { failClosed: true })
      expect(said.failedClosed).toBeUndefined()
      expect(said).toMatchObject({ outcome: 'nonBlockingError', words: {} })
    },
  )

  it.each<EventName>(['PostToolUse', 'PostToolUseFailure'])('%s feeds the failure to the model and blocks nothing', (event) => {
    const said = read(event, exited(1, '', 'x'), { failClosed: true })
    expect(said).toMatchObject({ outcome: 'nonBlockingError', words: { context: said.messages[0]?.text } })
    expect(said.failedClosed).toBeUndefined()
  })

  it.each<EventName>(['WorktreeCreate', 'WorktreeRemove'])('%s always closes, valid JSON or not', (event) => {
    expect(read(event, exited(1, {}))).toMatchObject({ outcome: 'blocking', failedClosed: true })
    expect(read(event, ended({ kind: 'timedOut', afterMs: 5 }))).toMatchObject({ outcome: 'blocking', failedClosed: true })
  })

  it('a timeout blocks a model switch for every hook, and a tool call for hooks in code', () => {
    const late = ended({ kind: 'timedOut', afterMs: 1_000 })
    expect(read('PreModelSwitch', late)).toMatchObject({ failedClosed: true, words: { permission: 'deny' } })
    expect(read('PreToolUse', late, { type: 'callback' })).toMatchObject({ failedClosed: true, words: { permission: 'deny' } })
    expect(read('UserPromptSubmit', late, { type: 'callback' }).words).toHaveProperty('block')
    expect(read('PreToolUse', late)).toMatchObject({ outcome: 'cancelled', words: {} })
    expect(read('Stop', late, { type: 'callback' })).toMatchObject({ outcome: 'cancelled', words: {} })
  })

  const stricter: [string, RawResult][] = [
    ['an ask from a failing process', exited(1, ask)],
    ['an empty object from a failing process', exited(3, {})],
    ['an object followed by text', exited(0, `${JSON.stringify(allow)}\ntrailing`)],
    ['lines of JSON that are no answer', exited(0, '{"a":1}\n{"b":2}')],
    ['output that is not UTF-8', { ...exited(0, 'caf\ufffd'), notUtf8: true }],
    ['output over its cap', { ...exited(0, 'x'), cut: 'stdout' }],
    ['an ask beside a field of the wrong type', exited(0, { ...ask, systemMessage: 5 })],
  ]
  it.each(stricter)('%s is a failure for a hook that fails closed, and only for it', (_, raw) => {
    expect(read('PreToolUse', raw).failure).toBeUndefined()
    expect(read('PreToolUse', raw, { failClosed: true })).toMatchObject({ failedClosed: true, words: { permission: 'deny' } })
  })

  it("keeps the hook's own denial and its reason", () => {
    const said = read('PreToolUse', exited(1, deny), { failClosed: true })
    expect(said.words).toEqual({ permission: 'deny', reason: 'why' })
    expect(said.failedClosed).toBeUndefined()
  })
})
