/** What callbacks may answer, what the verdict makes of it, and in which order hooks are shown. */
import { describe, expect, test } from 'vitest'
import { allow, ask, block, context, type Diagnostic, defer, deny, stop } from '../../src/index.ts'
import { call, engine, turn, wait } from './opened.ts'

const codes = (warnings: readonly Diagnostic[]) => warnings.map((one) => one.code)

describe('a wire object from a callback', () => {
  const same: [name: string, event: 'PreToolUse' | 'Stop' | 'UserPromptSubmit', wire: object, words: object][] = [
    ['a denial', 'PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } }, deny('no')],
    ['the older denial', 'PreToolUse', { decision: 'block', reason: 'no' }, deny('no')],
    [
      'a rewrite',
      'PreToolUse',
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'pwd' } } },
      { updatedInput: { command: 'pwd' } },
    ],
    ['a block', 'Stop', { decision: 'block', reason: 'tests fail' }, block('tests fail')],
    ['a stop', 'PreToolUse', { continue: false, stopReason: 'enough' }, stop('enough')],
    [
      'context and a message',
      'UserPromptSubmit',
      { systemMessage: 'hi', hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'branch main' } },
      { context: 'branch main', message: 'hi' },
    ],
  ]
  test.each(same)('%s means what the words of an answer mean', async (_, event, wire, words) => {
    const input = event === 'PreToolUse' ? call() : event === 'Stop' ? {} : { prompt: 'hello' }
    const [a, b] = [engine(), engine()]
    a.on(event, () => wire as never)
    b.on(event, () => words as never)
    const plain = async (h: typeof a) => ({
      ...(JSON.parse(JSON.stringify(await h.fire(event, input as never))) as Record<string, unknown>),
      callId: '',
      ms: 0,
      hooks: [],
    })
    expect(await plain(a)).toEqual(await plain(b))
  })

  test('mixed with the words of an answer is read both ways, with a warning', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ continue: true, permission: 'deny', reason: 'no' }) as never)
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict.permission).toMatchObject({ behavior: 'deny', reason: 'no' })
    expect(codes(verdict.warnings)).toContain('mixed-forms')
  })
})

describe('shorthands', () => {
  const shorts: [name: string, answer: object, expected: object][] = [
    ['allow', allow('fine'), { permission: { behavior: 'allow', reason: 'fine' }, toUser: 'fine', toModel: '' }],
    ['ask', ask('money moves'), { permission: { behavior: 'ask' }, toUser: 'money moves', toModel: '' }],
    ['defer', defer(), { permission: { behavior: 'defer' } }],
    ['deny', deny('no'), { blocked: true, toUser: '', toModel: expect.stringContaining('no') }],
    ['block', block('no'), { blocked: true, permission: { behavior: 'deny', reason: 'no' } }],
    ['stop', stop('enough'), { blocked: true, stop: { reason: 'enough' }, toUser: 'enough', toModel: '' }],
    ['context', context('note'), { context: [{ text: 'note', truncated: false }], toModel: expect.stringContaining('note') }],
  ]
  test.each(shorts)('%s', async (_, answer, expected) => {
    const h = engine()
    h.on('PreToolUse', () => answer as never)
    expect(await h.fire('PreToolUse', call())).toMatchObject(expected)
  })
})

test('defer is for runs without a person: with one it is ignored, and told', async () => {
  const answers = () => ({ PreToolUse: [() => defer()] })
  expect((await engine({ hooks: answers() }).fire('PreToolUse', call())).permission.behavior).toBe('defer')
  const verdict = await engine({ hooks: answers(), interactive: true }).fire('PreToolUse', call())
  expect(verdict.permission.behavior).toBe('passthrough')
  expect(codes(verdict.warnings)).toEqual(['defer-ignored'])
})

