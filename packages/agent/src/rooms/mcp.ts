/** The room of MCP servers: connected before the session starts, their tools beside ours, mcp_tool hooks through the same connections. */
import type { Mcp } from 'hookline'
import { type McpPlaces, readMcpConfig } from '../mcp/config.ts'
import type { Connections } from '../mcp/connect.ts'
import type { AskElicitation } from '../mcp/elicitation.ts'
import type { Room } from './room.ts'

export interface McpRoomOptions extends Omit<McpPlaces, 'cwd' | 'env'> {
  elicit?: AskElicitation
}

export interface McpRoom extends Room {
  /** For `createHookline`, which is there before the servers are. */
  readonly port: Mcp
  servers(): readonly { name: string; status: string }[]
}

export function mcpRoom(options: McpRoomOptions): McpRoom {
  let connections: Connections | undefined
  return {
    port: {
      servers: () => connections?.port.servers() ?? [],
      callTool: (call, context) =>
        connections === undefined ? Promise.reject(new Error(`MCP server "${call.server}" is not connected.`)) : connections.port.callTool(call, context),
    },
    servers: () => (connections?.servers ?? []).map(({ name, status }) => ({ name, status })),
    async open(session) {
      const warn = (text: string): void => session.emit({ kind: 'notice', level: 'warning', text })
      const { servers, problems } = readMcpConfig({ ...options, cwd: session.root, env: session.env })
      for (const { file, server, message } of problems) warn(`${file}${server === undefined ? '' : `, MCP server "${server}"`}: ${message}`)
      if (servers.length === 0) return
      // The client is large, and most sessions have no server.
      const { connectServers } = await import('../mcp/connect.ts')
      connections = await connectServers(servers, {
        scope: () => session.scope,
        cwd: session.root,
        notify: async (notice) => session.notify(notice),
        report: warn,
        toolsChanged(before, now) {
          const { toolbox } = session.conversation
          toolbox.remove(before.map(({ name }) => name))
          toolbox.add(now)
        },
        ...(options.elicit === undefined ? {} : { ask: options.elicit }),
      })
      session.conversation.toolbox.add(connections.tools())
    },
    async close() {
      await connections?.close()
    },
  }
}
