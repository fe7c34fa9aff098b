/** The failure policy: twelve kinds of failure let no gated call through where a hook fails closed, and every failure is told once. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadManaged } from '../../src/config/managed-object.ts'
import type { Diagnostic, EventName, Verdict } from '../../src/index.ts'
import { type NamedRow, rowOf, rows } from '../../src/protocol/events.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { example } from '../../src/testing.ts'
import { scripted } from '../engine/opened.ts'
import { guarded } from './guarded.ts'

const row = (event: EventName) => rowOf(event) as NamedRow
const all = (Object.keys(rows) as EventName[]).filter((event) => row(event).internal !== true)
const closable = all.filter((event) => row(event).failClosed === 'can')
const hook = { type: 'command', command: './guard.sh' }
const settings = (event: EventName, more: object = {}, policy: object = {}) => ({ ...policy, hooks: { [event]: [{ hooks: [{ ...hook, ...more }] }] } })
const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'

/** How a run looks to the engine, kind by kind. */
const failures: [kind: string, raw: RawResult][] = [
  ['the program is missing', { ending: { kind: 'exited', code: 127 }, stderr: 'sh: guard.sh: not found' }],
  ['the program may not be executed', { ending: { kind: 'exited', code: 126 }, stderr: 'Permission denied' }],
  ['it ends with code 1', { ending: { kind: 'exited', code: 1 }, stdout: allow }],
  ['it ends with code 255', { ending: { kind: 'exited', code: 255 } }],
  ['a signal ends it', { ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: allow }],
  ['it takes too long', { ending: { kind: 'timedOut', afterMs: 100 }, stdout: allow }],
  ['it cannot be started', { ending: { kind: 'unspawnable', why: 'EAGAIN' } }],
  ['its output is cut', { ending: { kind: 'exited', code: 0 }, stdout: `{"a":"${'x'.repeat(100)}`, cut: 'stdout' }],
  ['its output is over its cap', { ending: { kind: 'overflowed', stream: 'stdout', limit: 1_048_576 }, stdout: allow }],
  ['its output is malformed', { ending: { kind: 'exited', code: 0 }, stdout: '{"decision": ' }],
  ['its output is not UTF-8', { ending: { kind: 'exited', code: 0 }, stdout: '\ufffd', notUtf8: true }],
  ['its answer has a wrong type', { ending: { kind: 'exited', code: 0 }, stdout: '{"continue":"yes"}' }],
  ['its endpoint answers with an error', { ending: { kind: 'replied', status: 500 }, stdout: allow }],
  ['its endpoint cannot be reached', { ending: { kind: 'unspawnable', why: 'TLS: the certificate has expired' } }],
  ['its URL is refused', { ending: { kind: 'refused', why: 'not-listed' } }],
  ['it throws', { ending: { kind: 'threw', error: 'no database' } }],
]

