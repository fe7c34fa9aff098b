/** A folder that repeats a hook of its user makes it no weaker; everywhere else the later of two identical hooks wins. */
import { describe, expect, test } from 'vitest'
import { TrustWorld } from '../cases/trust-world.ts'

const guard = 'sleep 0.3; echo no >&2; exit 2'
const settings = (hook: object, more: object = {}) => ({ ...more, hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: guard, ...hook }] }] } })
const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' } as const

function worldOf(user: object, project: object): TrustWorld {
  const world = new TrustWorld()
  world.settings(user, 'home/.claude/settings.json')
  world.settings(project)
  return world
}

describe.each(['implicit', 'pinned'] as const)('trust: %s. A guard of the user', (trust) => {
  test.each<[how: string, copy: object, more?: object]>([
    ['in the background', { async: true }],
    ['in the background, to wake the model later', { asyncRewake: true }],
    ['with a deadline that it cannot keep', { timeout: 0.05 }],
    ['once', { once: true }],
    ['in another shell', { shell: 'powershell' }],
    ['as a process that stays', { persistent: true }],
    ['with variables of its own', {}, { env: { SLEEP: '1' } }],
  ])('that the folder repeats %s still refuses, each time, under the id of the copy', async (_, copy, more) => {
    const world = worldOf(settings({}), settings(copy, more))
    if (trust === 'pinned') await world.accept()
    const hookline = await world.open({ trust })
    for (let at = 0; at < 2; at++) {
      const verdict = await hookline.fire('PreToolUse', input)
      expect(verdict.permission).toMatchObject({ behavior: 'deny', reason: 'no' })
      expect(verdict.hooks).toMatchObject([
        {
          id: 'user:PreToolUse:0:0',
          status: 'skipped',
          skipped: { why: 'duplicate', detail: 'project:PreToolUse:0:0 does the same and comes later; it runs as it is written here' },
        },
        { id: 'project:PreToolUse:0:0', status: 'ran', outcome: 'blocking', flags: [] },
      ])
    }
  })
})

test('the copy of the folder adds strictness', async () => {
  const world = worldOf(settings({ timeout: 0.05, async: true }), settings({ timeout: 20, onFailure: 'block' }))
  const hookline = await world.open({ trust: 'implicit' })
  expect(hookline.explain('PreToolUse', input).hooks.at(-1)).toMatchObject({ status: 'would-run', timeout: 20, onFailure: 'block', flags: [] })
  expect((await hookline.fire('PreToolUse', input)).blocked).toBe(true)
})

test('a failure of the copy is a refusal when the user wrote so', async () => {
  const broken = { type: 'command', command: 'exit 1' }
  const hooks = (more: object) => ({ hooks: { PreToolUse: [{ hooks: [{ ...broken, ...more }] }] } })
  const world = worldOf(hooks({ onFailure: 'block' }), hooks({}))
  expect((await (await world.open({ trust: 'implicit' })).fire('PreToolUse', input)).blocked).toBe(true)
})

test('of two hooks of one folder, and of two of one person, the later wins', async () => {
  const world = worldOf(settings({}), settings({ timeout: 9 }))
  world.settings(settings({ timeout: 8 }), 'project/.claude/settings.local.json')
  world.settings(settings({ timeout: 7, async: true }), 'home/.config/hookline/settings.json')
  const hookline = await world.open({ trust: 'implicit' })
  expect(hookline.explain('PreToolUse', input).hooks.filter(({ status }) => status === 'would-run')).toMatchObject([
    { id: 'local:PreToolUse:0:0', timeout: 8, flags: [] },
  ])
})
