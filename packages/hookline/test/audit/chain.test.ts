/** The chain shows every edit, removal, swap and insertion, and tells a torn end from a broken middle. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainKeys, firstKey, nextKey, origin, sealEntry } from '../../src/audit/chain.ts'
import { readLine } from '../../src/audit/read-line.ts'
import { verifyChain } from '../../src/audit/verify.ts'
import { chain, linesOf, seal, verdict } from './sealed.ts'

const decode = (line: Uint8Array) => new TextDecoder().decode(line)

test('a line is canonical JSON whose hash covers the hash before, the length and all other bytes', () => {
  const { line, head } = sealEntry({ kind: 'trust', session: 's-1', folder: '/project', answer: 'always' }, { head: origin, at: 5, up: 1.23456 })
  const body = `{"v":1,"seq":1,"at":5,"up":1.235,"kind":"trust","session":"s-1","folder":"/project","answer":"always","prev":"${'0'.repeat(64)}"}`
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(body.length))
  const hash = createHash('sha256').update('0'.repeat(64)).update(length).update(body).digest('hex')
  expect(decode(line)).toBe(`${body.slice(0, -1)},"hash":"${hash}"}\n`)
  expect(head).toEqual({ seq: 1, hash })
})

test('an untouched chain is good, and its head is its last record', () => {
  const { lines, head } = seal(Array.from({ length: 20 }, (_, index) => verdict(`c-${index}`)))
  expect(verifyChain(lines)).toEqual({ state: 'good', records: 20, head })
  expect(verifyChain([])).toEqual({ state: 'good', records: 0, head: origin })
})

describe('300 random faults, none of which gets by', () => {
  const lines = chain(12)
  const whole = Buffer.concat(lines)
  const state = (bytes: Uint8Array) => verifyChain(linesOf(bytes)).state

  test('one changed byte', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const edited = Uint8Array.from(whole)
        edited[at] = ((edited[at] as number) + by) % 256
        expect(state(edited)).toBe('broken')
      }),
      { numRuns: 300 },
    )
  })

  test('one removed byte, save the very last', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 2), (at) => {
        expect(state(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]))).toBe('broken')
      }),
      { numRuns: 300 },
    )
  })

  test('one inserted byte', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        expect(state(Buffer.concat([whole.subarray(0, at), Uint8Array.of(byte), whole.subarray(at)]))).toBe('broken')
      }),
      { numRuns: 300 },
    )
  })

  const rows = fc.array(fc.nat(lines.length - 1), { minLength: 2, maxLength: 2 }).filter(([a, b]) => a !== b) as fc.Arbitrary<[number, number]>

  test('two swapped records', () => {
    fc.assert(
      fc.property(rows, ([a, b]) => {
        const swapped = [...lines]
        ;[swapped[a], swapped[b]] = [lines[b] as Uint8Array, lines[a] as Uint8Array]
        expect(verifyChain(swapped)).toMatchObject({ state: 'broken', records: Math.min(a, b), problem: { seq: Math.min(a, b) + 1 } })
      }),
      { numRuns: 300 },
    )
  })

  test('a removed record, save the newest', () => {
    fc.assert(
      fc.property(fc.nat(lines.length - 2), fc.integer({ min: 1, max: 3 }), (at, count) => {
        fc.pre(at + count < lines.length)
        expect(verifyChain(lines.toSpliced(at, count))).toMatchObject({ state: 'broken', problem: { flaw: 'out-of-order', seq: at + 1 } })
      }),
      { numRuns: 300 },
    )
  })

  test('an inserted record: one of its own, one of another chain, a blank line', () => {
    const foreign = [...lines, ...seal([verdict('x')], { from: { seq: 3, hash: 'ab'.repeat(32) } }).lines, Uint8Array.of(10)]
    fc.assert(
      fc.property(fc.nat(lines.length), fc.nat(foreign.length - 1), (at, which) => {
        expect(verifyChain(lines.toSpliced(at, 0, foreign[which] as Uint8Array)).state).toBe('broken')
      }),
      { numRuns: 300 },
    )
  })
})

describe('a torn end', () => {
  const lines = chain(5)
  const whole = Buffer.concat(lines)
  const last = (lines.at(-1) as Uint8Array).length

  test.each([1, 2, 40, last - 1])('%i bytes short: all whole records are good', (missing) => {
    const report = verifyChain(linesOf(whole.subarray(0, whole.length - missing)))
    expect(report).toMatchObject({ state: 'torn', records: 4, torn: last - missing, head: { seq: 4 } })
  })

  test('zeros, as a file system may leave them, are a torn end', () => {
    expect(verifyChain(linesOf(Buffer.concat([whole, Buffer.alloc(100)])))).toMatchObject({ state: 'torn', records: 5, torn: 100 })
  })

  test('more records behind it make it a broken middle', () => {
    const torn = whole.subarray(0, whole.length - 30)
    expect(verifyChain(linesOf(Buffer.concat([torn, Buffer.from('\n'), ...seal([verdict('y')]).lines])))).toMatchObject({
      state: 'broken',
      records: 4,
      problem: { seq: 5, line: 5 },
    })
  })

  test('a whole record whose newline was changed is broken, not torn', () => {
    const edited = Uint8Array.from(whole)
    edited[edited.length - 1] = 32
    expect(verifyChain(linesOf(edited)).state).toBe('broken')
  })
})

describe('what is wrong is said', () => {
  const lines = chain(6)
  const edited = [...lines]
  edited[2] = new TextEncoder().encode(decode(lines[2] as Uint8Array).replace('"allow"', '"block"'))

  test.each([
    ['an edit', edited, { flaw: 'changed', seq: 3, line: 3 }],
    ['a beginning that was cut off', lines.slice(2), { flaw: 'out-of-order', seq: 1, line: 1 }],
    ['text', [...lines.slice(0, 4), new TextEncoder().encode('hello\n'), ...lines.slice(4)], { flaw: 'not-a-record', seq: 5, line: 5 }],
  ])('%s', (_what, altered, problem) => {
    expect(verifyChain(altered)).toMatchObject({ state: 'broken', problem })
  })

  test('a chain that goes on from another file is good from where that one stood', () => {
    const { lines: first, head } = seal([verdict('a'), verdict('b')])
    const { lines: second } = seal([verdict('c')], { from: head })
    expect(verifyChain(second, { from: head })).toMatchObject({ state: 'good', head: { seq: 3 } })
    expect(verifyChain(second)).toMatchObject({ state: 'broken' })
    expect(verifyChain(second, { from: 'anywhere' })).toMatchObject({ state: 'good', records: 1 })
    expect(verifyChain([...first, ...second])).toMatchObject({ state: 'good', records: 3 })
  })
})

describe('a sealed chain', () => {
  const base = new Uint8Array(32).fill(7)
  const key = firstKey(base, 's-1')
  const entries = [verdict('a'), verdict('b'), verdict('c')]

  test('is good with its key, and needs none for the chain alone', () => {
    const { lines } = seal(entries, { key })
    expect(verifyChain(lines)).toMatchObject({ state: 'good', records: 3 })
    expect(verifyChain(lines, { key })).toMatchObject({ state: 'good', records: 3 })
  })

  test('cannot be forged by who can only hash', () => {
    const { lines: forged } = seal(entries)
    expect(verifyChain(forged, { key })).toMatchObject({ state: 'broken', problem: { flaw: 'seal', seq: 1 } })
    const { lines: other } = seal(entries, { key: nextKey(key) })
    expect(verifyChain(other)).toMatchObject({ state: 'good' })
    expect(verifyChain(other, { key })).toMatchObject({ state: 'broken', problem: { flaw: 'seal', seq: 1 } })
  })

  test('has the same keys in whatever order its files are asked for', () => {
    const keyFor = chainKeys(base)
    expect([3, 1, 2, 3].map((number) => keyFor('s-1', number))).toEqual([nextKey(nextKey(key)), key, nextKey(key), nextKey(nextKey(key))])
    expect(keyFor('s-2', 1)).toEqual(firstKey(base, 's-2'))
  })

  test('moves its key forward, differently for each chain', () => {
    const keys = [key, nextKey(key), nextKey(nextKey(key)), firstKey(base, 's-2')].map((one) => Buffer.from(one).toString('hex'))
    expect(new Set(keys).size).toBe(4)
    for (const one of keys) expect(one).toHaveLength(64)
  })
})

describe('reading a line for showing', () => {
  const [line] = chain(1) as [Uint8Array]

  test('gives the record, hash included', () => {
    expect(readLine(line)).toMatchObject({ v: 1, seq: 1, kind: 'verdict', call: 'c-0', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test.each([
    ['a changed one', new TextEncoder().encode(decode(line).replace('c-0', 'c-1'))],
    ['a torn one', line.subarray(0, -1)],
    ['no JSON', new TextEncoder().encode('hello\n')],
    ['an empty one', Uint8Array.of(10)],
    [
      'one with a good hash and another shape',
      sealEntry({ kind: 'verdict', session: 's', event: 'Stop', hooks: null } as never, { head: origin, at: 1, up: 1 }).line,
    ],
    ['one with a good hash and no time', sealEntry(verdict('a'), { head: origin, at: 1e99, up: 1 }).line],
  ])('gives nothing for %s', (_what, bytes) => {
    expect(readLine(bytes)).toBeUndefined()
  })
})
