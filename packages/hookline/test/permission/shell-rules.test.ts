/** Every row of the shell corpus: what a rule says of a command as a deny rule and as the only allow rule. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchRule } from '../../src/permission/match-rule.ts'

interface Row {
  id: string
  kind: string
  rule: string
  command: string
  deny: boolean
  allow: boolean
  certainty?: 'exact' | 'conservative'
  why: string
}

const { cases } = JSON.parse(readFileSync(new URL('../data/cases/shell-rules.json', import.meta.url), 'utf8')) as { cases: Row[] }

/** Rows that are not met yet, by id, with the issue that owns them. */
const notYet: Readonly<Record<string, 'GUARD'>> = {}

const look = ({ rule, command }: Row) => matchRule(rule, { tool: 'Bash', input: { command }, cwd: '/srv/app', home: '/home/me' })

describe.each([...new Set(cases.map((row) => row.kind))])('%s', (kind) => {
  const rows = cases.filter((row) => row.kind === kind && !Object.hasOwn(notYet, row.id))
  test.each(rows.map((row) => [row.id, row.rule, row.why, row] as const))('%s: %s (%s)', (_id, _rule, _why, row) => {
    const { deny, allow, certainty } = look(row)
    expect({ deny, allow }).toEqual({ deny: row.deny, allow: row.allow })
    if (row.certainty !== undefined) expect(certainty).toBe(row.certainty)
  })
})

test('the corpus is there whole', () => {
  expect(cases.length).toBeGreaterThanOrEqual(261)
})

test('no row that must not be allowed is allowed, not even one that is not met yet', () => {
  expect(cases.filter((row) => !row.allow && look(row).allow).map((row) => row.id)).toEqual([])
})

test('a row that is listed as not met yet is not met', () => {
  const met = cases.filter((row) => Object.hasOwn(notYet, row.id) && look(row).deny === row.deny && look(row).allow === row.allow)
  expect(met.map((row) => row.id)).toEqual([])
})
