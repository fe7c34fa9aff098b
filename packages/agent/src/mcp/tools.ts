/** A server's tool as one of ours: `mcp__server__tool`, its own schema, its content as the response. */
import { z } from 'zod'
import { type AnyTool, defineTool, type Media, ToolError } from '../tools/tool.ts'

export interface ServerTool {
  name: string
  description?: string | undefined
  inputSchema: object
  annotations?: { readOnlyHint?: boolean | undefined } | undefined
}

type Call = (input: Record<string, unknown>, signal: AbortSignal) => Promise<Record<string, unknown>>

const maximumText = 100_000

/** Letters, digits, `_` and `-` only, as tool names must be. */
export const toolName = (server: string, tool: string): string => `mcp__${clean(server)}__${clean(tool)}`

/** Providers refuse a whole request for one name that is longer. */
export const longestName = 128

/** Whether a model can be offered the tool. */
export const isUsableName = (server: string, tool: string): boolean => tool !== '' && toolName(server, tool).length <= longestName

const clean = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

export function mcpTool(tool: ServerTool, mcpServer: { name: string; source: string }, call: Call): AnyTool {
  return defineTool({
    name: toolName(mcpServer.name, tool.name),
    description: (tool.description ?? '').slice(0, 2_048),
    // A server's promise to read only is not proof: permission rules see these tools as "other".
    kind: 'other',
    schema: z.record(z.string(), z.unknown()),
    inputSchema: tool.inputSchema,
    mcpServer,
    async execute(input, { signal }) {
      const result = await call(input, signal)
      const content = (result['content'] ?? []) as { type: string; text?: string; data?: string; mimeType?: string }[]
      const text = asText(content, result['structuredContent'])
      if (result['isError'] === true) throw new ToolError(text === '' ? `${mcpServer.name} reported an error without a text.` : text)
      const media = content.flatMap(mediaOf)
      return { response: content, text, ...(media.length === 0 ? {} : { media }) }
    },
  })
}

const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const longestPicture = 5 * 1024 * 1024

/** Pictures that providers take; others are only named. */
function mediaOf({ type, data, mimeType }: { type: string; data?: string; mimeType?: string }): Media[] {
  if (type !== 'image' || data === undefined || mimeType === undefined) return []
  return shownTypes.includes(mimeType) && data.length <= longestPicture ? [{ mediaType: mimeType, data }] : []
}

function asText(content: readonly { type: string; text?: string }[], structured: unknown): string {
  const parts = content.map((block) => block.text ?? `[${block.type}]`)
  if (parts.length === 0 && structured !== undefined) parts.push(JSON.stringify(structured))
  const text = parts.join('\n')
  return text.length > maximumText ? `${text.slice(0, maximumText)}\n[${text.length - maximumText} characters left out]` : text
}
