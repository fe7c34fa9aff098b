/** Prompt hooks through the engine: what the model is shown, what its reply means, and that nothing in the data can answer for it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEngine, type EventName, type Hooks, type Model } from '../../src/index.ts'
import { example, type ScriptedReply, scriptedModel } from '../../src/testing.ts'
import { type Document, decisionOf } from '../scenarios/world.ts'

interface Fired {
  readonly event?: EventName
  readonly fields?: object
  readonly hook?: object
  readonly messages?: () => readonly unknown[]
}

/** Fires an event with one prompt hook. */
async function fire(model: Model, { event = 'PreToolUse', fields = {}, hook = {}, messages }: Fired = {}) {
  const hooks = { [event]: [{ hooks: [{ type: 'prompt', prompt: 'Is it right? $ARGUMENTS', ...hook }] }] } as Hooks
  const hookline = createEngine({ hooks, model })
  const verdict = await hookline.fire(event, example(event, fields as never) as never, messages === undefined ? {} : { locals: { messages } })
  await hookline.close()
  return verdict
}

const asked = (model: ReturnType<typeof scriptedModel>) => {
  const [request] = model.requests
  const [message] = request?.messages ?? []
  return { request, text: message?.role === 'user' ? message.text : '' }
}
const yes = '{"ok": true}'
const no = '{"ok": false, "reason": "R"}'

describe('the model is shown', () => {
  const bash = { tool_name: 'Bash', tool_input: { command: "echo '$& $1 $ARGUMENTS'" } }

  test('the event as JSON where $ARGUMENTS stands, once, behind a fence that no data can close', async () => {
    const model = scriptedModel([yes, yes])
    await fire(model, { fields: bash, hook: { prompt: 'A=$ARGUMENTS B=$ARGUMENTS C=\\$ARGUMENTS D=$ARGUMENTSX', model: 'small' } })
    const { request, text } = asked(model)
    const [, seal = ''] = /<data-([0-9a-f]{32})>/.exec(text) ?? []
    const [, data = ''] = text.split(new RegExp(`<data-${seal}>\n|\n</data-${seal}>`))
    expect(JSON.parse(data)).toMatchObject({ hook_event_name: 'PreToolUse', ...bash })
    expect(text).toMatch(/^A=\n<data-.*<\/data-\w+>\n B=the event above C=\$ARGUMENTS D=\$ARGUMENTSX$/s)
    expect(request).toMatchObject({ purpose: 'prompt-hook', model: 'small', system: expect.stringContaining(`</data-${seal}>`) })
    expect(request).not.toHaveProperty('tools')
    await fire(model)
    expect(JSON.stringify(model.requests[1])).not.toContain(seal)
  })

  test('the event at the end, when the prompt does not say where', async () => {
    const model = scriptedModel([yes])
    await fire(model, { hook: { prompt: 'No placeholder' } })
    expect(asked(model).text).toMatch(/^No placeholder\n\nARGUMENTS: \n<data-\w+>\n\{.*\}\n<\/data-\w+>\n$/s)
  })

  test('the conversation when the agent wants to stop, its end when it is long, and nothing when it cannot be written down', async () => {
    const model = scriptedModel([yes, yes, yes, yes])
    await fire(model, { event: 'Stop', messages: () => [{ role: 'user', content: 'please </data-x>' }] })
    expect(asked(model).text).toContain('\n{"role":"user","content":"please </data-x>"}\n</data-')
    await fire(model, { event: 'Stop', messages: () => ['x'.repeat(300_000), 'the end'] })
    expect(JSON.stringify(model.requests[1]).length).toBeLessThan(210_000)
    expect(JSON.stringify(model.requests[1])).toContain('the end')
    const circle: unknown[] = []
    circle.push(circle)
    await fire(model, { event: 'Stop', messages: () => circle })
    await fire(model, { event: 'PreToolUse', messages: () => ['secret'] })
    for (const request of model.requests.slice(2)) expect(JSON.stringify(request)).not.toMatch(/conversation so far|secret/)
  })

  test('what yes and no mean at this event', async () => {
    const model = scriptedModel([yes, yes, yes])
    for (const event of ['Stop', 'PreToolUse', 'PostToolUse'] as const) await fire(model, { event })
    expect(model.requests.map(({ system }) => /(wants to stop|has not happened yet|has happened already)/.exec(system)?.[0])).toEqual([
      'wants to stop',
      'has not happened yet',
      'has happened already',
    ])
    expect(model.requests.map(({ system }) => system.includes('"impossible": true'))).toEqual([true, false, false])
  })

  test('nothing of an event that is too long to be shown whole: the hook fails', async () => {
    const model = scriptedModel([])
    const verdict = await fire(model, { fields: { tool_name: 'Write', tool_input: { file_path: 'a', content: 'x'.repeat(1_100_000) } } })
    expect(model.requests).toEqual([])
    expect(verdict.toUser).toMatch(/was not run: the event is \d+ KiB long, and a model is shown events of at most 1024 KiB/)
  })
})

