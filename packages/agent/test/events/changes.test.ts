/** Events of what changes under a session: the model, the conversation's length, the folder, files, settings and skills. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { allowBash, bash, call, perform } from './theater.ts'

describe('PreModelSwitch', () => {
  test('fires by /model and may refuse it', async () => {
    const stage = await perform({ turns: ['one'], hooks: { PreModelSwitch: () => ({ permission: 'deny', reason: 'too dear' }), PostModelSwitch: true } })
    expect(await stage.agent.ask('/model big')).toMatchObject({ reason: 'local', text: 'The model stays script: a hook refused the change: too dear.' })
    expect(stage.of('PreModelSwitch')).toMatchObject([{ from_model: 'script', to_model: 'big', requested_model: 'big', source: 'command' }])
    expect(stage.of('PostModelSwitch')).toEqual([])
    await stage.agent.ask('hello')
    expect(stage.requests[0]?.model).toBeUndefined()
  })

  test.each([
    ['yes', true, 'The model is'],
    ['no', false, 'The model stays script'],
  ])('that asks waits for the person, who says %s', async (_, says, text) => {
    const asked: string[] = []
    const confirm = async (reason: string) => {
      asked.push(reason)
      return says
    }
    const stage = await perform({ turns: [], hooks: { PreModelSwitch: () => ({ permission: 'ask', reason: 'sure?' }) }, answers: { confirm } })
    expect((await stage.agent.ask('/model big')).text).toContain(text)
    expect(asked).toEqual(['sure?'])
  })
})

describe('PostModelSwitch', () => {
  test('fires after the change, and its context is told to the new model', async () => {
    const stage = await perform({ turns: ['one'], hooks: { PreModelSwitch: true, PostModelSwitch: () => ({ context: 'you are big now' }) } })
    await stage.agent.ask('/model big')
    await stage.agent.ask('hello')
    expect(stage.fired()).toEqual(['PreModelSwitch', 'PostModelSwitch'])
    expect(stage.requests[0]?.model).toBe('big')
    expect(stage.told(0)).toContain('you are big now')
  })
})

describe('PreCompact', () => {
  test('fires by /compact and keeps the conversation when it blocks', async () => {
    const stage = await perform({ turns: ['one', 'two'], hooks: { PreCompact: () => ({ block: 'not now' }), PostCompact: true } })
    await stage.agent.ask('a long story')
    expect((await stage.agent.ask('/compact keep names')).text).toBe('Compaction was blocked by a hook: not now')
    expect(stage.of('PreCompact')).toMatchObject([{ trigger: 'manual', custom_instructions: 'keep names' }])
    await stage.agent.ask('go on')
    expect(stage.told(1)).toContain('a long story')
    expect(stage.of('PostCompact')).toEqual([])
  })
})

describe('PostCompact', () => {
  test('fires with the summary when the conversation was near its limit, after SessionStart put its context back', async () => {
    const stage = await perform({
      turns: [{ text: 'one', inputTokens: 9_000 }, 'two'],
      routes: [{ name: 'compact', when: { last: 'detailed summary' }, turns: ['<summary>SHORT</summary>'] }],
      hooks: { PreCompact: true, SessionStart: ({ source }) => ({ context: `CTX-${source}` }), PostCompact: true },
      options: { contextWindow: 10_000 },
    })
    await stage.agent.ask('a long story')
    await stage.agent.ask('go on')
    expect(stage.fired()).toEqual(['SessionStart', 'PreCompact', 'SessionStart', 'PostCompact'])
    expect(stage.of('PostCompact')).toMatchObject([{ trigger: 'auto', compact_summary: '<summary>SHORT</summary>' }])
    expect(stage.told(2)).toMatch(/CTX-compact[\s\S]*SHORT[\s\S]*go on/)
    expect(stage.told(2)).not.toContain('a long story')
  })
})

describe('CwdChanged', () => {
  test('fires when a command of the model leaves the folder; the files it names are watched, and an empty list ends that', async () => {
    const stage = await perform({
      turns: [bash('cd sub'), 'one', bash('cd ..'), 'two'],
      settings: allowBash,
      files: { 'sub/watched.txt': '1' },
      hooks: {
        CwdChanged: ({ new_cwd, old_cwd }) => ({ watchPaths: String(new_cwd) > String(old_cwd) ? [join(String(new_cwd), 'watched.txt')] : [] }),
        FileChanged: true,
      },
    })
    await stage.agent.ask('hello')
    expect(stage.of('CwdChanged')).toMatchObject([{ old_cwd: stage.cwd, new_cwd: join(stage.cwd, 'sub'), cwd: join(stage.cwd, 'sub') }])
    expect(stage.told(1)).toContain(`Primary working directory: ${join(stage.cwd, 'sub')}`)
    writeFileSync(join(stage.cwd, 'sub/watched.txt'), '2')
    await stage.waitFor('FileChanged')
    await stage.agent.ask('back')
    expect(stage.of('CwdChanged')).toHaveLength(2)
    expect(stage.agent.session.scope.watchPaths).toEqual([])
  })
})

describe('FileChanged', () => {
  test('fires for a change, a removal and an addition of the files that settings name, and may name others', async () => {
    const stage = await perform({
      turns: ['one'],
      settings: { hooks: { FileChanged: [{ matcher: 'plan.md', hooks: [{ type: 'command', command: 'true' }] }] } },
      files: { 'plan.md': '1', 'deep/b.txt': '1' },
      hooks: { FileChanged: ({ cwd }) => ({ watchPaths: [join(String(cwd), 'deep/b.txt')], message: 'the plan moved' }) },
    })
    await stage.agent.ask('hello')
    writeFileSync(join(stage.cwd, 'plan.md'), '2')
    expect(await stage.waitFor('FileChanged', 1)).toMatchObject({ file_path: join(stage.cwd, 'plan.md'), event: 'change' })
    rmSync(join(stage.cwd, 'plan.md'))
    expect(await stage.waitFor('FileChanged', 2)).toMatchObject({ event: 'unlink' })
    writeFileSync(join(stage.cwd, 'plan.md'), '3')
    expect(await stage.waitFor('FileChanged', 3)).toMatchObject({ event: 'add' })
    // A folder that was named only now is listened to a moment later: the file grows until it is seen.
    await vi.waitFor(
      () => {
        appendFileSync(join(stage.cwd, 'deep/b.txt'), 'x')
        expect(stage.of('FileChanged').some(({ file_path }) => file_path === join(stage.cwd, 'deep/b.txt'))).toBe(true)
      },
      { timeout: 30_000, interval: 500 },
    )
    expect(stage.notices().join('\n')).toContain('the plan moved')
  })
})

describe('ConfigChange', () => {
  const skill = (text: string) => `---\ndescription: d\n---\n${text}`
  const deny = (rule: string) => JSON.stringify({ permissions: { deny: [rule], allow: ['Bash'] } })

  test('fires when a settings file changes; without a block the change holds for the next call', async () => {
    const stage = await perform({ turns: [bash('touch made'), 'one'], settings: allowBash, hooks: { ConfigChange: true, PostToolUse: true } })
    await stage.agent.start()
    const file = join(stage.cwd, '.claude/settings.json')
    writeFileSync(file, deny('Bash(touch *)'))
    expect(await stage.waitFor('ConfigChange')).toMatchObject({ source: 'project_settings', file_path: file })
    await vi.waitFor(
      async () => expect((await stage.agent.session.scope.permit({ name: 'Bash', input: { command: 'touch x' }, id: 'p' })).behavior).toBe('deny'),
      {
        timeout: 20_000,
      },
    )
    await stage.agent.ask('hello')
    expect(stage.of('PostToolUse')).toEqual([])
    expect(stage.told(1)).toContain('Bash(touch *)')
  })

  test('that blocks leaves the settings as they were', async () => {
    const stage = await perform({
      turns: [bash('touch made'), 'one'],
      settings: allowBash,
      hooks: { ConfigChange: () => ({ block: 'frozen' }), PostToolUse: true },
    })
    await stage.agent.start()
    writeFileSync(join(stage.cwd, '.claude/settings.json'), deny('Bash(touch *)'))
    await stage.waitFor('ConfigChange')
    await stage.agent.ask('hello')
    expect(stage.of('PostToolUse')).toHaveLength(1)
  })

  test.each([
    [false, 'NEW-TEXT'],
    [true, 'OLD-TEXT'],
  ])('fires for a skill that changed; blocked %s, the model reads %s', async (blocks, text) => {
    const stage = await perform({
      turns: [call('Skill', { skill: 'one' }), 'done'],
      flags: ['--allowedTools', 'Skill'],
      files: { '.claude/skills/one/SKILL.md': skill('OLD-TEXT') },
      hooks: { ConfigChange: () => (blocks ? { block: 'frozen' } : undefined) },
    })
    await stage.agent.start()
    writeFileSync(join(stage.cwd, '.claude/skills/one/SKILL.md'), skill('NEW-TEXT'))
    expect(await stage.waitFor('ConfigChange')).toMatchObject({ source: 'skills', file_path: join(stage.cwd, '.claude/skills/one/SKILL.md') })
    // The hook has spoken; what follows from it takes a moment.
    await new Promise((done) => setTimeout(done, 50))
    await stage.agent.ask('use it')
    expect(stage.told(1)).toContain(text)
  })
})
