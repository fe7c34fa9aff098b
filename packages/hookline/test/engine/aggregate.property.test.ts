/** The fold of answers, as laws: whatever hooks say, in whatever order they finish. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggregate, type Part } from '../../src/engine/aggregate.ts'
import type { Behavior } from '../../src/index.ts'
import { type NamedRow, rowOf, rows } from '../../src/protocol/events.ts'
import { stricter, strictest } from '../../src/protocol/verdict-parts.ts'
import type { Words } from '../../src/protocol/words.ts'
import { call, engine } from './opened.ts'

const behavior = fc.constantFrom(...strictest)
const rank = (one: Behavior) => strictest.indexOf(one)

describe('the stricter of two behaviors', () => {
  test('is associative, commutative and idempotent, with passthrough as its identity', () => {
    fc.assert(
      fc.property(behavior, behavior, behavior, (a, b, c) => {
        expect(stricter(a, stricter(b, c))).toBe(stricter(stricter(a, b), c))
        expect(stricter(a, b)).toBe(stricter(b, a))
        expect(stricter(a, a)).toBe(a)
        expect(stricter(a, 'passthrough')).toBe(a)
        expect([a, b]).toContain(stricter(a, b))
      }),
    )
  })
})

const row = (name: keyof typeof rows) => rowOf(name) as NamedRow
const parts = (said: readonly Words[]): Part[] => said.map((words, at) => ({ by: `hook ${at}`, said: { words, messages: [], warnings: [] } }))

/** What a hook may say about a tool call. */
const toolWords: fc.Arbitrary<Words> = fc.record(
  {
    permission: fc.constantFrom('allow' as const, 'ask' as const, 'defer' as const, 'deny' as const),
    reason: fc.string({ maxLength: 5 }),
    stop: fc.string({ maxLength: 5 }),
    context: fc.string({ maxLength: 5 }),
    updatedInput: fc.constantFrom({ command: 'a' }, { command: 'b' }),
  },
  { requiredKeys: [] },
)
const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length })

describe('the fold of a permission', () => {
  const pre = row('PreToolUse')
  const folded = (said: readonly Words[]) => aggregate(pre, parts(said)).permission?.behavior as Behavior

  test('does not depend on the order of the hooks', () => {
    fc.assert(
      fc.property(
        fc.array(toolWords, { maxLength: 6 }).chain((said) => fc.tuple(fc.constant(said), shuffled(said))),
        ([said, other]) => {
          expect(folded(other)).toBe(folded(said))
        },
      ),
    )
  })

  test('does not depend on how answers are grouped: folding step by step is folding at once', () => {
    fc.assert(
      fc.property(fc.array(toolWords, { minLength: 1, maxLength: 6 }), fc.nat(), (said, cut) => {
        const at = cut % (said.length + 1)
        expect(stricter(folded(said.slice(0, at)), folded(said.slice(at)))).toBe(folded(said))
      }),
    )
  })

  test('is not changed by hooks that say it again or say nothing', () => {
    fc.assert(
      fc.property(fc.array(toolWords, { maxLength: 4 }), (said) => {
        expect(folded([...said, ...said])).toBe(folded(said))
        expect(folded([...said, {}, { context: 'note' }])).toBe(folded(said))
      }),
    )
  })

  test('never becomes weaker by one more answer, and becomes as strict as that answer', () => {
    fc.assert(
      fc.property(fc.array(toolWords, { maxLength: 5 }), toolWords, fc.nat(), (said, more, at) => {
        const place = at % (said.length + 1)
        const after = folded([...said.slice(0, place), more, ...said.slice(place)])
        expect(rank(after)).toBeLessThanOrEqual(rank(folded(said)))
        expect(rank(after)).toBeLessThanOrEqual(rank(folded([more])))
      }),
    )
  })

  test('is allow only when a hook said allow and none held the call up', () => {
    fc.assert(
      fc.property(fc.array(toolWords, { maxLength: 6 }), (said) => {
        const agreed =
          said.some((words) => words.permission === 'allow') && said.every((words) => (words.permission ?? 'allow') === 'allow' && words.stop === undefined)
        expect(folded(said) === 'allow').toBe(agreed)
      }),
    )
  })

  test('names those who said the winning word, in configuration order, with their reasons', () => {
    fc.assert(
      fc.property(fc.array(toolWords, { minLength: 1, maxLength: 6 }), (said) => {
        const { permission } = aggregate(pre, parts(said))
        const winners = said.flatMap((words, at) =>
          rank(folded([words])) === rank(permission?.behavior as Behavior) && permission?.behavior !== 'passthrough' ? [at] : [],
        )
        expect(permission?.by).toEqual(winners.map((at) => `hook ${at}`))
        const reasons = winners.map((at) => said[at]?.reason ?? '').filter((reason) => reason !== '')
        expect(permission?.reason).toBe(reasons.length === 0 ? undefined : reasons.join('\n'))
      }),
    )
  })
})

