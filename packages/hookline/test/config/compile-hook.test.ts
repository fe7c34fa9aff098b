/** Compiled hooks: the listed record, what makes two one, deadlines, failing closed, and hooks in code. */
import { describe, expect, test } from 'vitest'
import { compileCallback, compileHook, type WrittenHook } from '../../src/config/compile-hook.ts'
import { labelOf } from '../../src/config/label.ts'
import { createBoundedRegex } from '../../src/platform/bounded-regex.ts'
import { events, type NamedRow } from '../../src/protocol/events.ts'

const compile = (spec: object, more: Partial<WrittenHook> = {}) =>
  compileHook({
    row: events.PreToolUse,
    source: { id: 'project', kind: 'project' },
    group: 0,
    index: 1,
    spec,
    trust: 'untrusted',
    bounded: createBoundedRegex(),
    ...more,
  })
const run = (command: string, more: object = {}) => ({ type: 'command', command, ...more })

describe('the record', () => {
  test('has the keys of the contract in their order', () => {
    const { info } = compile(run('sh "$CLAUDE_PROJECT_DIR/h/guard.sh"', { if: 'Bash(git *)', onFailure: 'block', timeout: 5, once: true }), { matcher: 'Bash' })
    expect(Object.keys(info)).toEqual(['id', 'event', 'type', 'label', 'matcher', 'if', 'timeout', 'onFailure', 'flags', 'digest', 'trust', 'source'])
    expect(JSON.parse(JSON.stringify(info))).toEqual({
      id: 'project:PreToolUse:0:1',
      event: 'PreToolUse',
      type: 'command',
      label: 'guard.sh',
      matcher: 'Bash',
      if: 'Bash(git *)',
      timeout: 5,
      onFailure: 'block',
      flags: ['once'],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      trust: 'untrusted',
      source: { id: 'project', kind: 'project' },
    })
  })
  test('leaves out what nobody wrote', () => {
    expect(Object.keys(compile(run('x')).info)).toEqual(['id', 'event', 'type', 'label', 'timeout', 'flags', 'digest', 'trust', 'source'])
  })
})

describe('the label', () => {
  const rows: [type: string, spec: Record<string, unknown>, label: string][] = [
    ['command', { command: 'sh "$CLAUDE_PROJECT_DIR/h/guard.sh"' }, 'guard.sh'],
    ['command', { command: 'bash -eu hooks/a.sh --x' }, 'a.sh'],
    ['command', { command: 'A=1 env B=2 timeout 5 python3 tools/x.py' }, 'x.py'],
    ['command', { command: '/usr/local/bin/guard check' }, 'guard'],
    ['command', { command: 'npm run lint --fix' }, 'npm run lint'],
    ['command', { command: 'exit 2' }, 'exit 2'],
    ['command', { command: 'echo x >> n.txt' }, 'echo x'],
    ['command', { command: 'node', args: ['$' + '{CLAUDE_PLUGIN_ROOT}/b/save.js'] }, 'save.js'],
    ['command', { command: 'node -e "1"' }, 'node'],
    ['command', { command: '/opt/my tools/guard', args: [] }, 'guard'],
    ['command', { command: 'evil\u001b[2J\u202e name' }, 'evil [2J name'],
    ['http', { url: 'https://u.example:8443/hooks/a?token=secret#x' }, 'u.example:8443/hooks/a'],
    ['http', { url: 'https://u.example/' }, 'u.example'],
    ['prompt', { prompt: 'Is this command safe to run on a production machine? $ARGUMENTS' }, 'Is this command safe to run on a…'],
    ['mcp_tool', { server: 's', tool: 't' }, 's:t'],
    ['module', { path: './hooks/warm.js' }, 'warm.js'],
    ['command', {}, 'command'],
  ]
  test.each(rows)('of a %s hook %j is %s', (type, spec, label) => {
    expect(labelOf(type, spec)).toBe(label)
  })
})

