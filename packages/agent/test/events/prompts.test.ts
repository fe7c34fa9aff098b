/** Events around what is said: prompts, slash commands and their shell lines, instructions, and the answers of the model. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, perform } from './theater.ts'

describe('UserPromptSubmit', () => {
  test.each([
    ['block', { block: 'not on Friday' }, 'not on Friday\n\nOriginal prompt: deploy'],
    ['stop', { stop: 'not on Friday' }, 'not on Friday\n\nOriginal prompt: deploy'],
    ['a block that hides the prompt', { block: 'a secret', suppressOriginalPrompt: true }, 'a secret'],
  ])('that says %s keeps the prompt from the model', async (_, answer, notice) => {
    const stage = await perform({ turns: ['never'], hooks: { UserPromptSubmit: () => answer } })
    expect(await stage.agent.ask('deploy')).toMatchObject({ reason: 'blocked', notice: `UserPromptSubmit operation blocked by hook:\n${notice}` })
    expect(stage.requests).toHaveLength(0)
    expect(stage.agent.session.conversation.messages).toHaveLength(0)
  })

  test('adds context behind the prompt, and a title', async () => {
    const stage = await perform({ turns: ['ok'], hooks: { UserPromptSubmit: () => ({ context: 'CTX-PROMPT', sessionTitle: 'a title' }) } })
    await stage.agent.ask('hello')
    expect(stage.of('UserPromptSubmit')).toMatchObject([{ prompt: 'hello', permission_mode: 'default', prompt_id: expect.any(String) }])
    expect(stage.told(0)).toMatch(/hello[\s\S]*CTX-PROMPT/)
    expect(readFileSync(stage.agent.session.conversation.transcript.path, 'utf8')).toContain('"customTitle":"a title"')
  })
})

const files = { '.claude/commands/ship.md': '---\ndescription: ships\nallowed-tools: Bash(echo *)\n---\nShip $ARGUMENTS: !`echo from-the-shell`' }

describe('UserPromptExpansion', () => {
  test('fires when a command is typed, with its name, arguments and source; its context goes with the text', async () => {
    const stage = await perform({ turns: ['ok'], files, hooks: { UserPromptExpansion: () => ({ context: 'CTX-EXPANSION' }), UserPromptSubmit: true } })
    await stage.agent.ask('/ship it')
    expect(stage.fired()).toEqual(['UserPromptExpansion', 'UserPromptSubmit'])
    expect(stage.of('UserPromptExpansion')).toMatchObject([
      { expansion_type: 'slash_command', command_name: 'ship', command_args: 'it', command_source: 'projectSettings', prompt: '/ship it' },
    ])
    expect(stage.told(0)).toContain('Ship it: from-the-shell')
    expect(stage.told(0)).toContain('CTX-EXPANSION')
  })

  test.each([
    ['block', { block: 'frozen' }, true],
    ['stop', { stop: 'frozen' }, true],
    ['a block that hides the prompt', { block: 'frozen', suppressOriginalPrompt: true }, false],
  ])('that says %s keeps the command from the model, and from the shell', async (_, answer, shows) => {
    const stage = await perform({ turns: ['never'], files, hooks: { UserPromptExpansion: () => answer, PreSkillShellCommand: true } })
    const { reason, notice } = await stage.agent.ask('/ship it')
    expect(reason).toBe('blocked')
    expect(notice).toContain('frozen')
    expect(notice?.includes('/ship it')).toBe(shows)
    expect(stage.fired()).toEqual(['UserPromptExpansion'])
    expect(stage.requests).toHaveLength(0)
  })
})

describe('PreSkillShellCommand', () => {
  test.each([
    ['deny', { permission: 'deny', reason: 'no shell' }],
    ['block', { block: 'no shell' }],
  ])('that says %s keeps the command from running, and its text from the model', async (_, answer) => {
    const own = { '.claude/commands/ship.md': files['.claude/commands/ship.md'].replace('echo from-the-shell', 'echo x > made') }
    const stage = await perform({ turns: ['never'], files: own, hooks: { PreSkillShellCommand: () => answer } })
    expect(await stage.agent.ask('/ship it')).toMatchObject({ reason: 'blocked', notice: expect.stringContaining('no shell') })
    expect(stage.of('PreSkillShellCommand')).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'echo x > made' }, command_name: 'ship', command_source: 'projectSettings', invoked_by: 'user' },
    ])
    expect(existsSync(join(stage.cwd, 'made'))).toBe(false)
    expect(stage.requests).toHaveLength(0)
  })

  test('fires too when the model invokes the skill, and says by whom', async () => {
    const stage = await perform({
      turns: [call('Skill', { skill: 'ship', args: 'now' }), 'ok'],
      files,
      flags: ['--allowedTools', 'Skill'],
      hooks: { PreSkillShellCommand: () => ({ permission: 'deny', reason: 'no shell' }) },
    })
    await stage.agent.ask('ship it')
    expect(stage.of('PreSkillShellCommand')).toMatchObject([{ invoked_by: 'claude' }])
    expect(stage.said(1)).toContain('no shell')
    expect(stage.said(1)).not.toContain('from-the-shell')
  })
})

describe('InstructionsLoaded', () => {
  test('fires for each file with the reason that brought it in, and the model is told its text', async () => {
    const stage = await perform({
      turns: [call('Read', { file_path: 'sub/a.ts' }), 'ok', 'two'],
      routes: [{ name: 'compact', when: { last: 'detailed summary' }, turns: ['<summary>SHORT</summary>'] }],
      files: {
        'CLAUDE.md': 'TOP-TEXT\n@more.md',
        'more.md': 'IMPORTED-TEXT',
        'CLAUDE.local.md': 'LOCAL-TEXT',
        'sub/CLAUDE.md': 'NESTED-TEXT',
        'sub/a.ts': 'code',
        '.claude/rules/ts.md': '---\npaths: "**/*.ts"\n---\nRULE-TEXT',
      },
      homeFiles: { '.claude/CLAUDE.md': 'USER-TEXT' },
      hooks: { InstructionsLoaded: true },
    })
    await stage.agent.ask('hello')
    await stage.waitFor('InstructionsLoaded', 6)
    const facts = () =>
      stage
        .of('InstructionsLoaded')
        .map(({ file_path, load_reason, memory_type }) => [String(file_path).split('/').slice(-2).join('/'), load_reason, memory_type])
    const project = stage.cwd.split('/').at(-1)
    expect(facts()).toEqual([
      ['.claude/CLAUDE.md', 'session_start', 'User'],
      [`${project}/CLAUDE.md`, 'session_start', 'Project'],
      [`${project}/more.md`, 'include', 'Project'],
      [`${project}/CLAUDE.local.md`, 'session_start', 'Local'],
      ['sub/CLAUDE.md', 'nested_traversal', 'Project'],
      ['rules/ts.md', 'path_glob_match', 'Project'],
    ])
    expect(stage.of('InstructionsLoaded')[2]).toMatchObject({ parent_file_path: join(stage.cwd, 'CLAUDE.md') })
    expect(stage.of('InstructionsLoaded')[5]).toMatchObject({ globs: ['**/*.ts'], trigger_file_path: join(stage.cwd, 'sub/a.ts') })
    for (const text of ['USER-TEXT', 'TOP-TEXT', 'IMPORTED-TEXT', 'LOCAL-TEXT']) expect(stage.told(0)).toContain(text)
    for (const text of ['NESTED-TEXT', 'RULE-TEXT']) {
      expect(stage.told(0)).not.toContain(text)
      expect(stage.told(1)).toContain(text)
    }
    await stage.agent.ask('/compact')
    await stage.waitFor('InstructionsLoaded', 8)
    expect(facts()[6]).toEqual(['.claude/CLAUDE.md', 'compact', 'User'])
    await stage.agent.ask('go on')
    expect(stage.said(3)).toContain('TOP-TEXT')
  })
})

