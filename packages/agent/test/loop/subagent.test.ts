/** Subagents: their events and ids, their own tools, hooks and transcript, in front and in the background. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readAgentsJson } from '../../src/agents/find.ts'
import { bash, recorder, setStage } from '../stage.ts'

const allowBash = { permissions: { allow: ['Bash'] } }
const agentCall = (more: object = {}) => [
  { tool: 'Agent', input: { description: 'd', prompt: 'SUBPROMPT do it', subagent_type: 'general-purpose', run_in_background: false, ...more } },
]
const sub = (...turns: Parameters<typeof setStage>[0]['turns']) => [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns }]

describe('A subagent', () => {
  test('fires its events with its id and type, and its report is the result of the call', async () => {
    const stage = await setStage({ turns: [agentCall(), 'all done'], routes: sub(bash('echo in-sub'), 'sub done') })
    const { agent, events } = await stage.open({ settings: [allowBash] })
    const { seen, fired, hooks } = recorder('PreToolUse', 'SubagentStart', 'PostToolUse', 'PostToolBatch', 'SubagentStop', 'Stop', 'UserPromptSubmit')
    agent.session.scope.on(hooks)
    expect(await agent.ask('hello')).toMatchObject({ text: 'all done' })
    expect(fired()).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
      'SubagentStart',
      'PreToolUse',
      'PostToolUse',
      'PostToolBatch',
      'SubagentStop',
      'PostToolUse',
      'PostToolBatch',
      'Stop',
    ])
    const id = seen[2]?.['agent_id']
    expect(id).toMatch(/^a[0-9a-f]{16}$/)
    for (const at of [2, 3, 4, 5, 6]) expect(seen[at]).toMatchObject({ agent_id: id, agent_type: 'general-purpose', session_id: agent.session.sessionId })
    expect(seen[7]).not.toHaveProperty('agent_id')
    expect(seen[6]).toMatchObject({
      stop_hook_active: false,
      last_assistant_message: 'sub done',
      background_tasks: [],
      agent_transcript_path: expect.stringMatching(/\/subagents\/agent-a[0-9a-f]{16}\.jsonl$/),
    })
    expect(seen[7]).toMatchObject({
      tool_response: {
        status: 'completed',
        agentId: id,
        agentType: 'general-purpose',
        prompt: 'SUBPROMPT do it',
        content: [{ type: 'text', text: 'sub done' }],
        totalToolUseCount: 1,
        toolStats: { bashCount: 1 },
        canContinueAgent: true,
      },
    })
    expect(seen[8]).toMatchObject({ tool_calls: [{ tool_response: [{ type: 'text', text: 'sub done' }] }] })
    const own = readFileSync(String(seen[6]?.['agent_transcript_path']), 'utf8')
    expect(own).toContain('SUBPROMPT')
    expect(own).toContain('"isSidechain":true')
    expect(readFileSync(agent.session.conversation.transcript.path, 'utf8')).not.toContain('echo in-sub')
    expect(events.map((event) => event.kind)).toEqual(expect.arrayContaining(['subagent-start', 'subagent-end']))
  })

  test('is told what hooks of SubagentStart say, at its head and nowhere else', async () => {
    const stage = await setStage({ turns: [agentCall(), 'all done'], routes: sub('sub done') })
    const { agent } = await stage.open()
    agent.session.scope.on('SubagentStart', () => ({ context: 'CTX-SUB' }))
    await agent.ask('hello')
    expect(stage.told(1)).toMatch(/CTX-SUB[\s\S]*SUBPROMPT/)
    expect(stage.told(2)).not.toContain('CTX-SUB')
  })

  test('is sent back by SubagentStop, and capped like the main agent', async () => {
    const stage = await setStage({ turns: [agentCall(), 'all done'], routes: sub('sub one', 'sub two') })
    const { agent } = await stage.open()
    const active: unknown[] = []
    agent.session.scope.on('SubagentStop', (input) => {
      active.push(input.stop_hook_active)
      return { block: 'name the file' }
    })
    await agent.ask('hello')
    expect(active).toEqual([false, ...Array.from({ length: 8 }, () => true)])
    expect(stage.said(2)).toContain('name the file')
  })

  test('of an unknown type is an error of the call that names the types there are', async () => {
    const stage = await setStage({ turns: [agentCall({ subagent_type: 'nope' }), 'ok'] })
    const { agent } = await stage.open()
    await agent.ask('hello')
    expect(stage.said(1)).toContain("Agent type 'nope' not found. Available agents: general-purpose, Explore, Plan")
  })

  test('has the tools of its type, and no Agent of its own', async () => {
    const stage = await setStage({
      turns: [agentCall({ subagent_type: 'rev' }), 'ok'],
      routes: sub('sub done'),
      files: { '.claude/agents/rev.md': '---\nname: rev\ndescription: reviews\ntools: Bash, Read\nmodel: haiku\n---\nYou are rev.\n' },
    })
    const { agent } = await stage.open()
    await agent.ask('hello')
    const body = stage.requests[1]?.body
    expect(body?.tools?.map((tool) => tool.name)).toEqual(['Bash', 'Read'])
    expect(JSON.stringify(body?.system)).toContain('You are rev.')
    expect(body?.model).toContain('haiku')
    expect(JSON.stringify(stage.requests[0]?.body.system)).toContain('- rev: reviews (Tools: Bash, Read)')
  })

  test('has the hooks of its own file while it runs; its Stop is SubagentStop', async () => {
    const stage = await setStage({
      turns: [agentCall({ subagent_type: 'rev' }), bash('echo main'), 'ok'],
      routes: sub(bash('echo in-sub'), 'sub done'),
      files: {
        '.claude/agents/rev.md':
          '---\nname: rev\ndescription: reviews\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: cat >> pre.txt\n  Stop:\n    - hooks:\n        - type: command\n          command: cat >> stop.txt\n---\nYou are rev.\n',
      },
    })
    const { agent } = await stage.open({ settings: [allowBash] })
    await agent.ask('hello')
    const pre = readFileSync(`${stage.cwd}/pre.txt`, 'utf8')
    expect(pre).toContain('echo in-sub')
    expect(pre).not.toContain('echo main')
    expect(readFileSync(`${stage.cwd}/stop.txt`, 'utf8')).toContain('"hook_event_name":"SubagentStop"')
  })

  test('that the model service fails for is an error of the call; the main agent goes on', async () => {
    const stage = await setStage({ turns: [agentCall(), 'ok'], routes: sub({ status: 400, errorType: 'invalid_request_error', message: 'bad' }) })
    const { agent } = await stage.open()
    const { fired, hooks } = recorder('StopFailure', 'Stop', 'PostToolUseFailure')
    agent.session.scope.on(hooks)
    expect(await agent.ask('hello')).toMatchObject({ text: 'ok' })
    expect(fired()).toEqual(['PostToolUseFailure', 'Stop'])
  })

  test('that an isolation is asked for without worktrees says so', async () => {
    const stage = await setStage({ turns: [agentCall({ isolation: 'worktree' }), 'ok'] })
    const { agent } = await stage.open()
    await agent.ask('hello')
    expect(stage.said(1)).toContain('cannot be isolated here')
  })

  test('in a folder of its own works there, and leaves it at the end', async () => {
    const stage = await setStage({ turns: [agentCall({ isolation: 'worktree' }), 'ok'], routes: sub(bash('pwd'), 'sub done'), files: { 'other/x': '' } })
    const left: string[] = []
    const isolate = async ({ name }: { name: string }) => ({ path: `${stage.cwd}/other`, leave: async () => void left.push(name) })
    const { agent } = await stage.open({ settings: [allowBash], services: { isolate } })
    await agent.ask('hello')
    expect(stage.said(2)).toContain(`${stage.cwd}/other`)
    expect(left).toEqual([expect.stringMatching(/^agent-a[0-9a-f]{16}$/)])
  })
})

describe('A finished subagent', () => {
  test('goes on with a message, knowing what it said before; its report comes through the inbox', async () => {
    const stage = await setStage({ turns: [agentCall(), 'all done', 'noted'], routes: sub('sub one', 'sub two') })
    const { agent } = await stage.open()
    const { seen, hooks } = recorder('SubagentStart')
    agent.session.scope.on(hooks)
    await agent.ask('hello')
    const id = String(seen[0]?.['agent_id'])
    expect(agent.session.continueAgent(id, 'and now the tests')).toBe(true)
    expect(await agent.settled()).toBe(true)
    expect(await agent.next()).toMatchObject({ text: 'noted' })
    expect(seen).toMatchObject([{ agent_id: id }, { agent_id: id }])
    expect(stage.told(3)).toMatch(/SUBPROMPT[\s\S]*sub one[\s\S]*and now the tests/)
    expect(stage.said(4)).toContain('sub two')
    expect(agent.session.continueAgent('nobody', 'x')).toBe(false)
  })
})

describe('The mode of a subagent type', () => {
  const write = [{ tool: 'Write', input: { file_path: 'w.txt', content: 'x' } }]
  test.each([
    ['that a file of the folder brings may be stricter', 'plan', 'acceptEdits', false],
    ['that a file of the folder brings may not be looser', 'bypassPermissions', 'default', false],
  ] as const)('%s', async (_, own, session, written) => {
    const stage = await setStage({
      turns: [agentCall({ subagent_type: 'rev' }), 'ok'],
      routes: sub(write, 'sub done'),
      files: { '.claude/agents/rev.md': `---\nname: rev\ndescription: d\npermissionMode: ${own}\n---\nYou are rev.\n` },
    })
    const { agent } = await stage.open({ mode: session })
    await agent.ask('hello')
    expect(existsSync(`${stage.cwd}/w.txt`)).toBe(written)
  })

  test('that the host gives holds as it is', async () => {
    const stage = await setStage({ turns: [agentCall({ subagent_type: 'rev' }), 'ok'], routes: sub(write, 'sub done') })
    const { agent } = await stage.open({ agents: [{ name: 'rev', description: 'd', prompt: 'p', mode: 'acceptEdits' }] })
    await agent.ask('hello')
    expect(existsSync(`${stage.cwd}/w.txt`)).toBe(true)
  })
})

describe('A subagent in the background', () => {
  test('is listed while it runs, and its report starts a turn of its own', async () => {
    const stage = await setStage({
      turns: [agentCall({ run_in_background: true }), 'all done', 'noted'],
      routes: sub({ blocks: [{ text: 'sub done' }], delayMs: 400 }),
    })
    const { agent } = await stage.open()
    const { seen, fired, hooks } = recorder('Stop', 'SubagentStop', 'UserPromptSubmit', 'PostToolUse')
    agent.session.scope.on(hooks)
    expect(await agent.ask('hello')).toMatchObject({ text: 'all done' })
    expect(seen.find((input) => input['hook_event_name'] === 'PostToolUse')).toMatchObject({
      tool_response: { isAsync: true, status: 'async_launched', description: 'd', canContinueAgent: true },
    })
    expect(seen.find((input) => input['hook_event_name'] === 'Stop')).toMatchObject({
      background_tasks: [{ type: 'subagent', status: 'running', description: 'd', agent_type: 'general-purpose' }],
    })
    expect(await agent.settled()).toBe(true)
    expect(await agent.next()).toMatchObject({ text: 'noted' })
    expect(fired().slice(-3)).toEqual(['SubagentStop', 'UserPromptSubmit', 'Stop'])
    expect(stage.said(3)).toContain('<task-notification>')
    expect(stage.said(3)).toContain('sub done')
    const task = agent.session.background[0]
    expect(task?.status).toBe('completed')
    expect(existsSync(task?.outputFile ?? '')).toBe(true)
    expect(await agent.settled()).toBe(false)
  })

  test('ends with the session', async () => {
    const stage = await setStage({ turns: [agentCall({ run_in_background: true }), 'all done'], routes: sub({ hang: true }) })
    const { agent } = await stage.open()
    await agent.ask('hello')
    await agent.close()
    await agent.session.background[0]?.done
    expect(agent.session.background[0]?.status).toBe('killed')
  })
})

describe('Agent types', () => {
  test.each([
    ['no JSON', '{', 'it is no JSON'],
    ['no prompt', '{"a":{"description":"d"}}', 'a.prompt'],
    ['a wrong mode', '{"a":{"prompt":"p","permissionMode":"yolo"}}', 'a.permissionMode'],
  ])('given as JSON with %s say what is wrong', (_, text, part) => {
    expect(readAgentsJson(text)).toContain(part)
  })

  test('given as JSON may bring hooks', async () => {
    const types = readAgentsJson(
      '{"rev":{"description":"d","prompt":"p","tools":["Bash"],"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cat > stop.txt"}]}]}}}',
    )
    if (typeof types === 'string') throw new Error(types)
    const stage = await setStage({ turns: [agentCall({ subagent_type: 'rev' }), 'ok'], routes: sub('sub done') })
    const { agent } = await stage.open({ agents: types })
    await agent.ask('hello')
    expect(readFileSync(`${stage.cwd}/stop.txt`, 'utf8')).toContain('SubagentStop')
  })

  test('in a broken file are left out, and the person is told; the others are there', async () => {
    const stage = await setStage({
      turns: ['ok'],
      files: {
        '.claude/agents/bad.md': '---\nname: [\n---\nx',
        '.claude/agents/good.md': '---\ndescription: d\n---\nx',
        '.claude/agents/none.md': 'no front matter',
      },
    })
    const { agent, events } = await stage.open()
    expect([...agent.session.agents.keys()]).toContain('good')
    expect(events.filter((event) => event.kind === 'notice').map((event) => event.text)).toEqual([
      expect.stringContaining('bad.md'),
      expect.stringContaining('none.md'),
    ])
  })

  test('are what the main agent itself can be started as', async () => {
    const stage = await setStage({ turns: ['ok'], files: { '.claude/agents/rev.md': '---\nname: rev\ndescription: d\ntools: Read\n---\nYou are rev.' } })
    const { agent } = await stage.open({ agent: 'rev' })
    const { seen, hooks } = recorder('SessionStart', 'Stop')
    agent.session.scope.on(hooks)
    await agent.ask('hello')
    expect(JSON.stringify(stage.requests[0]?.body.system)).toContain('You are rev.')
    expect(stage.requests[0]?.body.tools?.map((tool) => tool.name)).toEqual(['Read'])
    expect(seen).toMatchObject([{ agent_type: 'rev' }, { agent_type: 'rev' }])
    await expect(stage.open({ agent: 'nope' })).rejects.toThrow('There is no agent "nope"')
  })
})
