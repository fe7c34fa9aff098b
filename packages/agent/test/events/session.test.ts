/** Events of a session's life: Setup, SessionStart, SessionEnd, DirectoryAdded, Notification, each for its real reason. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../folder.ts'
import { setStage } from '../stage.ts'
import { call, perform } from './theater.ts'

describe('SessionStart', () => {
  test('fires before the first prompt: context, a title, a first message, files to watch, and skills read again', async () => {
    const stage = await perform({
      turns: ['one', call('Skill', { skill: 'made' }), 'two'],
      flags: ['--allowedTools', 'Skill'],
      hooks: {
        SessionStart: ({ cwd }) => {
          mkdirSync(join(String(cwd), '.claude/skills/made'), { recursive: true })
          writeFileSync(join(String(cwd), '.claude/skills/made/SKILL.md'), '---\ndescription: made by a hook\n---\nSKILL-TEXT')
          return {
            context: 'CTX-START',
            sessionTitle: 'a title',
            initialUserMessage: 'first this',
            watchPaths: [join(String(cwd), 'w.txt')],
            reloadSkills: true,
          }
        },
        FileChanged: true,
      },
    })
    const { agent } = stage
    await agent.start()
    expect(await agent.next()).toMatchObject({ text: 'one' })
    expect(stage.of('SessionStart')).toMatchObject([{ source: 'startup', session_id: agent.session.sessionId, cwd: stage.cwd }])
    expect(stage.told(0)).toMatch(/CTX-START[\s\S]*made by a hook[\s\S]*first this/)
    expect(await agent.ask('then this')).toMatchObject({ text: 'two' })
    expect(stage.told(2)).toContain('SKILL-TEXT')
    expect(readFileSync(agent.session.conversation.transcript.path, 'utf8')).toContain('"customTitle":"a title"')
    writeFileSync(join(stage.cwd, 'w.txt'), 'x')
    expect(await stage.waitFor('FileChanged')).toMatchObject({ file_path: join(stage.cwd, 'w.txt'), event: 'add' })
  })

  test('that leaves skills alone has none read again', async () => {
    const stage = await perform({
      turns: [call('Skill', { skill: 'made' }), 'two'],
      flags: ['--allowedTools', 'Skill'],
      hooks: {
        SessionStart: ({ cwd }) => {
          mkdirSync(join(String(cwd), '.claude/skills/made'), { recursive: true })
          writeFileSync(join(String(cwd), '.claude/skills/made/SKILL.md'), 'SKILL-TEXT')
        },
      },
    })
    await stage.agent.ask('go')
    expect(stage.told(1)).toContain('Unknown skill: made')
  })

  test('fires for each way a session begins, with its source; what it says to watch belongs to the session', async () => {
    const stage = await perform({
      turns: ['one', 'two', 'three'],
      hooks: { SessionStart: ({ source, cwd }) => ({ context: `CTX-${source}`, watchPaths: [join(String(cwd), `${source}.txt`)] }), FileChanged: true },
    })
    const { agent } = stage
    await agent.ask('hello')
    const first = agent.session.sessionId
    await agent.ask('/clear')
    await agent.ask('again')
    const second = agent.session.sessionId
    expect(second).not.toBe(first)
    writeFileSync(join(stage.cwd, 'clear.txt'), 'x')
    expect(await stage.waitFor('FileChanged')).toMatchObject({ session_id: second, file_path: join(stage.cwd, 'clear.txt') })
    await agent.ask(`/resume ${first}`)
    await agent.ask('and again')
    expect(stage.of('SessionStart').map(({ source }) => source)).toEqual(['startup', 'clear', 'resume'])
    expect(stage.told(1)).toContain('CTX-clear')
    expect(stage.told(1)).not.toContain('CTX-startup')
    expect(stage.told(2)).toMatch(/CTX-startup[\s\S]*hello[\s\S]*CTX-resume/)
  })
})

describe('SessionEnd', () => {
  test('fires with the reason that ended the session', async () => {
    const stage = await perform({ turns: ['one', 'two'], hooks: { SessionEnd: true } })
    const { agent } = stage
    await agent.ask('hello')
    const first = agent.session.sessionId
    await agent.ask('/clear')
    await agent.ask(`/resume ${first}`)
    await agent.close()
    expect(stage.of('SessionEnd').map(({ reason }) => reason)).toEqual(['clear', 'resume', 'other'])
  })
})

describe('Setup', () => {
  const log = (name: string) => ({ hooks: [{ type: 'command', command: `cat >> ${name}; echo >> ${name}` }] })
  const read = (cwd: string, name: string) =>
    readFileSync(join(cwd, name), 'utf8')
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

  test('fires by --init before the session starts, and SIGTERM in the middle of a turn still fires SessionEnd', { timeout: 120_000 }, async () => {
    const stage = await setStage({
      turns: [],
      settings: { hooks: Object.fromEntries(['Setup', 'SessionStart', 'UserPromptSubmit', 'SessionEnd'].map((event) => [event, [log('log.txt')]])) },
      files: { 'turns.json': JSON.stringify({ modelTurns: [{ text: 'late', delayMs: 100_000 }] }), 'log.txt': '' },
    })
    const out = await stage.run(['-p', 'hello', '--trust', '--init', '--model', 'script:turns.json'], {
      onSpawn: (pid) =>
        void vi
          .waitFor(() => expect(read(stage.cwd, 'log.txt')).toHaveLength(3), { timeout: 60_000, interval: 100 })
          .finally(() => process.kill(pid, 'SIGTERM'))
          .catch(() => undefined),
    })
    expect(out.code).toBe(143)
    expect(read(stage.cwd, 'log.txt').map(({ hook_event_name, trigger, source, reason }) => [hook_event_name, trigger ?? source ?? reason])).toEqual([
      ['Setup', 'init'],
      ['SessionStart', 'startup'],
      ['UserPromptSubmit', undefined],
      ['SessionEnd', 'other'],
    ])
  })
})

describe('DirectoryAdded', () => {
  test('fires by /add-dir, and its context reaches the model with the next prompt', async () => {
    const other = folderWith({ 'a.txt': 'x' })
    const stage = await perform({ turns: ['one'], hooks: { DirectoryAdded: () => ({ context: 'a vendored tree' }) } })
    expect(await stage.agent.ask(`/add-dir ${other}`)).toMatchObject({ reason: 'local', text: expect.stringContaining('Added') })
    await stage.agent.ask('hello')
    expect(stage.of('DirectoryAdded')).toMatchObject([{ directory: other, source: 'slash_command' }])
    expect(stage.told(0)).toContain('a vendored tree')
    expect(await stage.agent.ask('/add-dir nowhere')).toMatchObject({ text: expect.stringContaining('is no folder') })
    expect(stage.of('DirectoryAdded')).toHaveLength(1)
  })
})
