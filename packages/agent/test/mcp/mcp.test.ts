/** MCP servers over stdio and HTTP: their tools, their questions, their failures. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createEngine, type Hookline } from 'hookline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type McpSpec, readMcpConfig } from '../../src/mcp/config.ts'
import { type ConnectContext, connectServers } from '../../src/mcp/connect.ts'
import type { ElicitationAnswer } from '../../src/mcp/elicitation.ts'
import type { ToolContext } from '../../src/tools/tool.ts'
import { call, perform, type Stage } from '../events/theater.ts'
import { folderWith } from '../folder.ts'

const program = join(import.meta.dirname, 'server.mjs')
const stdio: McpSpec = { name: 'probe', source: 'dynamic', transport: { type: 'stdio', command: process.execPath, args: [program], env: { OWN: 'yes' } } }

async function http(): Promise<McpSpec> {
  const child = spawn(process.execPath, [program, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [line] = await once(child.stdout, 'data')
  return { name: 'probe', source: 'project', transport: { type: 'http', url: `http://127.0.0.1:${String(line).trim()}/mcp`, headers: {} } }
}

async function connect(spec: McpSpec, scope: Hookline, more: Partial<ConnectContext> = {}) {
  const notices: unknown[] = []
  const reports: string[] = []
  const connections = await connectServers([spec], {
    scope: () => scope,
    cwd: process.cwd(),
    notify: async (notice) => void notices.push(notice.type),
    report: (text) => void reports.push(text),
    ...more,
  })
  onTestFinished(() => connections.close())
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const found = connections.tools().find((one) => one.name === `mcp__probe__${tool}`)
    return found?.execute(input, { signal: AbortSignal.timeout(20_000) } as ToolContext)
  }
  return { connections, notices, reports, call }
}

test.each([
  ['stdio', async () => stdio],
  ['HTTP', http],
])('over %s its tools are ours, and what they say is the response', async (_, specOf) => {
  await using scope = createEngine()
  const spec = await specOf()
  const { connections, call } = await connect(spec, scope)
  expect(connections.servers).toMatchObject([{ name: 'probe', status: 'connected' }])
  expect(connections.tools().find((tool) => tool.name === 'mcp__probe__echo')).toMatchObject({
    mcpServer: { name: 'probe', source: spec.source },
    inputSchema: { type: 'object' },
  })
  expect(await call('echo', { text: 'hi' })).toEqual({ response: [{ type: 'text', text: 'echo hi' }], text: 'echo hi' })
  await expect(call('fail')).rejects.toThrow('NO-LUCK')
  expect(await connections.port.callTool({ server: 'probe', tool: 'echo', input: { text: 'x' } }, { signal: AbortSignal.timeout(20_000) })).toMatchObject({
    content: [{ text: 'echo x' }],
  })
  expect(connections.port.servers()).toEqual(['probe'])
})

test('a picture is shown where providers take its kind, and named where not', async () => {
  await using scope = createEngine()
  const { call } = await connect(stdio, scope)
  expect(await call('picture')).toMatchObject({ text: 'Look:\n[image]\n[image]', media: [{ mediaType: 'image/gif', data: 'R0lGODlhLg==' }] })
})

test('a server that gets another tool offers it to the session with the next request', async () => {
  const config = JSON.stringify({ mcpServers: { probe: { command: process.execPath, args: [program] } } })
  const stage: Stage = await perform({
    turns: [call('mcp__probe__grow', {}), call('mcp__probe__late', {}), 'done'],
    flags: ['--mcp-config', config, '--allowedTools', 'mcp__probe__grow mcp__probe__late'],
    hooks: { PostToolUse: () => vi.waitFor(() => expect(stage.agent.session.conversation.toolbox.find('mcp__probe__late')).toBeDefined(), 30_000) },
  })
  await stage.agent.ask('go')
  const offered = stage.requests.map(({ tools }) => tools.filter(({ name }) => name.startsWith('mcp__')).map(({ name }) => name))
  expect(offered[0]).not.toContain('mcp__probe__late')
  expect(offered[1]).toContain('mcp__probe__late')
  expect(stage.said(2)).toContain('LATE-TEXT')
})

test('a server sees its own environment and none of our secrets', async () => {
  await using scope = createEngine()
  vi.stubEnv('ANTHROPIC_API_KEY', 'secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { call } = await connect(stdio, scope)
  expect((await call('env', { name: 'OWN' }))?.text).toBe('yes')
  expect((await call('env', { name: 'ANTHROPIC_API_KEY' }))?.text).toBe('unset')
})

const accepted: ElicitationAnswer = { action: 'accept', content: { name: 'Ann' } }

test.each<[string, (scope: Hookline) => void, ElicitationAnswer | undefined, ElicitationAnswer]>([
  ['with nobody to ask it is cancelled', () => {}, undefined, { action: 'cancel' }],
  ['the person answers', () => {}, accepted, accepted],
  [
    'a hook answers for the person',
    (scope) => void scope.on('Elicitation', () => ({ elicitation: { action: 'accept', content: { name: 'Hook' } } })),
    undefined,
    { action: 'accept', content: { name: 'Hook' } },
  ],
  ['a block of Elicitation declines', (scope) => void scope.on('Elicitation', () => ({ block: 'no' })), accepted, { action: 'decline' }],
  [
    'ElicitationResult may change the answer',
    (scope) => void scope.on('ElicitationResult', () => ({ elicitation: { action: 'accept', content: { name: 'Changed' } } })),
    accepted,
    { action: 'accept', content: { name: 'Changed' } },
  ],
  ['a block of ElicitationResult declines', (scope) => void scope.on('ElicitationResult', () => ({ block: 'no' })), accepted, { action: 'decline' }],
])('a question: %s', async (_, attach, person, expected) => {
  await using scope = createEngine()
  const heard: unknown[] = []
  scope.on('ElicitationResult', (input) => void heard.push([input.mcp_server_name, input.mode]))
  attach(scope)
  const { call, notices } = await connect(stdio, scope, person === undefined ? {} : { ask: async () => person })
  expect(JSON.parse((await call('ask'))?.text ?? '')).toEqual(expected)
  expect(heard).toEqual([['probe', 'form']])
  expect(notices.at(-1)).toBe('elicitation_response')
})

test('a page to visit is a question too, with its address and id', async () => {
  await using scope = createEngine()
  const seen: unknown[] = []
  scope.on('Elicitation', (input) => {
    seen.push([input.mode, input.url, input.elicitation_id, input.message])
    return { elicitation: { action: 'accept' } }
  })
  const { call } = await connect(stdio, scope)
  expect(JSON.parse((await call('ask-url'))?.text ?? '')).toMatchObject({ action: 'accept' })
  expect(seen).toEqual([['url', 'https://example.com/login', 'e1', 'Sign in']])
})

/** A server that pays no heed to the protocol's library: `list` is what it answers to every tools/list. */
const raw = (list: string): McpSpec => {
  const code = `
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      if (method === 'initialize') send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } })
      if (method === 'tools/list') send(id, ${list})
    })`
  return { name: 'raw', source: 'dynamic', transport: { type: 'stdio', command: process.execPath, args: ['-e', code], env: {} } }
}

