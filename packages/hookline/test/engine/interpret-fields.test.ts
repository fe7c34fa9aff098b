/** The stage `interpret`: lost answers, single fields, http answers. */
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../src/protocol/event-types.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { codes, exited, output, read } from './interpret-setup.ts'

const deny = output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'why' })
const ask = output('PreToolUse', { permissionDecision: 'ask' })
const refusal = { permission: 'deny', reason: 'why' }

describe('lost answers are said aloud', () => {
  const lost: [string, EventName, RawResult, string][] = [
    ['a decision at the top level', 'PreToolUse', exited(0, { permissionDecision: 'deny' }), 'permissionDecision must be inside hookSpecificOutput'],
    ['context at the top level', 'PostToolUse', exited(0, { additionalContext: 'c' }), 'additionalContext must be inside hookSpecificOutput'],
    ['a misspelt envelope', 'PreToolUse', exited(0, { HookSpecificOutput: {} }), 'Did you mean "hookSpecificOutput"?'],
    ['a misspelt field in it', 'PreToolUse', exited(0, output('PreToolUse', { permisionDecision: 'deny' })), 'Did you mean "permissionDecision"?'],
    ['text before an answer', 'PreToolUse', exited(0, `welcome\n${JSON.stringify(deny)}`), 'with other text around it'],
    ['text after an answer', 'PreToolUse', exited(0, `${JSON.stringify(deny)}\nbye`), 'followed by other text'],
    ['a fence around an answer', 'PreToolUse', exited(0, `\`\`\`json\n${JSON.stringify(deny)}\n\`\`\``), 'with other text around it'],
    ['an unknown decision', 'PreToolUse', exited(0, { decision: 'deny' }), 'Write hookSpecificOutput.permissionDecision.'],
    ['a block where nothing can be blocked', 'SubagentStart', exited(0, { decision: 'block' }), 'nothing can be blocked on SubagentStart'],
    ['a reason alone', 'Stop', exited(0, { reason: 'r' }), 'a reason without a decision'],
  ]
  it.each(lost)('%s', (_, event, raw, says) => {
    const said = read(event, raw)
    expect(said).toMatchObject({ outcome: 'success', words: {} })
    expect(said.messages.map((one) => one.text).join('\n')).toContain(says)
  })

  it('a field of another event has no effect, which is a finding and nothing more', () => {
    const said = read('Stop', exited(0, output('Stop', { updatedInput: {}, permissionDecision: 'deny' })))
    expect(said).toMatchObject({ outcome: 'success', words: {}, messages: [] })
    expect(codes(said)).toEqual(['no-effect', 'no-effect'])
  })

  it('of many unknown keys a few are named', () => {
    const said = read('PreToolUse', exited(0, Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at]))))
    expect(said.warnings).toHaveLength(6)
    expect(said.warnings.at(-1)?.message).toContain('4995 more keys')
  })
})

