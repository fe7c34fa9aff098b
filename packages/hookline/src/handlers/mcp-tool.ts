/** MCP hooks: a tool of a server that the host is connected to, whose text is read like the output of a command (protocol §2.4). */
import type { Mcp } from '../protocol/ports.ts'
import type { HandlerRunner, RawResult, RunnableHook } from '../protocol/runner.ts'
import { Attendant } from './attendant.ts'
import { errorText } from './error-text.ts'
import { fillInput } from './mcp-input.ts'

const limit = 1_048_576

/** Makes the runner for `mcp_tool` hooks. Runtime-neutral. It never throws and never rejects; it connects to nothing. */
export function createMcpToolHandler({ mcp }: { mcp: Mcp }): HandlerRunner {
  const attendant = new Attendant()
  return {
    type: 'mcp_tool',
    readsPayload: true,
    run(hook, context) {
      const { spec } = hook
      if (spec?.type !== 'mcp_tool') return refused('an mcp_tool hook without a tool cannot run')
      const { server, tool } = spec
      const away = absence(mcp, server)
      if (away !== undefined) return refused(away)
      const input = fillInput(spec.input ?? {}, context.input)
      if (input === undefined) return refused('its input is too long once it is filled in')
      return attendant.attend(context, (signal) => call(mcp, { server, tool, input }, { hook, signal }))
    },
    close: () => attendant.close(),
  }
}

/** Why the server cannot be asked; `undefined` when it can. */
function absence(mcp: Mcp, server: string): string | undefined {
  try {
    return mcp.servers().includes(server) ? undefined : `the MCP server ${JSON.stringify(server)} is not connected`
  } catch (error) {
    return `nobody can tell which MCP servers are connected: ${errorText(error)}`
  }
}

async function call(
  mcp: Mcp,
  asked: { server: string; tool: string; input: Record<string, unknown> },
  { hook, signal }: { hook: RunnableHook; signal: AbortSignal },
): Promise<RawResult> {
  let said: Awaited<ReturnType<Mcp['callTool']>>
  try {
    said = await mcp.callTool(asked, { signal })
  } catch (error) {
    return threw(`the call of its tool failed: ${errorText(error)}`)
  }
  const content: unknown = said?.content
  if (!Array.isArray(content)) return threw('its tool gave no content')
  const parts = content as readonly ({ type?: unknown; text?: unknown } | null)[]
  const texts = parts.flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
  const text = texts.join('\n')
  if (said.isError === true) return threw(`its tool answered with an error: ${errorText(text || 'without a message')}`)
  if (text.length > limit) return { ending: { kind: 'overflowed', stream: 'body', limit } }
  if (texts.length === parts.length) return { ending: { kind: 'returned' }, stdout: text }
  // A guard that answers in pictures has not answered.
  if (hook.info.onFailure === 'block') return threw('its tool answered with something else than text')
  return { ending: { kind: 'returned' }, stdout: text, warnings: [notText(hook)] }
}

function notText({ info }: RunnableHook) {
  return {
    severity: 'warning' as const,
    code: 'not-text',
    message: `Hook ${JSON.stringify(info.label)}: the tool answered with something else than text, which is not read.`,
    hook: info.id,
  }
}

function refused(why: string): RawResult {
  return { ending: { kind: 'refused', why } }
}

function threw(error: string): RawResult {
  return { ending: { kind: 'threw', error } }
}
