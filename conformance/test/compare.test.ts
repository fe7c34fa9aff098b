/** The comparison finds what it is there to find: each change of a session that matters is a difference, and wording is none. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compare } from '../compare.ts'
import { outcomeOf, readDeviations } from '../deviations.ts'
import type { observe } from '../observe.ts'
import { type Observed, type Row, readRows } from '../row.ts'

type Ours = ReturnType<typeof observe>

const rows = readRows(join(import.meta.dirname, '../rows'))
const rowOf = (id: string): Row => rows.find((row) => row.id === id) as Row

/** A session that is exactly as it was observed. */
function twin({ observed }: Row): Ours {
  const texts = observed.textToModel.map((line) => ({ call: line.slice(0, line.indexOf(': ')), text: line.slice(line.indexOf(': ') + 2) }))
  return { ...structuredClone(observed), texts, outputs: {} }
}

test('every row was read, each with an id of its own', () => {
  expect(rows).toHaveLength(257)
  expect(new Set(rows.map((row) => row.id)).size).toBe(257)
})

test('every row agrees with itself', () => {
  expect(rows.filter((row) => compare(row, row.observed, twin(row)).length > 0).map((row) => row.id)).toEqual([])
})

test('every deviation names a row that exists, a decision and a reason', () => {
  const deviations = readDeviations(join(import.meta.dirname, '../deviations.json'), rows)
  for (const { decision, why } of Object.values(deviations)) expect([decision >= 1 && decision <= 21, why.length > 10]).toEqual([true, true])
})

test.each<[string, string, (ours: Ours) => void]>([
  ['a hook that did not fire', 'exit-pre-2', (ours) => void ours.fired.pop()],
  ['hooks in another order', 'ev-skill', (ours) => void ours.fired.reverse()],
  ['another input', 'ev-cwdchanged', (ours) => void Object.assign(ours.hooks[3]?.input ?? {}, { new_cwd: '/elsewhere' })],
  ['a field that is missing from an input', 'ev-mcp-tool', (ours) => void delete ours.hooks[0]?.input?.['mcp_server']],
  ['another outcome', 'exit-pre-2', (ours) => void ours.hookOutcomes.splice(0, 1, 'PreToolUse:Bash success 0')],
  ['a call that was refused and is not', 'json-pre-decision-block', (ours) => void ours.denied.pop()],
  ['one request more', 'exit-stop-2', (ours) => void ours.requests.push('main')],
  ['a result that is an error and is not', 'exit-pre-2', (ours) => void Object.assign(ours.toolResults[0] ?? {}, { error: false })],
  ['a reason that does not reach the model', 'http-ok-deny', (ours) => void Object.assign(ours.toolResults[0] ?? {}, { text: 'denied' })],
  ['context that does not reach the model', 'par-two-context', (ours) => void ours.texts.splice(0)],
  [
    'context that reaches the model with another request',
    'par-two-context',
    (ours) => ours.texts.forEach((text) => void Object.assign(text, { call: 'main#0 user' })),
  ],
  ['another exit code', 'exit-end-2', (ours) => void Object.assign(ours.final[0] ?? {}, { exit: 1 })],
  ['another reason for the end', 'json-batch-block', (ours) => void Object.assign(ours.final[0]?.results[0] ?? {}, { reason: 'completed' })],
  ['another last text', 'ev-skill', (ours) => void Object.assign(ours.final[0]?.results[0] ?? {}, { text: 'something else' })],
  ['a file that is missing', 'agent-ok', (ours) => void Object.assign(ours, { after: { 'ran.txt': { missing: 'ENOENT' } } })],
  ['an address that was not asked', 'http-ok-deny', (ours) => void Object.assign(ours, { http: [] })],
])('%s is a difference', (_, id, change) => {
  const row = rowOf(id)
  const ours = twin(row)
  change(ours)
  expect(compare(row, row.observed, ours)).not.toEqual([])
})

test.each<[string, string, (ours: Ours) => void]>([
  ['another wording around a reason', 'http-ok-deny', (ours) => void Object.assign(ours.toolResults[0] ?? {}, { text: 'Refused: R-deny' })],
  ['another duration', 'ev-mcp-tool', (ours) => void Object.assign(ours.hooks[1]?.input ?? {}, { duration_ms: 12 })],
])('%s is no difference', (_, id, change) => {
  const row = rowOf(id)
  const ours = twin(row)
  change(ours)
  expect(compare(row, row.observed, ours)).toEqual([])
})

test('what is noted for a decision is what has to be seen again', () => {
  const row = rowOf('exit-pre-2')
  const ours: Ours = { ...twin(row), fired: [], hooks: [], denied: [] }
  const expected: Observed = { ...row.observed, ...outcomeOf(row.observed, ours) }
  expect(compare(row, expected, ours)).toEqual([])
  expect(compare(row, expected, twin(row))).not.toEqual([])
})
