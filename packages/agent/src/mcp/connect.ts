/** Connects to the MCP servers of a session and keeps them: their tools, their questions, their end. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Mcp, Scope } from 'hookline'
import { type AnyTool, ToolError } from '../tools/tool.ts'
import type { McpSpec } from './config.ts'
import { type ElicitationContext, type ElicitationRequest, elicit } from './elicitation.ts'
import { isUsableName, longestName, mcpTool, type ServerTool } from './tools.ts'

export interface McpServer {
  readonly name: string
  readonly source: McpSpec['source']
  status: 'connected' | 'failed' | 'closed'
  /** Why it is not connected. */
  error?: string
  tools: readonly AnyTool[]
}

export interface Connections {
  readonly servers: readonly McpServer[]
  tools(): readonly AnyTool[]
  /** For mcp_tool hooks: connected servers only. */
  readonly port: Mcp
  close(): Promise<void>
}

export interface ConnectContext extends Omit<ElicitationContext, 'signal' | 'scope'> {
  /** Of the present conversation: asked anew for each question. */
  scope: () => Scope
  cwd: string
  /** For the person: a server that failed, or died. */
  report: (message: string) => void
  /** A server has other tools than before. */
  toolsChanged?: (before: readonly AnyTool[], now: readonly AnyTool[]) => void
  /** Time for one server to answer; default 30 s. */
  timeoutMs?: number
  signal?: AbortSignal
}

const callTimeoutMs = 10 * 60_000

/** Connects to all servers side by side; one that fails is reported and listed as failed. */
export async function connectServers(specs: readonly McpSpec[], context: ConnectContext): Promise<Connections> {
  const opened = await Promise.all(specs.map((spec) => open(spec, context)))
  const servers = opened.map((one) => one.server)
  const find = (name: string): Client | undefined => opened.find((one) => one.server.name === name && one.server.status === 'connected')?.client
  return {
    servers,
    tools: () => servers.filter((server) => server.status === 'connected').flatMap((server) => server.tools),
    port: {
      servers: () => servers.filter((server) => server.status === 'connected').map((server) => server.name),
      async callTool({ server, tool, input }, { signal }) {
        const client = find(server)
        if (client === undefined) throw new Error(`MCP server "${server}" is not connected.`)
        const result = await client.callTool({ name: tool, arguments: input }, undefined, { signal, timeout: callTimeoutMs })
        const content = (result.content ?? []) as { type: string; text?: string }[]
        return result.isError === true ? { content, isError: true } : { content }
      },
    },
    async close() {
      await Promise.all(
        opened.map(async ({ client, server }) => {
          server.status = server.status === 'connected' ? 'closed' : server.status
          await client.close().catch(() => {})
        }),
      )
    },
  }
}

async function open(spec: McpSpec, context: ConnectContext): Promise<{ client: Client; server: McpServer }> {
  const server: McpServer = { name: spec.name, source: spec.source, status: 'failed', tools: [] }
  const client = new Client({ name: 'hookline', version: '0.1.0' }, { capabilities: { elicitation: { form: {}, url: {} }, roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${context.cwd}` }] }))
  client.setRequestHandler(ElicitRequestSchema, async (request, { signal }) => {
    const answer = await elicit(asRequest(spec.name, request.params), { ...context, scope: context.scope(), signal })
    return answer as { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> }
  })
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, () =>
    context.notify({ type: 'elicitation_complete', message: `MCP server "${spec.name}" has what it asked for` }),
  )
  const timeout = context.timeoutMs ?? 30_000
  try {
    await client.connect(transportOf(spec, context.cwd), { timeout, ...(context.signal === undefined ? {} : { signal: context.signal }) })
    server.tools = await listTools(client, spec, { timeout, report: context.report })
    server.status = 'connected'
  } catch (error) {
    server.error = wordsOf(error)
    context.report(`MCP server "${spec.name}" is not available: ${server.error}. Its tools are missing; check its command or address.`)
    await client.close().catch(() => {})
    return { client, server }
  }
  client.onclose = () => {
    if (server.status !== 'connected') return
    server.status = 'failed'
    server.error = 'it ended'
    context.report(`MCP server "${spec.name}" ended. Calls of its tools fail from now on.`)
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    const before = server.tools
    server.tools = await listTools(client, spec, { timeout, report: context.report }).catch(() => before)
    if (server.tools !== before) context.toolsChanged?.(before, server.tools)
  })
  return { client, server }
}

interface Listing {
  timeout: number
  report: ConnectContext['report']
}

const most = { pages: 200, tools: 10_000 }

/** A server may page for ever, or name its tools as no model takes it: neither costs the session more than that server's tools. */
async function listTools(client: Client, spec: McpSpec, { timeout, report }: Listing): Promise<AnyTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const found: ServerTool[] = []
  let cursor: string | undefined
  const end = performance.now() + timeout
  for (let pages = 0; pages < most.pages && found.length < most.tools; pages++) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: Math.max(1, end - performance.now()) })
    found.push(...page.tools)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  const usable = found.filter(({ name }) => isUsableName(spec.name, name))
  if (usable.length < found.length)
    report(
      `MCP server "${spec.name}": ${found.length - usable.length} of its tools are left out, because models take names of 1 to ${longestName} characters only.`,
    )
  return usable.map((tool) =>
    mcpTool(tool, { name: spec.name, source: spec.source }, (input, signal) =>
      client.callTool({ name: tool.name, arguments: input }, undefined, { signal, timeout: callTimeoutMs }).catch((error: unknown) => {
        signal.throwIfAborted()
        throw new ToolError(`The MCP server "${spec.name}" failed in this call: ${innermost(error)}`)
      }),
    ),
  )
}

/** "fetch failed" has the reason as its cause. */
function innermost(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return wordsOf(at)
}

/** An answer that is not in the protocol's form is a list of issues; a person reads where it is wrong. */
function wordsOf(error: unknown): string {
  const issues = error instanceof Error && 'issues' in error && Array.isArray(error.issues) ? (error.issues as { path?: unknown; message?: unknown }[]) : []
  const [first] = issues
  if (first === undefined) return error instanceof Error ? error.message : String(error)
  const where = Array.isArray(first.path) ? first.path.map(String).join('.') : ''
  return `its answer does not fit the protocol at ${where === '' ? 'its top' : where}: ${String(first.message)}`
}

function transportOf(spec: McpSpec, cwd: string): Transport {
  const { transport } = spec
  if (transport.type === 'stdio') {
    const env = { ...getDefaultEnvironment(), ...transport.env }
    return new StdioClientTransport({ command: transport.command, args: [...transport.args], env, cwd, stderr: 'ignore' })
  }
  const requestInit = { headers: { ...transport.headers } }
  // The SDK's own classes do not satisfy its interface under exactOptionalPropertyTypes.
  return (
    transport.type === 'sse'
      ? new SSEClientTransport(new URL(transport.url), { requestInit })
      : new StreamableHTTPClientTransport(new URL(transport.url), { requestInit })
  ) as Transport
}

function asRequest(server: string, params: { message: string } & Record<string, unknown>): ElicitationRequest {
  const base = { server, message: params.message }
  if (params['mode'] === 'url') return { ...base, mode: 'url', url: String(params['url']), id: String(params['elicitationId']) }
  return { ...base, mode: 'form', schema: params['requestedSchema'] as Record<string, unknown> }
}