describe.each(closable)('on %s', (event) => {
  test.each(failures)('a hook that fails closed lets nothing through when %s', async (_, raw) => {
    const notices: Diagnostic[] = []
    const h = scripted(() => raw, { snapshot: loadManaged(settings(event, { onFailure: 'block' })), onNotice: (notice) => notices.push(notice) })
    const verdict = await h.fire(event, example(event) as never)
    expect(verdict.blocked).toBe(true)
    expect('permission' in verdict ? verdict.permission.behavior : 'deny').toBe('deny')
    if (row(event).onBlock === 'decline') expect(verdict).toMatchObject({ elicitation: { action: 'decline' } })
    // One line for the person, one record.
    expect(notices.map(({ code }) => code)).toEqual(['hook-failed'])
    expect(verdict.messages.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(verdict.hooks).toMatchObject([{ status: 'ran', outcome: 'blocking' }])
  })

  test.each(failures)('policy can demand it: %s', async (_, raw) => {
    for (const requireFailClosed of [true, [event]]) {
      const h = scripted(() => raw, { snapshot: loadManaged(settings(event, { onFailure: 'continue' }, { requireFailClosed })) })
      expect((await h.fire(event, example(event) as never)).blocked).toBe(true)
    }
    const other = scripted(() => raw, { snapshot: loadManaged(settings(event, {}, { requireFailClosed: ['Notification'] })) })
    const open = row(event).timeoutBlocks !== 'every' || raw.ending.kind !== 'timedOut'
    if (open) expect((await other.fire(event, example(event) as never)).blocked).toBe(false)
  })

  test.each<[spelling: string, field: object]>([
    ['onFailure', { onFailure: 'block' }],
    ['failClosed', { failClosed: true }],
    ['fail_closed', { fail_closed: true }],
    ['failMode', { failMode: 'closed' }],
    ['on_failure', { on_failure: 'block' }],
  ])('%s is a spelling of it', async (_, field) => {
    const h = scripted(() => ({ ending: { kind: 'exited', code: 1 } }), { snapshot: loadManaged(settings(event, field)) })
    expect((await h.fire(event, example(event) as never)).blocked).toBe(true)
  })
})

describe('the table of the events', () => {
  const failing: RawResult = { ending: { kind: 'exited', code: 1 }, stderr: 'broken' }
  const fired = async (event: EventName, more: object, raw = failing) => {
    const h = scripted(() => raw, { snapshot: loadManaged(settings(event, more)) })
    return { h, verdict: await h.fire(event, example(event) as never) }
  }

  test.each(all)('%s: an ordinary hook that fails blocks only where the event always fails with it', async (event) => {
    const { verdict } = await fired(event, {})
    expect(verdict.blocked).toBe(row(event).failClosed === 'always')
    expect(verdict.hooks).toMatchObject([{ status: 'ran' }])
  })

  test.each(all.filter((event) => row(event).failClosed === 'never' || row(event).failClosed === 'ignored'))(
    '%s: failing closed has no effect, and that is said at load',
    async (event) => {
      const { h, verdict } = await fired(event, { onFailure: 'block' })
      expect(verdict.blocked).toBe(false)
      expect(h.diagnostics.map(({ severity, message }) => `${severity} ${message}`).join('\n')).toMatch(/warning .*onFailure/)
    },
  )

  test.each(all.filter((event) => row(event).failClosed === 'feedback'))('%s: nothing can be undone, so the model is told', async (event) => {
    const { verdict } = await fired(event, { onFailure: 'block' })
    expect([verdict.blocked, verdict.toModel.includes('broken')]).toEqual([false, true])
    expect((await fired(event, {})).verdict.toModel).toBe('')
  })

  test('a background hook never blocks, and asking for it is said at load', async () => {
    const { h, verdict } = await fired('PreToolUse', { onFailure: 'block', async: true })
    expect(verdict.blocked).toBe(false)
    expect(h.diagnostics.map(({ message }) => message).join('\n')).toMatch(/onFailure/)
  })

  test('PreModelSwitch is blocked by any timeout', async () => {
    const { verdict } = await fired('PreModelSwitch', {}, { ending: { kind: 'timedOut', afterMs: 1 } })
    expect(verdict.blocked).toBe(true)
  })

  test('who interrupts approves nothing', async () => {
    const aborted: RawResult = { ending: { kind: 'aborted' }, stdout: allow }
    const behavior = async (more: object) => ((await fired('PreToolUse', more, aborted)).verdict as Verdict<'PreToolUse'>).permission.behavior
    expect([await behavior({ onFailure: 'block' }), await behavior({})]).toEqual(['deny', 'passthrough'])
  })
})

describe('for real', () => {
  let server: Server
  let origin = ''
  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(500).end(allow))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  const real: [kind: string, spec: () => object][] = [
    ['missing', () => ({ type: 'command', command: './hooks/not-there.sh' })],
    ['not executable', () => ({ type: 'command', command: './hooks/plain.txt' })],
    ['exit 1 beside an allow', () => ({ type: 'command', command: `echo '${allow}'; exit 1` })],
    ['exit 127', () => ({ type: 'command', command: 'no-such-program-here' })],
    ['signal', () => ({ type: 'command', command: 'kill -9 $$' })],
    ['timeout', () => ({ type: 'command', command: `echo '${allow}'; sleep 30`, timeout: 0.3 })],
    ['spawn error', () => ({ type: 'command', command: '/no/such/program', args: [] })],
    ['cut output', () => ({ type: 'command', command: `printf '{"x":"'; head -c 3000000 /dev/zero | tr '\\0' x` })],
    ['malformed output', () => ({ type: 'command', command: `printf '{"hookSpecificOutput": {'` })],
    ['not UTF-8', () => ({ type: 'command', command: `printf '{"a":"\\377"}'` })],
    ['HTTP 500', () => ({ type: 'http', url: `${origin}/hook` })],
    ['TLS error', () => ({ type: 'http', url: `${origin.replace('http:', 'https:')}/hook` })],
  ]
  // Bytes that are not UTF-8 are a failure only for a hook that fails closed.
  const onlyClosed = ['not UTF-8']
  test.each(real)(
    '%s',
    async (kind, spec) => {
      const guard = spec()
      const group = (more: object) => [{ hooks: [{ ...guard, ...more }] }]
      await using h = await guarded({
        files: {
          'hooks/plain.txt': 'exit 0\n',
          '.claude/settings.json': JSON.stringify({
            hooks: { PreToolUse: group({ onFailure: 'block' }), UserPromptSubmit: group({ onFailure: 'block' }), PreCompact: group({}) },
          }),
        },
        managed: { allowedHttpOrigins: [origin, origin.replace('http:', 'https:')] },
      })
      expect((await h.permit({ name: 'Bash', input: { command: 'ls' }, id: 't' }, { rules: { allow: ['Bash'] } })).behavior).toBe('deny')
      expect((await h.fire('UserPromptSubmit', { prompt: 'hello' })).blocked).toBe(true)
      const open = await h.fire('PreCompact', example('PreCompact') as never)
      const told = onlyClosed.includes(kind) ? 0 : 1
      expect([open.blocked, open.messages.length]).toEqual([false, told])
      expect(h.notices.filter(({ code }) => code === 'hook-failed')).toHaveLength(2 + told)
    },
    60_000,
  )

  test.each<[what: string, fields: object]>([
    ['a matcher that is no pattern', { matcher: 'mcp__(' }],
    ['a matcher that takes for ever', { matcher: '^(a+)+$' }],
    ['a condition that is no rule', { if: 'Bash(' }],
  ])('%s: the hook runs, and what it says counts', async (_, { matcher, ...more }: { matcher?: string; if?: string }) => {
    const own = (onFailure: string) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command: 'exit 2', onFailure, ...more }] })
    const open = (onFailure: string) => guarded({ files: { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [own(onFailure)] } }) } })
    const name = matcher?.startsWith('^') ? `${'a'.repeat(40)}!` : 'Bash'
    const call = { name, input: { command: 'ls' }, id: 't' }
    await using closed = await open('block')
    expect((await closed.permit(call)).behavior).toBe('deny')
    await using loose = await open('continue')
    expect((await loose.permit(call)).behavior).toBe('passthrough')
  })
})
