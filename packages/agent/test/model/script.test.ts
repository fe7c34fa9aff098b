/** `script:FILE`: recorded turns, their routes and errors, and the label that says what it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createAgentModel } from '../../src/model/choose.ts'
import type { AgentModel, ModelEvent, ModelRequest } from '../../src/model/port.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-script-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function play(content: unknown): AgentModel {
  writeFileSync(join(folder, 'demo.json'), typeof content === 'string' ? content : JSON.stringify(content))
  return createAgentModel({ env: {}, model: 'script:demo.json', cwd: folder })
}

const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'main',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  ...more,
})

async function all(model: AgentModel, request = asking('hello'), signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal })) events.push(event)
  return events
}

const said = (events: ModelEvent[]) =>
  events.map((it) => (it.kind === 'text' ? it.text : it.kind === 'tool' ? `${it.name}${JSON.stringify(it.input)}` : '')).join('')

describe('a script', () => {
  it('says that it is no model', () => {
    const model = play({ modelTurns: [] })
    expect([model.name, model.label, model.named('opus')]).toEqual(['script', 'script demo.json (not a model)', model])
  })

  it('plays its turns in order, then says that it is at its end', async () => {
    const model = play({
      modelTurns: [
        'one two',
        [{ text: 'I run.' }, { tool: 'Bash', input: { command: 'ls ${CWD}' } }],
        { blocks: [{ text: 'cut' }], stopReason: 'max_tokens', inputTokens: 190_000 },
      ],
    })
    const [first, second, third, fourth] = [await all(model), await all(model), await all(model), await all(model)]
    expect([first, second, third, fourth].map(said)).toEqual(['one two', `I run.Bash{"command":"ls ${folder}"}`, 'cut', 'END-OF-SCRIPT'])
    expect(second.find((it) => it.kind === 'tool')).toMatchObject({ id: 'toolu_script_0001' })
    expect([first, second, third].map((it) => it.at(-1))).toMatchObject([
      { kind: 'end', finish: 'stop', stopReason: 'end_turn', model: 'script' },
      { kind: 'end', finish: 'tool-calls', stopReason: 'tool_use' },
      { kind: 'end', finish: 'length', stopReason: 'max_tokens', usage: { input: 190_000 } },
    ])
  })

  it('answers other conversations by their routes, each with a place of its own', async () => {
    const model = play({
      modelTurns: ['main'],
      routes: [
        { name: 'sub', when: { first: 'SUB.*it' }, turns: ['sub 1', 'sub 2'] },
        { name: 'judge', when: { last: 'JUDGE', tools: 'none' }, turns: ['{"ok":true}'], repeatLast: true },
      ],
    })
    expect(said(await all(model, asking('SUB\ndo it')))).toBe('sub 1')
    expect(said(await all(model))).toBe('main')
    expect(said(await all(model, asking('SUB\ndo it')))).toBe('sub 2')
    expect(said(await all(model, asking('SUB\ndo it')))).toBe('sub 2')
    expect(said(await all(model, asking('please JUDGE')))).toBe('{"ok":true}')
    expect(said(await all(model, asking('please JUDGE', { tools: [{ name: 'T', description: '', inputSchema: {} }] })))).toBe('END-OF-SCRIPT')
    expect(said(await all(model, asking('long', { purpose: 'compact' })))).toBe('<summary>SUMMARY</summary>')
  })

  it.each([
    [529, 'overloaded_error', 'overloaded'],
    [401, 'authentication_error', 'authentication_failed'],
    [429, 'rate_limit_error', 'rate_limit'],
  ])('fails with %d as a provider would', async (status, errorType, kind) => {
    await expect(all(play({ modelTurns: [{ status, errorType, message: 'busy' }] }))).rejects.toMatchObject({ name: 'ModelError', kind, status })
  })

  it('stops waiting at an abort', async () => {
    const model = play({ modelTurns: [{ blocks: [{ text: 'late' }], delayMs: 60_000 }] })
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 20)
    await expect(all(model, asking('x'), stop.signal)).rejects.toThrow('enough')
  })

  it.each([
    ['what is no JSON', '{', /demo\.json is not JSON/],
    ['what is no JSON over several lines, told in one', '{ "modelTurns": ["a",]\n}\n', /^The script .*demo\.json is not JSON: .*\.$/],
    ['what has no turns', {}, /demo\.json is not a script: modelTurns/],
    ['a turn of no known kind', { modelTurns: [1] }, /modelTurns\.0/],
    ['a route whose pattern is none', { modelTurns: [], routes: [{ name: 'r', when: { last: '(' }, turns: [] }] }, /route "r"/],
  ])('is refused with the place when it is %s', (_title, content, message) => {
    expect(() => play(content)).toThrow(expect.objectContaining({ kind: 'invalid_request', message: expect.stringMatching(message) }))
  })

  it('may be only the list of its turns', async () => {
    expect(said(await all(play(['hi'])))).toBe('hi')
  })
})
