/** Scopes: what is attached where is seen where, and everything that ends a scope or a call. */
import { describe, expect, test } from 'vitest'
import { createEngine, defineEvent, HooklineError } from '../../src/index.ts'
import { call, engine, turn, wait } from './opened.ts'

const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }

describe('what is attached is seen', () => {
  test('in its own engine and in no other', async () => {
    const [a, b] = [engine(), engine()]
    a.on('PreToolUse', () => ({ permission: 'deny', reason: 'a' }))
    expect((await a.fire('PreToolUse', input)).blocked).toBe(true)
    expect((await b.fire('PreToolUse', input)).blocked).toBe(false)
  })

  test('in its own session and in no other, the engine itself included', async () => {
    const h = engine()
    const [one, two] = [h.session('one'), h.session('two')]
    one.on('PreToolUse', () => ({ permission: 'deny', reason: 'one' }))
    expect([one.has('PreToolUse'), two.has('PreToolUse'), h.has('PreToolUse')]).toEqual([true, false, false])
    expect((await one.fire('PreToolUse', input)).blocked).toBe(true)
    expect((await two.fire('PreToolUse', input)).blocked).toBe(false)
    expect((await h.fire('PreToolUse', input)).blocked).toBe(false)
  })

  test('in the scopes below: engine, then session, then agent, in that order', async () => {
    const h = engine()
    const session = h.session('one')
    const agent = session.agent('a-1', 'Explore')
    agent.on('PreToolUse', () => ({ context: 'agent' }))
    session.on('PreToolUse', () => ({ context: 'session' }))
    h.on('PreToolUse', () => ({ context: 'engine' }))
    expect((await agent.fire('PreToolUse', input)).context.map((one) => one.text)).toEqual(['engine', 'session', 'agent'])
    expect((await session.fire('PreToolUse', input)).context.map((one) => one.text)).toEqual(['engine', 'session'])
    expect(session.agent('a-2', 'Explore').has('PreToolUse')).toBe(true)
  })

  test('the same id gives the same session, and its own id gives the engine', () => {
    const h = engine()
    expect(h.session('one')).toBe(h.session('one'))
    expect(h.session('s-1')).toBe(h)
    expect(() => h.session('')).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('spent once hooks are remembered per session', async () => {
    const h = engine()
    let runs = 0
    h.on('Stop', { once: true }, () => void runs++)
    const [one, two] = [h.session('one'), h.session('two')]
    await one.fire('Stop', {})
    await one.fire('Stop', {})
    await two.fire('Stop', {})
    expect(runs).toBe(2)
    const skipped = (await one.fire('Stop', {})).hooks
    expect(skipped).toMatchObject([{ status: 'skipped', skipped: { why: 'once-spent' } }])
  })
})

describe('common fields', () => {
  test('are filled in by the scope that fires', async () => {
    const h = engine({ transcriptPath: '/t.jsonl' })
    const seen: unknown[] = []
    h.on('Stop', (given) => void seen.push(given))
    await h.session('one', { permission_mode: 'plan' }).agent('a-1', 'Explore').fire('Stop', {})
    expect(seen).toEqual([
      {
        session_id: 'one',
        transcript_path: '/t.jsonl',
        cwd: '/project',
        hook_event_name: 'Stop',
        permission_mode: 'plan',
        agent_id: 'a-1',
        agent_type: 'Explore',
        stop_hook_active: false,
      },
    ])
  })

  test('that the host gives win over those of the scope', async () => {
    const h = engine()
    h.on('Stop', () => undefined)
    expect((await h.fire('Stop', { cwd: '/elsewhere', prompt_id: 'p-1' })).input).toMatchObject({ cwd: '/elsewhere', prompt_id: 'p-1', session_id: 's-1' })
  })

  test('SubagentStop needs an agent scope or the fields of one', async () => {
    const h = engine()
    h.on('SubagentStop', () => undefined)
    const fields = { agent_transcript_path: '/a.jsonl' }
    await expect(h.fire('SubagentStop', fields as never)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('"agent_id" is missing'),
    })
    expect((await h.agent('a-1', 'Explore').fire('SubagentStop', fields as never)).input).toMatchObject({ agent_id: 'a-1', agent_type: 'Explore' })
  })
})

describe('undo', () => {
  test('takes back, once however often it is called', async () => {
    const h = engine()
    const first = h.on('Stop', () => ({ context: 'first' }))
    h.on('Stop', () => ({ context: 'second' }))
    first()
    first()
    expect((await h.fire('Stop', {})).context.map((one) => one.text)).toEqual(['second'])
  })

  test('the same function attached twice is taken back once per undo', async () => {
    const h = engine()
    const hook = () => ({ context: 'x' })
    const [a, b] = [h.on('Stop', hook), h.on('Stop', hook)]
    a()
    a()
    expect((await h.fire('Stop', {})).context).toHaveLength(1)
    b()
    expect(h.has('Stop')).toBe(false)
  })

  test('works with using', async () => {
    const h = engine()
    {
      using _undo = h.on('Stop', () => ({ block: 'inside' }))
      expect((await h.fire('Stop', {})).blocked).toBe(true)
    }
    expect((await h.fire('Stop', {})).blocked).toBe(false)
  })

  test('of many hooks takes back all of them', () => {
    const h = engine()
    const undo = h.on({ Stop: [() => undefined, { hooks: [() => undefined] }], PreToolUse: [{ matcher: 'Bash', hooks: [() => undefined] }] })
    expect(h.list().map((hook) => hook.event)).toEqual(['Stop', 'Stop', 'PreToolUse'])
    undo()
    undo()
    expect(h.list()).toEqual([])
  })

  test('a hook that takes itself back finishes its own run and is gone for the next', async () => {
    const h = engine()
    const undo = h.on('Stop', () => {
      undo()
      return { context: 'last words' }
    })
    expect((await h.fire('Stop', {})).context).toHaveLength(1)
    expect((await h.fire('Stop', {})).context).toHaveLength(0)
  })
})

describe('a closed scope', () => {
  test('refuses every verb with code closed', async () => {
    const h = createEngine()
    const session = h.session('one')
    await session.close()
    const closed = expect.objectContaining({ code: 'closed' })
    expect(() => session.on('Stop', () => undefined)).toThrow(closed)
    expect(() => session.use('Stop', (c, next) => next(c))).toThrow(closed)
    expect(() => session.fireNow('Stop', {})).toThrow(closed)
    expect(() => session.explain('Stop', {})).toThrow(closed)
    await expect(session.fire('Stop', {})).rejects.toBeInstanceOf(HooklineError)
    await expect(session.permit({ name: 'Bash', input: {}, id: '1' })).rejects.toMatchObject({ code: 'closed' })
    await h.close()
    expect(() => h.session('two')).toThrow(closed)
    await expect(h.reload()).rejects.toMatchObject({ code: 'closed' })
  })

  test('closes the scopes below it and leaves the others alone', async () => {
    const h = engine()
    const [one, two] = [h.session('one'), h.session('two')]
    const agent = one.agent('a-1', 'Explore')
    await one.close()
    await expect(agent.fire('Stop', {})).rejects.toMatchObject({ code: 'closed' })
    await expect(two.fire('Stop', {})).resolves.toMatchObject({ blocked: false })
    expect(h.session('one')).not.toBe(one)
  })

  test('can be closed twice, and by the signal of the host', async () => {
    const abort = new AbortController()
    const h = createEngine({ signal: abort.signal })
    abort.abort()
    await turn()
    await expect(h.fire('Stop', {})).rejects.toMatchObject({ code: 'closed' })
    await h.close()
    await h.close()
    await expect(createEngine({ signal: AbortSignal.abort() }).fire('Stop', {})).rejects.toMatchObject({ code: 'closed' })
  })

  test('takes calls in flight with it: the signal of their hooks fires and they reject', async () => {
    const h = createEngine()
    let aborted: unknown
    h.on('Stop', async (_, { signal }) => {
      await new Promise((done) => signal.addEventListener('abort', done))
      aborted = signal.reason
    })
    const pending = h.fire('Stop', {})
    await turn()
    await h.close()
    await expect(pending).rejects.toMatchObject({ code: 'closed' })
    expect(aborted).toMatchObject({ code: 'closed' })
  })
})

describe('the signal of the host', () => {
  test('an abort rejects with its reason, and the hook sees it', async () => {
    const h = engine()
    const abort = new AbortController()
    let seen: unknown
    h.on('Stop', (_, { signal }) => new Promise<void>(() => signal.addEventListener('abort', () => (seen = signal.reason))))
    const pending = h.fire('Stop', {}, { signal: abort.signal })
    await turn()
    abort.abort('enough')
    await expect(pending).rejects.toBe('enough')
    expect(seen).toBe('enough')
  })

  test('one that fired before runs no hook', async () => {
    const h = engine()
    let runs = 0
    h.on('Stop', () => void runs++)
    await expect(h.fire('Stop', {}, { signal: AbortSignal.abort('early') })).rejects.toBe('early')
    expect(() => h.fireNow('Stop', {}, { signal: AbortSignal.abort('early') })).toThrow('early')
    expect(runs).toBe(0)
  })

  test('one that fires after the verdict changes nothing', async () => {
    const h = engine()
    const abort = new AbortController()
    h.on('Stop', async () => ({ block: 'no' }))
    const verdict = await h.fire('Stop', {}, { signal: abort.signal })
    abort.abort()
    expect(verdict.blocked).toBe(true)
  })

  test('a signal that lives for hours gathers no listeners', async () => {
    const h = engine()
    const abort = new AbortController()
    let listening = 0
    const [add, remove] = [abort.signal.addEventListener.bind(abort.signal), abort.signal.removeEventListener.bind(abort.signal)]
    abort.signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening++
      add(...args)
    }
    abort.signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening--
      remove(...args)
    }
    h.on('Stop', (_, { signal }) => wait(1).then(() => signal.throwIfAborted()))
    for (let at = 0; at < 5; at++) await h.fire('Stop', {}, { signal: abort.signal })
    expect(listening).toBe(0)
  })
})

