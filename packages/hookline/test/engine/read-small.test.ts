/** The small readers: paths, model verdicts, background answers, text made safe to show. */
import { describe, expect, it } from 'vitest'
import { capText, cleanText, firstLine } from '../../src/engine/clean-text.ts'
import { nearest } from '../../src/engine/read-fields.ts'
import { pathIn, readPath } from '../../src/engine/read-worktree.ts'
import type { EventName } from '../../src/protocol/event-types.ts'
import { maskSecrets } from '../../src/protocol/mask-secrets.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { codes, exited, output, read, returned } from './interpret-setup.ts'

describe('the path of a worktree', () => {
  it.each([
    ['the last line that says something', 'banner\n/srv/wt\n\n', '/srv/wt'],
    ['without colours', '\u001b[32m/srv/wt\u001b[0m\n', '/srv/wt'],
    ['with blanks inside', '  /srv/my wt  \r\n', '/srv/my wt'],
    ['nothing', '\n\n', ''],
  ])('%s', (_, printed, path) => {
    expect(pathIn(printed)).toBe(path)
  })

  it.each([
    ['/srv/wt', { path: '/srv/wt' }],
    ['wt', { path: '/srv/repo/wt' }],
    ['./a/../../wt', { path: '/srv/wt' }],
    ['C:\\wt', { path: 'C:\\wt' }],
    ['/srv/a/../b', { why: expect.stringContaining('dot segments') }],
    ['/srv/./b', { why: expect.stringContaining('dot segments') }],
    ['C:\\a\\..\\b', { why: expect.stringContaining('dot segments') }],
    ['', { why: 'gave no path' }],
    ['/a\u0000b', { why: expect.stringContaining('control characters') }],
  ])('%s', (said, expected) => {
    expect(readPath(said, '/srv/repo')).toEqual(expected)
  })

  it('a relative path needs a folder', () => {
    expect(readPath('wt', undefined)).toMatchObject({ why: expect.stringContaining('no folder') })
  })

  const fails: [string, RawResult][] = [
    ['nothing was printed', exited(0)],
    ['code returned nothing', returned(undefined)],
    ['an empty answer', { ending: { kind: 'replied', status: 200 }, stdout: '' }],
    ['a path with dot segments was printed', exited(0, '/srv/a/../b')],
    ['a path with dot segments was answered', exited(0, output('WorktreeCreate', { worktreePath: '/srv/a/../b' }))],
  ]
  it.each(fails)('the step fails when %s, and the person hears why', (_, raw) => {
    const said = read('WorktreeCreate', raw)
    expect(said).toMatchObject({ outcome: 'blocking', words: { block: '' } })
    expect(said.failure).toBeUndefined()
    expect(said.messages[0]?.text).toContain('Print the absolute path')
  })

  it('is resolved, printed or answered', () => {
    const input = { cwd: '/srv/repo' }
    expect(read('WorktreeCreate', exited(0, 'x\nwt\n'), { input }).words).toEqual({ worktreePath: '/srv/repo/wt' })
    expect(read('WorktreeCreate', exited(0, output('WorktreeCreate', { worktreePath: 'wt' })), { input }).words).toEqual({ worktreePath: '/srv/repo/wt' })
    expect(read('WorktreeCreate', returned({ worktreePath: '/srv/wt' })).words).toEqual({ worktreePath: '/srv/wt' })
  })
})

