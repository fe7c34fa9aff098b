/** Which MCP servers a session has: `--mcp-config`, the project's `.mcp.json`, plugins; each with where it was written. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Where a server was configured, as hooks see it in `mcp_server.source`. */
export type McpSource = 'dynamic' | 'project' | 'user' | 'plugin' | 'sdk'

export type McpTransport =
  | { type: 'stdio'; command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  | { type: 'http' | 'sse'; url: string; headers: Readonly<Record<string, string>> }

export interface McpSpec {
  name: string
  source: McpSource
  transport: McpTransport
}

/** A server that cannot be used as it is written: where, what, what next. */
export interface McpProblem {
  file: string
  server?: string
  message: string
}

export interface McpConfig {
  servers: McpSpec[]
  problems: McpProblem[]
}

const stdio = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
})
const remote = z.object({ type: z.enum(['http', 'sse']).default('http'), url: z.url(), headers: z.record(z.string(), z.string()).default({}) })
const file = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) })

export interface McpPlaces {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Files, or inline JSON, as the command line gives them. */
  configs?: readonly string[]
  /** Only `configs` count. */
  strict?: boolean
  /** Whether `.mcp.json` of the folder may start its servers: what a folder brings needs trust. */
  trusted?: boolean
  plugins?: readonly { name: string; folder: string }[]
}

/** Reads every place; later ones win by name. A broken file or entry is a problem and voids nothing else. */
export function readMcpConfig(places: McpPlaces): McpConfig {
  const servers = new Map<string, McpSpec>()
  const problems: McpProblem[] = []
  const add = (from: { name: string; text: string; source: McpSource; prefix?: string }): void => {
    for (const spec of parse(from, places.env, problems)) servers.set(spec.name, spec)
  }
  if (places.strict !== true) {
    for (const plugin of places.plugins ?? []) {
      const path = join(plugin.folder, '.mcp.json')
      if (existsSync(path)) add({ name: path, text: readFileSync(path, 'utf8'), source: 'plugin', prefix: `plugin:${plugin.name}:` })
    }
    const path = join(places.cwd, '.mcp.json')
    if (existsSync(path)) {
      if (places.trusted === true) add({ name: path, text: readFileSync(path, 'utf8'), source: 'project' })
      else problems.push({ file: path, message: 'Its servers are not started: this folder is not trusted. Run with --trust, or see hookline trust.' })
    }
  }
  for (const config of places.configs ?? []) {
    if (config.trimStart().startsWith('{')) add({ name: '--mcp-config', text: config, source: 'dynamic' })
    else if (existsSync(resolve(places.cwd, config))) add({ name: config, text: readFileSync(resolve(places.cwd, config), 'utf8'), source: 'dynamic' })
    else problems.push({ file: config, message: '--mcp-config names a file that does not exist.' })
  }
  return { servers: [...servers.values()], problems }
}

function parse(from: { name: string; text: string; source: McpSource; prefix?: string }, env: McpPlaces['env'], problems: McpProblem[]): McpSpec[] {
  let read: z.infer<typeof file>
  try {
    read = file.parse(JSON.parse(from.text))
  } catch (error) {
    const why = error instanceof z.ZodError ? 'it needs an object "mcpServers"' : (error as Error).message
    problems.push({ file: from.name, message: `No MCP server was read: ${why}.` })
    return []
  }
  const specs: McpSpec[] = []
  for (const [name, entry] of Object.entries(read.mcpServers)) {
    const unset = new Set<string>()
    const filled = fill(entry, env, unset)
    const local = stdio.safeParse(filled)
    const far = local.success ? undefined : remote.safeParse(filled)
    if (unset.size > 0)
      problems.push({ file: from.name, server: name, message: `Environment variable ${[...unset].join(', ')} is not set; it was read as empty.` })
    if (local.success) {
      const { command, args, env: own } = local.data
      specs.push({ name: `${from.prefix ?? ''}${name}`, source: from.source, transport: { type: 'stdio', command, args, env: own } })
    } else if (far?.success === true) specs.push({ name: `${from.prefix ?? ''}${name}`, source: from.source, transport: far.data })
    else problems.push({ file: from.name, server: name, message: 'It needs a "command" with "args", or a "type" (http or sse) with a "url".' })
  }
  return specs
}

/** `${NAME}` and `${NAME:-default}` in every string. */
function fill(value: unknown, env: McpPlaces['env'], unset: Set<string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
      const found = env[name] ?? otherwise
      if (found === undefined) unset.add(name)
      return found ?? ''
    })
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, env, unset))
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, env, unset)]))
  return value
}
