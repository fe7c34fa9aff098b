/** The handlers that think, for whoever brings a model or MCP servers; without either there are none, and such hooks are skipped. */
import type { Mcp, Model, VerifierTool } from '../protocol/ports.ts'
import type { HandlerRunner } from '../protocol/runner.ts'
import type { OpenVerifier } from '../protocol/verifier.ts'
import { createAgentHandler } from './agent.ts'
import { createMcpToolHandler } from './mcp-tool.ts'
import { createPromptHandler } from './prompt.ts'

/** What a host brings; see the options of the same names. */
export interface ModelPorts {
  readonly model?: Model
  readonly mcp?: Mcp
  readonly tools?: readonly VerifierTool[]
}

/** The handlers for what is there. */
export function createModelHandlers({ model, mcp, tools = [] }: ModelPorts, openVerifier: OpenVerifier): HandlerRunner[] {
  return [
    ...(model === undefined ? [] : [createPromptHandler({ model }), createAgentHandler({ model, toolsFor: () => tools, openVerifier })]),
    ...(mcp === undefined ? [] : [createMcpToolHandler({ mcp })]),
  ]
}
