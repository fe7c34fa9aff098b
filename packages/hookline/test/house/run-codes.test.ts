/** Every code that the engine, the handlers and the doors give a finding stands in the table that the documentation is made from. */
import { describe, expect, it } from 'vitest'
import { codes } from '../../src/config/codes.ts'
import { runCodes } from '../../src/protocol/run-codes.ts'
import { sourcePages } from './reading.ts'

const rooms = ['engine/', 'station/', 'handlers/', 'process/', 'node.ts']

function codesIn(text: string): string[] {
  return [...text.matchAll(/(?:code: |\.warn\(\s*)'([a-z][a-z-]+)'/g)].map((match) => match[1] as string)
}

describe('codes of findings while hooks run', () => {
  const used = sourcePages()
    .filter(({ path }) => rooms.some((room) => path.startsWith(`packages/hookline/src/${room}`)))
    .flatMap(({ path, text }) => codesIn(text).map((code) => [code, path] as const))

  it('are used at all', () => {
    expect(used.length).toBeGreaterThan(20)
  })

  it.each([...new Map(used)])('%s (%s) is in a table', (code) => {
    expect(code in runCodes || code in codes).toBe(true)
  })

  it('have no row that nothing uses', () => {
    const known = new Set(used.map(([code]) => code))
    expect(Object.keys(runCodes).filter((code) => !known.has(code))).toEqual([])
  })
})
