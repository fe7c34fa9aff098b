/** The lattice: whatever hooks, rules and modes say together, order does not matter and a stricter member never makes it weaker. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Behavior, PermissionMode, Permissions, Permit } from '../../src/index.ts'
import { strictest } from '../../src/protocol/verdict-parts.ts'
import { engine } from '../engine/opened.ts'

type Said = 'allow' | 'ask' | 'defer' | 'deny' | 'block' | 'stop' | 'silence'
interface Case {
  readonly hooks: readonly Said[]
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  readonly allow: readonly string[]
  readonly judge: Behavior | undefined
  readonly mode: PermissionMode | undefined
  readonly edits: boolean
}

// A short run of the promise; `npm run promises` goes through 100,000.
const runs = 4_000
const slots = 6
const answers: Record<Said, object | undefined> = {
  allow: { permission: 'allow', reason: 'a' },
  ask: { permission: 'ask', reason: 'q' },
  defer: { permission: 'defer' },
  deny: { permission: 'deny', reason: 'd' },
  block: { block: 'b' },
  stop: { stop: 's' },
  silence: undefined,
}
const texts = ['Bash', 'Bash(git push *)', 'Bash(git *)', 'Bash(rm *)', 'Bash(git push origin)', 'Read(x)']
const rules = fc.subarray(texts, { maxLength: 3 })
const cases: fc.Arbitrary<Case> = fc.record({
  hooks: fc.array(fc.constantFrom(...(Object.keys(answers) as Said[])), { maxLength: slots - 1 }),
  deny: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: rules }),
  ask: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: rules }),
  allow: rules,
  judge: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...strictest) }),
  mode: fc.constantFrom(undefined, 'default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'),
  edits: fc.boolean(),
})

/** One engine whose hooks say what the case at hand wants. */
function bench() {
  let saying: readonly Said[] = []
  let count = 0
  const h = engine()
  for (let at = 0; at < slots; at++) h.on('PreToolUse', () => answers[saying[at] ?? 'silence'] as never)
  return (one: Case, shuffle = false): Promise<Permit> => {
    saying = shuffle ? one.hooks.toReversed() : one.hooks
    const turned = <T>(list: readonly T[]) => (shuffle ? list.toReversed() : list)
    const lists = { deny: turned(one.deny), ask: turned(one.ask), allow: turned(one.allow) }
    const own: Partial<Permissions> = { rules: one.judge === undefined ? lists : () => one.judge as Behavior, kindOf: () => (one.edits ? 'edit' : 'other') }
    return h.permit(
      { name: 'Bash', input: { command: 'git push origin' }, id: `t${++count}` },
      { ...own, ask: 'return', ...(one.mode === undefined ? {} : { mode: one.mode }) },
    )
  }
}

// Whether an ask finds nobody (the mode says not to ask) is decided behind the fold: it still was an ask.
const rank = ({ behavior, cause }: Permit, { mode }: Case) =>
  strictest.indexOf(mode === 'dontAsk' && behavior === 'deny' && cause === 'mode' ? 'ask' : behavior)
const hits = (list: readonly string[]) => list.some((text) => text !== 'Bash(rm *)' && text !== 'Read(x)')

test(`${runs.toLocaleString('en')} sets of answers, rules and modes`, async () => {
  const decide = bench()
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom<Said>('ask', 'defer', 'deny', 'block', 'stop'), fc.constantFrom('deny', 'ask'), async (one, more, list) => {
      const permit = await decide(one)
      seen.add(`${permit.behavior} ${permit.cause}`)

      // Order-free.
      const other = await decide(one, true)
      expect([other.behavior, other.cause]).toEqual([permit.behavior, permit.cause])

      // Monotone: one more strict hook, one more strict rule.
      const stricterHook = { ...one, hooks: [...one.hooks, more] }
      expect(rank(await decide(stricterHook), one)).toBeLessThanOrEqual(rank(permit, one))
      if (one.judge === undefined) {
        const stricterRule = { ...one, [list]: [...one[list as 'deny' | 'ask'], 'Bash(git push *)'] }
        expect(rank(await decide(stricterRule), one)).toBeLessThanOrEqual(rank(permit, one))
      }

      // A hook's allow never passes a deny or an ask rule, and neither does a mode or an allow rule.
      const generous = await decide({ ...one, hooks: [...one.hooks, 'allow'] })
      const denied = one.judge === undefined ? hits(one.deny) : one.judge === 'deny'
      const askedFor = one.judge === undefined ? hits(one.ask) : one.judge === 'ask'
      for (const { behavior } of [permit, generous]) {
        if (denied) expect(behavior).toBe('deny')
        if (askedFor) expect(['deny', 'defer', 'ask']).toContain(behavior)
      }
      // No word of refusal is ever lost, and silence never becomes a yes.
      if (one.hooks.some((said) => said === 'deny' || said === 'block' || said === 'stop')) expect(permit.behavior).toBe('deny')
      if (one.hooks.includes('ask')) expect(['deny', 'defer', 'ask']).toContain(permit.behavior)
      if (permit.behavior === 'allow' && permit.cause === 'hook') expect(one.hooks).toContain('allow')
      if (permit.behavior === 'passthrough') expect(one.mode).toBeUndefined()
    }),
    { numRuns: runs },
  )
  // Every way of ending was there.
  expect([...seen].sort()).toEqual([
    'allow hook',
    'allow mode',
    'allow rule',
    'ask hook',
    'ask mode',
    'ask rule',
    'defer hook',
    'defer rule',
    'deny hook',
    'deny mode',
    'deny rule',
    'passthrough no-opinion',
  ])
}, 300_000)
