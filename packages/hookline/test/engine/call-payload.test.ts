/** Large inputs are written down in slices: the same bytes as in one go, and the event loop goes on between them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileHook } from '../../src/config/compile-hook.ts'
import { emptySnapshot } from '../../src/config/empty.ts'
import { encodeSliced, sliceLength, slicesOf, weigh } from '../../src/engine/call-payload.ts'
import { events } from '../../src/protocol/events.ts'
import { call, scripted } from './opened.ts'

const joined = (value: unknown, length: number) => [...slicesOf(value, length)].join('')
const halves = fc
  .array(fc.constantFrom('a', '"', '\n', '\ud83d', '\ude00', '\ud83d\ude00', 'é', '\u2028', '\0', '\\'), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('the text of an input', () => {
  it('is that of JSON.stringify, however small the slices are', () => {
    const odd = fc.oneof(
      fc.constantFrom(
        undefined,
        Number.NaN,
        -0,
        () => 1,
        Symbol('x'),
        new Date(0),
        new String('boxed'),
        new Map([[1, 2]]),
        [undefined, () => 2],
        Object.create({ inherited: 1 }),
      ),
      halves,
    )
    const value = fc.oneof(fc.anything({ withNullPrototype: true, withSparseArray: true }), fc.dictionary(halves, fc.oneof(odd, fc.array(odd))), fc.array(odd))
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 50 }), (given, length) => {
        let expected: string | undefined
        try {
          expected = JSON.stringify(given)
        } catch {
          expect(() => joined(given, length)).toThrow()
          return
        }
        expect(joined(given, length)).toBe(expected ?? '')
      }),
      { numRuns: 500 },
    )
  })

  it.each<[what: string, value: unknown]>([
    ['nested toJSON', { a: { toJSON: (key: string) => ({ key, b: [{ toJSON: () => undefined }] }) } }],
    ['an array of what JSON leaves out', [undefined, () => 1, Symbol('x'), null]],
    ['an object of what JSON leaves out', { a: undefined, b: () => 1 }],
    ['the name __proto__', JSON.parse('{"__proto__":{"a":1},"b":[]}')],
    ['empty things', { a: {}, b: [], c: '' }],
  ])('is that of JSON.stringify for %s', (_what, value) => {
    for (const length of [1, 2, 7, 1_000]) expect(joined(value, length)).toBe(JSON.stringify(value))
  })

  it('cannot be had of a cycle or a BigInt', () => {
    const cycle: Record<string, unknown> = { text: 'x'.repeat(100) }
    cycle['self'] = [cycle]
    expect(() => joined(cycle, 10)).toThrow(TypeError)
    expect(() => joined({ text: 'x'.repeat(100), big: 1n }, 10)).toThrow(TypeError)
  })
})

describe('a slice', () => {
  it.each<[what: string, value: unknown, most?: number]>([
    ['one long text', { text: 'x'.repeat(3_000_000) }],
    // Six characters for one.
    ['text that is written longer than it is', { text: '\u0001'.repeat(1_000_000) }, 7],
    ['many texts', { texts: Array.from({ length: 30_000 }, (_, at) => `${at}${'y'.repeat(90)}`) }],
    ['many numbers', Array.from({ length: 400_000 }, (_, at) => at)],
    ['a deep thing', Array.from({ length: 300 }).reduce<unknown>((inner) => ({ inner, text: 'z'.repeat(9_000) }), 1)],
  ])('never is much more than it may be: %s', (_what, value, most = 2) => {
    const lengths = [...slicesOf(value)].map((text) => text.length)
    const whole = JSON.stringify(value).length
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(whole)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(most * sliceLength)
    expect(lengths.length).toBeGreaterThanOrEqual(Math.floor(whole / (most * sliceLength)))
  })

  it('is looked for without looking at more than fits', () => {
    let read = 0
    const counting = Array.from({ length: 100_000 }, () => Object.defineProperty({}, 'x', { enumerable: true, get: () => `${read++}` }))
    expect(weigh(counting, 1_000)).toBeLessThan(0)
    expect(read).toBeLessThan(100)
    expect(weigh({ a: 'x'.repeat(900) }, 1_000)).toBeGreaterThanOrEqual(0)
  })

  it('is followed by a turn of the event loop', async () => {
    let turns = 0
    let over = false
    const count = () => {
      turns++
      if (!over) setImmediate(count)
    }
    setImmediate(count)
    const text = 'x'.repeat(40 * sliceLength)
    const bytes = await encodeSliced({ text })
    over = true
    expect(Buffer.from(bytes).toString()).toBe(JSON.stringify({ text }))
    // Once after a slice is written, once after it is put into its place.
    expect(turns).toBeGreaterThanOrEqual(2 * 40)
  })
})

describe('an event with a large input', () => {
  const hooks = [0, 1, 2].map((index) =>
    compileHook({
      row: events.PreToolUse,
      source: { id: 'project', kind: 'project' },
      group: 0,
      index,
      spec: { type: 'command', command: `./hook-${index}` },
      trust: 'trusted',
    }),
  )

  it('is written down once for all its hooks, before they start', async () => {
    const seen: Uint8Array[] = []
    const hookline = scripted(
      (_, { payload }) => {
        seen.push(payload)
        return { ending: { kind: 'exited', code: 0 } }
      },
      { snapshot: { ...emptySnapshot, hooks } },
    )
    const verdict = await hookline.fire('PreToolUse', call('x'.repeat(5_000_000)))
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(1)
    expect(JSON.parse(Buffer.from(seen[0] as Uint8Array).toString())).toEqual(verdict.input)
  })

  it('that cannot be written down blocks, as a small one does', async () => {
    const ran: string[] = []
    const hookline = scripted(
      () => {
        ran.push('ran')
        return { ending: { kind: 'exited', code: 0 } }
      },
      { snapshot: { ...emptySnapshot, hooks } },
    )
    const input: Record<string, unknown> = { command: 'x'.repeat(2_000_000) }
    input['self'] = input
    const verdict = await hookline.fire('PreToolUse', { ...call(), tool_input: input as never })
    expect(verdict).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: expect.stringContaining('cannot be written as JSON') } })
    expect(ran).toEqual([])
  })
})
