/** No malformed, cut, failing, timed-out or foreign output ever permits anything, and nothing makes reading throw. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interpretAnswer } from '../../src/engine/interpret-answer.ts'
import { withoutPermissive } from '../../src/engine/read-reading.ts'
import type { EventName } from '../../src/protocol/event-types.ts'
import { eventNames } from '../../src/protocol/events.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import type { Interpreted } from '../../src/protocol/words.ts'
import { read } from './interpret-setup.ts'

const runs = 10_000

/** Nothing that lets a step happen or changes it. */
function permits({ words }: Interpreted): boolean {
  return Object.keys(withoutPermissive(words)).length !== Object.keys(words).length
}

const events = fc.constantFrom<EventName>(
  'PreToolUse',
  'PermissionRequest',
  'PreModelSwitch',
  'PreSkillShellCommand',
  'Elicitation',
  'PostToolUse',
  'WorktreeCreate',
  'PermissionDenied',
)

/** Answers that permit, each well-formed for one event. */
const permissive = (event: EventName): object[] => [
  { hookSpecificOutput: { hookEventName: event, permissionDecision: 'allow', updatedInput: { command: 'x' } } },
  { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'allow', updatedInput: {}, updatedPermissions: [] } } },
  { hookSpecificOutput: { hookEventName: event, action: 'accept', content: {} } },
  { hookSpecificOutput: { hookEventName: event, updatedToolOutput: 'x', retry: true, worktreePath: '/srv/wt' } },
  { decision: 'approve', reason: 'r' },
  { ok: true },
]

/** A wrong type for a field that every answer may have, so that the whole is malformed. */
const wrongs = fc.constantFrom<[string, unknown]>(
  ['continue', 'true'],
  ['systemMessage', 5],
  ['decision', true],
  ['stopReason', []],
  ['suppressOutput', null],
  ['hookSpecificOutput', 'allow'],
  ['reason', {}],
)