test('names that no model takes are left out, and the rest of the server counts', async () => {
  await using scope = createEngine()
  const named = (name: string) => `{ name: ${name}, inputSchema: { type: 'object' } }`
  const { connections, reports } = await connect(raw(`{ tools: [${["''", "'x'.repeat(200)", "'o k\\u001b'"].map(named).join()}] }`), scope)
  expect(connections.tools().map(({ name }) => name)).toEqual(['mcp__raw__o_k_'])
  expect(reports).toEqual([expect.stringContaining('2 of its tools are left out')])
})

test('a list without an end, and without tools, is not read for ever', async () => {
  await using scope = createEngine()
  const { connections, reports } = await connect(raw(`{ tools: [], nextCursor: 'more' }`), scope)
  expect(connections.servers).toMatchObject([{ status: 'connected', tools: [] }])
  expect(reports).toEqual([])
})

test('a list in another form is told in words', async () => {
  await using scope = createEngine()
  const { reports } = await connect(raw(`{ tools: [{ name: 'b', inputSchema: 'none' }] }`), scope)
  expect(reports).toEqual([expect.stringMatching(/"raw" is not available: its answer does not fit the protocol at tools\.0\.inputSchema: [^\n]+$/)])
})

test('a server that dies fails its call, is reported, and its tools are gone', async () => {
  await using scope = createEngine()
  const { connections, call, reports } = await connect(stdio, scope)
  await expect(call('die')).rejects.toThrow()
  await vi.waitFor(() => expect(connections.servers[0]).toMatchObject({ status: 'failed' }))
  expect(connections.tools()).toEqual([])
  expect(reports.join()).toContain('"probe" ended')
  await expect(connections.port.callTool({ server: 'probe', tool: 'echo', input: {} }, { signal: AbortSignal.timeout(5_000) })).rejects.toThrow(/not connected/)
})

