/** Settings that are there and cannot be read: a rule or a hook that forbids may be among them, so nothing is permitted without a question. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PermissionMode } from '../../src/index.ts'
import { guarded } from './guarded.ts'

const call = { name: 'Bash', input: { command: 'ls -la' }, id: 't-1' }
const says = (decision: object) => `echo '${JSON.stringify({ hookSpecificOutput: decision })}'`
const yes = (event: string, decision: object) => ({ [event]: [{ hooks: [{ type: 'command', command: says({ hookEventName: event, ...decision }) }] }] })

/** Where a yes may come from. */
const permitting: Readonly<Record<string, { settings?: object; mode?: PermissionMode }>> = {
  'a rule': { settings: { permissions: { allow: ['Bash(ls *)'] } } },
  'a hook': { settings: { hooks: yes('PreToolUse', { permissionDecision: 'allow' }) } },
  'the mode': { mode: 'bypassPermissions' },
}
/** What may stand where settings are expected. A folder cannot be opened by anybody, whatever its mode. */
const unread: Readonly<Record<string, Record<string, string>>> = {
  'a folder': { '~/.claude/settings.json/x': '' },
  'no JSON': { '~/.claude/settings.json': '{"permissions": {"deny": ["Bash(ls *)"' },
  'a list': { '~/.claude/settings.json': '[]' },
}

describe.each(Object.entries(permitting))('what %s permits', (_, { settings = {}, mode }) => {
  const options = { ...(mode === undefined ? {} : { mode }) }

  test.each(Object.entries(unread))('is asked about where the user’s settings are %s', async (_what, files) => {
    await using h = await guarded({ files: { ...files, '.claude/settings.local.json': JSON.stringify(settings) } })
    const asked = await h.permit(call, { ...options, ask: 'return' })
    expect(asked).toMatchObject({ behavior: 'ask', reason: expect.stringMatching(/settings\.json cannot be read, so what it forbids is not known/) })
    expect((await asked.answer({ behavior: 'allow' })).behavior).toBe('allow')
    expect(await h.permit({ ...call, id: 't-2' }, options)).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
  })

  test('is permitted as soon as they are put right', async () => {
    await using h = await guarded({ files: { '~/.claude/settings.json': '{', '.claude/settings.local.json': JSON.stringify(settings) } })
    expect((await h.permit(call, { ...options, ask: 'return' })).behavior).toBe('ask')
    writeFileSync(join(h.home, '.claude/settings.json'), '{}')
    await h.reload()
    expect((await h.permit({ ...call, id: 't-2' }, { ...options, ask: 'return' })).behavior).toBe('allow')
  })

  test('is permitted on, where an earlier version stays in force', async () => {
    await using h = await guarded({ files: { '~/.claude/settings.json': '{}', '.claude/settings.local.json': JSON.stringify(settings) } })
    expect((await h.permit(call, { ...options, ask: 'return' })).behavior).toBe('allow')
    rmSync(join(h.home, '.claude/settings.json'))
    writeFileSync(join(h.home, '.claude/settings.json'), '{')
    await h.reload()
    expect((await h.permit({ ...call, id: 't-2' }, { ...options, ask: 'return' })).behavior).toBe('allow')
  })
})

test('a verdict alone is no yes either, and a no stays a no', async () => {
  const hooks = yes('PreToolUse', { permissionDecision: 'allow' })
  await using h = await guarded({ files: { '~/.claude/settings.json': '{', '.claude/settings.local.json': JSON.stringify({ hooks }) } })
  const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }
  expect((await h.fire('PreToolUse', input)).permission).toMatchObject({ behavior: 'ask', reason: expect.stringContaining('cannot be read') })
  h.on('PreToolUse', () => ({ permission: 'deny', reason: 'no' }))
  expect((await h.fire('PreToolUse', input)).permission).toMatchObject({ behavior: 'deny', reason: 'no' })
})

test('a hook does not answer the question', async () => {
  const hooks = yes('PermissionRequest', { decision: { behavior: 'allow' } })
  const files = (user: string) => ({ files: { '~/.claude/settings.json': user, '.claude/settings.local.json': JSON.stringify({ hooks }) } })
  await using sound = await guarded(files('{}'))
  expect((await sound.permit(call, { mode: 'default' })).behavior).toBe('allow')
  await using h = await guarded(files('{'))
  expect((await h.permit(call, { mode: 'default', ask: 'return' })).behavior).toBe('ask')
  expect(await h.permit({ ...call, id: 't-2' }, { mode: 'default' })).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
})

test('what nobody would have permitted stays as it was', async () => {
  await using h = await guarded({ files: { '~/.claude/settings.json': '{' } })
  expect((await h.permit(call, { ask: 'return' })).behavior).toBe('passthrough')
  expect(await h.permit({ ...call, id: 't-2' }, { mode: 'default' })).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
})

test('a hook in code permits no more than others', async () => {
  await using h = await guarded({ files: { '~/.claude/settings.json': '{' } })
  h.on('PreToolUse', () => ({ permission: 'allow' }))
  const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }
  for (let again = 0; again < 5; again++) expect((await h.fireNow('PreToolUse', input)).permission.behavior).toBe('ask')
  expect((await h.permit(call, { ask: 'return' })).behavior).toBe('ask')
})
