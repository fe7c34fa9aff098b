/** Trust through the API: modes, the question, answers that name a digest, what stays and what is asked again. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../src/config/load.ts'
import type { Snapshot } from '../../src/config/snapshot.ts'
import { TrustDesk, type TrustMoment } from '../../src/engine/trust-desk.ts'
import type { TrustAnswer } from '../../src/index.ts'
import { trustStateOf } from '../../src/node.ts'
import { findPlaces } from '../../src/platform/places.ts'
import { nodePorts } from '../../src/platform/ports.ts'
import { createTrustKeeper } from '../../src/platform/trust-keeper.ts'
import { nodeScripts } from '../../src/platform/trust-scripts.ts'
import { person, ranAt, running, TrustWorld } from '../cases/trust-world.ts'

const mark = (name: string) => `touch "$CLAUDE_PROJECT_DIR/${name}"`

describe('a mode', () => {
  test('implicit runs what the folder brings, looks at nothing and keeps nothing', async () => {
    const world = new TrustWorld()
    world.settings(running({ SessionStart: mark('ran') }))
    const hookline = await world.open({ trust: 'implicit' })
    expect(hookline.trust.pending).toEqual([])
    expect(trustStateOf(hookline)).toBeUndefined()
    expect(hookline.list().map(({ trust }) => trust)).toEqual(['trusted'])
    expect(await ranAt(hookline, 'SessionStart')).toEqual(['project:SessionStart:0:0'])
    expect(world.has('state/hookline/trust')).toBe(false)
  })

  test('is implicit by default for a program, and ask where a person is', async () => {
    const world = new TrustWorld()
    world.settings(running({ SessionStart: mark('ran') }))
    const { trust: _, ...env } = { trust: undefined, env: world.env }
    const program = await world.open({ ...env, trust: undefined as never })
    expect(await ranAt(program, 'SessionStart')).toHaveLength(1)
    const session = await world.open({ ...env, trust: undefined as never, interactive: true })
    expect(await ranAt(session, 'SessionStart')).toEqual([])
    expect(session.trust.pending).toHaveLength(1)
  })

  test('pinned runs the hooks of the user and in code, never asks, and runs the folder once it is accepted', async () => {
    const world = new TrustWorld()
    world.settings(running({ SessionStart: mark('ran') }))
    world.settings(running({ SessionStart: 'true' }), 'home/.claude/settings.json')
    const before = await world.open({ hooks: { SessionStart: [() => undefined] } })
    expect(await ranAt(before, 'SessionStart')).toEqual(['user:SessionStart:0:0', 'code:SessionStart:0:0'])
    await world.accept()
    const after = await world.open()
    expect(after.trust.pending).toEqual([])
    expect(after.list().map(({ trust }) => trust)).toEqual(['not-needed', 'trusted'])
    expect(await ranAt(after, 'SessionStart')).toEqual(['user:SessionStart:0:0', 'project:SessionStart:0:0'])
  })

  test('ask runs no hook of any settings until somebody answered, and only the folder stays off after a no', async () => {
    const world = new TrustWorld()
    world.settings(running({ SessionStart: mark('ran') }))
    world.settings(running({ SessionStart: 'true' }), 'home/.claude/settings.json')
    const hookline = await world.open({ trust: 'ask', hooks: { SessionStart: [() => undefined] } })
    expect(await ranAt(hookline, 'SessionStart')).toEqual(['code:SessionStart:0:0'])
    const [request] = hookline.trust.pending
    await hookline.trust.answer(request?.digest ?? '', 'no')
    expect(hookline.trust.pending).toEqual([])
    expect(await ranAt(hookline, 'SessionStart')).toEqual(['user:SessionStart:0:0', 'code:SessionStart:0:0'])
    // A no is not for ever: the same digest may be answered again.
    await hookline.trust.answer(request?.digest ?? '', 'once')
    expect(await ranAt(hookline, 'SessionStart')).toContain('project:SessionStart:0:0')
    expect(world.records()).toEqual([])
  })

  test('ask waits for an answer even where the folder brings nothing, since the word says so', async () => {
    const world = new TrustWorld()
    world.settings(running({ SessionStart: 'true' }), 'home/.claude/settings.json')
    const hookline = await world.open({ trust: 'ask' })
    expect(await ranAt(hookline, 'SessionStart')).toEqual([])
    expect(hookline.trust.pending).toMatchObject([{ folder: world.project, items: [] }])
    await hookline.trust.answer(hookline.trust.pending[0]?.digest ?? '', 'always')
    expect(await ranAt(hookline, 'SessionStart')).toEqual(['user:SessionStart:0:0'])
    expect(await ranAt(await world.open({ trust: 'ask' }), 'SessionStart')).toEqual(['user:SessionStart:0:0'])
  })

  test('must be one of those there are', async () => {
    await expect(new TrustWorld().open({ trust: 'yes' as never })).rejects.toMatchObject({ code: 'invalid-option' })
    await expect(new TrustWorld().open({ trust: 5 as never })).rejects.toMatchObject({ code: 'invalid-option' })
  })
})

describe('a function for trust', () => {
  test('is asked once, at the first event that would run something untrusted, and the event waits', async () => {
    const world = new TrustWorld()
    world.settings({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: mark('ran') }] }] } })
    let answer: (word: TrustAnswer) => void = () => undefined
    const asked: string[] = []
    const hookline = await world.open({
      trust: ({ digest }) => {
        asked.push(digest)
        return new Promise((settle) => {
          answer = settle
        })
      },
    })
    const read = await hookline.fire('PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/x' }, tool_use_id: 't' } as never)
    expect(read.hooks).toMatchObject([{ status: 'skipped', skipped: { why: 'untrusted' } }])
    expect(asked).toEqual([])
    const one = hookline.fireNow('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 't' } as never)
    const two = hookline.session('other').fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 'u' } as never)
    expect(one).toBeInstanceOf(Promise)
    await new Promise((done) => setTimeout(done, 50))
    expect(world.has('project/ran')).toBe(false)
    answer('once')
    expect((await Promise.all([one, two])).map((verdict) => verdict.hooks.map(({ status }) => status))).toEqual([['ran'], ['ran']])
    expect(asked).toHaveLength(1)
    expect(world.has('project/ran')).toBe(true)
  })

  test('is not asked where the folder brings nothing', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }), 'home/.claude/settings.json')
    const { ask, asked } = person()
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual(['user:Stop:0:0'])
    expect(asked).toEqual([])
  })

  test('is asked before the hooks of the user run, too, when the folder brings something', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }), 'home/.claude/settings.json')
    world.settings(running({ SessionStart: 'true' }))
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual(['user:Stop:0:0'])
    expect(asked).toHaveLength(1)
  })

  const odd: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('no screen')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no screen')
      },
    ],
    ['answers yes', () => 'yes'],
    ['answers true', () => true],
    ['answers nothing', () => undefined],
  ]
  test.each(odd)('that %s accepts nothing, says so, and is not asked again', async (_, ask) => {
    const world = new TrustWorld()
    world.settings(running({ Stop: mark('ran') }))
    let times = 0
    const hookline = await world.open({
      trust: (() => {
        times += 1
        return ask()
      }) as never,
    })
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(times).toBe(1)
    expect(world.notices.map(({ code }) => code)).toEqual(['trust-question-failed'])
    expect(world.has('project/ran')).toBe(false)
  })

  test('holds no event for ever: an abort of the host and a close end the wait', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: mark('ran') }))
    let ended: AbortSignal | undefined
    const hookline = await world.open({
      trust: (_, { signal }) => {
        ended = signal
        return new Promise(() => undefined)
      },
    })
    const abort = new AbortController()
    const first = hookline.fire('Stop', { last_assistant_message: '' } as never, { signal: abort.signal })
    const second = hookline.fire('Stop', { last_assistant_message: '' } as never)
    abort.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect(ended?.aborted).toBe(false)
    await hookline.close()
    await expect(second).rejects.toMatchObject({ code: 'closed' })
    expect(ended?.aborted).toBe(true)
    expect(world.has('project/ran')).toBe(false)
  })

  test('is asked inside middleware, about the call as it was rewritten', async () => {
    const world = new TrustWorld()
    world.settings({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'true' }] }] } })
    const { ask, asked } = person('once')
    const hookline = await world.open({ trust: ask })
    hookline.use('PreToolUse', (call, next) => next(call.with({ tool_name: 'Write', tool_input: { file_path: '/x', content: '' } } as never)))
    expect(await ranAt(hookline, 'PreToolUse')).toEqual(['project:PreToolUse:0:0'])
    expect(asked).toHaveLength(1)
  })
})

describe('an answer', () => {
  test('covers what was shown and nothing later', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: mark('one') }))
    const hookline = await world.open({ trust: 'ask' })
    const [shown] = hookline.trust.pending
    world.settings(running({ Stop: [mark('one'), mark('two')] }))
    await hookline.reload()
    expect(hookline.trust.pending.map(({ digest }) => digest)).not.toContain(shown?.digest)
    await hookline.trust.answer(shown?.digest ?? '', 'always')
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    expect(world.has('project/two')).toBe(false)
    expect(hookline.trust.pending).toHaveLength(1)
  })

  test('must name a digest that was shown, and be a word that there is', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }))
    const hookline = await world.open()
    await expect(hookline.trust.answer('0'.repeat(64), 'always')).rejects.toMatchObject({ code: 'invalid-option' })
    await expect(hookline.trust.answer(hookline.trust.pending[0]?.digest ?? '', 'yes' as never)).rejects.toMatchObject({ code: 'invalid-option' })
    expect(await ranAt(hookline, 'Stop')).toEqual([])
  })

  test('once is forgotten with the Hookline, always is kept, and taken back by revoke', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }))
    await world.accept('once')
    expect(world.records()).toEqual([])
    await world.accept('always')
    const hookline = await world.open()
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    await hookline.trust.revoke(world.project)
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(world.records()).toEqual([])
    expect((await world.open()).trust.pending).toHaveLength(1)
  })
})

describe('after a change', () => {
  test('what is unchanged runs on, what is new or changed waits, and the difference is told', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: ['echo one', 'echo two'], SessionStart: 'echo three' }))
    await world.accept()
    const hookline = await world.open({ trust: 'ask' })
    world.settings(running({ Stop: ['echo one', 'echo TWO', 'echo four'] }))
    const reload = await hookline.reload()
    expect(reload).toMatchObject({ applied: true, needTrust: ['project:Stop:0:1', 'project:Stop:0:2'] })
    expect(hookline.list().map(({ trust }) => trust)).toEqual(['trusted', 'changed', 'untrusted'])
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    const items = hookline.trust.pending[0]?.items.map(({ text, change, before }) => [text, change, before])
    expect(items).toEqual([
      ['echo one', undefined, undefined],
      ['echo TWO', 'changed', 'echo two'],
      ['echo four', 'added', undefined],
      ['echo three', 'removed', undefined],
    ])
  })

  test('a hook that only moves keeps its trust', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: ['echo one', 'echo two'] }))
    await world.accept()
    world.settings({ hooks: {} })
    world.settings(running({ Stop: ['echo two', 'echo one'] }), 'project/.claude/settings.local.json')
    expect(await ranAt(await world.open(), 'Stop')).toEqual(['local:Stop:0:0', 'local:Stop:0:1'])
  })

  test('a function is asked again, and a no holds until the next change', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'echo one' }))
    const { ask, asked } = person('once', 'no', 'once')
    const hookline = await world.open({ trust: ask })
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    world.settings(running({ Stop: 'echo two' }))
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(asked).toHaveLength(2)
    expect(asked[1]?.items).toMatchObject([{ text: 'echo two', change: 'changed', before: 'echo one' }])
    world.settings(running({ Stop: 'echo three' }))
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    expect(asked).toHaveLength(3)
  })

  test('of the matcher alone the hook waits too, and both are told', async () => {
    const world = new TrustWorld()
    const on = (matcher: string) => ({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] } })
    world.settings(on('Bash'))
    await world.accept()
    world.settings(on('Bash|Read'))
    const hookline = await world.open()
    expect(hookline.list().map(({ trust }) => trust)).toEqual(['changed'])
    expect(hookline.trust.pending[0]?.items).toMatchObject([
      { change: 'changed', text: 'true', before: 'true', when: 'PreToolUse, matcher "Bash|Read"', whenBefore: 'PreToolUse, matcher "Bash"' },
    ])
    const { hooks } = hookline.explain('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't' } as never)
    expect(hooks[0]?.skipped?.detail).toMatch(/^changed since \d+ \w{3} \(hookline trust shows the difference\)$/)
  })

  test('the last good settings of a file stay known when it breaks', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }))
    await world.accept()
    const hookline = await world.open()
    world.write('project/.claude/settings.json', '{ "hooks": ')
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
  })
})

test('an answer that comes while settings are loaded is not lost', async () => {
  const world = new TrustWorld()
  world.settings(running({ Stop: 'true' }))
  const hookline = await world.open()
  const [request] = hookline.trust.pending
  let goOn: () => void = () => undefined
  hookline.on(
    'ConfigChange',
    () =>
      new Promise<void>((settle) => {
        goOn = settle
      }),
  )
  world.settings(running({ Stop: 'true' }, { permissions: { deny: ['Read'] } }))
  const reloading = hookline.reload()
  await new Promise((done) => setTimeout(done, 100))
  await hookline.trust.answer(request?.digest ?? '', 'once')
  goOn()
  expect(await reloading).toMatchObject({ applied: true })
  expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
})

describe('whoever keeps a record of answers', () => {
  const deskOf = async (world: TrustWorld, onAnswer: (moment: TrustMoment) => Promise<void>) => {
    const places = { ...findPlaces({ cwd: world.project, env: world.env }), managed: [] }
    const keeper = createTrustKeeper({ projectDir: world.project, home: world.home, store: join(world.state, 'hookline/trust') })
    const desk = new TrustDesk({ trust: 'ask', keeper, scripts: nodeScripts, projectDir: world.project, onAnswer })
    let snapshot = await desk.admit(await loadSnapshot({ places }, nodePorts()))
    const engine = {
      get snapshot() {
        return snapshot
      },
      replace: (next: Snapshot) => {
        snapshot = next
      },
      notice: () => undefined,
    }
    desk.attach(engine, new AbortController().signal)
    return desk
  }

  test('hears each before it takes effect', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }))
    const heard: string[] = []
    const desk: TrustDesk = await deskOf(world, async ({ answer, folder, items }) => {
      heard.push(`${answer} ${folder} ${items} ${desk.state?.trust}`)
    })
    await desk.answer(desk.pending[0]?.digest ?? '', 'always')
    await desk.revoke(world.project)
    expect(heard).toEqual([`always ${world.project} 1 untrusted`, `revoked ${world.project} undefined trusted`])
  })

  test('and cannot write it down, has nothing accepted', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: 'true' }))
    const desk = await deskOf(world, async () => {
      throw new Error('no disk')
    })
    await expect(desk.answer(desk.pending[0]?.digest ?? '', 'always')).rejects.toThrow('no disk')
    expect(desk.state?.trust).toBe('untrusted')
    expect(world.records()).toEqual([])
  })
})

describe('rules and modes of the folder', () => {
  const settings = { permissions: { allow: ['Bash(npm test)'], deny: ['Bash(rm *)'], ask: ['Bash(git push *)'], defaultMode: 'acceptEdits' } }
  const permit = async (world: TrustWorld, command: string) => {
    const hookline = await world.open()
    const { behavior, cause } = await hookline.permit({ name: 'Bash', input: { command }, id: command })
    return `${behavior} ${cause}`
  }

  test('that restrict count at once, those that permit wait', async () => {
    const world = new TrustWorld()
    world.settings(settings)
    world.settings({ permissions: { defaultMode: 'default' } }, 'home/.claude/settings.json')
    expect(await permit(world, 'rm -rf x')).toBe('deny rule')
    expect(await permit(world, 'git push origin')).toMatch(/^deny (rule|nobody-to-ask)$/)
    expect(await permit(world, 'npm test')).not.toBe('allow rule')
    const { items } = await world.accept()
    expect(items.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['rule allow Bash(npm test)', 'rule permission mode acceptEdits'])
    expect(await permit(world, 'npm test')).toBe('allow rule')
    expect(await permit(world, 'rm -rf x')).toBe('deny rule')
  })
})
