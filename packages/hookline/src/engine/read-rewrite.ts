/** Reads a rewritten tool output: it must have the shape of that tool's output, else the original stays. */
import { outputMisfit, readKey } from './read-fields.ts'
import type { Reading } from './read-reading.ts'

/** The wire's two spellings: `updatedToolOutput` for every tool, `updatedMCPToolOutput` for MCP tools only (older). */
export function readOutputRewrite(fields: ReadonlyMap<string, unknown>, reading: Reading, input: Readonly<Record<string, unknown>> | undefined): void {
  const tool = input?.['tool_name']
  const older = fields.get('updatedMCPToolOutput')
  if (older !== undefined) {
    if (tool === undefined || (typeof tool === 'string' && tool.startsWith('mcp__'))) readKey('updatedOutput', older, { name: 'updatedMCPToolOutput', reading })
    else reading.warn('misfit-output', 'gave an updatedMCPToolOutput for a tool that is not an MCP tool; the original output stays')
  }
  const output = fields.get('updatedToolOutput')
  if (output !== undefined) readKey('updatedOutput', output, { name: 'updatedToolOutput', reading })
  dropMisfit(reading, input)
}

/** Takes back a rewrite that does not fit, and the classifier context that was said about it (protocol §1.3). */
export function dropMisfit(reading: Reading, input: Readonly<Record<string, unknown>> | undefined): void {
  const { words } = reading
  if (words.updatedOutput === undefined) return
  const misfit = outputMisfit(input?.['tool_name'], words.updatedOutput)
  if (misfit === undefined) return
  delete words.updatedOutput
  delete words.classifierContext
  reading.warn('misfit-output', `rewrote an output so that it does not fit (${misfit}); the original output stays`, { tell: true })
}
