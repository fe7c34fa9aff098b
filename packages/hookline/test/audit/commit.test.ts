/** What the corridor hands over at commit becomes a record; a call in which nothing ran becomes none. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type AuditSink, auditCommit, auditMoments, auditTrace } from '../../src/audit/commit.ts'
import { type AuditEntry, isGrave, type VerdictEntry } from '../../src/audit/record.ts'
import { loadManaged } from '../../src/config/managed-object.ts'
import { call, scripted, turn } from '../engine/opened.ts'

let entries: AuditEntry[]
let looked: number
beforeEach(() => {
  entries = []
  looked = 0
})
const sink: AuditSink = {
  preview: 200,
  digestInput: (bytes) => {
    looked += 1
    return `digest-of-${bytes.length}`
  },
  append: (entry) => void entries.push(entry),
}

/** An engine with one command hook of managed settings, which ends as told. */
function withHook(answer: Parameters<typeof scripted>[0], { event = 'PreToolUse', hook = {} }: { event?: string; hook?: object } = {}) {
  const snapshot = loadManaged({ hooks: { [event]: [{ hooks: [{ type: 'command', command: './guard.sh', ...hook }] }] } })
  return scripted(answer, { snapshot, commit: auditCommit(sink) })
}
const denial = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not on Friday' } })

test('a denial is written with its decision, its hook and its input', async () => {
  const hookline = withHook(() => ({ ending: { kind: 'exited', code: 0 }, stdout: denial, stderr: 'é' }))
  const verdict = await hookline.fire('PreToolUse', call('git push'))
  expect(verdict.blocked).toBe(true)
  expect(entries).toHaveLength(1)
  const [entry] = entries as [VerdictEntry]
  const [hook] = verdict.hooks
  expect(entry).toMatchObject({
    kind: 'verdict',
    session: 's-1',
    event: 'PreToolUse',
    call: verdict.callId,
    decision: 'deny',
    cause: 'hook',
    reason: 'not on Friday',
    by: [hook?.id],
    input: { digest: expect.stringMatching(/^digest-of-/), preview: '{"tool_name":"Bash","tool_input":{"command":"git push"}}' },
    hooks: [
      {
        id: hook?.id,
        type: 'command',
        source: { kind: 'managed' },
        digest: hook?.digest,
        ending: { kind: 'exited', code: 0 },
        outcome: 'blocking',
        said: 'deny',
        stdout: { kept: denial.length },
        stderr: { kept: 2 },
      },
    ],
  })
  expect(isGrave(entry)).toBe(true)
})

describe('nothing is written, and no input is looked at', () => {
  test('when no hook is there', async () => {
    const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })
    await hookline.fire('PreToolUse', call())
    expect([entries, looked]).toEqual([[], 0])
  })

  test('when no hook matches', async () => {
    const snapshot = loadManaged({ hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'x' }] }] } })
    const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { snapshot, commit: auditCommit(sink) })
    await hookline.fire('PreToolUse', call())
    expect([entries, looked]).toEqual([[], 0])
  })
})

describe('the decision in one word', () => {
  const said = (event: string, output: object) => JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...output } })
  const inputs: Record<string, object> = {
    PreToolUse: call(),
    PostToolUse: { ...call(), tool_response: {} },
    UserPromptSubmit: { prompt: 'hi' },
    Stop: {},
    SessionStart: { source: 'startup' },
    ConfigChange: { source: 'user_settings' },
    Elicitation: { mcp_server_name: 'm', message: 'x' },
    WorktreeCreate: { name: 'w' },
  }
  const cases: [what: string, event: string, output: string, expected: object][] = [
    ['silence', 'PreToolUse', '', { decision: 'none', cause: 'no-opinion' }],
    ['allow', 'PreToolUse', said('PreToolUse', { permissionDecision: 'allow' }), { decision: 'allow', cause: 'hook' }],
    [
      'ask',
      'PreToolUse',
      said('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      { decision: 'ask', cause: 'hook', reason: 'sure?' },
    ],
    ['a stop', 'UserPromptSubmit', '{"continue":false,"stopReason":"enough"}', { decision: 'stop', reason: 'enough' }],
    ['a block', 'UserPromptSubmit', '{"decision":"block","reason":"no"}', { decision: 'block', reason: 'no' }],
    ['a block of the stop', 'Stop', '{"decision":"block","reason":"go on"}', { decision: 'block', reason: 'go on' }],
    ['context only', 'SessionStart', said('SessionStart', { additionalContext: 'x' }), { decision: 'none', used: ['context'] }],
    ['a path', 'WorktreeCreate', '/tmp/w', { decision: 'path' }],
    ['a declined question', 'Elicitation', said('Elicitation', { action: 'decline' }), { decision: 'decline' }],
    ['an accepted one', 'Elicitation', said('Elicitation', { action: 'accept', content: {} }), { decision: 'accept' }],
  ]
  test.each(cases)('%s', async (_what, event, stdout, expected) => {
    await withHook(() => ({ ending: { kind: 'exited', code: 0 }, stdout }), { event }).fire(event as never, inputs[event] as never)
    expect(entries).toMatchObject([expected])
  })

  test('a refusal of the code around the hooks', async () => {
    const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })
    hookline.on('PreToolUse', { name: 'mine' }, () => ({ permission: 'deny', reason: 'code says no' }))
    await hookline.fire('PreToolUse', call())
    expect(entries).toMatchObject([
      { decision: 'deny', cause: 'hook', hooks: [{ type: 'callback', source: { kind: 'session' }, ending: { kind: 'returned' } }] },
    ])
  })
})

