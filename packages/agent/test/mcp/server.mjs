/** A real MCP server for tests, over stdio or HTTP: tools that answer, fail, ask and die. */
import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

function makeServer() {
  const server = new McpServer({ name: 'probe', version: '1.0.0' })
  server.registerTool('echo', { description: 'says it back', inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text: `echo ${text}` }],
  }))
  server.registerTool('fail', { description: 'fails', inputSchema: {} }, () => ({ isError: true, content: [{ type: 'text', text: 'NO-LUCK' }] }))
  server.registerTool('die', { description: 'ends the process', inputSchema: {} }, () => process.exit(3))
  server.registerTool('picture', { description: 'a picture', inputSchema: {} }, () => ({
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image', data: 'R0lGODlhLg==', mimeType: 'image/gif' },
      { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
    ],
  }))
  server.registerTool('grow', { description: 'gets another tool', inputSchema: {} }, () => {
    server.registerTool('late', { description: 'came later', inputSchema: {} }, () => ({ content: [{ type: 'text', text: 'LATE-TEXT' }] }))
    return { content: [{ type: 'text', text: 'grown' }] }
  })
  server.registerTool('env', { description: 'an environment variable', inputSchema: { name: z.string() } }, ({ name }) => ({
    content: [{ type: 'text', text: process.env[name] ?? 'unset' }],
  }))
  server.registerTool('ask', { description: 'asks the person', inputSchema: {} }, async () => {
    const answer = await server.server.elicitInput({
      message: 'Name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    })
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
  })
  server.registerTool('ask-url', { description: 'sends the person to a page', inputSchema: {} }, async () => {
    const answer = await server.server.elicitInput({ mode: 'url', message: 'Sign in', url: 'https://example.com/login', elicitationId: 'e1' })
    if (answer.action === 'accept') await server.server.createElicitationCompletionNotifier('e1')()
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
  })
  return server
}

if (process.argv[2] === 'http') {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' })
  await makeServer().connect(transport)
  const http = createServer((request, response) => void transport.handleRequest(request, response))
  http.listen(0, '127.0.0.1', () => console.log(http.address().port))
} else {
  await makeServer().connect(new StdioServerTransport())
}