describe('an answer that says too much', () => {
  test('a misspelt key is a warning that names the nearest, and the rest counts', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ permision: 'deny', context: 'still here' }) as never)
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict).toMatchObject({
      blocked: false,
      context: [{ text: 'still here' }],
      warnings: [{ code: 'unknown-key', hint: 'Did you mean "permission"?' }],
    })
  })

  test("another event's power is a warning", async () => {
    const h = engine()
    h.on('Stop', () => ({ updatedInput: {} }) as never)
    const verdict = await h.fire('Stop', {})
    expect(codes(verdict.warnings)).toEqual(['no-effect'])
    expect('updatedInput' in verdict).toBe(false)
  })

  test('a wrong type is a failure of the hook, and a denial beside it survives', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ permission: 'allow', context: 7 }) as never)
    expect(await h.fire('PreToolUse', call())).toMatchObject({ permission: { behavior: 'passthrough' }, hooks: [{ outcome: 'nonBlockingError' }] })
    h.on('PreToolUse', () => ({ permission: 'deny', reason: 'no', context: 7 }) as never)
    expect((await h.fire('PreToolUse', call())).permission).toMatchObject({ behavior: 'deny', reason: 'no' })
  })

  test('one with a getter that throws is a failure, and the others are heard', async () => {
    const h = engine()
    h.on('PreToolUse', () =>
      Object.defineProperty({}, 'permission', {
        enumerable: true,
        get() {
          throw new Error('trap')
        },
      }),
    )
    h.on('PreToolUse', () => deny('no'))
    expect(await h.fire('PreToolUse', call())).toMatchObject({ blocked: true, hooks: [{ outcome: 'nonBlockingError' }, { outcome: 'blocking' }] })
  })
})

describe('the order', () => {
  test('of contexts, reasons and reports is the configuration order, whoever finished first', async () => {
    const h = engine()
    for (const [at, ms] of [30, 0, 15].entries())
      h.on('PreToolUse', async () => {
        await wait(ms)
        return { permission: 'deny' as const, reason: `reason ${at}`, context: `context ${at}` }
      })
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict.context.map((one) => one.text)).toEqual(['context 0', 'context 1', 'context 2'])
    expect(verdict.permission.reason).toBe('reason 0\nreason 1\nreason 2')
    expect(verdict.hooks.map((hook) => hook.id)).toEqual(['code:PreToolUse:0:0', 'code:PreToolUse:1:0', 'code:PreToolUse:2:0'])
  })

  test('of two rewrites lets the last in configuration order win and says so', async () => {
    const h = engine()
    h.on('PreToolUse', () => wait(15).then(() => ({ updatedInput: { command: 'slow first' } })))
    h.on('PreToolUse', () => ({ updatedInput: { command: 'fast last' } }))
    const verdict = await h.fire('PreToolUse', call())
    expect(verdict.input.tool_input).toEqual({ command: 'fast last' })
    expect(verdict.conflicts).toEqual([{ field: 'updatedInput', won: 'code:PreToolUse:1:0', lost: ['code:PreToolUse:0:0'] }])
    expect(codes(verdict.warnings)).toEqual(['conflict'])
  })

  test('hooks of policy come after those in code', async () => {
    const h = engine({
      hooks: { PreToolUse: [() => ({ updatedInput: { command: 'code' } })] },
      managed: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
    })
    expect((await h.fire('PreToolUse', call())).hooks.map((hook) => [hook.id, hook.status])).toEqual([
      ['code:PreToolUse:0:0', 'ran'],
      ['managed:PreToolUse:0:0', 'skipped'],
    ])
  })

  test('a listing shows one event on request', () => {
    const h = engine({ hooks: { Stop: [() => undefined], PreToolUse: [{ matcher: 'Bash', hooks: [() => undefined] }] } })
    expect(h.list().map((hook) => hook.id)).toEqual(['code:Stop:0:0', 'code:PreToolUse:1:0'])
    expect(h.list({ event: 'PreToolUse' })).toMatchObject([{ matcher: 'Bash', type: 'callback', source: { id: 'code', kind: 'session' }, trust: 'not-needed' }])
  })
})

describe('no rejection is left unhandled', () => {
  test('by hooks that fail after their deadline, after an abort, or after the scope closed', async () => {
    const unhandled: unknown[] = []
    const hear = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', hear)
    const h = engine()
    const late = async () => {
      await wait(40)
      throw new Error('nobody listens any more')
    }
    h.on('PreToolUse', { timeout: 0.01 }, late)
    h.on('Stop', late)
    const abort = new AbortController()
    const aborted = h.fire('Stop', {}, { signal: abort.signal })
    const closed = h.session('one').fire('Stop', {})
    const timedOut = await h.fire('PreToolUse', call())
    abort.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    await Promise.all([expect(closed).rejects.toMatchObject({ code: 'closed' }), h.session('one').close()])
    await wait(80)
    await turn()
    process.off('unhandledRejection', hear)
    expect(timedOut).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'timedOut', afterMs: 10 } }] })
    expect(unhandled).toEqual([])
  })
})