test.each([
  ['stdio', async () => stdio],
  ['HTTP', http],
])('over %s a call in which the server dies says which server it was and why', async (_, specOf) => {
  await using scope = createEngine()
  const { call } = await connect(await specOf(), scope)
  const failure = await call('die').then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({
    name: 'ToolError',
    message: expect.stringMatching(/^The MCP server "probe" failed in this call: .*(closed|terminated|hang up|RESET)/i),
  })
})

test.each([
  ['a command that does not exist', { type: 'stdio', command: '/nowhere/server', args: [], env: {} }],
  ['a command that ends at once', { type: 'stdio', command: 'true', args: [], env: {} }],
  ['an address where nobody listens', { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} }],
] as const)('%s is reported and stops nothing', async (_, transport) => {
  await using scope = createEngine()
  const { connections, reports } = await connect({ name: 'bad', source: 'user', transport }, scope)
  expect(connections.servers).toMatchObject([{ name: 'bad', status: 'failed' }])
  expect(reports.join()).toContain('"bad" is not available')
})

test('servers are read from every place; a broken entry is a problem and voids no other', () => {
  const root = folderWith({
    'proj/.mcp.json': JSON.stringify({ mcpServers: { a: { command: 'a' }, both: { command: 'project' }, broken: { url: 'no address' } } }),
    'extra.json': JSON.stringify({ mcpServers: { both: { command: 'extra', args: ['${NAME}', '${NO:-default}', '${UNSET}'] } } }),
    'plug/.mcp.json': JSON.stringify({ mcpServers: { p: { type: 'sse', url: 'https://example.com/sse' } } }),
  })
  const places = {
    cwd: join(root, 'proj'),
    env: { NAME: 'value' },
    configs: [join(root, 'extra.json'), '{"mcpServers":{"inline":{"command":"x"}}}'],
    plugins: [{ name: 'plug', folder: join(root, 'plug') }],
  }
  const trusted = readMcpConfig({ ...places, trusted: true })
  expect(trusted.servers.map((one) => [one.name, one.source])).toEqual([
    ['plugin:plug:p', 'plugin'],
    ['a', 'project'],
    ['both', 'dynamic'],
    ['inline', 'dynamic'],
  ])
  expect(trusted.servers.find((one) => one.name === 'both')?.transport).toMatchObject({ command: 'extra', args: ['value', 'default', ''] })
  expect(trusted.problems.map((one) => one.server)).toEqual(['broken', 'both'])
  const untrusted = readMcpConfig(places)
  expect(untrusted.servers.map((one) => one.name)).not.toContain('a')
  expect(untrusted.problems[0]?.message).toContain('not trusted')
  expect(readMcpConfig({ ...places, trusted: true, strict: true }).servers.map((one) => one.name)).toEqual(['both', 'inline'])
})
