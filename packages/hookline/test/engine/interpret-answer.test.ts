/** `interpretAnswer`: options, described runs, folds of several hooks, and what is a mistake of the caller. */
import { describe, expect, it } from 'vitest'
import { interpretAnswer } from '../../src/engine/interpret-answer.ts'
import { HooklineError } from '../../src/errors.ts'
import { defineEvent } from '../../src/protocol/define-event.ts'
import type { EventName } from '../../src/protocol/event-types.ts'

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const

describe('the word of one run', () => {
  it.each<[EventName, object, object]>([
    ['PreToolUse', { exit: 2, stderr: 'no' }, { decision: 'deny', error: false, reason: 'no', failClosed: 'deny' }],
    [
      'PreToolUse',
      { stdout: '{"continue":false,"stopReason":"s","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}' },
      { decision: 'stop', error: false, reason: 's', failClosed: 'stop' },
    ],
    ['PreToolUse', { exit: null }, { decision: 'none', error: true, failClosed: 'deny' }],
    ['PreToolUse', { exit: 256 }, { decision: 'none', error: true, failClosed: 'deny' }],
    ['PreToolUse', { exit: 258, stderr: 'no' }, { decision: 'none', error: true, failClosed: 'deny' }],
    ['PreToolUse', { exit: -1073741510 }, { decision: 'none', error: true, failClosed: 'deny' }],
    ['PreToolUse', { shellExit: 256 }, { decision: 'none', error: false, failClosed: 'none' }],
    ['PreToolUse', { shellExit: 258 }, { decision: 'deny', error: false, failClosed: 'deny' }],
    ['ConfigChange', { exit: 2, stderr: 'no' }, { decision: 'block', error: false, failClosed: 'block' }],
    [
      'PostToolUse',
      { exit: 0, stdout: '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":1}}' },
      { decision: 'replace', error: false, failClosed: 'replace' },
    ],
    [
      'Elicitation',
      { exit: 0, stdout: '{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}' },
      { decision: 'decline', error: false, failClosed: 'decline' },
    ],
    ['WorktreeCreate', { exit: 0, stdout: 'wt' }, { decision: 'path', error: false, failClosed: 'path' }],
    ['WorktreeCreate', { exit: 0, stdout: '' }, { decision: 'fail', error: false, failClosed: 'fail' }],
    ['WorktreeRemove', { exit: 1, stderr: 'x' }, { decision: 'fail', error: true, failClosed: 'fail' }],
    ['PreModelSwitch', { timedOut: true }, { decision: 'deny', error: true, failClosed: 'deny' }],
    ['UserPromptSubmit', { exit: 0, stdout: 'c' }, { decision: 'none', error: false, context: 'c', failClosed: 'none' }],
  ])('%s %j', (event, run, expected) => {
    expect(interpretAnswer(event, run)).toEqual(expected)
  })

  it("a model's no is a refusal although it ends the turn", () => {
    expect(interpretAnswer('PreToolUse', { modelText: '{"ok":false,"reason":"r"}' }, { hookType: 'prompt' })).toEqual({
      decision: 'deny',
      error: false,
      reason: 'r',
      failClosed: 'deny',
    })
    expect(interpretAnswer('TeammateIdle', { modelText: '{"ok":false,"reason":"r"}' }, { hookType: 'agent' })).toMatchObject({ decision: 'block', reason: 'r' })
  })

  it('an engine sentence is no reason of a hook', () => {
    expect(interpretAnswer('PreToolUse', { exit: 1, stderr: 'x' }, { failClosed: true })).toEqual({ decision: 'deny', error: true, failClosed: 'deny' })
  })

  it('what managed policy changes cannot be blocked', () => {
    expect(interpretAnswer('ConfigChange', { exit: 2 }, { value: 'policy_settings' })).toMatchObject({ decision: 'none', failClosed: 'none' })
    expect(interpretAnswer('ConfigChange', { exit: 2 }, { value: 'user_settings' })).toMatchObject({ decision: 'block' })
  })

  it('policy may force failing closed', () => {
    expect(interpretAnswer('PreToolUse', { exit: 1 }, { policy: { requireFailClosed: ['PreToolUse'] } }).decision).toBe('deny')
    expect(interpretAnswer('PreToolUse', { exit: 1 }, { policy: { requireFailClosed: true } }).decision).toBe('deny')
    expect(interpretAnswer('PreToolUse', { exit: 1 }, { policy: { requireFailClosed: ['Stop'] } }).decision).toBe('none')
  })

  it('a defer needs a run without a person', () => {
    const run = { exit: 0, stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}' }
    expect(interpretAnswer('PreToolUse', run).decision).toBe('defer')
    expect(interpretAnswer('PreToolUse', run, { mode: 'interactive' }).decision).toBe('none')
  })

  it('a relative path starts at the folder that was given', () => {
    expect(interpretAnswer('WorktreeCreate', { exit: 0, stdout: '../wt' }, { cwd: '/srv/repo' }).decision).toBe('path')
  })

  it("reads a host's own event by its row", () => {
    const event = defineEvent({ name: 'Deploy', summary: 's', input: anything, powers: ['block'], reasonTo: 'user', failClosed: true })
    expect(interpretAnswer(event, { exit: 2, stderr: 'no' })).toEqual({ decision: 'block', error: false, reason: 'no', failClosed: 'block' })
  })

  it('a huge output is described, never built', () => {
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    const said = interpretAnswer('PreToolUse', { exit: 0, generate: { repeat: 'A', times: 1_073_741_824 } })
    expect(said).toEqual({ decision: 'none', error: true, failClosed: 'deny' })
    expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1_048_576)
    expect(interpretAnswer('PreToolUse', { exit: 0, generate: { prefix: '{}', repeat: '', times: 1_073_741_824 } })).toMatchObject({ error: false })
    expect(interpretAnswer('PreToolUse', { status: 200, generate: { repeat: '{}', times: 1_073_741_824 } }, { hookType: 'http' })).toMatchObject({
      error: true,
      failClosed: 'deny',
    })
  })
})