describe("a model's verdict", () => {
  const reply = (stdout: string): RawResult => ({ ending: { kind: 'returned' }, stdout })
  const no = reply('{"ok":false,"reason":"r"}')

  it.each(['{"ok":true}', ' {"ok": true, "reason": "fine"}\n', '```json\n{"ok":true}\n```', '```\n{"ok":true}\n```'])('ok is no decision: %j', (text) => {
    expect(read('PreToolUse', reply(text), { type: 'prompt' })).toMatchObject({ outcome: 'success', words: {}, warnings: [] })
  })

  it.each([
    '',
    'yes',
    '{"ok":"true"}',
    '{"ok":1}',
    '{"ok":null}',
    '{}',
    '[true]',
    '{"ok":true}{"ok":false}',
    'Sure: {"ok":true}',
    '{"ok":true}\nDone.',
    '```json\n{"ok":true}',
    '{"ok":true,"reason":5}',
    '{"OK":true}',
  ])('anything else fails, and closes where it should: %j', (text) => {
    expect(read('PreToolUse', reply(text), { type: 'prompt' })).toMatchObject({ outcome: 'nonBlockingError', words: {} })
    expect(read('PreToolUse', reply(text), { type: 'prompt', failClosed: true }).words).toMatchObject({ permission: 'deny' })
  })

  const effects: [EventName, boolean, object][] = [
    ['PreToolUse', false, { permission: 'deny', reason: 'r', stop: 'r' }],
    ['PreToolUse', true, { permission: 'deny', reason: 'r' }],
    ['PostToolUse', false, { block: 'r', stop: 'r' }],
    ['PostToolUse', true, { block: 'r' }],
    ['UserPromptSubmit', true, { block: 'r', stop: 'r' }],
    ['PostToolBatch', true, { block: 'r', stop: 'r' }],
    ['Stop', false, { block: 'r' }],
    ['SubagentStop', false, { block: 'r' }],
    ['PostToolUseFailure', false, { block: 'r' }],
    ['TaskCreated', false, { block: 'r' }],
    ['TeammateIdle', false, { block: 'r', stop: 'r' }],
    ['TeammateIdle', true, { block: 'r' }],
    ['PermissionRequest', false, {}],
    ['PermissionDenied', false, {}],
  ]
  it.each(effects)('a no on %s, continueOnBlock %s', (event, continueOnBlock, words) => {
    expect(read(event, no, { type: 'prompt', continueOnBlock }).words).toEqual(words)
    if (continueOnBlock) expect(read(event, no, { type: 'agent' }).words).toEqual(words)
  })

  it('a no without a reason, or with a wrong one, still refuses', () => {
    expect(read('PreToolUse', reply('{"ok":false}'), { type: 'prompt' }).words).toMatchObject({ permission: 'deny' })
    expect(read('PreToolUse', reply('{"ok":false,"reason":5}'), { type: 'prompt' })).toMatchObject({ outcome: 'blocking', words: { permission: 'deny' } })
    expect(read('PreToolUse', reply('{"ok":true,"\\u006fk":false}'), { type: 'prompt' }).words).toMatchObject({ permission: 'deny' })
  })

  it('impossible lets a stop through, and nothing else', () => {
    const impossible = reply('{"ok":false,"reason":"r","impossible":true}')
    expect(read('Stop', impossible, { type: 'prompt' })).toMatchObject({ outcome: 'success', words: {} })
    expect(read('PreToolUse', impossible, { type: 'prompt' }).words).toMatchObject({ permission: 'deny' })
  })

  it('may come judged already', () => {
    expect(read('Stop', { ending: { kind: 'judged', ok: false, reason: 'r' } }, { type: 'prompt' }).words).toEqual({ block: 'r' })
    expect(read('Stop', { ending: { kind: 'judged', ok: true } }, { type: 'agent' }).words).toEqual({})
  })
})

