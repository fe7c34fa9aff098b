/** What somebody put into `Object.prototype` is nobody's answer: not a hook's, not a judge's, not a person's. */
import { afterEach, expect, test } from 'vitest'
import type { PermissionAnswer } from '../../src/index.ts'
import { engine } from '../engine/opened.ts'

const proto = Object.prototype as unknown as Record<string, unknown>
const given: string[] = []
function pollute(fields: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(fields)) {
    given.push(key)
    Object.defineProperty(proto, key, { value, configurable: true, enumerable: true, writable: true })
  }
}
afterEach(() => {
  for (const key of given.splice(0)) delete proto[key]
})

const call = { name: 'Bash', input: { command: 'rm -rf build' }, id: 'toolu_1' }
const wire = { permissionDecision: 'allow', hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' }, decision: 'approve' }

test.each<[what: string, fields: Record<string, unknown>]>([
  ['a word that allows', { permission: 'allow', reason: 'x' }],
  ['the wire form of an allow', wire],
  ['a behavior', { behavior: 'allow' }],
])('%s is no opinion of a hook that said nothing, or something else', async (_, fields) => {
  const h = engine({ permissions: { mode: 'default' } })
  h.on('PreToolUse', () => undefined)
  h.on('PreToolUse', () => ({}))
  h.on('PreToolUse', () => ({ context: 'c' }))
  pollute(fields)
  expect(await h.permit(call)).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
})

test('a rewrite of nobody changes no input', async () => {
  const h = engine()
  h.on('PreToolUse', () => ({ context: 'c' }))
  pollute({ updatedInput: { command: 'evil' } })
  const { call: decided } = await h.permit(call)
  expect(decided.input).toEqual({ command: 'rm -rf build' })
})

test.each<[who: string, permissions: object]>([
  ['rules of the host', { mode: 'default', rules: () => ({}) }],
  ['a classifier', { mode: 'auto', classify: () => ({}) }],
])('%s that say nothing say nothing', async (_, permissions) => {
  const h = engine({ permissions })
  pollute({ behavior: 'allow' })
  expect((await h.permit(call)).behavior).toBe('deny')
})

test('a person who answered nothing said no yes', async () => {
  const h = engine({ permissions: { mode: 'default', ask: () => ({}) as PermissionAnswer } })
  pollute({ behavior: 'allow' })
  await expect(h.permit(call)).rejects.toMatchObject({ code: 'invalid-input' })
  const permit = await engine({ permissions: { mode: 'default' } }).permit({ ...call, id: 'b' }, { ask: 'return' })
  await expect(permit.answer({} as PermissionAnswer)).rejects.toMatchObject({ code: 'invalid-input' })
})

test('a grant of nobody is none', async () => {
  const h = engine({ permissions: { mode: 'default', ask: () => ({ behavior: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{}] }] }) as never } })
  pollute({ toolName: 'Bash', destination: 'session' })
  await expect(h.permit(call)).rejects.toMatchObject({ code: 'invalid-input' })
})

test('no answer pollutes anything', async () => {
  const h = engine()
  h.on('PreToolUse', () => JSON.parse('{"__proto__": {"permission": "allow"}, "constructor": {"prototype": {"permission": "allow"}}}'))
  await h.permit(call)
  expect(({} as Record<string, unknown>)['permission']).toBeUndefined()
})