describe('the fold of several hooks', () => {
  it.each<[EventName, object, string]>([
    ['PreToolUse', { hooks: ['allow', 'ask', 'defer', 'deny'] }, 'deny'],
    ['PreToolUse', { hooks: ['allow', 'ask', 'defer'] }, 'defer'],
    ['PreToolUse', { hooks: ['stop', 'deny'] }, 'stop'],
    ['PreToolUse', { hooks: ['none', 'error'] }, 'none'],
    ['PreToolUse', { hooks: ['allow'], rules: { ask: true } }, 'ask'],
    ['PreToolUse', { hooks: [], rules: { allow: true } }, 'allow'],
    ['PreToolUse', { hooks: ['defer'], rules: { ask: true } }, 'defer'],
    ['PreToolUse', { hooks: ['timeout-failclosed', 'allow'] }, 'deny'],
    ['UserPromptSubmit', { hooks: ['timeout-failclosed', 'none'] }, 'block'],
    ['Stop', { hooks: ['timeout-failclosed', 'none'] }, 'none'],
    ['Stop', { hooks: ['none', 'block'] }, 'block'],
    ['Stop', { hooks: ['none'], rules: { deny: true } }, 'none'],
    ['Elicitation', { hooks: ['accept', 'decline'] }, 'decline'],
    ['Elicitation', { hooks: ['accept', 'timeout-failclosed'] }, 'decline'],
    ['WorktreeCreate', { hooks: ['path', 'fail'] }, 'fail'],
    ['WorktreeCreate', { hooks: ['path', 'error'] }, 'fail'],
    ['PostToolUse', { hooks: ['replace', 'block'] }, 'block'],
  ])('%s %j is %s', (event, run, decision) => {
    expect(interpretAnswer(event, run as never)).toEqual({ decision, error: false, failClosed: decision })
  })

  it('leaves a defer out where a person sits', () => {
    expect(interpretAnswer('PreToolUse', { hooks: ['defer', 'ask'] }, { mode: 'interactive' }).decision).toBe('ask')
  })
})

describe("a caller's mistake is thrown, with what to do", () => {
  it.each<[string, string, unknown, object | undefined, string]>([
    ['an unknown event', 'PreToolUze', {}, undefined, 'unknown-event'],
    ['a name of every object', 'constructor', {}, undefined, 'unknown-event'],
    ['a run that is no object', 'Stop', 5, undefined, 'invalid-option'],
    ['an unknown handler type', 'Stop', {}, { hookType: 'cmd' }, 'invalid-option'],
    ['an exit code that is a string', 'Stop', { exit: '2' }, undefined, 'invalid-option'],
    ['a stdout that is no text', 'Stop', { exit: 0, stdout: {} }, undefined, 'invalid-option'],
    ['odd hexadecimal', 'Stop', { exit: 0, stdoutHex: 'f' }, undefined, 'invalid-option'],
    ['a generator without text', 'Stop', { exit: 0, generate: { times: 3 } }, undefined, 'invalid-option'],
    ['an unknown word', 'Stop', { hooks: ['maybe'] }, undefined, 'invalid-option'],
    ['hooks that are no list', 'Stop', { hooks: 'deny' }, undefined, 'invalid-option'],
  ])('%s', (_, event, run, options, code) => {
    const thrown = (() => {
      try {
        interpretAnswer(event as EventName, run as never, options)
      } catch (error) {
        return error
      }
      return undefined
    })()
    expect(thrown).toBeInstanceOf(HooklineError)
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(/^interpretAnswer: /) })
  })
})
