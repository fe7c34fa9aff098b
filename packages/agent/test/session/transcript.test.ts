/** The transcript: lines that other tools read, whole after a crash, mended when something is missing. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readTranscript } from '../../src/session/resume.ts'
import { folderWith } from '../folder.ts'
import { bash, setStage } from '../stage.ts'

const allowBash = { permissions: { allow: ['Bash'] } }
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('A transcript', () => {
  test('holds one JSON object per message, each pointing to the one before', async () => {
    const stage = await setStage({ turns: [bash('echo hi'), 'done'] })
    const { agent } = await stage.open({ settings: [allowBash], sessionId: 's-1' })
    await agent.ask('hello')
    const lines = linesOf(agent.session.conversation.transcript.path)
    expect(lines.map((line) => line['type'])).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(lines[0]).toMatchObject({
      parentUuid: null,
      sessionId: 's-1',
      cwd: stage.cwd,
      isSidechain: false,
      message: { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    })
    expect(lines[1]).toMatchObject({
      message: { role: 'assistant', stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash' }], usage: { input_tokens: 100, output_tokens: 20 } },
    })
    for (let at = 1; at < lines.length; at++) expect(lines[at]?.['parentUuid']).toBe(lines[at - 1]?.['uuid'])
  })

  test('keeps what hooks said in its frame, and reads it back as such', async () => {
    const stage = await setStage({ turns: ['done'] })
    const { agent } = await stage.open()
    agent.session.scope.on('UserPromptSubmit', () => ({ context: 'CTX' }))
    await agent.ask('hello')
    const { path } = agent.session.conversation.transcript
    expect(readFileSync(path, 'utf8')).toContain('<system-reminder>\\nUserPromptSubmit')
    expect(readTranscript(path).messages[0]?.content[1]).toMatchObject({ type: 'text', reminder: true, text: expect.stringContaining('CTX') })
  })
})

describe('A transcript that two processes wrote at once', () => {
  const line = (type: string, uuid: string, parentUuid: string | null, content: unknown = uuid) =>
    JSON.stringify({ type, uuid, parentUuid, message: { content } })
  const calls = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: {} }]
  const results = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'x' }]

  test('goes on with the thread of its last message, each call beside its result, and says so', () => {
    const folder = folderWith({
      'a.jsonl': [
        line('user', 'start', null),
        line('user', 'ours', 'start'),
        line('user', 'theirs', 'start'),
        line('assistant', 'our call', 'ours', calls('c1')),
        line('assistant', 'their call', 'theirs', calls('c2')),
        line('user', 'our result', 'our call', results('c1')),
        JSON.stringify({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: 'their call' }),
        line('assistant', 'our end', 'our result'),
        '',
      ].join('\n'),
    })
    const { messages, lastId, notices } = readTranscript(`${folder}/a.jsonl`)
    expect(messages.map(({ content }) => content[0])).toMatchObject([
      { text: 'start' },
      { text: 'ours' },
      { type: 'tool_use', id: 'c1' },
      { type: 'tool_result', tool_use_id: 'c1' },
      { text: 'our end' },
    ])
    expect(lastId).toBe('our end')
    expect(notices).toEqual([expect.stringContaining('several processes')])
  })
})

describe('A transcript that a crash left', () => {
  const user = (text: string, uuid: string) => `${JSON.stringify({ type: 'user', uuid, message: { role: 'user', content: text } })}\n`

  test('loses a torn last line and nothing else; the file is whole again', () => {
    const folder = folderWith({ 'a.jsonl': `${user('one', 'u1')}{"type":"assistant","mess` })
    const stored = readTranscript(`${folder}/a.jsonl`)
    expect(stored).toMatchObject({ lastId: 'u1', messages: [{ role: 'user' }], notices: [expect.stringContaining('the last line was cut off')] })
    expect(readFileSync(`${folder}/a.jsonl`, 'utf8')).toBe(user('one', 'u1'))
  })

  test('with a line that is no JSON in the middle goes on behind it, and says so', () => {
    const folder = folderWith({ 'a.jsonl': `${user('one', 'u1')}not json\n${user('two', 'u2')}` })
    expect(readTranscript(`${folder}/a.jsonl`)).toMatchObject({ messages: [{}, {}], notices: [expect.stringContaining('a.jsonl:2')] })
  })

  test('in which numbers are none counts nothing', () => {
    const usages = [null, 'x', { input_tokens: 'many', output_tokens: null }]
    const lines = usages.map((usage, at) => JSON.stringify({ type: 'assistant', uuid: `a${at}`, message: { content: 'x', usage } }))
    const folder = folderWith({ 'a.jsonl': `${lines.join('\n')}\n` })
    expect(readTranscript(`${folder}/a.jsonl`)).toMatchObject({ tokens: 0, messages: [{}, {}, {}] })
  })

  test('that is empty is an empty conversation', () => {
    expect(readTranscript(`${folderWith({ 'a.jsonl': '' })}/a.jsonl`)).toMatchObject({ messages: [], notices: [] })
  })

  test('in the middle of a tool call tells the model that it was interrupted', async () => {
    const stage = await setStage({ turns: [bash('echo hi'), 'done', 'fine'] })
    const one = await stage.open({ settings: [allowBash], sessionId: 's-1' })
    await one.agent.ask('hello')
    await one.agent.close()
    const { path } = one.agent.session.conversation.transcript
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, 2).join('\n')}\n`)
    const two = await stage.open({ resume: { sessionId: 's-1' } })
    expect(await two.agent.ask('go on')).toMatchObject({ text: 'fine' })
    expect(stage.told(2)).toContain('Bash was interrupted')
    expect(stage.told(2)).toContain('go on')
  })

  test('with a broken line is told to the person, and the session goes on', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    const one = await stage.open({ sessionId: 's-1' })
    await one.agent.ask('hello')
    await one.agent.close()
    appendFileSync(one.agent.session.conversation.transcript.path, '{"torn')
    const two = await stage.open({ resume: { sessionId: 's-1' } })
    expect(two.events).toContainEqual(expect.objectContaining({ kind: 'notice', level: 'warning', text: expect.stringContaining('cut off') }))
    expect(await two.agent.ask('go on')).toMatchObject({ text: 'two' })
    expect(readTranscript(one.agent.session.conversation.transcript.path).notices).toEqual([])
  })
})
