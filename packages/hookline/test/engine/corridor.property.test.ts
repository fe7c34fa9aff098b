/** Ten thousand random outputs through the whole corridor: none is ever an allow, none throws, every run is reported. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/index.ts'
import type { Ending } from '../../src/protocol/ending.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { call, engine, scripted } from './opened.ts'

const allow =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"fine","updatedInput":{"command":"rm"}}}'
const approve = '{"decision":"approve","reason":"fine"}'

/** A text with a character lost, doubled or replaced, or cut short. */
const damaged = fc
  .tuple(fc.constantFrom(allow, approve), fc.nat(), fc.constantFrom('cut', 'lost', 'doubled', 'replaced', 'key'), fc.string({ minLength: 1, maxLength: 1 }))
  .map(([text, place, how, by]) => {
    const at = place % text.length
    if (how === 'cut') return text.slice(0, at)
    if (how === 'lost') return text.slice(0, at) + text.slice(at + 1)
    if (how === 'doubled') return text.slice(0, at) + text.slice(Math.max(0, at - 5))
    if (how === 'replaced') return text.slice(0, at) + by + text.slice(at + 1)
    return text.replace('"permissionDecision"', `"permissionDecision":"${by === '"' ? '' : by}","permissionDecision"`)
  })
const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json({ maxDepth: 3 }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '"permissionDecision"',
        ':',
        '"allow"',
        '"hookSpecificOutput"',
        ',',
        '"hookEventName"',
        '"PreToolUse"',
        '"decision"',
        '"approve"',
        ' ',
        '\n',
        '[',
        ']',
        '\\u0061llow',
      ),
      { maxLength: 14 },
    )
    .map((words) => words.join('')),
)
const embedded = fc
  .tuple(fc.string({ minLength: 1, maxLength: 10 }), fc.constantFrom(allow, approve), fc.string({ minLength: 1, maxLength: 10 }))
  .map(([before, text, after]) => before + text + after)

/** Endings that are no clean exit. */
const unclean: fc.Arbitrary<Ending> = fc.oneof(
  fc.integer({ min: 1, max: 255 }).map((code): Ending => ({ kind: 'exited', code })),
  fc.constantFrom<Ending>(
    { kind: 'timedOut', afterMs: 1_000 },
    { kind: 'signalled', signal: 'SIGKILL' },
    { kind: 'aborted' },
    { kind: 'unspawnable', why: 'ENOENT' },
    { kind: 'refused', why: 'no' },
    { kind: 'threw', error: 'no' },
    { kind: 'overflowed', stream: 'stdout', limit: 1_048_576 },
    { kind: 'replied', status: 500 },
    { kind: 'replied', status: 302 },
  ),
)
const clean: Ending = { kind: 'exited', code: 0 }

/** Whether a text is an allow that counts: one whole object that says it, to this event. */
function permits(stdout: string): boolean {
  try {
    const value = JSON.parse(stdout) as { decision?: unknown; hookSpecificOutput?: { hookEventName?: unknown; permissionDecision?: unknown } }
    return value.decision === 'approve' || (value.hookSpecificOutput?.hookEventName === 'PreToolUse' && value.hookSpecificOutput.permissionDecision === 'allow')
  } catch {
    return false
  }
}

let next: RawResult = { ending: clean }
function fireWith(h: ReturnType<typeof engine>, raw: RawResult): Verdict<'PreToolUse'> {
  next = raw
  return h.fireNow('PreToolUse', call()) as Verdict<'PreToolUse'>
}
const command = { PreToolUse: [{ hooks: [{ type: 'command' as const, command: 'guard' }] }] }

function expectNoAllow(verdict: Verdict<'PreToolUse'>): void {
  expect(verdict.permission.behavior).not.toBe('allow')
  expect(verdict.hooks).toHaveLength(1)
  // Everything that readers compute can be computed.
  expect(typeof verdict.toModel + typeof verdict.toUser + JSON.stringify(verdict)).toContain('stringstring')
}

describe('a command hook', () => {
  test('whose output is random text, or damaged JSON, never allows', () => {
    const h = scripted(() => next)
    h.on(command)
    fc.assert(
      fc.property(
        fc.oneof(damaged, noise, embedded).filter((stdout) => !permits(stdout)),
        fc.oneof(fc.constant(clean), unclean),
        fc.string({ maxLength: 20 }),
        (stdout, ending, stderr) => expectNoAllow(fireWith(h, { ending, stdout, stderr })),
      ),
      { numRuns: 6_000 },
    )
  })

  test('that printed a whole allow but did not end cleanly never allows', () => {
    const h = scripted(() => next)
    h.on(command)
    fc.assert(
      fc.property(fc.constantFrom(allow, approve), unclean, (stdout, ending) => {
        const verdict = fireWith(h, { ending, stdout, stderr: '' })
        expectNoAllow(verdict)
        expect('updatedInput' in verdict).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('whose output was cut, or was no UTF-8, never allows', () => {
    const h = scripted(() => next)
    h.on(command)
    for (const more of [{ cut: 'stdout' as const }, { notUtf8: true as const }]) expectNoAllow(fireWith(h, { ending: clean, stdout: allow, ...more }))
  })

  test('that prints a whole allow and ends cleanly does allow', () => {
    const h = scripted(() => ({ ending: clean, stdout: allow }))
    h.on(command)
    expect(h.fireNow('PreToolUse', call())).toMatchObject({ permission: { behavior: 'allow' }, updatedInput: { command: 'rm' } })
  })

  test('that prints a denial is obeyed whatever ending it had, and whatever stands beside it in the object', () => {
    const h = scripted(() => next)
    h.on(command)
    const spoke = unclean.filter(({ kind }) => !['unspawnable', 'refused', 'threw', 'replied'].includes(kind))
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
        fc.oneof(fc.constant(clean), spoke),
        (extra, ending) => {
          delete extra['hookSpecificOutput']
          const stdout = JSON.stringify({
            ...extra,
            hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
          })
          expect(fireWith(h, { ending, stdout, stderr: '' })).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: 'no' } })
        },
      ),
      { numRuns: 1_500 },
    )
  })
})

describe('a callback', () => {
  test('that returns anything at all never allows and never throws', () => {
    const h = engine()
    let value: unknown
    h.on('PreToolUse', () => value as never)
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true })
    const words = fc.record(
      {
        permission: fc.oneof(anything, fc.constant('Allow'), fc.constant(['allow'])),
        reason: anything,
        block: anything,
        stop: anything,
        context: anything,
        updatedInput: anything,
        continue: anything,
        decision: anything,
        hookSpecificOutput: anything,
        terminalSequence: anything,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(anything, words), (one) => {
        value = one
        const verdict = h.fireNow('PreToolUse', call()) as Verdict<'PreToolUse'>
        if (verdict instanceof Promise) return
        expect(verdict.permission.behavior).not.toBe('allow')
        expect(verdict.hooks).toHaveLength(1)
        expect(verdict.hooks[0]).toMatchObject({ status: 'ran' })
        void [verdict.toModel, verdict.toUser, verdict.warnings]
      }),
      { numRuns: 3_000 },
    )
  })
})
