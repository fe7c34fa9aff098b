/** Sessions over time: starting, resuming, forking, clearing, compacting, ending, with the events of each. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AgentError } from '../../src/session/handle.ts'
import { bash, recorder, setStage } from '../stage.ts'

const allowBash = { permissions: { allow: ['Bash'] } }

describe('A session', () => {
  test('goes on where it ended: the model is told all of it again, injected context too', async () => {
    const stage = await setStage({ turns: [bash('echo hi'), 'first', 'second'] })
    const one = await stage.open({ settings: [allowBash], sessionId: 's-1' })
    one.agent.session.scope.on({ SessionStart: [() => ({ context: 'CTX-START' })], PostToolUse: [() => ({ context: 'CTX-POST' })] })
    await one.agent.ask('hello')
    await one.agent.close()
    const two = await stage.open({ resume: { sessionId: 's-1' } })
    const { seen, hooks } = recorder('SessionStart')
    two.agent.session.scope.on(hooks)
    expect(await two.agent.ask('again')).toMatchObject({ text: 'second' })
    expect(seen[0]).toMatchObject({ source: 'resume', session_id: 's-1', seconds_since_last_response: expect.any(Number), context_tokens: 120 })
    const told = stage.told(2)
    for (const text of ['CTX-START', 'hello', 'CTX-POST', 'first', 'again']) expect(told).toContain(text)
    expect(told.match(/<system-reminder>\nSessionStart/g)).toHaveLength(1)
  })

  test.each([
    ['by its id', { sessionId: 's-1' } as const],
    ['as the last one of its folder', { last: true } as const],
  ])('is found %s', async (_, resume) => {
    const stage = await setStage({ turns: ['first', 'second'] })
    const one = await stage.open({ sessionId: 's-1' })
    await one.agent.ask('hello')
    await one.agent.close()
    const two = await stage.open({ resume })
    await two.agent.ask('again')
    expect(two.agent.session.sessionId).toBe('s-1')
    expect(two.agent.session.conversation.messages).toHaveLength(4)
  })

  test('that is not there is a mistake that says where was looked', async () => {
    const stage = await setStage({ turns: [] })
    await expect(stage.open({ resume: { sessionId: 'nope' } })).rejects.toThrow(AgentError)
    await expect(stage.open({ resume: { last: true } })).rejects.toThrow('There is no session to go on with')
    await expect(stage.open({ resume: { sessionId: '../../etc/passwd' } })).rejects.toThrow('No conversation found')
  })

  test('is forked under a new id, and the old one stays as it is', async () => {
    const stage = await setStage({ turns: ['first', 'second'] })
    const one = await stage.open({ sessionId: 's-1' })
    await one.agent.ask('hello')
    await one.agent.close()
    const old = readFileSync(one.agent.session.conversation.transcript.path, 'utf8')
    const two = await stage.open({ resume: { sessionId: 's-1', fork: true } })
    const { seen, hooks } = recorder('SessionStart')
    two.agent.session.scope.on(hooks)
    await two.agent.ask('again')
    expect(seen[0]).toMatchObject({ source: 'fork' })
    expect(two.agent.session.sessionId).not.toBe('s-1')
    expect(stage.told(1)).toContain('hello')
    expect(readFileSync(one.agent.session.conversation.transcript.path, 'utf8')).toBe(old)
    const copy = readFileSync(two.agent.session.conversation.transcript.path, 'utf8')
    expect(copy).toContain('"hello"')
    expect(copy).not.toContain('"s-1"')
  })

  test('that is cleared ends and begins anew, under another id', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    const { agent } = await stage.open({ sessionId: 's-1' })
    const { seen, fired, hooks } = recorder('SessionStart', 'SessionEnd', 'UserPromptSubmit')
    agent.session.hookline.on(hooks)
    await agent.ask('hello')
    expect(await agent.ask('/clear')).toMatchObject({ reason: 'local', text: '' })
    await agent.ask('again')
    await agent.close()
    expect(fired()).toEqual(['SessionStart', 'UserPromptSubmit', 'SessionEnd', 'SessionStart', 'UserPromptSubmit', 'SessionEnd'])
    expect(seen.map((input) => input['source'] ?? input['reason'])).toEqual(['startup', undefined, 'clear', 'clear', undefined, 'other'])
    expect(seen[0]?.['session_id']).toBe('s-1')
    expect(seen[3]?.['session_id']).not.toBe('s-1')
    expect(seen[3]?.['session_id']).toBe(seen[4]?.['session_id'])
    expect(stage.told(1)).not.toContain('hello')
  })

  test('that a hook of SessionStart stops asks no model', async () => {
    const stage = await setStage({ turns: ['never'] })
    const { agent } = await stage.open()
    agent.session.scope.on('SessionStart', () => ({ stop: 'closed for today' }))
    expect(await agent.ask('hello')).toMatchObject({ reason: 'hook_stopped', notice: 'closed for today' })
    expect(stage.requests).toHaveLength(0)
  })

  test('begins with the message that a hook of SessionStart gives', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    const { agent } = await stage.open()
    agent.session.scope.on('SessionStart', () => ({ initialUserMessage: 'read the plan first' }))
    await agent.start()
    expect(await agent.next()).toMatchObject({ text: 'one' })
    expect(stage.said(0)).toContain('read the plan first')
    expect(await agent.next()).toBeUndefined()
  })

  test('is set up on request only', async () => {
    const stage = await setStage({ turns: ['one'] })
    const { agent } = await stage.open()
    const { seen, hooks } = recorder('Setup')
    agent.session.scope.on(hooks)
    await agent.session.setUp('maintenance')
    expect(seen).toMatchObject([{ trigger: 'maintenance' }])
  })

  test('tells of a folder that a command adds, and what its hooks say reaches the model', async () => {
    const stage = await setStage({ turns: ['one'] })
    const { agent } = await stage.open()
    const { seen, hooks } = recorder('DirectoryAdded')
    agent.session.scope.on(hooks)
    agent.session.scope.on('DirectoryAdded', () => ({ message: 'a vendored tree' }))
    agent.session.addFolder('/opt', 'slash_command')
    await agent.ask('hello')
    expect(seen).toMatchObject([{ directory: '/opt', source: 'slash_command' }])
    expect(stage.told(0)).toContain('a vendored tree')
    expect(agent.session.folders).toEqual(['/opt'])
  })
})

describe('Compaction', () => {
  const summary = '<summary>We talked about hello.</summary>'
  const routes = [{ name: 'compact', when: { last: 'create a detailed summary' }, turns: [summary] }]

  test('on request: its events in order, a summary in the place of what was said', async () => {
    const stage = await setStage({ turns: ['one', 'two'], routes })
    const { agent } = await stage.open()
    await agent.ask('a long story')
    const { seen, fired, hooks } = recorder('PreCompact', 'SubagentStop', 'SessionStart', 'PostCompact')
    agent.session.scope.on(hooks)
    agent.session.scope.on('SessionStart', () => ({ context: 'CTX-COMPACT' }))
    expect(await agent.ask('/compact keep numbers')).toMatchObject({ reason: 'local' })
    expect(fired()).toEqual(['PreCompact', 'SubagentStop', 'SessionStart', 'PostCompact'])
    expect(seen).toMatchObject([
      { trigger: 'manual', custom_instructions: 'keep numbers' },
      { agent_type: '', last_assistant_message: summary },
      { source: 'compact', model: expect.any(String) },
      { trigger: 'manual', compact_summary: summary },
    ])
    expect(existsSync(String(seen[1]?.['agent_transcript_path']))).toBe(true)
    expect(stage.said(1)).toContain('Additional Instructions:\nkeep numbers')
    await agent.ask('go on')
    const told = stage.told(2)
    expect(told).toContain('We talked about hello.')
    expect(told).toContain('CTX-COMPACT')
    expect(told).not.toContain('a long story')
  })

  test('is refused by a hook, and the conversation stays', async () => {
    const stage = await setStage({ turns: ['one', 'two'], routes })
    const { agent } = await stage.open()
    await agent.ask('a long story')
    agent.session.scope.on('PreCompact', () => ({ block: 'not now' }))
    expect((await agent.ask('/compact')).text).toContain('not now')
    await agent.ask('go on')
    expect(stage.told(1)).toContain('a long story')
  })

  test('comes by itself when the conversation is near the limit of the model', async () => {
    const stage = await setStage({ turns: [{ blocks: [{ text: 'one' }], inputTokens: 9_000 }, 'two'], routes })
    const { agent, events } = await stage.open({ contextWindow: 10_000 })
    const { seen, hooks } = recorder('PreCompact')
    agent.session.scope.on(hooks)
    await agent.ask('a long story')
    await agent.ask('go on')
    expect(seen).toMatchObject([{ trigger: 'auto', custom_instructions: null }])
    expect(events).toContainEqual({ kind: 'compacted', trigger: 'auto', tokensBefore: 9_020 })
    expect(stage.requests.map((request) => request.route)).toEqual(['main', 'compact', 'main'])
    expect(stage.said(2)).toContain('go on')
  })

  test('stands in the transcript: a resumed session starts from the summary', async () => {
    const stage = await setStage({ turns: ['one', 'two'], routes })
    const one = await stage.open({ sessionId: 's-1' })
    await one.agent.ask('a long story')
    await one.agent.ask('/compact')
    await one.agent.close()
    const two = await stage.open({ resume: { sessionId: 's-1' } })
    await two.agent.ask('go on')
    expect(stage.told(2)).toContain('We talked about hello.')
    expect(stage.told(2)).not.toContain('a long story')
  })
})
