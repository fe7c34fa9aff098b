/** What people and programs get wrong: each time a clear message, and a session that goes on or ends as documented. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Io } from '../../src/faces/io.ts'
import { run } from '../../src/run.ts'
import { transcriptFolder, transcriptPath } from '../../src/session/places.ts'
import { type Stage, type StageOptions, setStage } from '../stage.ts'
import { call, perform } from './theater.ts'

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })
const answer = (words: object) => `echo '${JSON.stringify(words)}'`
const server = join(import.meta.dirname, '../mcp/server.mjs')
const mcp = (command: string, ...args: string[]) => JSON.stringify({ mcpServers: { probe: { command, args } } })

/** The command in this process. */
async function command(stage: Stage, words: readonly string[], env: Record<string, string | undefined> = {}) {
  let stdout = ''
  let stderr = ''
  const own = Object.fromEntries(Object.entries({ ...stage.env, ...env }).filter(([, value]) => value !== undefined))
  const io: Io = { stdin: Readable.from([]), out: (text) => (stdout += text), err: (text) => (stderr += text), env: own, cwd: stage.cwd, terminal: false }
  const code = await run(['--trust', '-p', 'hello', ...words], io)
  return { code, stdout, stderr }
}

interface Row {
  stage?: Partial<StageOptions>
  words?: string[]
  env?: Record<string, string | undefined>
  code: number
  stdout?: string
  stderr: string[]
}

/** A port that nobody listens on. */
const closedPort = await new Promise<number>((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => done(port))
  })
})

