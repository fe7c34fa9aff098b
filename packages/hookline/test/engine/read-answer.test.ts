/** Answers from code: power words, the wire object, mixed forms, and values that fight back. */
import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/engine/read-answer.ts'
import type { EventName } from '../../src/protocol/event-types.ts'
import { codes, output, read, returned, row } from './interpret-setup.ts'

describe('power words', () => {
  const words: [string, EventName, object, object][] = [
    ['a permission with its reason', 'PreToolUse', { permission: 'ask', reason: 'money moves' }, { permission: 'ask', reason: 'money moves' }],
    ['a block on an event with a permission is a deny', 'PreToolUse', { block: 'no' }, { permission: 'deny', reason: 'no' }],
    ['a block outweighs an allow beside it', 'PreToolUse', { permission: 'allow', reason: 'ok', block: 'no' }, { permission: 'deny', reason: 'no' }],
    ['a block where something is blocked', 'Stop', { block: 'go on' }, { block: 'go on' }],
    ['a block where an event reads no JSON but has the power', 'WorktreeRemove', { block: 'keep it' }, { block: 'keep it' }],
    ['a stop', 'PostToolUse', { stop: 'enough' }, { stop: 'enough' }],
    ['context and a message', 'SessionStart', { context: 'c', message: 'm' }, { context: 'c', message: 'm' }],
    ['a rewrite', 'PreToolUse', { updatedInput: { command: 'x' } }, { updatedInput: { command: 'x' } }],
    ['null as a rewritten output', 'PostToolUse', { updatedOutput: null }, { updatedOutput: null }],
    ['an elicitation', 'Elicitation', { elicitation: { action: 'cancel' } }, { elicitation: { action: 'cancel' } }],
    ['no opinion, said aloud', 'PreToolUse', { permission: 'passthrough' }, {}],
    ['undefined fields', 'PreToolUse', { permission: undefined, context: undefined }, {}],
    ['anything but an allow where there is only a veto', 'PreSkillShellCommand', { permission: 'ask', reason: 'r' }, { permission: 'deny', reason: 'r' }],
  ]
  it.each(words)('%s', (_, event, answer, expected) => {
    const said = read(event, returned(answer), { type: 'callback' })
    expect(said.words).toEqual(expected)
    expect(said.failure).toBeUndefined()
    expect(said.warnings).toEqual([])
  })

  it('a misspelt word is a warning that names the nearest, and the person hears it', () => {
    const said = read('PreToolUse', returned({ permision: 'deny' }), { type: 'callback' })
    expect(said).toMatchObject({ outcome: 'success', words: {} })
    expect(said.warnings).toMatchObject([{ code: 'unknown-key', hint: 'Did you mean "permission"?' }])
    expect(said.messages[0]?.text).toContain('gave "permision", which is no word of an answer to PreToolUse. Did you mean "permission"?')
  })

  it("another event's word has no effect", () => {
    const said = read('Stop', returned({ updatedInput: {}, permission: 'deny' }), { type: 'callback' })
    expect(said.words).toEqual({})
    expect(codes(said)).toEqual(['no-effect', 'no-effect'])
  })

  it.each<[EventName, unknown]>([
    ['PreToolUse', { permission: 'Deny' }],
    ['PreToolUse', { permission: true }],
    ['PreToolUse', { context: 5 }],
    ['PreToolUse', { updatedInput: [] }],
    ['Stop', { block: true }],
    ['CwdChanged', { watchPaths: ['a', 5] }],
    ['PermissionDenied', { retry: 'yes' }],
    ['Elicitation', { elicitation: 'accept' }],
    ['Elicitation', { elicitation: { action: 'yes' } }],
    ['Stop', 'block'],
    ['Stop', true],
    ['Stop', ['block']],
  ])('a wrong value on %s is a failure: %j', (event, answer) => {
    expect(read(event, returned(answer), { type: 'callback' })).toMatchObject({
      outcome: 'nonBlockingError',
      words: {},
      failure: expect.stringContaining('malformed'),
    })
  })

  it('a denial survives a wrong value beside it, a grant does not', () => {
    expect(read('PreToolUse', returned({ permission: 'deny', reason: 5 })).words).toEqual({ permission: 'deny' })
    expect(read('PreToolUse', returned({ permission: 'allow', reason: 5 })).words).toEqual({})
  })
})