describe('the digest', () => {
  const digest = (spec: object, more?: Partial<WrittenHook>) => compile(spec, more).info.digest
  const one = digest({ type: 'command', command: 'x', args: ['a'], timeout: 5 }, { matcher: 'Bash' })
  test('does not depend on the order of keys, the label, the place or the source', () => {
    expect(
      digest(
        { timeout: 5, args: ['a'], statusMessage: 'hi', command: 'x', type: 'command' },
        { matcher: 'Bash', group: 7, source: { id: 'local', kind: 'local' } },
      ),
    ).toBe(one)
  })
  const changes: [string, object, Partial<WrittenHook>][] = [
    ['command', { type: 'command', command: 'y', args: ['a'], timeout: 5 }, { matcher: 'Bash' }],
    ['argument', { type: 'command', command: 'x', args: ['b'], timeout: 5 }, { matcher: 'Bash' }],
    ['timeout', { type: 'command', command: 'x', args: ['a'], timeout: 6 }, { matcher: 'Bash' }],
    ['matcher', { type: 'command', command: 'x', args: ['a'], timeout: 5 }, { matcher: 'Edit' }],
    ['condition', { type: 'command', command: 'x', args: ['a'], timeout: 5, if: 'Bash' }, { matcher: 'Bash' }],
    ['event', { type: 'command', command: 'x', args: ['a'], timeout: 5 }, { matcher: 'Bash', row: events.PostToolUse }],
    ['failure mode', { type: 'command', command: 'x', args: ['a'], timeout: 5, onFailure: 'block' }, { matcher: 'Bash' }],
  ]
  test.each(changes)('changes with the %s', (_name, spec, more) => {
    expect(digest(spec, more)).not.toBe(one)
  })
})

describe('two hooks', () => {
  const key = (spec: object, more?: Partial<WrittenHook>) => compile(spec, more).dedupKey
  const same: [string, object, object][] = [
    ['timeout', run('x', { timeout: 1 }), run('x', { timeout: 2 })],
    ['shell', run('x', { shell: 'bash' }), run('x')],
    ['async', run('x', { async: true }), run('x')],
    ['headers', { type: 'http', url: 'http://h/', headers: { A: '1' } }, { type: 'http', url: 'http://h/' }],
    ['status', run('x', { statusMessage: 'a' }), run('x')],
    [
      'order of a tool input',
      { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1, b: 2 } },
      { type: 'mcp_tool', server: 's', tool: 't', input: { b: 2, a: 1 } },
    ],
  ]
  test.each(same)('that differ in %s are one', (_name, a, b) => {
    expect(key(a)).toBe(key(b))
  })
  const other: [string, object, object][] = [
    ['a blank', run('x'), run('x ')],
    ['the condition', run('x', { if: 'Bash(git *)' }), run('x', { if: 'Bash(git:*)' })],
    ['arguments', run('x', { args: [] }), run('x')],
    ['the type', { type: 'prompt', prompt: 'x' }, { type: 'agent', prompt: 'x' }],
    ['the tool input', { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } }, { type: 'mcp_tool', server: 's', tool: 't' }],
  ]
  test.each(other)('that differ in %s are two', (_name, a, b) => {
    expect(key(a)).not.toBe(key(b))
  })
  test('of a plugin and a settings file are two', () => {
    expect(key(run('x'), { root: '/p' })).not.toBe(key(run('x')))
  })
})

describe('the deadline', () => {
  const rows: [string, NamedRow, object, number, boolean][] = [
    ['of a command', events.PreToolUse, run('x'), 600_000, false],
    ['of a prompt', events.PreToolUse, { type: 'prompt', prompt: 'x' }, 30_000, false],
    ['of an event with one of its own', events.MessageDisplay, run('x'), 10_000, false],
    ['that was written', events.PreToolUse, run('x', { timeout: 1.5 }), 1_500, true],
    ['that no timer can hold', events.PreToolUse, run('x', { timeout: 1e12 }), 2 ** 31 - 1, true],
  ]
  test.each(rows)('%s', (_name, row, spec, timeoutMs, ownTimeout) => {
    expect(compile(spec, { row })).toMatchObject({ timeoutMs, ownTimeout })
  })
})

