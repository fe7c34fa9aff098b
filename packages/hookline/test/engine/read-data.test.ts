/** A rewrite that JSON could not hold is no rewrite: rules, later hooks and the log would not see what runs. */
import { expect, test } from 'vitest'
import { misfitForJson } from '../../src/engine/read-data.ts'
import { call, engine } from './opened.ts'

const cycle: Record<string, unknown> = { command: 'ls' }
cycle['self'] = cycle
const shared = { a: 1 }
const deep = Array.from({ length: 2_000 }).reduce<object>((inner) => ({ inner }), {})

test.each<[what: string, input: Record<string, unknown>, has: string]>([
  ['a number that is too large for JSON', { command: 'ls', size: 1n }, 'a bigint'],
  ['a function', { command: 'ls', run: () => 'rm' }, 'a function'],
  ['a symbol', { command: 'ls', deep: [{ mark: Symbol('x') }] }, 'a symbol'],
  ['an object that holds itself', cycle, 'an object that holds itself'],
  ['more levels than anybody needs', { command: 'ls', deep }, 'more than 1000 levels'],
])('a rewrite with %s is malformed, and the call keeps its input', async (_, updatedInput, has) => {
  const h = engine()
  h.on('PreToolUse', () => ({ permission: 'allow', updatedInput }))
  const verdict = await h.fire('PreToolUse', call('pwd'))
  expect(verdict.input.tool_input).toEqual({ command: 'pwd' })
  expect(verdict.permission.behavior).toBe('passthrough')
  expect(verdict.warnings.map(({ message }) => message).join('\n')).toContain(has)
})

test('a hook that fails closed refuses with it', async () => {
  const h = engine()
  h.on('PreToolUse', { onFailure: 'block' }, () => ({ updatedInput: cycle }))
  expect((await h.fire('PreToolUse', call())).blocked).toBe(true)
})

test.each<[what: string, input: unknown]>([
  ['plain data', { a: [1, 'x', null, true, { b: {} }] }],
  ['one object at two places', { a: shared, b: [shared, shared] }],
  ['a field without a value', { a: undefined }],
  ['a date', { at: new Date(0) }],
])('%s is fine', (_, input) => {
  expect(misfitForJson(input)).toBeUndefined()
})