describe('how a hook failed', () => {
  const cases: [what: string, result: Parameters<typeof withHook>[0], failure: string][] = [
    ['another exit code', () => ({ ending: { kind: 'exited', code: 127 } }), 'exit'],
    ['a signal', () => ({ ending: { kind: 'signalled', signal: 'SIGSEGV' } }), 'signal'],
    ['a deadline', () => ({ ending: { kind: 'timedOut', afterMs: 100 } }), 'timeout'],
    ['no start', () => ({ ending: { kind: 'unspawnable', why: 'not found' } }), 'start'],
    [
      'output that is no answer',
      () => ({ ending: { kind: 'exited', code: 0 }, stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"maybe"}}' }),
      'garbage',
    ],
    ['too much output', () => ({ ending: { kind: 'overflowed', stream: 'stdout', limit: 9 }, stdout: 'x'.repeat(9) }), 'cut'],
  ]
  test.each(cases)('%s: open', async (_what, result, failure) => {
    const verdict = await withHook(result).fire('PreToolUse', call())
    expect(verdict.blocked).toBe(false)
    expect(entries).toMatchObject([{ decision: 'none', hooks: [{ failure, outcome: expect.stringMatching(/nonBlockingError|cancelled/) }] }])
    expect((entries[0] as VerdictEntry).hooks[0]).not.toHaveProperty('closed')
    expect(isGrave(entries[0] as AuditEntry)).toBe(false)
  })

  test.each(cases)('%s: closed, which is a refusal of its own cause', async (_what, result, failure) => {
    const verdict = await withHook(result, { hook: { onFailure: 'block' } }).fire('PreToolUse', call())
    expect(verdict.blocked).toBe(true)
    expect(entries).toMatchObject([{ decision: 'deny', cause: 'fail-closed', hooks: [{ failure, closed: true, outcome: 'blocking' }] }])
    expect(isGrave(entries[0] as AuditEntry)).toBe(true)
  })

  test("a denial that was printed before a bad end is the hook's own", async () => {
    await withHook(() => ({ ending: { kind: 'exited', code: 1 }, stdout: denial })).fire('PreToolUse', call())
    expect(entries).toMatchObject([{ decision: 'deny', cause: 'hook', hooks: [{ said: 'deny' }] }])
    expect((entries[0] as VerdictEntry).hooks[0]).not.toHaveProperty('failure')
  })

  test('output that was cut is said to be cut', async () => {
    await withHook(() => ({ ending: { kind: 'exited', code: 0 }, stdout: 'x'.repeat(20), cut: 'stdout' })).fire('PreToolUse', call())
    expect(entries).toMatchObject([{ hooks: [{ stdout: { kept: 20, cut: true } }] }])
  })
})

test('secrets are in no field', async () => {
  const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0'].join('_')
  const reason = `use ${secret}`
  const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } })
  await withHook(() => ({ ending: { kind: 'exited', code: 0 }, stdout })).fire('PreToolUse', {
    ...call(`push ${secret}`),
    tool_input: { command: `push ${secret}`, api_key: 'plain-but-secret' },
  })
  await withHook(() => ({ ending: { kind: 'unspawnable', why: reason } })).fire('PreToolUse', call())
  const text = JSON.stringify(entries)
  expect(text).not.toContain(secret)
  expect(text).not.toContain('plain-but-secret')
  expect(text).toContain('use ***')
})

test('an input that cannot be written as JSON is still recorded', async () => {
  const round: Record<string, unknown> = { command: 'ls' }
  round['self'] = round
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })
  hookline.on('PreToolUse', () => ({ permission: 'allow' }))
  await hookline.fire('PreToolUse', { ...call(), tool_input: round })
  expect(entries).toMatchObject([{ decision: 'allow', input: { preview: expect.stringContaining('"command":"ls"') } }])
})