describe('fireNow', () => {
  test('hands back the verdict itself when nothing was asynchronous', () => {
    const h = engine()
    h.on('PreToolUse', () => ({ permission: 'deny', reason: 'now' }))
    const verdict = h.fireNow('PreToolUse', call())
    expect(verdict).not.toBeInstanceOf(Promise)
    expect(verdict).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: 'now' } })
  })

  test('hands back a promise when one hook was asynchronous, and with middleware', async () => {
    const h = engine()
    h.on('PreToolUse', () => ({ context: 'now' }))
    h.on('PreToolUse', async () => ({ context: 'later' }))
    expect(h.fireNow('PreToolUse', call())).toBeInstanceOf(Promise)
    expect((await h.fireNow('PreToolUse', call())).context.map((one) => one.text)).toEqual(['now', 'later'])
    h.use('Stop', (c, next) => next(c))
    expect(h.fireNow('Stop', {})).toBeInstanceOf(Promise)
  })

  test('throws what fire rejects with', () => {
    const h = engine()
    h.on('Stop', () => undefined)
    expect(() => h.fireNow('Stop', 7 as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    expect(() => h.fireNow('Stopp' as never, {})).toThrow(expect.objectContaining({ code: 'unknown-event', hint: 'Did you mean "Stop"?' }))
  })
})

