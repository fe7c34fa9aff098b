/** A Hookline of its own for every test: folders, trust, network, background hooks, and nothing left afterwards. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTestHookline, example, type TestHookline, type TestHooklineOptions } from '../../src/testing.ts'

const opened: TestHookline[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(options: TestHooklineOptions = {}): Promise<TestHookline> {
  const h = await createTestHookline(options)
  opened.push(h)
  return h
}

const settings = (event: string, command: string, more: object = {}) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command, ...more }] }] } })

test('the first example of the manual holds', async () => {
  await using h = await createTestHookline({
    settings: ['.claude/settings.json'],
    files: { 'a.txt': 'x', '.claude/settings.json': settings('PreToolUse', "echo 'no rm' >&2; exit 2"), 'guard.sh': '#!/bin/sh\n' },
  })
  const v = await h.fire('PreToolUse', example('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } }))
  expect(v.permission).toMatchObject({ behavior: 'deny', reason: 'no rm' })
  expect(v.hooks.filter((x) => x.status === 'ran')).toHaveLength(1)
})

test('its files are there, hooks run among them, and programs may be executed', async () => {
  const h = await open({
    files: {
      '.claude/settings.json': settings('SessionStart', './tools/say.sh'),
      'tools/say.sh': '#!/bin/sh\ncat data/word.txt; pwd\n',
      'data/word.txt': 'hello ',
    },
  })
  const { context } = await h.fire('SessionStart', example('SessionStart'))
  expect(context.map((one) => one.text.trim())).toEqual([`hello ${h.cwd}`])
})

test('its HOME is its own: the settings of the person are not read, those of the test are', async () => {
  const h = await open({ files: { '~/.claude/settings.json': settings('SessionStart', 'echo "$HOME $XDG_STATE_HOME $CLAUDE_CONFIG_DIR"') } })
  expect(h.list().map((hook) => hook.source.kind)).toEqual(['user'])
  const { context } = await h.fire('SessionStart', example('SessionStart'))
  expect(context[0]?.text.trim()).toBe(`${h.home} ${join(h.home, '.local/state')}`)
})

test('variables that lead to settings of the person are left out, those that a test gives are kept', async () => {
  process.env['CLAUDE_CONFIG_DIR'] = '/somewhere'
  process.env['HOOKLINE_HTTP_ORIGINS'] = 'http://127.0.0.1:1'
  try {
    const files = { '.claude/settings.json': settings('SessionStart', 'echo "[$CLAUDE_CONFIG_DIR][$HOOKLINE_HTTP_ORIGINS][$TEAM]"') }
    const said = async (h: TestHookline) => (await h.fire('SessionStart', example('SessionStart'))).context[0]?.text.trim()
    expect(await said(await open({ files }))).toBe('[][][]')
    expect(await said(await open({ files, env: { ...process.env, TEAM: 'blue' } }))).toBe('[][http://127.0.0.1:1][blue]')
  } finally {
    delete process.env['CLAUDE_CONFIG_DIR']
    delete process.env['HOOKLINE_HTTP_ORIGINS']
  }
})

test('a refusal is that of the hook under test, unless the test asks for self-protection', async () => {
  const files = { '.claude/settings.json': settings('PreToolUse', 'exit 0') }
  const input = example('PreToolUse', { tool_name: 'Write', tool_input: { file_path: '.claude/settings.json', content: '{}' } })
  expect((await (await open({ files })).fire('PreToolUse', input)).permission.behavior).toBe('passthrough')
  expect((await (await open({ files, managed: { selfProtection: true } })).fire('PreToolUse', input)).permission.behavior).toBe('deny')
})

test('what the folder brings is trusted, unless the test says otherwise', async () => {
  const files = { '.claude/settings.json': settings('Stop', 'exit 2') }
  expect((await (await open({ files })).fire('Stop', {})).blocked).toBe(true)
  expect((await (await open({ files, trust: 'pinned' })).fire('Stop', {})).hooks).toMatchObject([{ skipped: { why: 'untrusted' } }])
})

test('http hooks are refused, save to the origins that the test opens', async () => {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    request.resume().on('end', () => response.end('{"decision":"block","reason":"remote says no"}'))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const hooks = { Stop: [{ hooks: [{ type: 'http' as const, url: `${origin}/hook` }] }] }
    const closed = await open({ settings: [{ hooks }] })
    expect((await closed.fire('Stop', {})).blocked).toBe(false)
    expect(calls).toBe(0)
    const other = await open({ settings: [{ hooks }], managed: { allowedHttpOrigins: ['http://127.0.0.1:1'] } })
    expect((await other.fire('Stop', {})).blocked).toBe(false)
    const narrowed = await open({ settings: [{ hooks }], managed: { allowedHttpOrigins: [origin], allowedHttpHookUrls: [`${origin}/other`] } })
    expect((await narrowed.fire('Stop', {})).blocked).toBe(false)
    expect(calls).toBe(0)
    const reached = await open({ settings: [{ hooks }], managed: { allowedHttpOrigins: [origin] } })
    expect(await reached.fire('Stop', {})).toMatchObject({ blocked: true, reason: 'remote says no' })
    expect(calls).toBe(1)
  } finally {
    server.close()
  }
})

test('settle waits for background hooks and gives their answers once', async () => {
  const late = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'tests passed' } })
  const h = await open({ files: { '.claude/settings.json': settings('PostToolUse', `sleep 0.2; echo '${late}'`, { async: true }) } })
  const verdict = await h.fire('PostToolUse', example('PostToolUse', { tool_name: 'Write' }))
  expect(verdict.hooks).toMatchObject([{ ending: { kind: 'deferred' } }])
  expect(h.background).toHaveLength(1)
  expect((await h.settle()).map((one) => one.context[0]?.text)).toEqual(['tests passed'])
  expect(h.background).toHaveLength(0)
  expect(await h.settle()).toEqual([])
})

test('close ends what still runs and removes the folders, also when it is called twice', async () => {
  const h = await open({ files: { '.claude/settings.json': settings('Stop', 'sleep 30; echo late > late.txt', { async: true }) } })
  await h.fire('Stop', {})
  const [job] = h.background
  await h.close()
  await h.close()
  expect((await job?.done)?.kind).toMatch(/^(aborted|signalled)$/)
  expect([existsSync(h.cwd), existsSync(h.home)]).toEqual([false, false])
  await expect(h.fire('Stop', {})).rejects.toMatchObject({ code: 'closed' })
})

test('the signal of the host closes it, folders included', async () => {
  const abort = new AbortController()
  const h = await open({ signal: abort.signal })
  abort.abort()
  await expect.poll(() => existsSync(h.cwd)).toBe(false)
})

test('a folder of the test is used as it is, and stays', async () => {
  const first = await open({ files: { '.claude/settings.json': settings('Stop', 'exit 2'), 'keep.txt': 'x' } })
  const second = await open({ cwd: first.cwd, files: { '~/note.txt': 'y' } })
  expect((await second.fire('Stop', {})).blocked).toBe(true)
  await second.close()
  expect(existsSync(join(first.cwd, 'keep.txt'))).toBe(true)
  await expect(createTestHookline({ cwd: first.cwd, files: { 'a.txt': '' } })).rejects.toMatchObject({ code: 'invalid-option' })
})

test.each(['../out.txt', '/tmp/out.txt', '~/../out.txt', '.'])('a file is never written outside: %s', async (name) => {
  await expect(createTestHookline({ files: { [name]: 'x' } })).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining(JSON.stringify(name)),
  })
})

test('hooks in code, a session and a reload work as in any Hookline', async () => {
  const h = await open({ hooks: { Stop: [() => ({ context: 'from code' })] } })
  expect((await h.session('one').fire('Stop', {})).context.map((one) => one.text)).toEqual(['from code'])
  expect((await h.reload()).applied).toBe(true)
})