describe('every event', () => {
  const blocking = (Object.keys(rows) as (keyof typeof rows)[]).filter((name) => row(name).onBlock !== undefined)
  const words: fc.Arbitrary<Words> = fc.record(
    {
      block: fc.string({ maxLength: 3 }),
      permission: fc.constantFrom('allow' as const, 'deny' as const, 'ask' as const),
      elicitation: fc.constantFrom({ action: 'accept' as const, content: { a: 1 } }, { action: 'cancel' as const }, { action: 'decline' as const }),
      context: fc.string({ minLength: 1, maxLength: 3 }),
      stop: fc.string({ maxLength: 3 }),
    },
    { requiredKeys: [] },
  )

  test.each(blocking)('%s: once blocked, no further answer unblocks it', (name) => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 4 }), words, (said, more) => {
        if (aggregate(row(name), parts(said)).blocked) {
          expect(aggregate(row(name), parts([...said, more])).blocked).toBe(true)
          expect(aggregate(row(name), parts([more, ...said])).blocked).toBe(true)
        }
      }),
    )
  })

  test('an elicitation is declined when anybody declines, and accepted only when all accept', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), (all) => {
        const said = all.map(({ permission: _, ...one }) => one)
        const { values, blocked } = aggregate(row('Elicitation'), parts(said))
        const actions = said.flatMap((one) => one.elicitation?.action ?? [])
        const declined = said.some((one) => one.block !== undefined) || actions.includes('decline')
        const expected = declined ? 'decline' : actions.includes('cancel') ? 'cancel' : actions[0]
        expect((values.elicitation as { action: string } | undefined)?.action).toBe(expected)
        if (said.some((one) => one.block !== undefined)) expect(blocked).toBe(true)
      }),
    )
  })

  test('a grant and what comes with it count only while nobody refuses', () => {
    const grant: Words = { permission: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }] }
    expect(aggregate(row('PermissionRequest'), parts([grant])).values).toMatchObject({ updatedInput: { a: 1 }, updatedPermissions: [{ mode: 'plan' }] })
    for (const said of [
      [grant, { permission: 'deny' as const }],
      [{ permission: 'deny' as const }, grant],
      [grant, { block: 'no' }],
    ]) {
      const { values, permission } = aggregate(row('PermissionRequest'), parts(said))
      expect(permission?.behavior).toBe('deny')
      expect(values).not.toHaveProperty('updatedInput')
      expect(values).not.toHaveProperty('updatedPermissions')
    }
  })

  test('the last rewrite in configuration order wins, and every other one is named', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.record({ command: fc.constantFrom('a', 'b', 'c') }), { nil: undefined }), { maxLength: 6 }), (inputs) => {
        const said = inputs.map((updatedInput) => (updatedInput === undefined ? {} : { updatedInput }))
        const { values, conflicts } = aggregate(row('PreToolUse'), parts(said))
        const written = inputs.flatMap((input, at) => (input === undefined ? [] : [{ input, at }]))
        expect(values.updatedInput).toBe(written.at(-1)?.input)
        expect(conflicts.flatMap((one) => one.lost)).toEqual(written.length > 1 ? written.slice(0, -1).map(({ at }) => `hook ${at}`) : [])
      }),
    )
  })
})

test('the finish order never changes a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(toolWords, fc.nat({ max: 6 })), { minLength: 2, maxLength: 5 }), async (hooks) => {
      const verdictOf = async (delays: boolean) => {
        const h = engine()
        for (const [words, ms] of hooks)
          h.on('PreToolUse', () => (delays ? new Promise((done) => setTimeout(() => done(words as never), ms)) : (words as never)))
        const document = JSON.parse(JSON.stringify(await h.fire('PreToolUse', call()))) as { hooks: Record<string, unknown>[] }
        await h.close()
        return { ...document, callId: '', ms: 0, hooks: document.hooks.map((hook) => ({ ...hook, ms: 0 })) }
      }
      expect(await verdictOf(true)).toEqual(await verdictOf(false))
    }),
    { numRuns: 60 },
  )
})
