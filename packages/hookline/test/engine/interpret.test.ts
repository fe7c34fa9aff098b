/** The stage `interpret`: what was said and exit code 2 become the words of the event. */
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../src/protocol/event-types.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import type { Interpreted } from '../../src/protocol/words.ts'
import { codes, exited, output, read, returned } from './interpret-setup.ts'

const deny = output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'why' })
const allow = output('PreToolUse', { permissionDecision: 'allow' })
const ask = output('PreToolUse', { permissionDecision: 'ask' })
const ended = (ending: RawResult['ending'], stdout: object | string = ''): RawResult => ({ ...exited(0, stdout), ending })

type Row = [string, EventName, RawResult, Partial<Interpreted>]

const readable: Row[] = [
  ['success without output says nothing', 'PreToolUse', exited(0), { outcome: 'success', words: {} }],
  ['code that returns nothing says nothing', 'PreToolUse', returned(undefined), { outcome: 'success', words: {} }],
  ['text is context where the row says so', 'SessionStart', exited(0, '  branch: main\n'), { outcome: 'success', words: { context: 'branch: main' } }],
  ['text is only logged elsewhere', 'PostToolUse', exited(0, 'formatted'), { outcome: 'success', words: {} }],
  ['a deny is a blocking outcome', 'PreToolUse', exited(0, deny), { outcome: 'blocking', words: { permission: 'deny', reason: 'why' } }],
  [
    'an object with a byte order mark and blanks around it is read',
    'PreToolUse',
    exited(0, `\ufeff\r\n ${JSON.stringify(deny)}\r\n`),
    { words: { permission: 'deny', reason: 'why' } },
  ],
  [
    'a deny counts on any code, and the hook did not fail',
    'PreToolUse',
    exited(7, deny),
    { outcome: 'blocking', words: { permission: 'deny', reason: 'why' } },
  ],
  ['an ask counts on any code', 'PreToolUse', exited(1, ask), { outcome: 'success', words: { permission: 'ask' } }],
  ['an empty object outweighs the code', 'PreToolUse', exited(1, {}), { outcome: 'success', words: {} }],
  [
    'context in JSON counts on any code',
    'UserPromptSubmit',
    exited(1, output('UserPromptSubmit', { additionalContext: 'c' })),
    { outcome: 'success', words: { context: 'c' } },
  ],
  ['a permission on a job that goes on later is no answer yet', 'PreToolUse', ended({ kind: 'deferred', jobId: 'j' }), { outcome: 'success', words: {} }],
  [
    'the stricter of an old and a new spelling counts',
    'PreToolUse',
    exited(0, { decision: 'approve', reason: 'old', ...deny }),
    { words: { permission: 'deny', reason: 'why' } },
  ],
  [
    'an old block outweighs a new allow',
    'PreToolUse',
    exited(0, { decision: 'block', reason: 'old', ...allow }),
    { words: { permission: 'deny', reason: 'old' } },
  ],
  [
    'continue false is a stop with its reason',
    'PreToolUse',
    exited(0, { continue: false, stopReason: 'halt' }),
    { outcome: 'success', words: { stop: 'halt' } },
  ],
  [
    'a defer takes neither a rewrite nor context nor a reason with it',
    'PreToolUse',
    exited(0, output('PreToolUse', { permissionDecision: 'defer', permissionDecisionReason: 'r', updatedInput: { a: 1 }, additionalContext: 'c' })),
    { words: { permission: 'defer' } },
  ],
  [
    'a rewrite without a decision is kept',
    'PreToolUse',
    exited(0, output('PreToolUse', { updatedInput: { command: 'x' } })),
    { words: { updatedInput: { command: 'x' } } },
  ],
  [
    'a rewrite of a refused call is moot',
    'PreToolUse',
    exited(0, output('PreToolUse', { permissionDecision: 'deny', updatedInput: { command: 'x' } })),
    { words: { permission: 'deny' } },
  ],
  ['a system message is the message', 'PostToolUse', exited(0, { systemMessage: 'hi', suppressOutput: true }), { words: { message: 'hi' } }],
  [
    'a permission request is answered inside decision',
    'PermissionRequest',
    exited(0, output('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { a: 1 } } })),
    { outcome: 'success', words: { permission: 'allow', updatedInput: { a: 1 } } },
  ],
  [
    'a denied permission request may interrupt',
    'PermissionRequest',
    exited(0, output('PermissionRequest', { decision: { behavior: 'deny', message: 'no', interrupt: true } })),
    { outcome: 'blocking', words: { permission: 'deny', reason: 'no', interrupt: true } },
  ],
  [
    'a top-level block denies a permission request',
    'PermissionRequest',
    exited(0, { decision: 'block', reason: 'r' }),
    { words: { permission: 'deny', reason: 'r' } },
  ],
  ['a top-level approve is nothing on a permission request', 'PermissionRequest', exited(0, { decision: 'approve' }), { words: {} }],
  [
    'a model switch is asked about',
    'PreModelSwitch',
    exited(0, output('PreModelSwitch', { permissionDecision: 'ask', permissionDecisionReason: 'dear' })),
    { words: { permission: 'ask', reason: 'dear' } },
  ],
  ['a top-level block denies a model switch', 'PreModelSwitch', exited(0, { decision: 'block', reason: 'r' }), { words: { permission: 'deny', reason: 'r' } }],
  [
    'an allow adds nothing where there is only a veto',
    'PreSkillShellCommand',
    exited(0, output('PreSkillShellCommand', { permissionDecision: 'allow' })),
    { words: {} },
  ],
  [
    'an ask refuses where there is only a veto',
    'PreSkillShellCommand',
    exited(0, output('PreSkillShellCommand', { permissionDecision: 'ask', permissionDecisionReason: 'r' })),
    { words: { permission: 'deny', reason: 'r' } },
  ],
  [
    'a rewrite refuses where there is only a veto',
    'PreSkillShellCommand',
    exited(0, output('PreSkillShellCommand', { updatedInput: {} })),
    { outcome: 'blocking', words: { permission: 'deny' } },
  ],
  [
    'an elicitation is accepted',
    'Elicitation',
    exited(0, output('Elicitation', { action: 'accept', content: { a: 'b' } })),
    { words: { elicitation: { action: 'accept', content: { a: 'b' } } } },
  ],
  ['a block of an elicitation is a block', 'Elicitation', exited(0, { decision: 'block' }), { outcome: 'blocking', words: { block: '' } }],
  ['a list of paths may be empty', 'CwdChanged', exited(0, output('CwdChanged', { watchPaths: [] })), { words: { watchPaths: [] } }],
  ['a retry is said', 'PermissionDenied', exited(0, output('PermissionDenied', { retry: true })), { words: { retry: true } }],
  ['false is the same as nothing', 'PermissionDenied', exited(0, output('PermissionDenied', { retry: false })), { words: {} }],
  ['what only the screen shows is kept', 'MessageDisplay', exited(0, output('MessageDisplay', { displayContent: '' })), { words: { displayContent: '' } }],
  [
    'an answer to an event that reads none has no effect',
    'SessionEnd',
    exited(0, { decision: 'block', systemMessage: 5, terminalSequence: '\u0007' }),
    { outcome: 'success', words: { terminalSequence: '\u0007' } },
  ],
]

describe('what a hook says becomes the words of the event', () => {
  it.each(readable)('%s', (_, event, raw, expected) => {
    const said = read(event, raw)
    expect(said.failure).toBeUndefined()
    expect(said).toMatchObject(expected.outcome === undefined ? {} : { outcome: expected.outcome })
    expect(said.words).toEqual(expected.words)
  })
})

const blocks: [string, EventName, RawResult, Interpreted['words']][] = [
  ['the reason is stderr', 'PreToolUse', exited(2, '', 'not now\n'), { permission: 'deny', reason: 'not now' }],
  ['a blocking reason in JSON is preferred', 'PreToolUse', exited(2, deny, 'other'), { permission: 'deny', reason: 'why' }],
  [
    'the reason of an allow is not',
    'PreToolUse',
    exited(2, output('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine', updatedInput: {} }), 'no'),
    { permission: 'deny', reason: 'no' },
  ],
  [
    'the reason of an ask is not',
    'PreToolUse',
    exited(2, output('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'hm' }), 'no'),
    { permission: 'deny', reason: 'no' },
  ],
  ['stdout is never the reason', 'PreToolUse', exited(2, 'because'), { permission: 'deny' }],
  ['broken JSON does not weaken it', 'PreToolUse', exited(2, '{"a":', 'no'), { permission: 'deny', reason: 'no' }],
  ['a malformed answer does not weaken it', 'PreToolUse', exited(2, { continue: 'false' }, 'no'), { permission: 'deny', reason: 'no' }],
  ['context in JSON is kept', 'UserPromptSubmit', exited(2, output('UserPromptSubmit', { additionalContext: 'c' }), 'no'), { block: 'no', context: 'c' }],
  ['it denies a permission request', 'PermissionRequest', exited(2, '', 'x'), { permission: 'deny', reason: 'x' }],
  ['it sends an agent back to work', 'Stop', exited(2, '', 'go on'), { block: 'go on' }],
  ['it declines, whatever the JSON accepts', 'Elicitation', exited(2, output('Elicitation', { action: 'accept' }), 'x'), { block: 'x' }],
  ['it fails a worktree although a path was printed', 'WorktreeCreate', exited(2, '/srv/wt', 'x'), { block: 'x' }],
  ['it is feedback where the step is done', 'PostToolUse', exited(2, '', 'lint: 2 problems'), { context: 'lint: 2 problems' }],
  ['a block in JSON stays a block where the step is done', 'PostToolUse', exited(2, { decision: 'block', reason: 'r' }, 'x'), { block: 'r' }],
  [
    'control sequences in stderr are removed',
    'PreToolUse',
    exited(2, '', '\u001b]52;c;ZXZpbA==\u0007bl\u001b[31mock\u001b[0med'),
    { permission: 'deny', reason: 'blocked' },
  ],
]

describe('exit code 2', () => {
  it.each(blocks)('%s', (_, event, raw, words) => {
    const said = read(event, raw)
    expect(said.words).toEqual(words)
    expect(said.outcome).toBe('blocking')
    expect(said.failure).toBeUndefined()
  })

  it('is a notice with all of stderr where nothing can be blocked', () => {
    const said = read('SessionStart', exited(2, output('SessionStart', { additionalContext: 'c' }), 'one\ntwo'))
    expect(said).toMatchObject({ outcome: 'nonBlockingError', words: { context: 'c' } })
    expect(said.messages[0]?.text).toContain('nothing can be blocked on SessionStart. It wrote: one\ntwo.')
  })

  it('means nothing on events that ignore it, and says so to whoever looks', () => {
    const said = read('Notification', exited(2, '', 'x'))
    expect(said).toMatchObject({ outcome: 'success', words: {}, messages: [] })
    expect(codes(said)).toEqual(['code-does-not-block'])
  })

  it('gives the model a neutral sentence when it was feedback without text', () => {
    expect(read('PostToolUse', exited(2)).words.context).toBe(
      'Hook "npm run lint" (project settings, .claude/settings.json:14, PostToolUse) ended with code 2 and gave no reason.',
    )
  })
})