describe('mistakes of the host', () => {
  const wrong: [name: string, options: object][] = [
    ['a matcher that is no pattern', { matcher: '(' }],
    ['a rule that does not parse', { if: 'Bash(' }],
    ['a timeout of zero', { timeout: 0 }],
    ['a failure mode that is not known', { onFailure: 'maybe' }],
  ]
  test.each(wrong)('%s is refused where it is attached', (_, options) => {
    const h = engine()
    expect(() => h.on('PreToolUse', options, () => undefined)).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(h.has('PreToolUse')).toBe(false)
  })

  test('a hook that is no function is refused', () => {
    expect(() => engine().on('Stop', {}, 'block' as never)).toThrow('the hook must be a function, not string')
    expect(() => engine().use('Stop', {} as never)).toThrow('the middleware must be a function, not object')
  })

  test('every wrong field of an input is named', async () => {
    const h = engine()
    h.on('PreToolUse', () => undefined)
    await expect(h.fire('PreToolUse', { tool_name: 7, tool_input: 'ls' } as never)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'PreToolUse: "tool_name" must be a string, not a number; "tool_input" must be an object, not a string; "tool_use_id" is missing.',
    })
  })
})

describe('events of the host', () => {
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) =>
        typeof (value as { branch?: unknown }).branch === 'string' ? { value } : { issues: [{ message: 'must be a branch', path: ['branch'] }] },
      types: undefined as unknown as { input: unknown; output: { branch: string } },
    },
  } as const
  const deploy = defineEvent({
    name: 'Deploy',
    summary: 'A deployment is about to start.',
    input: schema,
    match: 'branch',
    powers: ['block', 'context'],
    reasonTo: 'user',
  })

  test('fire and match like those of the table', async () => {
    const h = engine()
    h.on(deploy, { matcher: 'main|release' }, (given) => ({ block: `${given.branch} is frozen` }))
    expect(await h.fire(deploy, { branch: 'main' })).toMatchObject({ blocked: true, toUser: 'main is frozen', toModel: '' })
    expect(await h.fire(deploy, { branch: 'topic' })).toMatchObject({ blocked: false, hooks: [{ skipped: { why: 'matcher' } }] })
  })

  test('are checked by their schema', async () => {
    const h = engine()
    h.on(deploy, () => undefined)
    await expect(h.fire(deploy, { branch: 7 } as never)).rejects.toMatchObject({ code: 'invalid-input', message: 'Deploy: "branch" must be a branch.' })
  })

  test('a name of the table or an odd one is refused', () => {
    for (const name of ['Stop', '', '1x', 'a b'])
      expect(() => defineEvent({ name, summary: '', input: schema })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })
})
