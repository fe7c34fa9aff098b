/** What each permission mode says about reading, editing and everything else. */
import { expect, test } from 'vitest'
import { judgeMode, knownKind } from '../../src/permission/modes.ts'

test.each([
  ['default', 'passthrough', 'passthrough', 'passthrough'],
  ['plan', 'allow', 'deny', 'passthrough'],
  ['acceptEdits', 'allow', 'allow', 'passthrough'],
  ['auto', 'passthrough', 'passthrough', 'passthrough'],
  ['dontAsk', 'passthrough', 'passthrough', 'passthrough'],
  ['bypassPermissions', 'allow', 'allow', 'allow'],
] as const)('%s: read %s, edit %s, other %s', (mode, read, edit, other) => {
  expect([judgeMode(mode, 'read').behavior, judgeMode(mode, 'edit').behavior, judgeMode(mode, 'other').behavior]).toEqual([read, edit, other])
})

test('no mode, and a mode nobody knows, say nothing', () => {
  expect(judgeMode(undefined, 'edit')).toEqual({ behavior: 'passthrough' })
  expect(judgeMode('toString' as never, 'edit')).toEqual({ behavior: 'passthrough' })
})

test.each([
  ['Read', 'read'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Bash', 'other'],
  ['mcp__a__b', 'other'],
  ['constructor', 'other'],
])('%s is of kind %s', (name, kind) => {
  expect(knownKind({ name, input: {}, id: '1' })).toBe(kind)
})