describe('MessageDisplay', () => {
  test('fires for the text of an answer; the person sees what the hook put there, the model keeps its own words', async () => {
    const stage = await perform({
      turns: ['the answer is 42', 'two'],
      hooks: { MessageDisplay: ({ delta }) => ({ displayContent: String(delta).replace('42', '**') }) },
    })
    expect(await stage.agent.ask('hello')).toMatchObject({ text: 'the answer is 42' })
    expect(stage.of('MessageDisplay')).toMatchObject([{ delta: 'the answer is 42', final: true, index: 0 }])
    expect(stage.events.flatMap((event) => (event.kind === 'message' && event.message.role === 'assistant' ? [event.display] : []))).toEqual([
      'the answer is **',
    ])
    await stage.agent.ask('again')
    expect(stage.told(1)).toContain('the answer is 42')
  })

  const text = 'one\ntwo\n\nthree\nfour'

  test('fires for batches of finished lines where text is shown as it comes; nobody sees a line before its hook has answered', async () => {
    const stage = await perform({
      turns: [[{ text }, ...call('Glob', { pattern: '*' })], 'done'],
      options: { display: 'lines' },
      hooks: {
        MessageDisplay: async ({ delta }) => {
          await new Promise((done) => setTimeout(done, 30))
          return { displayContent: String(delta).replaceAll('o', '0') }
        },
      },
    })
    await stage.agent.ask('hello')
    const seen = stage.of('MessageDisplay')
    const first = seen.filter(({ message_id }) => message_id === seen[0]?.['message_id'])
    expect(first.map(({ delta }) => delta).join('')).toBe(text)
    expect(first.map(({ index }) => index)).toEqual(first.map((_, at) => at))
    expect(first.map(({ final }) => final)).toEqual([...first.slice(1).map(() => false), true])
    for (const { delta } of first.slice(0, -1)) expect(delta).toMatch(/\n$/)
    expect(first.length).toBeGreaterThan(1)
    expect(seen.slice(first.length)).toMatchObject([{ delta: 'done', index: 0, final: true, turn_id: seen[0]?.['turn_id'] }])
    const shown = stage.events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('')
    expect(shown).toBe(`${text}done`.replaceAll('o', '0'))
    // The model keeps its own words.
    expect(stage.told(1)).toContain(text)
  })

  test('that fails leaves the text as it is, and a text that is only shown whole is one batch', async () => {
    const stage = await perform({
      turns: [text],
      hooks: {
        MessageDisplay: () => {
          throw new Error('broken')
        },
      },
    })
    await stage.agent.ask('hello')
    expect(stage.of('MessageDisplay')).toMatchObject([{ delta: text, index: 0, final: true }])
    expect(stage.events.flatMap((event) => (event.kind === 'message' && event.message.role === 'assistant' ? [event.display] : []))).toEqual([undefined])
  })
})

describe('PostSampling', () => {
  test('fires after every answer of the model; one that throws is told, and nothing is interrupted', async () => {
    const stage = await perform({
      turns: [call('Glob', { pattern: '*' }), 'done'],
      hooks: {
        PostSampling: () => {
          throw new Error('broken sampler')
        },
      },
    })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed', text: 'done' })
    expect(stage.of('PostSampling')).toHaveLength(2)
    expect(stage.notices().join('\n')).toContain('broken sampler')
  })
})
