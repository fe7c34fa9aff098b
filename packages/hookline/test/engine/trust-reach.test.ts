/** How far the word of a folder reaches: its switch-off, its rules, and hooks that come up in the user's own settings meanwhile. */
import { describe, expect, test } from 'vitest'
import { attachFrontMatter, sourcesOf, trustStateOf } from '../../src/node.ts'
import { person, ranAt, running, TrustWorld } from '../cases/trust-world.ts'

const users = 'home/.claude/settings.json'

describe('disableAllHooks of a folder', () => {
  const world = () => {
    const made = new TrustWorld()
    made.settings(running({ PreToolUse: 'true' }), users)
    made.settings(running({ PreToolUse: 'true' }, { disableAllHooks: true }))
    return made
  }
  const managed = running({ PreToolUse: 'echo managed' })

  test('switches off what the folder brings, and not the guards of its user, until it is accepted', async () => {
    const one = world()
    const before = await one.open({ managed })
    expect(await ranAt(before, 'PreToolUse')).toEqual(['user:PreToolUse:0:0', 'managed:PreToolUse:0:0'])
    expect(sourcesOf(before).flatMap(({ id, state }) => (state === 'absent' ? [] : [[id, state]]))).toEqual([
      ['user', 'loaded'],
      ['project', 'off-by-policy'],
      ['managed', 'loaded'],
    ])
    expect(trustStateOf(before)?.items).toContainEqual({
      kind: 'rule',
      text: expect.stringContaining('disableAllHooks'),
      file: expect.any(String),
      change: 'added',
    })
    await one.accept()
    expect(await ranAt(await one.open({ managed }), 'PreToolUse')).toEqual(['managed:PreToolUse:0:0'])
  })

  test('after a no the guards of the user run', async () => {
    const { ask, asked } = person('no')
    expect(await ranAt(await world().open({ trust: ask }), 'PreToolUse')).toEqual(['user:PreToolUse:0:0'])
    expect(asked).toHaveLength(1)
  })

  test('counts whole where the host vouches for the folder', async () => {
    expect(await ranAt(await world().open({ trust: 'implicit' }), 'PreToolUse')).toEqual([])
  })

  test('what else keeps a hook off still does', async () => {
    const one = world()
    one.settings({ ...running({ PreToolUse: 'true' }), disabledHooks: ['user:PreToolUse:0:0'] }, users)
    expect(await ranAt(await one.open(), 'PreToolUse')).toEqual([])
    one.settings(running({ PreToolUse: 'true' }), users)
    expect(await ranAt(await one.open({ managed: { allowManagedHooksOnly: true } }), 'PreToolUse')).toEqual([])
  })

  test('does not reach a skill of the user', async () => {
    const one = world()
    const skill = one.write('home/skills/x/SKILL.md', '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\n---\n')
    const hookline = await one.open()
    await attachFrontMatter(hookline, skill)
    expect(await ranAt(hookline, 'PreToolUse')).toHaveLength(2)
  })
})

describe('a folder that brings rules and no hooks', () => {
  const call = { name: 'Bash', input: { command: 'npm test' }, id: 't' }
  const bringing = (permissions: object) => {
    const made = new TrustWorld()
    made.settings({ permissions })
    return made
  }

  test('is asked about at the first tool call, before they count', async () => {
    const { ask, asked } = person('always')
    const hookline = await bringing({ allow: ['Bash(npm test)'] }).open({ trust: ask, permissions: { mode: 'default' } })
    await ranAt(hookline, 'Stop')
    expect(asked).toEqual([])
    expect(await hookline.permit(call)).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect(asked.map(({ items }) => items.map(({ text }) => text))).toEqual([['allow Bash(npm test)']])
    await hookline.permit({ ...call, id: 'u' })
    expect(asked).toHaveLength(1)
  })

  test('and after a no they do not count', async () => {
    const { ask, asked } = person('no')
    const hookline = await bringing({ allow: ['Bash(npm test)'] }).open({ trust: ask, permissions: { mode: 'default' } })
    for (const id of ['a', 'b']) expect(await hookline.permit({ ...call, id })).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
    expect(asked).toHaveLength(1)
  })

  test('is not asked about rules that restrict', async () => {
    const { ask, asked } = person('no')
    const hookline = await bringing({ deny: ['Bash(npm test)'] }).open({ trust: ask, permissions: { mode: 'default' } })
    expect(await hookline.permit(call)).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(asked).toEqual([])
  })

  test('an abort ends the wait', async () => {
    const hookline = await bringing({ allow: ['Bash'] }).open({ trust: () => new Promise(() => undefined), permissions: { mode: 'default' } })
    const abort = new AbortController()
    const waiting = hookline.permit(call, { signal: abort.signal })
    abort.abort(new Error('Esc'))
    await expect(waiting).rejects.toThrow('Esc')
  })
})

describe("a hook that comes up in the user's own settings while a person is there", () => {
  test('is shown before it first runs; what was there runs on', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }), users)
    const { ask, asked } = person('always')
    const hookline = await world.open({ trust: ask })
    expect(await ranAt(hookline, 'Stop')).toEqual(['user:Stop:0:0'])
    world.settings(running({ Stop: ['true', 'echo new'] }), users)
    expect((await hookline.reload()).needTrust).toEqual(['user:Stop:0:1'])
    expect(asked).toEqual([])
    expect(await ranAt(hookline, 'Stop')).toEqual(['user:Stop:0:0', 'user:Stop:0:1'])
    expect(asked[0]?.items).toMatchObject([{ kind: 'command', text: 'echo new', hook: 'user:Stop:0:1', change: 'added' }])
  })

  test('runs without a question in the next session, and where nobody can be asked', async () => {
    const world = new TrustWorld()
    const hookline = await world.open()
    world.settings(running({ Stop: 'true' }), users)
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual(['user:Stop:0:0'])
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual(['user:Stop:0:0'])
    expect(asked).toEqual([])
  })
})