test('the verdict waits for the record, and does not come when the log refuses', async () => {
  let written: () => void = () => undefined
  const slow: AuditSink = { ...sink, append: () => new Promise<void>((done) => (written = done)) }
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(slow) })
  hookline.on('PreToolUse', () => ({ permission: 'allow' }))
  let settled = false
  const verdict = hookline.fire('PreToolUse', call()).then(() => (settled = true))
  await turn()
  expect(settled).toBe(false)
  written()
  await verdict
  const refusing = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), {
    commit: auditCommit({ ...sink, append: () => Promise.reject(new Error('disk full')) }),
  })
  refusing.on('PreToolUse', () => ({ permission: 'allow' }))
  const refused = await refusing.fire('PreToolUse', call())
  expect(refused).toMatchObject({ blocked: true, permission: { behavior: 'deny', reason: expect.stringContaining('disk full') } })
})

describe('a record that must be written and cannot be', () => {
  const full = { append: () => Promise.reject(new Error('disk full')) }
  const codes: string[] = []
  const unwritable = () => {
    codes.length = 0
    const log: AuditSink = { ...sink, ...full }
    return scripted(() => ({ ending: { kind: 'exited', code: 0 } }), {
      commit: auditCommit(log),
      record: auditMoments(log, 's-1'),
      onNotice: ({ code }) => codes.push(code),
    })
  }

  test('refuses a call that nobody had an opinion on', async () => {
    const permit = await unwritable().permit({ name: 'Bash', input: { command: 'ls' }, id: 't' })
    expect(permit).toMatchObject({ behavior: 'deny', reason: expect.stringContaining('disk full'), toModel: expect.stringContaining('disk full') })
    expect((await permit.answer({ behavior: 'allow' })).behavior).toBe('deny')
  })

  test('refuses what a person allows', async () => {
    const hookline = unwritable()
    hookline.on('PreToolUse', { matcher: 'Never' }, () => undefined)
    const asked = { rules: { ask: ['Bash'] }, ask: () => ({ behavior: 'allow' as const }) }
    expect((await hookline.permit({ name: 'Bash', input: { command: 'ls' }, id: 't' }, asked)).behavior).toBe('deny')
    const open = await hookline.permit({ name: 'Bash', input: { command: 'ls' }, id: 'u' }, { ...asked, ask: 'return' })
    expect((await open.answer({ behavior: 'allow' })).behavior).toBe('deny')
  })

  test('keeps no agent running, and is told', async () => {
    const hookline = unwritable()
    hookline.on('Stop', () => ({ context: 'one more thing' }))
    hookline.on('SessionStart', () => ({ context: 'x' }))
    expect((await hookline.fire('SessionStart', { source: 'startup' })).context).toHaveLength(1)
    await hookline.fire('Stop', {})
    expect(codes).toEqual(['audit-required', 'audit-required'])
  })
})

describe('the record is of what takes effect', () => {
  const silent = () => scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })

  test('a denial that middleware added', async () => {
    const hookline = silent()
    hookline.on('PreToolUse', () => ({ permission: 'allow' }))
    hookline.use('PreToolUse', async (event, next) => (await next(event)).and({ permission: 'deny', reason: 'office hours' }), { name: 'hours' })
    await hookline.fire('PreToolUse', call())
    expect(entries).toMatchObject([{ decision: 'deny', cause: 'code', reason: 'office hours', by: ['middleware'], hooks: [{ said: 'allow' }] }])
  })

  test('a denial that middleware threw away, with the hook that said it', async () => {
    const hookline = silent()
    hookline.on('PreToolUse', { name: 'guard' }, () => ({ permission: 'deny', reason: 'no' }))
    hookline.use('PreToolUse', async (event, next) => {
      await next(event)
      return event.answer({ permission: 'allow' })
    })
    expect((await hookline.fire('PreToolUse', call())).blocked).toBe(false)
    expect(entries).toMatchObject([
      {
        decision: 'allow',
        cause: 'code',
        ignored: { decision: 'deny', reason: 'no', by: ['code:PreToolUse:0:0'] },
        hooks: [{ id: 'code:PreToolUse:0:0', said: 'deny' }],
      },
    ])
  })

  test('an answer of middleware without any hook, and a throw', async () => {
    const hookline = silent()
    hookline.use('PreToolUse', (event) => event.answer({ permission: 'deny', reason: 'closed' }))
    hookline.use('UserPromptSubmit', () => {
      throw new Error('broken')
    })
    await hookline.fire('PreToolUse', call())
    await hookline.fire('UserPromptSubmit', { prompt: 'x' })
    expect(entries).toMatchObject([
      { decision: 'deny', cause: 'code', hooks: [] },
      { decision: 'block', cause: 'code', hooks: [] },
    ])
  })

  test('a block of the stop that the cap did not obey', async () => {
    const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink), stopBlockCap: 2 })
    hookline.on('Stop', () => ({ block: 'go on' }))
    for (let at = 0; at < 3; at++) await hookline.fire('Stop', {})
    expect(entries.map((entry) => (entry as VerdictEntry).decision)).toEqual(['block', 'block', 'none'])
    expect(entries[2]).toMatchObject({
      ignored: { decision: 'block', reason: 'go on', by: ['code:Stop:0:0'], why: 'stop-block-cap' },
      hooks: [{ said: 'block' }],
    })
  })

  test('a verdict that came after the caller was gone', async () => {
    const hookline = silent()
    const abort = new AbortController()
    hookline.on('PreToolUse', async () => {
      abort.abort(new Error('Esc'))
      return { permission: 'deny' }
    })
    await expect(hookline.fire('PreToolUse', call(), { signal: abort.signal })).rejects.toThrow('Esc')
    await turn()
    expect(entries).toHaveLength(1)
  })
})