describe('the wire object from code', () => {
  it('is read like printed JSON', () => {
    expect(read('PreToolUse', returned(output('PreToolUse', { permissionDecision: 'allow' }))).words).toEqual({ permission: 'allow' })
    expect(read('Stop', returned({ decision: 'block', reason: 'r' })).words).toEqual({ block: 'r' })
    expect(read('Stop', returned({ continue: false, stopReason: 's' })).words).toEqual({ stop: 's' })
  })

  it('mixed with power words both count, the stricter first, and that is a warning', () => {
    const said = read('PreToolUse', returned({ ...output('PreToolUse', { permissionDecision: 'allow' }), permission: 'deny', context: 'c' }))
    expect(said.words).toEqual({ permission: 'deny', context: 'c' })
    expect(codes(said)).toEqual(['mixed-forms'])
  })
})

describe('values that fight back', () => {
  const throwing = (key: string, answer: object = {}): object =>
    Object.defineProperty({ ...answer }, key, {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })

  it('a getter that throws is a field of the wrong type', () => {
    expect(read('PreToolUse', returned(throwing('permission')))).toMatchObject({
      outcome: 'nonBlockingError',
      words: {},
      failure: expect.stringContaining('malformed'),
    })
    expect(read('PreToolUse', returned(throwing('permission')), { failClosed: true })).toMatchObject({ words: { permission: 'deny' }, failedClosed: true })
    expect(read('PreToolUse', returned(throwing('context', { permission: 'deny' }))).words).toEqual({ permission: 'deny' })
    expect(read('PreToolUse', returned(throwing('context', { permission: 'allow' }))).words).toEqual({})
    expect(read('PostToolUse', returned(throwing('updatedOutput'))).words).toEqual({})
  })

  it('a thrown value that cannot be shown is a failure too', () => {
    const thrown = {
      toString: () => {
        throw new Error('again')
      },
    }
    const answer = new Proxy(
      {},
      {
        ownKeys: () => {
          throw thrown
        },
      },
    )
    expect(read('PreToolUse', returned(answer)).failure).toContain('cannot be read')
  })

  it('a getter is read once, so it cannot answer twice differently', () => {
    let reads = 0
    const answer = Object.defineProperty({}, 'permission', { enumerable: true, get: () => (reads++ === 0 ? 'deny' : 'allow') })
    expect(read('PreToolUse', returned(answer)).words).toEqual({ permission: 'deny' })
    expect(reads).toBe(1)
  })

  it('inherited and prototype keys say nothing and change nothing', () => {
    const inherited = Object.create({ permission: 'allow' }) as object
    expect(read('PreToolUse', returned(inherited)).words).toEqual({})
    const polluting = JSON.parse('{"continue":true,"__proto__":{"permission":"allow"},"constructor":{"prototype":{"permission":"allow"}}}') as object
    expect(read('PreToolUse', returned(polluting)).words).toEqual({})
    expect(({} as Record<string, unknown>)['permission']).toBeUndefined()
  })
})

describe('readAnswer, for middleware', () => {
  it('gives the words of an answer', () => {
    expect(readAnswer({ block: 'r' }, { row: row('Stop'), id: 'middleware' })).toEqual({ words: { block: 'r' }, messages: [], warnings: [] })
  })

  it('turns a malformed answer into a warning', () => {
    const said = readAnswer({ context: 5 }, { row: row('PostToolUse'), id: 'middleware' })
    expect(said.words).toEqual({})
    expect(codes(said)).toEqual(['wrong-type'])
  })

  it('never throws', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('x')
        },
      },
    )
    expect(codes(readAnswer(hostile, { row: row('Stop'), id: 'm' }))).toEqual(['wrong-type'])
    expect(readAnswer(undefined, { row: row('Stop'), id: 'm' }).words).toEqual({})
  })
})
