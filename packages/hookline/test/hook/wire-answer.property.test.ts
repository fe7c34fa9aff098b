/** An answer that leaves a process in wire form means what it means in process, on every event. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEngine, type EventName, eventNames, events } from '../../src/index.ts'
import { writeAnswer } from '../../src/protocol/wire-answer.ts'
import { example } from '../../src/testing/example.ts'

const text = fc.string({ minLength: 1, maxLength: 8 }).map((one) => `t${one.trim()}`)
/** Values of the right kind for every word there is. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  permission: fc.constantFrom('allow', 'deny', 'ask', 'defer'),
  reason: text,
  block: text,
  stop: text,
  message: text,
  context: text,
  updatedInput: fc.record({ command: text }),
  updatedOutput: fc.constantFrom<unknown>({ stdout: 'x', stderr: '', interrupted: false }),
  updatedPermissions: fc.constantFrom([{ type: 'setMode', mode: 'plan', destination: 'session' }]),
  interrupt: fc.constant(true),
  retry: fc.constant(true),
  reloadSkills: fc.constant(true),
  suppressOriginalPrompt: fc.constant(true),
  displayContent: text,
  worktreePath: fc.constant('/repo/tree'),
  sessionTitle: text,
  initialUserMessage: text,
  watchPaths: fc.array(fc.constantFrom('/a', '/b')),
  elicitation: fc.constantFrom({ action: 'accept', content: { a: 1 } }, { action: 'decline' }, { action: 'cancel' }),
  classifierContext: text,
  terminalSequence: fc.constant('\u0007'),
}
const behaviors: Record<string, readonly string[]> = {
  permission: ['allow', 'deny', 'ask', 'defer'],
  grant: ['allow', 'deny'],
  confirm: ['allow', 'deny', 'ask'],
  veto: ['deny'],
}

/** Answers that an event's hooks may give. */
function answersTo(event: EventName): fc.Arbitrary<Record<string, unknown>> {
  const powers: readonly string[] = events[event].powers
  const permission = powers.find((power) => power in behaviors)
  const keys = [
    'message',
    'terminalSequence',
    ...powers.filter((power) => power in values && power !== permission),
    ...(permission === undefined ? [] : ['block']),
  ]
  const words = fc.record(Object.fromEntries(keys.map((key) => [key, values[key] as fc.Arbitrary<unknown>])), { requiredKeys: [] })
  if (permission === undefined) return words
  const said = fc.record({ permission: fc.constantFrom(...(behaviors[permission] ?? [])), reason: text }, { requiredKeys: ['permission'] })
  return fc.tuple(words, fc.option(said, { nil: {} })).map(([one, two]) => ({ ...one, ...two }))
}

function verdictOf(event: EventName, answer: object): object {
  const h = createEngine({ sessionId: 's-1', cwd: '/project' })
  h.on(event, () => answer as never)
  const verdict = h.fireNow(event, example(event)) as { toJSON(): object }
  const { hooks, warnings, ...document } = JSON.parse(JSON.stringify(verdict)) as { hooks: { outcome: string; answer?: object }[]; warnings: object[] }
  // A warning names the key as it was spelled, so only their number is the same.
  return { ...document, callId: '', ms: 0, warnings: warnings.length, said: hooks.map((hook) => ({ outcome: hook.outcome, answer: hook.answer })) }
}

describe('the wire form of an answer gives the same verdict', () => {
  // Where no JSON is read, the exit code is the answer.
  const events = eventNames.filter(
    (event) => !(writeAnswer({ block: 'x' }, rowOf(event)).refusal === 'x' && !('decision' in writeAnswer({ block: 'x' }, rowOf(event)).wire)),
  )
  test.each(events)('on %s', (event) => {
    fc.assert(
      fc.property(answersTo(event), (answer) => {
        expect(verdictOf(event, writeAnswer(answer, rowOf(event)).wire)).toEqual(verdictOf(event, answer))
      }),
      { numRuns: 60 },
    )
  })
})

function rowOf(event: EventName) {
  return events[event]
}

test('a key that no event has stays at the top, for the reader to name', () => {
  expect(writeAnswer({ permision: 'deny', context: 'x' }, rowOf('PreToolUse')).wire).toEqual({
    permision: 'deny',
    hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'x' },
  })
})

test("another event's word goes where that event reads it, so that the reader can say it has no effect", () => {
  expect(writeAnswer({ permission: 'deny', reason: 'no' }, rowOf('Stop')).wire).toEqual({
    hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny', permissionDecisionReason: 'no' },
  })
})

const refusals: [event: EventName, refusal: string | undefined][] = [
  ['Stop', 'no'],
  ['TeammateIdle', 'no'],
  ['WorktreeRemove', 'no'],
  ['ElicitationResult', 'no'],
  ['PreToolUse', undefined],
  ['PostToolUse', undefined],
  ['SessionStart', undefined],
]
test.each(refusals)('a block on %s asks for exit code 2 with: %s', (event, refusal) => {
  expect(writeAnswer({ block: 'no' }, rowOf(event)).refusal).toBe(refusal)
})