describe('failing closed', () => {
  const closed = { onFailure: 'block' }
  const rows: [string, object, Partial<WrittenHook>, boolean][] = [
    ['is asked for', run('x', closed), {}, true],
    ['is not asked for', run('x'), {}, false],
    ['is spelt otherwise', run('x', { failClosed: true }), {}, true],
    ['is declined by another spelling', run('x', { failClosed: false }), {}, false],
    ['is spelt twice, and the stricter counts', run('x', { failMode: 'open', onFailure: 'block' }), {}, true],
    ['is asked for in an odd word', run('x', { onFailure: 'deny' }), {}, true],
    ['has no effect on an async hook', run('x', { ...closed, async: true }), {}, false],
    ['has no effect where a block resumes', run('x', closed), { row: events.Stop }, false],
    ['is required by policy', run('x'), { requireFailClosed: ['PreToolUse'] }, true],
    ['is required by policy elsewhere', run('x'), { requireFailClosed: ['PreCompact'] }, false],
    ['is required everywhere', run('x'), { requireFailClosed: true }, true],
  ]
  test.each(rows)('%s', (_name, spec, more, failClosed) => {
    expect(compile(spec, more).failClosed).toBe(failClosed)
  })
  const doubtful: [string, object, unknown][] = [
    ['a matcher that is no pattern', run('x'), '['],
    ['a matcher of the wrong type', run('x'), ['Bash']],
    ['a rule that does not parse', run('x', { if: 'Bash(' }), undefined],
    ['a timeout that cannot be used', run('x', { timeout: 0 }), undefined],
    ['an optional field of the wrong type', run('x', { once: 'yes' }), undefined],
  ]
  test.each(doubtful)('a hook with %s is off, unless it fails closed', (_name, spec, matcher) => {
    const open = compile(spec, { matcher })
    expect(open.fault?.why).toBe('invalid')
    const shut = compile({ ...spec, ...closed }, { matcher })
    expect(shut.fault).toBeUndefined()
    if (matcher !== undefined) expect(shut.matcher.test('Bash')).toBe(null)
    expect(shut.timeoutMs).toBe(600_000)
  })
  test('a hook without its command cannot run in any case', () => {
    expect(compile({ type: 'command', ...closed }).fault).toEqual({ why: 'invalid', detail: '"command" is missing' })
    expect(compile({ type: 'nope', ...closed }).fault?.detail).toContain('no handler type "nope"')
    expect(compile('text' as never).fault?.why).toBe('invalid')
  })
})

describe('a hook in code', () => {
  const attach = (options: object, more: object = {}) =>
    compileCallback({
      row: events.PreToolUse,
      source: { id: 'code', kind: 'session' },
      group: 3,
      index: 0,
      callback: function guard() {},
      type: 'callback',
      options,
      ...more,
    })
  test('is called by its function, or as it asks', () => {
    expect(attach({}).info).toMatchObject({ id: 'code:PreToolUse:3:0', label: 'guard', trust: 'not-needed', type: 'callback' })
    expect(attach({ name: 'my guard' }).info.label).toBe('my guard')
    expect(attach({}, { callback: () => {} }).info.label).toBe('callback')
  })
  test('is never merged with another', () => {
    expect(attach({}).dedupKey).toBeUndefined()
  })
  test('takes matcher, rule, timeout, once and failure mode', () => {
    expect(attach({ matcher: 'Task', if: 'Bash(git *)', timeout: 2, once: true, onFailure: 'block' })).toMatchObject({
      once: true,
      failClosed: true,
      timeoutMs: 2_000,
      condition: { tool: 'Bash', specifier: 'git *' },
      info: { matcher: 'Task', if: 'Bash(git *)', flags: ['once'] },
    })
  })
  const wrong: [string, object][] = [
    ['matcher', { matcher: '[' }],
    ['matcher that needs a limit', { matcher: '(a+)+' }],
    ['rule', { if: 'Bash(' }],
    ['timeout', { timeout: 0 }],
    ['timeout that is no number', { timeout: '5' }],
    ['failure mode', { onFailure: 'deny' }],
  ]
  test.each(wrong)('with a %s that cannot be used is a mistake of the host', (_name, options) => {
    expect(() => attach(options)).toThrow(expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining('PreToolUse') }))
  })
})
