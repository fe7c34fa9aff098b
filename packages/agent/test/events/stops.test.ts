/** Events of ends: of a turn, of a turn that failed, of a subagent, of a task, of a teammate's turn. */
import { describe, expect, test } from 'vitest'
import { allowBash, call, perform } from './theater.ts'

describe('Stop', () => {
  test.each([
    ['a block', (active: unknown) => (active === true ? undefined : { block: 'tests are red' })],
    ['context', (active: unknown) => (active === true ? undefined : { context: 'tests are red' })],
  ])('with %s sends the agent back with its reason, and says that it did', async (_, answer) => {
    const stage = await perform({ turns: ['first', 'second'], hooks: { Stop: ({ stop_hook_active }) => answer(stop_hook_active) } })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed', text: 'second', turns: 2 })
    expect(stage.of('Stop')).toMatchObject([
      { stop_hook_active: false, last_assistant_message: 'first', background_tasks: [] },
      { stop_hook_active: true, last_assistant_message: 'second' },
    ])
    expect(stage.said(1)).toContain('tests are red')
  })

  test('that stops ends the turn, whatever else is said', async () => {
    const stage = await perform({ turns: ['first', 'never'], hooks: { Stop: () => ({ block: 'again', stop: 'enough' }) } })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'hook_stopped', notice: 'enough' })
    expect(stage.requests).toHaveLength(1)
  })

  test('that blocks again and again is overridden after eight times', async () => {
    const stage = await perform({ turns: Array.from({ length: 12 }, () => 'again'), hooks: { Stop: () => ({ block: 'no' }) } })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'stop_block_cap', turns: 9 })
  })
})

describe('StopFailure', () => {
  test.each([
    ['rate_limit', { status: 429, errorType: 'rate_limit_error', message: 'slow down' }],
    ['overloaded', { status: 529, errorType: 'overloaded_error', message: 'busy' }],
    ['authentication_failed', { status: 401, errorType: 'authentication_error', message: 'bad key' }],
    ['billing_error', { status: 400, message: 'credit balance is too low' }],
    ['oauth_org_not_allowed', { status: 403, message: 'OAuth authentication is currently not allowed for this organization.' }],
    ['account_on_hold', { status: 400, message: 'This organization has been disabled.' }],
    ['verification_required', { status: 403, message: 'Your organization must be verified to use this model.' }],
    ['invalid_request', { status: 413, message: 'prompt is too long' }],
    ['model_not_found', { status: 404, errorType: 'not_found_error', message: 'no such model' }],
    ['server_error', { status: 500, errorType: 'api_error', message: 'oops' }],
    ['unknown', { status: 418, message: 'teapot' }],
  ] as const)('takes the place of Stop after %s', async (kind, turn) => {
    const stage = await perform({ turns: [turn], hooks: { Stop: true, StopFailure: () => ({ block: 'ignored' }) } })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'error', error: { kind } })
    expect(stage.seen).toMatchObject([{ hook_event_name: 'StopFailure', error: kind, last_assistant_message: expect.stringContaining(turn.message) }])
  })

  test('fires with max_output_tokens when the answer is cut again and again', async () => {
    const cut = { text: 'half', stopReason: 'max_tokens' }
    const stage = await perform({ turns: [cut, cut, cut, cut], hooks: { StopFailure: true } })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'error' })
    expect(stage.of('StopFailure')).toMatchObject([{ error: 'max_output_tokens' }])
  })
})

const spawn = (more: object = {}) =>
  call('Agent', { description: 'd', prompt: 'SUBPROMPT do it', subagent_type: 'general-purpose', run_in_background: false, ...more })

describe('SubagentStart', () => {
  test('fires in the subagent, and its context is the first thing that the subagent is told', async () => {
    const stage = await perform({
      turns: [spawn(), 'all done'],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: ['sub done'] }],
      flags: ['--allowedTools', 'Agent'],
      hooks: { SubagentStart: () => ({ context: 'CTX-SUB' }) },
    })
    await stage.agent.ask('hello')
    const [input] = stage.of('SubagentStart')
    expect(input).toMatchObject({ agent_type: 'general-purpose', agent_id: expect.stringMatching(/^a[0-9a-f]{16}$/) })
    expect(stage.told(1)).toMatch(/CTX-SUB[\s\S]*SUBPROMPT/)
    expect(stage.told(2)).not.toContain('CTX-SUB')
  })
})

describe('SubagentStop', () => {
  test('that blocks sends the subagent back, and its second report is the result of the call', async () => {
    const stage = await perform({
      turns: [spawn(), 'all done'],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: ['sub once', 'sub twice'] }],
      flags: ['--allowedTools', 'Agent'],
      hooks: { SubagentStop: ({ stop_hook_active }) => (stop_hook_active === true ? undefined : { block: 'not enough' }), Stop: true },
    })
    await stage.agent.ask('hello')
    expect(stage.fired()).toEqual(['SubagentStop', 'SubagentStop', 'Stop'])
    expect(stage.of('SubagentStop')[0]).toMatchObject({
      last_assistant_message: 'sub once',
      agent_transcript_path: expect.stringContaining('/subagents/agent-'),
    })
    expect(stage.said(2)).toContain('not enough')
    expect(stage.said(3)).toContain('sub twice')
    expect(stage.said(3)).not.toContain('sub once')
  })
})