describe('single fields', () => {
  it('a terminal sequence is a title, a notification or the bell', () => {
    const kept = (sequence: string) => read('Notification', exited(0, { terminalSequence: sequence })).words.terminalSequence
    for (const sequence of [
      '\u0007',
      '\u001b]0;title\u0007',
      '\u001b]2;t\u001b\\',
      '\u001b]9;done\u0007\u0007',
      '\u001b]777;notify;a;b\u0007',
      '\u001b]99;;x\u001b\\',
    ])
      expect(kept(sequence)).toBe(sequence)
    for (const sequence of [
      'x',
      '\u001b]52;c;eA==\u0007',
      '\u001b[2J',
      '\u001b]0;a',
      '\u001b]0;a\u001b[2J\u0007',
      '\u001b]0;a\nb\u0007',
      '\u001b]8;;http://x\u0007',
    ])
      expect(kept(sequence)).toBeUndefined()
  })

  it('a dangerous mode is never switched on, other updates stay', () => {
    const updates = [
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }], destination: 'cliArg' },
    ]
    const said = read('PermissionRequest', exited(0, output('PermissionRequest', { decision: { behavior: 'allow', updatedPermissions: updates } })))
    expect(said.words).toEqual({ permission: 'allow', updatedPermissions: [updates[1]] })
    expect(codes(said)).toEqual(['mode-not-set', 'update-dropped'])
  })

  it.each([5, [5], [{ type: 'addRules' }], [{ type: 'setMode', mode: 'yolo', destination: 'session' }]])(
    'updates of the wrong form void the grant: %j',
    (updatedPermissions) => {
      expect(read('PermissionRequest', exited(0, output('PermissionRequest', { decision: { behavior: 'allow', updatedPermissions } }))).words).toEqual({})
    },
  )

  it('grants come only with an allow', () => {
    const said = read(
      'PermissionRequest',
      exited(
        0,
        output('PermissionRequest', {
          decision: { behavior: 'deny', updatedPermissions: [{ type: 'addDirectories', directories: ['/a'], destination: 'session' }] },
        }),
      ),
    )
    expect(said.words).toEqual({ permission: 'deny' })
    expect(codes(said)).toEqual(['no-effect'])
  })

  const rewrites: [string, string | undefined, object, unknown][] = [
    ['one that fits the tool', 'Bash', { updatedToolOutput: { stdout: 'a', stderr: '', interrupted: false } }, { stdout: 'a', stderr: '', interrupted: false }],
    ['one that lacks a field', 'Bash', { updatedToolOutput: { stdout: 'a' }, classifierContext: 'c' }, undefined],
    ['null for a known tool', 'Bash', { updatedToolOutput: null }, undefined],
    ['null for an MCP tool', 'mcp__s__t', { updatedToolOutput: null }, null],
    ['anything for an unknown tool', undefined, { updatedToolOutput: 5 }, 5],
    ['the older spelling for an MCP tool', 'mcp__s__t', { updatedMCPToolOutput: 'x' }, 'x'],
    ['the older spelling for another tool', 'Bash', { updatedMCPToolOutput: { stdout: 'a', stderr: '', interrupted: false } }, undefined],
    ['a tool called like a method of every object', 'toString', { updatedToolOutput: 5 }, 5],
  ]
  it.each(rewrites)('a rewritten output: %s', (_, tool, fields, expected) => {
    const said = read('PostToolUse', exited(0, output('PostToolUse', fields)), { input: tool === undefined ? {} : { tool_name: tool } })
    expect(said.failure).toBeUndefined()
    expect(said.words).toEqual(expected === undefined ? {} : { updatedOutput: expected })
    if (expected === undefined) expect(codes(said)).toEqual(['misfit-output'])
  })

  it('a reason is capped at 10,000 characters, which is said', () => {
    const said = read('PreToolUse', exited(0, output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: '😀'.repeat(9_000) })))
    expect(said.words.reason?.length).toBeLessThanOrEqual(10_000)
    expect(said.words.reason).toMatch(/😀…$/u)
    expect(codes(said)).toEqual(['text-cut'])
  })

  it('a message that nobody sees there is dropped', () => {
    expect(read('ConfigChange', exited(0, { systemMessage: 'm' })).words).toEqual({})
    expect(read('DirectoryAdded', exited(0, { systemMessage: 'm' }), { input: { source: 'slash_command' } }).words).toEqual({ message: 'm' })
    expect(read('DirectoryAdded', exited(0, { systemMessage: 'm' }), { input: { source: 'register_repo_root' } }).words).toEqual({})
  })

  it('a stop has no effect where the event has none', () => {
    const said = read('TaskCreated', exited(0, { continue: false, stopReason: 'x' }))
    expect(said).toMatchObject({ outcome: 'success', words: {} })
    expect(codes(said)).toEqual(['no-effect'])
  })

  it('a defer is for runs without a person', () => {
    const said = read('PreToolUse', exited(0, output('PreToolUse', { permissionDecision: 'defer' })), { interactive: true })
    expect(said.words).toEqual({})
    expect(codes(said)).toEqual(['defer-ignored'])
  })

  it('a behavior that an event does not know is malformed', () => {
    for (const permissionDecision of ['defer', 'Allow', 'аllow', null, true, { toString: 'allow' }])
      expect(read('PreModelSwitch', exited(0, output('PreModelSwitch', { permissionDecision }))).failure).toContain(
        'permissionDecision must be allow, deny, ask',
      )
    expect(read('PermissionRequest', exited(0, output('PermissionRequest', { decision: { behavior: 'ask' } }))).failure).toContain(
      'behavior must be allow, deny',
    )
    expect(read('PermissionRequest', exited(0, output('PermissionRequest', { decision: {} }))).failure).toContain('lacks a behavior')
  })
})

describe('an http answer', () => {
  const replied = (status: number, body: string | object): RawResult => ({
    ending: { kind: 'replied', status },
    stdout: typeof body === 'string' ? body : JSON.stringify(body),
  })
  it('is an object, or an empty body that stands for one', () => {
    expect(read('PreToolUse', replied(204, ''), { type: 'http' })).toMatchObject({ outcome: 'success', words: {} })
    expect(read('PreToolUse', replied(201, deny), { type: 'http' }).words).toEqual(refusal)
  })

  it.each([
    ['text', 'ok'],
    ['a list', '[1]'],
    ['text after the object', `${JSON.stringify(deny)} x`],
    ['a cut object', '{"a":'],
  ])('is nothing else: %s', (_, body) => {
    const said = read('UserPromptSubmit', replied(200, body), { type: 'http' })
    expect(said).toMatchObject({ outcome: 'nonBlockingError', words: {} })
  })

  it.each([301, 403, 500])('with status %i decides nothing, a denial included', (status) => {
    expect(read('PreToolUse', replied(status, deny), { type: 'http' })).toMatchObject({ outcome: 'nonBlockingError', words: {} })
  })

  it('that was cut keeps a complete denial and is a failure', () => {
    expect(read('PreToolUse', { ...replied(200, deny), cut: 'body' }, { type: 'http' })).toMatchObject({
      outcome: 'blocking',
      words: refusal,
      failure: 'gave an answer that was cut off',
    })
    expect(read('PreToolUse', { ...replied(200, ask), cut: 'body' }, { type: 'http' }).words).toEqual({})
  })
})
