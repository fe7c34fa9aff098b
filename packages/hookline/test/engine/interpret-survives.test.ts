/** The stage `interpret`: what holds a step up survives doubtful output, what permits does not. */
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../src/protocol/event-types.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { codes, exited, output, read } from './interpret-setup.ts'

const deny = output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'why' })
const allow = output('PreToolUse', { permissionDecision: 'allow' })
const ended = (ending: RawResult['ending'], stdout: object | string = ''): RawResult => ({ ...exited(0, stdout), ending })
const refusal = { permission: 'deny', reason: 'why' }

const survivors: [string, EventName, RawResult, object][] = [
  ['unknown keys beside it', 'PreToolUse', exited(0, { ...deny, extra: 1 }), refusal],
  ['a field of the wrong type beside it', 'PreToolUse', exited(0, { ...deny, systemMessage: 5 }), refusal],
  [
    'a reason of the wrong type',
    'PreToolUse',
    exited(0, output('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 5 })),
    { permission: 'deny' },
  ],
  ['a rewrite of the wrong type', 'PreToolUse', exited(0, output('PreToolUse', { permissionDecision: 'ask', updatedInput: [] })), { permission: 'ask' }],
  [
    'an allow spelled twice',
    'PreToolUse',
    exited(0, '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permission\\u0044ecision":"allow"}}'),
    { permission: 'deny' },
  ],
  [
    'a second object that allows',
    'PreToolUse',
    exited(0, JSON.stringify(deny).replace(/\}$/, `,"hookSpecificOutput":${JSON.stringify((allow as { hookSpecificOutput: object }).hookSpecificOutput)}}`)),
    refusal,
  ],
  ['bytes that are not UTF-8', 'PreToolUse', { ...exited(0, deny), notUtf8: true }, refusal],
  ['a cut of what followed', 'PreToolUse', { ...exited(0, deny), cut: 'stdout' }, refusal],
  [
    'an answer of another event beside an old block',
    'PreToolUse',
    exited(0, { decision: 'block', reason: 'r', hookSpecificOutput: { hookEventName: 'Stop' } }),
    { permission: 'deny', reason: 'r' },
  ],
  ['a stop reason of the wrong type', 'PreToolUse', exited(0, { continue: false, stopReason: {} }), { stop: '' }],
  ['content of the wrong type', 'Elicitation', exited(0, output('Elicitation', { action: 'decline', content: 5 })), { elicitation: { action: 'decline' } }],
  [
    'a wrong update',
    'PermissionRequest',
    exited(0, output('PermissionRequest', { decision: { behavior: 'deny', updatedPermissions: 5 } })),
    { permission: 'deny' },
  ],
]

describe('what holds a step up survives, with a warning and no failure', () => {
  it.each(survivors)('%s', (_, event, raw, words) => {
    const said = read(event, raw)
    expect(said.failure).toBeUndefined()
    expect(said.words).toEqual(words)
    expect(said.warnings).not.toEqual([])
  })

  const cutShort: [string, RawResult['ending']][] = [
    ['a deadline', { kind: 'timedOut', afterMs: 1_000 }],
    ['a signal', { kind: 'signalled', signal: 'SIGTERM' }],
    ['a flood', { kind: 'overflowed', stream: 'stderr', limit: 10 }],
  ]
  it.each(cutShort)('a complete denial stands although %s ended the run, which is reported', (_, ending) => {
    const said = read('PreToolUse', ended(ending, { ...deny, systemMessage: 'm', ...{ decision: 'approve' } }))
    expect(said.outcome).toBe('blocking')
    expect(said.words).toEqual(refusal)
    expect(said.failure).toBeDefined()
    expect(said.failedClosed).toBeUndefined()
  })

  it.each(cutShort)('nothing else stands when %s ended the run', (_, ending) => {
    const full = output('PreToolUse', { permissionDecision: 'allow', updatedInput: { a: 1 }, additionalContext: 'c' })
    expect(read('PreToolUse', ended(ending, full)).words).toEqual({})
    expect(read('PreToolUse', ended(ending, JSON.stringify(deny).slice(0, -1))).words).toEqual({})
    expect(read('PreToolUse', ended(ending, `log\n${JSON.stringify(deny)}`)).words).toEqual({})
  })

  it('an answer of another event, or without its event, is no denial', () => {
    for (const name of ['Stop', 'pretooluse', undefined]) {
      const said = read('PreToolUse', exited(0, { hookSpecificOutput: { hookEventName: name, permissionDecision: 'deny' } }))
      expect(said.words).toEqual({})
      expect(said.failure).toBeDefined()
    }
  })

  it('the kept part of a flood of text is still context where text is context', () => {
    const said = read('SessionStart', ended({ kind: 'overflowed', stream: 'stdout', limit: 1_048_576 }, 'q'.repeat(20_000)))
    expect(said.words.context).toHaveLength(20_000)
    expect(said.outcome).toBe('nonBlockingError')
  })
})

describe('what permits counts only from a clean run', () => {
  const doubtful: [string, RawResult][] = [
    ['another code than 0', exited(1, allow)],
    ['bytes that are not UTF-8', { ...exited(0, allow), notUtf8: true }],
    ['a cut output', { ...exited(0, allow), cut: 'stdout' }],
    ['two different answers', exited(0, '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecision":"yes"}}')],
    [
      'a second decision object',
      exited(
        0,
        `{"hookSpecificOutput":{"hookEventName":"PreToolUse"},"hookSpecificOutput":${JSON.stringify((allow as { hookSpecificOutput: object }).hookSpecificOutput)}}`,
      ),
    ],
    ['nesting without end', exited(0, `{"a":${'['.repeat(600)}${']'.repeat(600)},${JSON.stringify(allow).slice(1)}`)],
    ['a field of the wrong type', exited(0, { ...allow, continue: 'yes' })],
  ]
  it.each(doubtful)('%s', (_, raw) => {
    const said = read('PreToolUse', raw)
    expect(said.words).toEqual({})
    expect(said.outcome).toBe('nonBlockingError')
  })

  it('an ask stays, its rewrite does not', () => {
    const said = read('PreToolUse', exited(1, output('PreToolUse', { permissionDecision: 'ask', updatedInput: { a: 1 } })))
    expect(said.words).toEqual({ permission: 'ask' })
    expect(codes(said)).toEqual(['permissive-dropped'])
  })

  it('the same answer spelled twice is still that answer, with a warning', () => {
    const said = read(
      'PreToolUse',
      exited(0, '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecision":"allow"}}'),
    )
    expect(said.words).toEqual({ permission: 'allow' })
    expect(codes(said)).toEqual(['duplicate-key'])
  })

  it.each<[EventName, object]>([
    ['PermissionRequest', output('PermissionRequest', { decision: { behavior: 'allow' } })],
    ['Elicitation', output('Elicitation', { action: 'accept', content: {} })],
    ['PostToolUse', output('PostToolUse', { updatedToolOutput: 'x' })],
    ['PermissionDenied', output('PermissionDenied', { retry: true })],
    ['PreToolUse', { decision: 'approve' }],
  ])('on %s too', (event, answer) => {
    expect(read(event, exited(0, answer)).words).not.toEqual({})
    expect(read(event, exited(1, answer)).words).toEqual({})
  })
})