const task = (subject: string) => call('TaskCreate', { subject, description: 'all of it' })

describe('TaskCreated', () => {
  test('fires by the tool; a block takes the task away and the model reads why', async () => {
    const stage = await perform({
      turns: [task('Write tests'), task('Rewrite it all'), call('TaskList', {}), 'ok'],
      flags: ['--allowedTools', 'TaskCreate TaskList'],
      hooks: { TaskCreated: ({ task_subject }) => (task_subject === 'Rewrite it all' ? { block: 'too large' } : undefined) },
    })
    await stage.agent.ask('hello')
    expect(stage.of('TaskCreated')).toMatchObject([{ task_id: '1', task_subject: 'Write tests', task_description: 'all of it' }, { task_id: '2' }])
    expect(stage.said(2)).toContain('too large')
    expect(stage.said(3)).toContain('Write tests')
    expect(stage.said(3)).not.toContain('Rewrite it all')
  })
})

describe('TaskCompleted', () => {
  test('fires by TaskUpdate; a block keeps the task open', async () => {
    const complete = call('TaskUpdate', { taskId: '1', status: 'completed' })
    let tries = 0
    const stage = await perform({
      turns: [task('Write tests'), complete, call('TaskGet', { taskId: '1' }), complete, 'ok'],
      flags: ['--allowedTools', 'TaskCreate TaskUpdate TaskGet'],
      hooks: { TaskCompleted: () => (++tries === 1 ? { block: 'tests are red' } : undefined) },
    })
    await stage.agent.ask('hello')
    expect(stage.of('TaskCompleted')).toMatchObject([{ task_id: '1', task_subject: 'Write tests' }, { task_id: '1' }])
    expect(stage.said(2)).toContain('tests are red')
    expect(stage.said(3)).toContain('pending')
    expect(await stage.agent.session.conversation.workspace.services.tasks?.get('1')).toMatchObject({ status: 'completed' })
  })

  test('fires when a teammate ends its turn with a task in progress, and sends it back', async () => {
    let tries = 0
    const stage = await perform({
      turns: [
        task('Write tests'),
        call('TaskUpdate', { taskId: '1', status: 'in_progress', owner: 'worker' }),
        spawn({ name: 'worker', run_in_background: true }),
        'waiting',
        'noted',
      ],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: ['half done', 'wholly done'] }],
      flags: ['--allowedTools', 'TaskCreate TaskUpdate Agent'],
      hooks: { TaskCompleted: () => (++tries === 1 ? { block: 'tests are red' } : undefined), TeammateIdle: true },
    })
    await stage.agent.ask('hello')
    expect(await stage.waitFor('TeammateIdle')).toMatchObject({ teammate_name: 'worker' })
    expect(stage.of('TaskCompleted')).toMatchObject([{ task_id: '1', teammate_name: 'worker' }, { task_id: '1' }])
    expect(stage.requests.some((_, at) => stage.said(at).includes('tests are red'))).toBe(true)
    expect(await stage.agent.session.conversation.workspace.services.tasks?.get('1')).toMatchObject({ status: 'completed' })
  })
})

describe('TeammateIdle', () => {
  test('fires when a teammate has nothing to do; a block gives it something, and mail wakes it', async () => {
    let times = 0
    const stage = await perform({
      turns: [spawn({ name: 'worker', run_in_background: true }), 'waiting', call('SendMessage', { to: 'worker', message: 'MAIL do more' }), 'sent'],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: ['report one', 'report two', 'report three'] }],
      settings: allowBash,
      flags: ['--allowedTools', 'Agent SendMessage'],
      hooks: { TeammateIdle: () => (++times === 1 ? { block: 'run the linter' } : undefined) },
    })
    await stage.agent.ask('hello')
    expect(await stage.waitFor('TeammateIdle', 2)).toMatchObject({ teammate_name: 'worker' })
    const ofWorker = () => stage.requests.flatMap(({ purpose }, at) => (purpose === 'subagent' ? [stage.said(at)] : []))
    expect(ofWorker()[1]).toContain('run the linter')
    expect(await stage.agent.next()).toBeDefined()
    await stage.waitFor('TeammateIdle', 3)
    expect(ofWorker()[2]).toContain('MAIL do more')
  })

  test('that stops lets the teammate go', async () => {
    const stage = await perform({
      turns: [spawn({ name: 'worker', run_in_background: true }), 'waiting'],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: ['report one', 'never'] }],
      flags: ['--allowedTools', 'Agent'],
      hooks: { TeammateIdle: () => ({ stop: 'go home' }) },
    })
    await stage.agent.ask('hello')
    await stage.waitFor('TeammateIdle')
    await stage.agent.session.background[0]?.done
    expect(stage.agent.session.background[0]?.status).toBe('completed')
  })
})