describe('a background answer', () => {
  const late = (raw: RawResult, background: true | 'async' | 'asyncRewake' = 'async', event: EventName = 'PostToolUse') => read(event, raw, { background })

  it('keeps context and message and decides nothing', () => {
    const said = late(exited(0, { decision: 'block', continue: false, systemMessage: 'm', ...output('PostToolUse', { additionalContext: 'c' }) }))
    expect(said).toMatchObject({ outcome: 'success', words: { context: 'c', message: 'm' } })
    expect(said.words).not.toHaveProperty('block')
    expect(codes(said)).toContain('background-decision')
    expect(late(exited(0, output('PreToolUse', { permissionDecision: 'allow' })), 'async', 'PreToolUse').words).toEqual({})
  })

  it('loses wrong-typed fields one by one', () => {
    const said = late(exited(0, { systemMessage: 5, ...output('PostToolUse', { additionalContext: 'c' }) }))
    expect(said).toMatchObject({ outcome: 'success', words: { context: 'c' } })
    expect(codes(said)).toEqual(['wrong-type'])
  })

  it('wakes the model with stderr, else with stdout, when it ends with 2', () => {
    expect(late(exited(2, 'out', 'err'), 'asyncRewake').words).toEqual({ context: 'err' })
    expect(late(exited(2, 'out', ' '), 'asyncRewake').words).toEqual({ context: 'out' })
    expect(
      read('PostToolUse', exited(2, '', 'err'), {
        background: true,
        info: { id: 'x', label: 'x', type: 'command', source: { id: 'user', kind: 'user' }, flags: ['asyncRewake'] },
      }).words,
    ).toEqual({ context: 'err' })
    expect(late(exited(2, '', 'err'))).toMatchObject({ outcome: 'nonBlockingError', words: {} })
  })

  it('delivers no plain text', () => {
    expect(late(exited(0, 'plain'), 'async', 'UserPromptSubmit').words).toEqual({})
  })

  it('fails without closing anything', () => {
    for (const raw of [exited(1, 'x'), exited(0, '{"a":'), { ...exited(0), ending: { kind: 'timedOut', afterMs: 5 } } as RawResult]) {
      const said = read('PreToolUse', raw, { background: 'async', failClosed: true })
      expect(said.words).toEqual({})
      expect(said.failure).toBeDefined()
    }
  })

  it('is what follows a first line that asks for it', () => {
    const first = `{"async": true, "asyncTimeout": 5}\n${JSON.stringify({ decision: 'block', ...output('PostToolUse', { additionalContext: 'c' }) })}`
    expect(read('PostToolUse', exited(0, first))).toMatchObject({ outcome: 'success', words: { context: 'c' } })
    expect(read('PostToolUse', exited(0, '{"async":true}\n')).words).toEqual({})
    expect(late(exited(0, first)).words).toEqual({ context: 'c' })
  })

  it('does not take a denial back that is said beside the request', () => {
    expect(read('PostToolUse', exited(0, { async: true, decision: 'block', reason: 'r' })).words).toEqual({ block: 'r' })
  })
})

describe('text made safe to show', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a clipboard write', '\u001b]52;c;eA==\u0007x', 'x'],
    ['a link', '\u001b]8;;http://a\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a sequence without end', 'a\u001b]0;bcd', 'a0;bcd'],
    ['eight-bit sequences', '\u009b31mred\u009d0;x\u009cy', 'redy'],
    ['a device string', '\u001bPq#0\u001b\\z', 'z'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
    ['tabs and newlines stay', 'a\tb\nc', 'a\tb\nc'],
    ['overrides of direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['a bell and a zero byte', 'a\u0007\u0000b', 'ab'],
    ['half a surrogate pair', 'a\ud800b😀', 'a\ufffdb😀'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  it('is linear in hostile text', () => {
    const started = performance.now()
    for (const piece of ['\u001b]', '\u009d', '\u001b[0', '\u001b', '\u009b;']) cleanText(piece.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('is cut between characters', () => {
    expect(capText('😀😀', 4)).toBe('😀😀')
    expect(capText('😀😀😀', 4)).toBe('😀…')
  })

  it('is one line for a notice', () => {
    expect(firstLine('\n \u001b[2J\n  a\nb')).toBe('a')
    expect(firstLine('x'.repeat(1_000_000))).toHaveLength(300)
    expect(firstLine('')).toBe('')
  })

  it.each([
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer ***'],
    ['key sk-abcdefgh1234', 'key ***'],
    ['ghp_abcdefghijklmnop1234', '***'],
    ['https://me:secret@host/x', 'https://me:***@host/x'],
    ['API_KEY=abcd1234 x', 'API_KEY=*** x'],
    ['nothing to hide: a token was refused', 'nothing to hide: a token was refused'],
  ])('masks %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })
})

describe('the nearest key', () => {
  it.each([
    ['HookSpecificOutput', 'hookSpecificOutput'],
    ['hook_specific_output', 'hookSpecificOutput'],
    ['desicion', 'decision'],
    ['extra', undefined],
    ['x'.repeat(1_000), undefined],
  ])('of %s is %s', (key, expected) => {
    expect(nearest(key, ['decision', 'hookSpecificOutput', 'continue'])).toBe(expected)
  })
})