const noKeys = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined }
const rows: [string, Row][] = [
  ['no model', { env: noKeys, code: 1, stderr: ['No model is configured', 'ANTHROPIC_API_KEY', '--model script:FILE'] }],
  [
    'a wrong key',
    {
      stage: { turns: [{ status: 401, errorType: 'authentication_error', message: 'invalid x-api-key test-key' }] },
      code: 1,
      stdout: 'Failed to authenticate. API Error: 401 invalid x-api-key [key]\n',
      stderr: ['Check ANTHROPIC_API_KEY'],
    },
  ],
  [
    'a web page in the place of a model',
    {
      stage: { turns: Array.from({ length: 3 }, () => ({ raw: '<html>Sign in</html>', contentType: 'text/html' })) },
      code: 1,
      stdout: 'API Error: an HTML page in the place of a stream\n',
      stderr: ['trying again', 'Check the base URL'],
    },
  ],
  [
    'a conversation that is too long',
    {
      stage: { turns: [{ status: 400, errorType: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }] },
      code: 1,
      stdout: 'API Error: 400 prompt is too long',
      stderr: ['/compact makes it shorter'],
    },
  ],
  [
    'a host that cannot be reached',
    {
      env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${closedPort}` },
      code: 1,
      stdout: 'API Error:',
      stderr: ['trying again', 'Check the network, the proxy and the base URL'],
    },
  ],
  [
    'a model that the provider does not know',
    {
      stage: { turns: [{ status: 404, errorType: 'not_found_error', message: 'model: claude-nope' }] },
      words: ['--model', 'claude-nope'],
      code: 1,
      stdout: 'API Error: 404',
      stderr: ['Name another with --model'],
    },
  ],
  ['a model of a provider without a key', { words: ['--model', 'gpt-9'], code: 1, stderr: ['is one of OpenAI, and there is no key', 'Set OPENAI_API_KEY'] }],
  ['a script that is not there', { words: ['--model', 'script:none.json'], code: 1, stderr: ['none.json cannot be read: there is no such file'] }],
  [
    'a script that is none',
    {
      stage: { files: { 'bad.json': '{"modelTurns":[{"tool":1}]}' } },
      words: ['--model', 'script:bad.json'],
      code: 1,
      stderr: ['bad.json is not a script: modelTurns.0'],
    },
  ],
  [
    'a session that is not there',
    { words: ['--resume', 'nope'], code: 1, stderr: ['No conversation found with session ID: nope', 'Transcripts of this folder lie in'] },
  ],
  ['an agent type that is not there', { words: ['--agent', 'nope'], code: 1, stderr: ['There is no agent "nope"', 'general-purpose'] }],
  ['a folder for transcripts that cannot be made', { env: { XDG_STATE_HOME: '/dev/null/state' }, code: 1, stderr: ['/dev/null/state'] }],
  [
    'a broken agent file',
    {
      stage: { turns: ['ok'], files: { '.claude/agents/bad.md': '---\nname: [\n---\nx' } },
      code: 0,
      stdout: 'ok\n',
      stderr: ['bad.md: Its front matter is no YAML', 'left out'],
    },
  ],
  [
    'an agent file with a wrong field',
    { stage: { turns: ['ok'], files: { '.claude/agents/bad.md': '---\nmaxTurns: many\n---\nx' } }, code: 0, stdout: 'ok\n', stderr: ['bad.md', 'maxTurns'] },
  ],
  [
    'a broken skill',
    {
      stage: { turns: ['ok'], files: { '.claude/skills/bad/SKILL.md': '---\nname: [\n---\nx' } },
      code: 0,
      stdout: 'ok\n',
      stderr: ['bad/SKILL.md is left out. Its front matter is no YAML'],
    },
  ],
  [
    'broken settings',
    { stage: { turns: ['ok'], files: { '.claude/settings.json': '{"hooks": {' } }, code: 0, stdout: 'ok\n', stderr: ['.claude/settings.json'] },
  ],
  [
    'a hook of an event that is not there',
    { stage: { turns: ['ok'], settings: { hooks: { PreToolUze: [hook('true')] } } }, code: 0, stdout: 'ok\n', stderr: ['PreToolUze', 'PreToolUse'] },
  ],
  [
    'an MCP configuration that is no JSON',
    { stage: { turns: ['ok'] }, words: ['--mcp-config', '{"mcpServers":'], code: 64, stderr: ['No MCP server was read'] },
  ],
  [
    'an MCP configuration of the folder that is no JSON',
    { stage: { turns: ['ok'], files: { '.mcp.json': '{"mcpServers":' } }, words: [], code: 0, stdout: 'ok\n', stderr: ['.mcp.json', 'No MCP server was read'] },
  ],
  [
    'an MCP server that does not start',
    {
      stage: { turns: ['ok'] },
      words: ['--mcp-config', mcp('/nowhere/server')],
      code: 0,
      stdout: 'ok\n',
      stderr: ['MCP server "probe" is not available', 'check its command'],
    },
  ],
]

test.each(rows)('%s: a clear message, and the exit code that goes with it', async (_, { stage: options = {}, words = [], env, code, stdout = '', stderr }) => {
  const stage = await setStage({ turns: [], ...options })
  const out = await command(stage, words, env)
  expect(out.stderr + out.stdout).not.toMatch(/\n\s+at .*:\d+:\d+|test-key/)
  for (const text of stderr) expect(out.stderr).toContain(text)
  expect(out.stdout).toContain(stdout)
  if (stdout === '') expect(out.stdout).toBe('')
  expect(out.code).toBe(code)
})

test.each([
  ['lines that are no JSON', (line: string) => `\u0000\u0001\n${line}not json\n[1]\n`, 'is no JSON object and is left out'],
  ['a torn last line', (line: string) => `${line}{"type":"assistant","mess`, 'the last line was cut off'],
  ['nothing in it', () => '', ''],
])('A transcript with %s is read as far as it goes, and the session goes on', async (_, damaged, notice) => {
  const stage = await setStage({ turns: ['resumed'] })
  const folder = transcriptFolder(stage.cwd, stage.env)
  const line = `${JSON.stringify({ type: 'user', uuid: 'u1', message: { role: 'user', content: 'KEPT' } })}\n`
  mkdirSync(folder, { recursive: true })
  const text = damaged(line)
  writeFileSync(transcriptPath(folder, 's-1'), text)
  const out = await command(stage, ['--resume', 's-1'])
  expect(out).toMatchObject({ code: 0, stdout: 'resumed\n', stderr: expect.stringContaining(notice) })
  expect(stage.told(0).includes('KEPT')).toBe(text.includes('KEPT'))
})

test.each([
  ['lacks a field', { path: 'x' }, 'The required parameter `file_path` is missing'],
  ['has the wrong kind of value', { file_path: 7 }, 'file_path'],
  ['is a text', 'no object', 'InputValidationError'],
  ['is nothing', null, 'InputValidationError'],
])('A tool input that %s is told to the model, and no hook sees it', async (_, input, text) => {
  const stage = await perform({ turns: [[{ tool: 'Read', input }], 'done'], hooks: { PreToolUse: true, PostToolUseFailure: true } })
  expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed', text: 'done' })
  expect(stage.said(1)).toContain(text)
  expect(stage.seen).toEqual([])
})

test('An MCP server that dies in a call fails the call; the person is told, and the session goes on without its tools', async () => {
  const stage = await perform({
    turns: [call('mcp__probe__die', {}), call('mcp__probe__echo', { text: 'x' }), 'done'],
    flags: ['--mcp-config', mcp(process.execPath, server), '--allowedTools', 'mcp__probe__die mcp__probe__echo'],
    hooks: { PostToolUseFailure: true },
  })
  expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed', text: 'done' })
  expect(stage.of('PostToolUseFailure').map(({ tool_name }) => tool_name)).toEqual(['mcp__probe__die', 'mcp__probe__echo'])
  expect(stage.notices()).toContainEqual(expect.stringContaining('MCP server "probe" ended'))
  expect(stage.agent.session.mcpServers()).toEqual([{ name: 'probe', status: 'failed' }])
})

const postAnswer = { hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny', additionalContext: 'WRONG-EVENT' } }
const noEvent = { hookSpecificOutput: { permissionDecision: 'deny' } }

test.each([
  ['answers for another event', answer(postAnswer), 'PostToolUse'],
  ['names no event', answer(noEvent), 'hookEventName'],
  ['prints half an object', 'printf "{\\"decision\\""', 'JSON'],
  ['cannot be started', '/nowhere/hook.sh', 'hook.sh'],
  ['dies', 'kill -9 $$', 'SIGKILL'],
])('A hook that %s decides nothing: the person is told, the tool runs, the session goes on', async (_, line, notice) => {
  const stage = await perform({
    turns: [call('Read', { file_path: 'a.txt' }), 'done'],
    files: { 'a.txt': 'FILE-TEXT' },
    settings: { hooks: { PreToolUse: [hook(line)] } },
  })
  expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed', text: 'done' })
  expect(stage.said(1)).toContain('FILE-TEXT')
  expect(stage.told(1)).not.toContain('WRONG-EVENT')
  expect(stage.notices().join('\n')).toContain(notice)
})
