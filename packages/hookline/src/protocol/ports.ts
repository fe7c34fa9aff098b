/** The small ports that hosts implement: a model, MCP servers, and the question of trust (contract §6). */
import type { Awaitable } from './answering.ts'
import type { HookId } from './hook.ts'

export type Model = (request: ModelRequest, context: { signal: AbortSignal }) => Promise<ModelReply>

export interface ModelRequest {
  purpose: 'prompt-hook' | 'agent-hook'
  /** As the hook wrote it. */
  model?: string
  system: string
  messages: readonly ModelMessage[]
  tools?: readonly ModelTool[]
  toolChoice?: 'auto' | 'required'
  maxOutputTokens: number
}
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls?: readonly ModelToolCall[] }
  | { role: 'tool'; id: string; text: string; isError?: boolean }
export interface ModelTool {
  name: string
  description: string
  /** A JSON Schema. */
  inputSchema: object
}
export interface ModelToolCall {
  id: string
  name: string
  input: unknown
}
/** A `length` or `refused` reply is a hook failure, never a pass. */
export interface ModelReply {
  text: string
  toolCalls?: readonly ModelToolCall[]
  finish: 'stop' | 'tool-calls' | 'length' | 'refused'
  usage?: { inputTokens: number; outputTokens: number }
}
/** A tool for the verifier of agent hooks. */
export interface VerifierTool extends ModelTool {
  execute(input: unknown, context: { signal: AbortSignal }): Awaitable<string>
}

export interface Mcp {
  /** Connected servers only; Hookline never connects. */
  servers(): readonly string[]
  callTool(
    call: { server: string; tool: string; input: Record<string, unknown> },
    context: { signal: AbortSignal },
  ): Promise<{ content: readonly { type: string; text?: string }[]; isError?: boolean }>
}

/** Who vouches for what a folder brings (design decision 7). */
export type TrustMode = 'implicit' | 'pinned' | 'ask'
export type AskTrust = (request: TrustRequest, context: { signal: AbortSignal }) => Awaitable<TrustAnswer>
export type TrustAnswer = 'once' | 'always' | 'no'
export interface TrustRequest {
  folder: string
  digest: string
  items: readonly TrustItem[]
}
export interface TrustItem {
  kind: 'command' | 'script' | 'url' | 'prompt' | 'module' | 'env' | 'rule'
  /** Whole, never cut. */
  text: string
  /** When a hook runs, in words: its event, matcher, `if` and flags. */
  when?: string
  hook?: HookId
  file?: string
  line?: number
  /** Against what was accepted last; everything is `added` when nothing was. */
  change?: 'added' | 'changed' | 'removed'
  before?: string
  whenBefore?: string
}
export interface Trust {
  readonly pending: readonly TrustRequest[]
  answer(digest: string, answer: TrustAnswer): Promise<void>
  revoke(folder: string): Promise<void>
}