test('a log makes nobody build a trace, and quiet events stay quiet', async () => {
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink), record: auditMoments(sink, 's-1') })
  let read = 0
  const input = () => {
    read += 1
    return call()
  }
  await hookline.fire('PreToolUse', input)
  expect([read, entries]).toEqual([0, []])
  await hookline.permit({ name: 'Bash', input: { command: 'ls' }, id: 't-1' }, { rules: { deny: ['Bash'] } })
  await hookline.reload()
  expect(entries.map(({ kind }) => kind)).toEqual(['permitted'])
})

test('a record that needs no waiting leaves fireNow without a promise', () => {
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })
  hookline.on('PreToolUse', () => ({ permission: 'deny' }))
  expect(hookline.fireNow('PreToolUse', call())).not.toBeInstanceOf(Promise)
  expect(entries).toHaveLength(1)
})

test('trace lines of other moments become entries, all others none', async () => {
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 }, stdout: 'x' }), {
    snapshot: loadManaged({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } }),
  })
  hookline.trace.subscribe(auditTrace(sink, 's-1'))
  await hookline.fire('Stop', {})
  await hookline.permit({ name: 'Bash', input: { command: 'ls' }, id: 't-1' }, { rules: { deny: ['Bash'] } })
  expect(entries).toMatchObject([{ kind: 'permitted', session: 's-1', event: 'PreToolUse', decision: 'deny', cause: 'rule' }])
  const tell = auditTrace(sink, 's-1')
  entries = []
  tell({ kind: 'permitted', seq: 1, at: 1, event: 'PreToolUse', callId: 'c', sessionId: 's-2', agentId: 'a', behavior: 'deny', cause: 'rule', reason: 'no' })
  tell({ kind: 'reloaded', seq: 2, at: 1, reload: { applied: true, added: ['a'], removed: [], needTrust: [], diagnostics: [] } })
  tell({
    kind: 'late',
    outcome: 'nonBlockingError',
    ms: 3,
    seq: 3,
    at: 1,
    event: 'Stop',
    callId: 'c',
    sessionId: 's-1',
    late: {
      jobId: 'j',
      hook: 'h',
      event: 'Stop',
      sessionId: 's-1',
      ending: { kind: 'exited', code: 1 },
      wake: true,
      toModel: '',
      toUser: '',
      context: [],
      messages: [],
    },
  })
  tell({ kind: 'notice', seq: 4, at: 1, notice: { severity: 'info', code: 'x', message: 'y' } })
  expect(entries).toEqual([
    { kind: 'permitted', session: 's-2', agent: 'a', event: 'PreToolUse', call: 'c', decision: 'deny', cause: 'rule', reason: 'no' },
    { kind: 'reloaded', session: 's-1', applied: true, added: ['a'], removed: [], needTrust: [] },
    { kind: 'late', session: 's-1', event: 'Stop', call: 'c', hook: 'h', job: 'j', ending: { kind: 'exited', code: 1 }, wake: true },
  ])
})

test.each([
  ['ids are kept whole, also where they look like a secret', 'agent:0123456789abcdef0123456789abcdef', 'agent:0123456789abcdef0123456789abcdef'],
  ['far too long ones are told apart', `${'x'.repeat(5_000)}1`, expect.stringMatching(/^x{160}…[0-9a-f]{16}$/)],
])('%s', async (_what, session, expected) => {
  const hookline = scripted(() => ({ ending: { kind: 'exited', code: 0 } }), { commit: auditCommit(sink) })
  hookline.on('PreToolUse', () => ({ permission: 'allow' }))
  await hookline.session(session).fire('PreToolUse', call())
  await hookline.session(`${session}2`).fire('PreToolUse', call())
  expect(entries[0]?.session).toEqual(expected)
  expect(entries[1]?.session).not.toBe(entries[0]?.session)
})