describe('a reply', () => {
  test('of yes is no decision and is reported as a judgement', async () => {
    const verdict = await fire(scriptedModel([yes]))
    expect(verdict).toMatchObject({
      blocked: false,
      permission: { behavior: 'passthrough' },
      hooks: [{ ending: { kind: 'judged', ok: true }, outcome: 'success' }],
    })
  })

  test.each([
    ['PreToolUse', {}, { blocked: true, stop: { reason: 'R' } }],
    ['PreToolUse', { continueOnBlock: true }, { blocked: true, stop: undefined }],
    ['PostToolUse', { continueOnBlock: true }, { blocked: true, stop: undefined }],
    ['Stop', {}, { blocked: true, stop: undefined }],
    ['UserPromptSubmit', { continueOnBlock: true }, { blocked: true, stop: { reason: 'R' } }],
    ['PermissionDenied', {}, { blocked: false, stop: undefined }],
  ] as const)('of no on %s with %j gives %j', async (event, hook, expected) => {
    const verdict = await fire(scriptedModel([no]), { event, hook })
    expect({ blocked: verdict.blocked, stop: verdict.stop }).toMatchObject(expected)
    expect(verdict.hooks[0]).toMatchObject({ ending: { kind: 'judged', ok: false, reason: 'R' } })
  })

  const failures: [what: string, reply: ScriptedReply, says: RegExp][] = [
    ['that was cut at its length', { text: yes, finish: 'length' }, /got no verdict: its model stopped at the length limit/],
    ['that is a refusal', { text: yes, finish: 'refused' }, /got no verdict: its model refused/],
    ['that never came', new Error('429 quota, key sk-abcdefgh12345678'), /got no verdict: its model call failed: 429 quota, key \*\*\*/],
    ['without a known end', { text: yes, finish: 'done' as 'stop' }, /did not say how the reply ended/],
    ['without a text', { text: undefined as unknown as string, finish: 'stop' }, /gave no reply with a text/],
    ['that calls a tool', { text: yes, finish: 'tool-calls', toolCalls: [{ id: '1', name: 'x', input: {} }] }, /called a tool/],
    ['of more than a mebibyte', `${yes}${' '.repeat(1_048_577)}`, /wrote more than 1 MiB/],
    ['in prose', `Sure. ${yes}`, /one JSON object and nothing else/],
    ['in two objects', `${yes}\n${yes}`, /one JSON object/],
    ['in two fences', `\`\`\`json\n\`\`\`json\n${yes}\n\`\`\`\n\`\`\``, /one JSON object/],
    ['with an "ok" that is a text', '{"ok": "true"}', /"ok" must be true or false/],
  ]
  test.each(failures)('%s is a failure, and closes a hook that fails closed', async (_what, reply, says) => {
    const open = await fire(scriptedModel([reply]))
    expect(open).toMatchObject({ blocked: false, hooks: [{ outcome: 'nonBlockingError' }] })
    expect(open.toUser).toMatch(says)
    expect(open.toUser).not.toContain('sk-abcdefgh')
    const closed = await fire(scriptedModel([reply]), { hook: { onFailure: 'block' } })
    expect(closed).toMatchObject({ blocked: true, permission: { behavior: 'deny' } })
  })

  test('that does not come in time is a failure, and the call is aborted', async () => {
    let aborted = false
    const hanging: Model = (_, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true))
      return new Promise(() => {})
    }
    const verdict = await fire(hanging, { hook: { timeout: 0.05, onFailure: 'block' } })
    expect(verdict).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'timedOut', afterMs: 50 } }] })
    expect(aborted).toBe(true)
  })

  test('has 30 seconds unless the hook says otherwise', () => {
    const hookline = createEngine({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'prompt', prompt: 'x' },
              { type: 'agent', prompt: 'x' },
            ],
          },
        ],
      },
      model: scriptedModel([]),
    })
    expect(hookline.list().map(({ timeout }) => timeout)).toEqual([30, 60])
  })
})

test('without a model such hooks are skipped, and say why', async () => {
  const hooks: Hooks = {
    Stop: [
      {
        hooks: [
          { type: 'prompt', prompt: 'x' },
          { type: 'agent', prompt: 'x' },
          { type: 'mcp_tool', server: 's', tool: 't' },
        ],
      },
    ],
  }
  const verdict = await createEngine({ hooks }).fire('Stop', example('Stop'))
  expect(verdict.hooks.map((hook) => hook.status === 'skipped' && hook.skipped.why)).toEqual(Array(3).fill('handler-not-available'))
})

test('a guard that nobody can run is told about, with and without a condition', async () => {
  const guard = { type: 'prompt', prompt: 'x', onFailure: 'block' } as const
  const hooks: Hooks = { PreToolUse: [{ hooks: [guard, { ...guard, if: 'Bash' }, { type: 'prompt', prompt: 'y' }] }] }
  const hookline = createEngine({ hooks })
  for (let times = 0; times < 2; times++) {
    const { blocked, warnings } = await hookline.fire('PreToolUse', example('PreToolUse', { tool_name: 'Bash' }))
    expect({ blocked, warnings }).toMatchObject({ blocked: false, warnings: [{ code: 'guard-not-available' }, { code: 'guard-not-available' }] })
  }
})

interface OutputRow {
  readonly id: string
  readonly event: EventName
  readonly hookType: string
  readonly run: { readonly modelText?: string }
  readonly expect: { readonly decision: string; readonly error: boolean }
  readonly failClosed: string
  readonly why: string
}
const { cases } = JSON.parse(readFileSync(new URL('../data/cases/outputs.json', import.meta.url), 'utf8')) as { cases: OutputRow[] }
const promptRows = cases.filter(({ run }) => run.modelText !== undefined).map((row) => [`${row.id} ${row.event}: ${row.why}`, row] as const)

describe('recorded replies of models', () => {
  test.each(promptRows)('%s', async (_, { event, run, ...row }) => {
    const verdict = await fire(scriptedModel([run.modelText ?? '']), { event })
    // A no of a model that ends the turn is still a refusal, not a stop.
    const { stop: _stop, ...document } = JSON.parse(JSON.stringify(verdict)) as Document
    expect(decisionOf(document)).toBe(row.expect.decision)
    expect(verdict.hooks.filter((hook) => hook.status === 'ran' && hook.outcome === 'nonBlockingError')).toHaveLength(row.expect.error ? 1 : 0)
  })

  test('are there', () => expect(promptRows.length).toBeGreaterThan(8))
})
