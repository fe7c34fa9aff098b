/** The log of a Hookline on disk: what takes effect is what is recorded, policy may demand the record, and runs without a session share a chain. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HooklineOptions } from '../../src/node.ts'
import { readAuditLog, verifyAuditLog } from '../../src/node.ts'
import { ranAt, running, TrustWorld } from '../cases/trust-world.ts'

const users = 'home/.claude/settings.json'
const logOf = (world: TrustWorld) => join(world.state, 'hookline/log')
const records = (world: TrustWorld) => [...readAuditLog(logOf(world))].filter(({ kind }) => kind !== 'opened')
const call = { name: 'Bash', input: { command: 'ls' }, id: 't' }

/** A world whose log cannot be written: a file stands where its folder should be. */
function unwritable(settings: object): TrustWorld {
  const world = new TrustWorld()
  world.settings(settings, users)
  mkdirSync(dirname(logOf(world)), { recursive: true })
  writeFileSync(logOf(world), '')
  return world
}

describe('auditRequired', () => {
  const refused = { behavior: 'deny', reason: expect.stringContaining('policy demands a record') }

  test.each<[who: string, settings: object, options: HooklineOptions]>([
    ['the user', { auditRequired: true }, { audit: {} }],
    ['the user, whatever the host says', { auditRequired: true }, { audit: false }],
    ['managed settings', {}, { managed: { auditRequired: true }, audit: {} }],
    ['managed settings, in a word that is none', {}, { managed: { auditRequired: 'yes' } }],
  ])('of %s refuses a call whose record cannot be written', async (_, settings, options) => {
    const world = unwritable({ ...running({ PreToolUse: 'true', SessionStart: 'true' }), ...settings })
    const hookline = await world.open(options)
    const verdict = await hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' })
    expect(verdict.permission).toMatchObject(refused)
    expect(await hookline.permit({ ...call, id: 'u' })).toMatchObject({ behavior: 'deny' })
    expect(await ranAt(hookline, 'SessionStart')).toHaveLength(1)
    expect(world.notices.map(({ code }) => code)).toEqual(expect.arrayContaining(['audit-gap', 'audit-required']))
  })

  test.each<[who: string, project: object, options: HooklineOptions]>([
    ['nobody', {}, { audit: {} }],
    ['the folder', { auditRequired: true }, { audit: {} }],
    ['managed settings, the other way round', {}, { audit: {}, managed: { auditRequired: false } }],
  ])('of %s lets the call go on, with a standing warning', async (_, project, options) => {
    const world = unwritable(running({ PreToolUse: 'true' }))
    world.settings(project)
    const hookline = await world.open({ ...options, trust: 'implicit' })
    expect(await hookline.permit(call)).toMatchObject({ behavior: 'passthrough' })
    expect(world.notices.map(({ code }) => code)).toContain('audit-gap')
  })

  test('is heard in a running session', async () => {
    const world = unwritable({})
    const hookline = await world.open({ audit: {} })
    expect((await hookline.permit(call)).behavior).toBe('passthrough')
    world.settings({ auditRequired: true }, users)
    await hookline.reload()
    expect((await hookline.permit({ ...call, id: 'u' })).behavior).toBe('deny')
  })

  test('opens a log that was off, and records from then on', async () => {
    const world = new TrustWorld()
    world.settings(running({ PreToolUse: 'true' }), users)
    const hookline = await world.open({ audit: false })
    await hookline.permit(call)
    expect(records(world)).toEqual([])
    world.settings({ ...running({ PreToolUse: 'true' }), auditRequired: true }, users)
    await hookline.reload()
    await hookline.permit({ ...call, id: 'u' })
    await hookline.close()
    expect(records(world).map(({ kind }) => kind)).toEqual(['reloaded', 'verdict', 'permitted'])
  })

  test('of a log that was off and cannot be written refuses calls from then on', async () => {
    const world = unwritable(running({ PreToolUse: 'true' }))
    const hookline = await world.open({ audit: false })
    expect((await hookline.permit(call)).behavior).toBe('passthrough')
    world.settings({ ...running({ PreToolUse: 'true' }), auditRequired: true }, users)
    await hookline.reload()
    const verdict = await hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'v' })
    expect(verdict.permission).toMatchObject(refused)
    expect((await hookline.permit({ ...call, id: 'u' })).behavior).toBe('deny')
  })

  test('accepts no trust that cannot be recorded', async () => {
    const world = unwritable({ auditRequired: true })
    world.settings(running({ Stop: 'true' }))
    const hookline = await world.open({ audit: {} })
    await expect(hookline.trust.answer(hookline.trust.pending[0]?.digest ?? '', 'once')).rejects.toMatchObject({ code: 'audit-unwritable' })
    expect(await ranAt(hookline, 'Stop')).toEqual([])
  })
})

test('every kind of moment is in the log, in order, and verified', async () => {
  const world = new TrustWorld()
  world.settings(running({ Stop: 'true' }))
  world.settings(running({ PreToolUse: 'exit 2', PostToolUse: 'exit 1' }), users)
  const hookline = await world.open({ audit: {}, sessionId: 's-1', managed: { requireFailClosed: ['PreToolUse'] } })
  await hookline.permit(call)
  await hookline.trust.answer(hookline.trust.pending[0]?.digest ?? '', 'once')
  world.settings({ ...running({ PreToolUse: 'exit 2', Stop: 'echo late' }), disabledHooks: ['x'] }, users)
  await hookline.reload()
  await ranAt(hookline, 'Stop')
  await hookline.close()
  expect(records(world).map(({ kind, ...rest }) => [kind, 'decision' in rest ? rest.decision : 'detail' in rest ? rest.detail : ''])).toEqual([
    ['policy', 'in force: requireFailClosed PreToolUse'],
    ['verdict', 'deny'],
    ['permitted', 'deny'],
    ['trust', ''],
    ['reloaded', ''],
    ['policy', 'changed: requireFailClosed PreToolUse, disabledHooks x'],
    ['verdict', 'none'],
  ])
  expect((await verifyAuditLog(logOf(world))).map(({ state }) => state)).toEqual(['good'])
})

test('runs that belong to no session share a chain; a session that is named has its own', async () => {
  const world = new TrustWorld()
  world.settings(running({ Stop: 'true' }), users)
  for (const sessionId of [undefined, undefined, 's-1']) {
    const hookline = await world.open({ audit: { session: 'command-line' }, ...(sessionId === undefined ? {} : { sessionId }) })
    await ranAt(hookline, 'Stop')
    await ranAt(hookline.session('s-2') as never, 'Stop')
    await hookline.close()
  }
  const chains = await verifyAuditLog(logOf(world))
  expect(chains.map(({ state }) => state)).toEqual(['good', 'good', 'good'])
  expect(
    records(world)
      .map(({ session }) => session)
      .sort(),
  ).toEqual(['command-line', 'command-line', 's-1', 's-2', 's-2', 's-2'])
})
