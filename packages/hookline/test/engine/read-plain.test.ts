/** The short way of reading plain answers says what the full reading says. */
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { interpret } from '../../src/engine/interpret.ts'
import { readPlain } from '../../src/engine/read-plain.ts'
import { events, type NamedRow } from '../../src/protocol/events.ts'
import type { Source } from '../../src/protocol/hook.ts'
import type { RawResult } from '../../src/protocol/runner.ts'

const source: Source = { id: 'project', kind: 'project' }
const exited = (stdout: string, more: Partial<RawResult> = {}): RawResult => ({ ending: { kind: 'exited', code: 0 }, stdout, stderr: '', ...more })
const isRead = (raw: RawResult, row: NamedRow = events.PreToolUse, type = 'command') => {
  const said = readPlain(raw, row, type)
  return said !== undefined && 'words' in said
}

function read(raw: RawResult, row: NamedRow, { failClosed = false, type = 'command' } = {}) {
  return interpret(raw, {
    row,
    info: { id: 'project:X:0:0', label: 'x', type, source },
    failClosed,
    input: { cwd: '/', tool_name: 'Bash' },
    interactive: false,
  })
}

describe('read in one look', () => {
  test.each([
    ['an answer that goes on', '{"continue":true}'],
    ['blanks around it', ' {"suppressOutput":false,"continue":true}\n'],
    ['a denial with its reason', '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'],
    ['context', '{"continue":true,"hookSpecificOutput":{"additionalContext":"x","hookEventName":"PreToolUse"}}'],
  ])('%s', (_, text) => {
    expect(isRead(exited(text))).toBe(true)
    expect(isRead({ ending: { kind: 'replied', status: 200 }, stdout: text }, events.PreToolUse, 'http')).toBe(true)
  })
})

describe('left to the full reading', () => {
  const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
  test.each<[string, RawResult]>([
    ['a field that stands twice', exited(allow.replace('"allow"', '"deny","permissionDecision":"allow"'))],
    ['an object that stands twice', exited(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"},${allow.slice(1)}`)],
    ['a key that is spelled with an escape', exited(allow.replace('"permissionDecision"', '"\\u0070ermissionDecision":"deny","permissionDecision"'))],
    ['another event', exited(allow.replace('PreToolUse', 'PostToolUse'))],
    ['a letter that a screen may not show', exited(allow.replace('"allow"', '"deny","permissionDecisionReason":"\u202e"'))],
    ['a delete character', exited(allow.replace('"allow"', '"deny","permissionDecisionReason":"\u007f"'))],
    ['a stop', exited('{"continue":false}')],
    ['a wrong type', exited('{"continue":"true"}')],
    ['a deferral', exited(allow.replace('allow', 'defer'))],
    ['a rewrite', exited(allow.replace('"allow"', '"allow","updatedInput":{}'))],
    ['a number', exited('{"continue":true,"x":1}')],
    ['a reason without a decision', exited('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecisionReason":"no"}}')],
    ['a reason that is too long', exited(allow.replace('"allow"', `"deny","permissionDecisionReason":"${'x'.repeat(10_001)}"`))],
    ['another code than 0', exited(allow, { ending: { kind: 'exited', code: 1 } })],
    ['an output that was cut', exited(allow, { cut: 'stdout' })],
    ['bytes that are not UTF-8', exited(allow, { notUtf8: true })],
    ['findings of the handler', exited(allow, { warnings: [] })],
    ['another status than 2xx', { ending: { kind: 'replied', status: 500 }, stdout: allow }],
  ])('%s', (_, raw) => {
    expect(isRead(raw)).toBe(false)
  })

  test('a verdict of a model, and an event that reads no answer', () => {
    expect(isRead(exited(allow), events.PreToolUse, 'prompt')).toBe(false)
    expect(isRead(exited('{"continue":true}'), events.WorktreeCreate)).toBe(false)
  })
})

const value = fc.constantFrom<unknown>(true, false, 'x', '', ' no ', 'allow', 'deny', 'ask', 'defer', null, 1, 'é', 'a\nb', '\u007f', 'y'.repeat(200))
const top = fc.constantFrom('continue', 'suppressOutput', 'stopReason', 'systemMessage', 'decision', 'reason', 'other')
const inner = fc.constantFrom('permissionDecision', 'permissionDecisionReason', 'additionalContext', 'updatedInput', 'other')
const plainTop = fc.constantFrom<[string, unknown]>(['continue', true], ['suppressOutput', true], ['suppressOutput', false])
const plainInner = fc.oneof(
  fc.constantFrom<[string, unknown]>(
    ['permissionDecision', 'deny'],
    ['permissionDecision', 'allow'],
    ['permissionDecision', 'ask'],
    ['additionalContext', 'c'],
  ),
  fc.tuple(fc.constantFrom('permissionDecisionReason', 'additionalContext'), fc.constantFrom<unknown>('', ' no ', 'y'.repeat(200))),
)
const member = ([key, one]: [string, unknown]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`
/** Members may repeat: the text is put together by hand. */
const answer = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: plainTop }, fc.tuple(top, value)), { maxLength: 3 }),
    fc.array(fc.oneof({ weight: 6, arbitrary: plainInner }, fc.tuple(inner, value)), { maxLength: 3 }),
    fc.constantFrom('PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', undefined),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([outside, inside, event, copies]) => {
    const fields = [...(event === undefined ? [] : [member(['hookEventName', event])]), ...inside.map(member)].join(',')
    return `{${[...outside.map(member), ...Array.from({ length: copies }, () => `"hookSpecificOutput":{${fields}}`)].join(',')}}`
  })

test('whatever is answered, in short and with blanks, is read the same', () => {
  let short = 0
  fc.assert(
    fc.property(answer, fc.constantFrom(...Object.values<NamedRow>(events)), fc.boolean(), (text, row, failClosed) => {
      if (isRead(exited(text), row)) short++
      const spaced = text.replace(/^\{/, '{ ')
      expect(isRead(exited(spaced), row)).toBe(false)
      expect(read(exited(text), row, { failClosed })).toEqual(read(exited(spaced), row, { failClosed }))
    }),
    { numRuns: 4_000 },
  )
  expect(short).toBeGreaterThan(100)
})

describe('what somebody put into every object', () => {
  const polluted = Object.prototype as Record<string, unknown>
  afterEach(() => {
    for (const key of ['hookSpecificOutput', 'permissionDecision', 'continue']) delete polluted[key]
  })
  test.each(['{}', '{"continue":true}', '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}'])('says nothing beside %s', (text) => {
    polluted['hookSpecificOutput'] = { hookEventName: 'PreToolUse', permissionDecision: 'allow' }
    polluted['permissionDecision'] = 'allow'
    expect(read(exited(text), events.PreToolUse).words).toEqual({})
  })
})