describe('what permits', () => {
  it('is never read from a run that did not end with 0', () => {
    const endings = fc.oneof(
      fc.integer({ min: 1, max: 255 }).map((code): RawResult['ending'] => ({ kind: 'exited', code })),
      fc.constantFrom<RawResult['ending']>(
        { kind: 'timedOut', afterMs: 1 },
        { kind: 'signalled', signal: 'SIGKILL' },
        { kind: 'aborted' },
        { kind: 'unspawnable', why: 'x' },
        { kind: 'refused', why: 'x' },
        { kind: 'threw', error: 'x' },
        { kind: 'overflowed', stream: 'stdout', limit: 1 },
        { kind: 'replied', status: 500 },
        { kind: 'replied', status: 302 },
      ),
    )
    fc.assert(
      fc.property(events, fc.nat(5), endings, fc.boolean(), fc.string(), (event, at, ending, failClosed, stderr) => {
        const said = read(event, { ending, stdout: JSON.stringify(permissive(event)[at]), stderr }, { failClosed })
        expect(permits(said)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  it('is never read from text that was cut, stretched, doubled or wrongly typed', () => {
    const mutate: ((text: string, at: number, junk: string) => string)[] = [
      (text, at) => text.slice(0, at % text.length),
      (text, at) => text.slice((at % (text.length - 1)) + 1),
      (text, _at, junk) => `${text}${junk === '' ? '!' : `x${junk}`}`,
      (text, _at, junk) => `x${junk}\n${text}`,
      (text) => `${text}${text}`,
      (text) => `${text}\n${text}`,
      (text) => `[${text}]`,
      (text) => `\`\`\`json\n${text}\n\`\`\``,
      (text) => JSON.stringify(text),
      (text) => text.replace(/\}$/, ',}'),
      (text) => text.replaceAll('"', "'"),
      (text) =>
        text
          .replaceAll('allow', 'Allow')
          .replaceAll('accept', 'ACCEPT')
          .replaceAll('approve', 'approved')
          .replaceAll(/"(updated|retry|worktree)/g, '"_$1'),
      (text) => text.replaceAll('hookEventName":"', 'hookEventName":"x').replace('approve', 'ok'),
      (text) => text.replaceAll('hookSpecificOutput', 'hookSpecificoutput').replace('decision":"approve', 'Decision":"approve'),
    ]
    // A path may be printed as plain text, so the event that reads one is left out.
    const strict = events.filter((event) => event !== 'WorktreeCreate')
    fc.assert(
      fc.property(strict, fc.nat(5), fc.nat(mutate.length - 1), fc.nat(), fc.string(), (event, at, how, cut, junk) => {
        const text = JSON.stringify(permissive(event)[at])
        const mutated = (mutate[how] as (typeof mutate)[number])(text, cut, junk)
        const said = read(event, { ending: { kind: 'exited', code: 0 }, stdout: mutated })
        expect(permits(said)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  it('is never read beside a wrong type or a second, different decision', () => {
    fc.assert(
      fc.property(events, fc.nat(5), wrongs, fc.boolean(), (event, at, [key, value], first) => {
        const answer = permissive(event)[at] as Record<string, unknown>
        const text = JSON.stringify(answer)
        const extra = `${JSON.stringify(key)}:${JSON.stringify(value)}`
        const merged = first ? `{${extra},${text.slice(1)}` : `${text.slice(0, -1)},${extra}}`
        const said = read(event, { ending: { kind: 'exited', code: 0 }, stdout: merged })
        // JSON keeps the last of two equal keys; where that hides the wrong value of an undecisive key, nothing is wrong.
        const hidden = first && Object.hasOwn(answer, key) && key === 'reason'
        if (!hidden) expect(permits(said)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  it('is read from a clean run, so that the properties above can fail', () => {
    for (const [event, at] of [
      ['PreToolUse', 0],
      ['PermissionRequest', 1],
      ['Elicitation', 2],
      ['PostToolUse', 3],
      ['PermissionDenied', 3],
      ['WorktreeCreate', 3],
      ['PreToolUse', 4],
    ] as const) {
      expect(permits(read(event, { ending: { kind: 'exited', code: 0 }, stdout: JSON.stringify(permissive(event)[at]) }))).toBe(true)
    }
  })
})

describe('reading', () => {
  const words = fc.constantFrom(
    'hookSpecificOutput',
    'hookEventName',
    'permissionDecision',
    'decision',
    'behavior',
    'allow',
    'deny',
    'approve',
    'block',
    'continue',
    'ok',
    'action',
    'accept',
    'content',
    'updatedInput',
    'updatedPermissions',
    'systemMessage',
    'async',
    '__proto__',
    'constructor',
    'PreToolUse',
  )
  const value = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      words,
      fc.constantFrom<unknown>(null, true, false, 0, -1.5e300, '', [], {}),
      fc.string(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(words, tie('tree'), { maxKeys: 4 }),
    ),
  })).tree

  it('never throws, and gives an outcome, whatever was printed or returned', () => {
    const outcomes = ['success', 'blocking', 'nonBlockingError', 'cancelled']
    fc.assert(
      fc.property(
        fc.constantFrom(...eventNames),
        value,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        fc.constantFrom('command', 'http', 'prompt', 'callback'),
        (event, printed, code, failClosed, type) => {
          const text = typeof printed === 'string' ? printed : JSON.stringify(printed)
          for (const raw of [
            { ending: { kind: 'exited', code }, stdout: text, stderr: text } as const,
            { ending: { kind: 'returned' }, value: printed } as const,
            { ending: { kind: 'replied', status: 200 }, stdout: text } as const,
          ]) {
            expect(outcomes).toContain(read(event, raw, { type, failClosed }).outcome)
            expect(outcomes).toContain(read(event, raw, { type, background: true }).outcome)
          }
          expect(interpretAnswer(event, { exit: code, stdout: text, stderr: text }, { hookType: type })).toHaveProperty('decision')
        },
      ),
      { numRuns: 2_000 },
    )
    expect(({} as Record<string, unknown>)['allow']).toBeUndefined()
  })

  it('never throws on bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, braced) => {
        const hex = Array.from(braced ? [0x7b, ...bytes, 0x7d] : bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
        const said = interpretAnswer('PreToolUse', { exit: 0, stdoutHex: hex })
        expect(said.decision).toBe('none')
      }),
      { numRuns: 2_000 },
    )
  })
})
