/** Public bug reports, re-told: every row through the API, and those that one process can show through the command line. */
import { describe, expect, test } from 'vitest'
import { ownerOf } from './report-exclusions.ts'
import { reportRows } from './report-row.ts'
import { onlyApi, playApi, playCommand } from './report-run.ts'

const judged = reportRows.filter((row) => ownerOf(row) === undefined).map((row): [string, typeof row] => [`${row.id}: ${row.note}`, row])

describe('through the API', () => {
  test.each(judged)('%s', (_, row) => playApi(row), 60_000)
})

describe('through the command line', () => {
  test.each(judged.filter(([, row]) => onlyApi(row) === undefined))('%s', (_, row) => playCommand(row), 60_000)
})

test('whoever owns the rows that are left out is an issue or a decision', () => {
  for (const row of reportRows) expect(ownerOf(row) ?? 'RUNNING').toMatch(/^(RUNNING|GUARD|AGENT|decision \d+)$/)
  expect(judged.length).toBeGreaterThan(reportRows.length * 0.8)
})
