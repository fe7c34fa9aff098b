/** What the loop knows of a model: messages and tools in, a stream of text, tool calls and one end out. */

/** Text that somebody wrote, or that the agent adds in its own name (`reminder`: context from hooks, notes about tools). */
export interface TextBlock {
  type: 'text'
  text: string
  reminder?: true
}

/** One call of a tool, as the model asked for it; `input` is what it sent, not yet checked. */
export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
  /** What the provider wants back with the call: Gemini refuses a call whose signature was lost. */
  signature?: string
}

/** A picture or a PDF that the model looks at. */
export interface Media {
  mediaType: string
  /** In base64. */
  data: string
}

/** What a tool call gave back. */
export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content: string
  /** Shown beside the text, by providers that take such things. */
  media?: readonly Media[]
  is_error?: boolean
}

export type Message =
  | { role: 'user'; content: readonly (TextBlock | ToolResultBlock)[] }
  | { role: 'assistant'; content: readonly (TextBlock | ToolUseBlock)[] }

/** A tool as the model sees it; `inputSchema` is JSON Schema. */
export interface ToolSpec {
  name: string
  description: string
  inputSchema: object
}

export interface ModelRequest {
  /** Who asks: the main conversation, a subagent, a compaction, the classifier of auto mode, a hook that thinks. */
  purpose: 'main' | 'subagent' | 'compact' | 'classifier' | 'hook'
  /** Model name as written by the person, the agent file or the hook; absent: the model's own default. */
  model?: string
  system: string
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  toolChoice?: 'auto' | 'required'
  maxOutputTokens?: number
}

/** Tokens of one answer; `input` counts what was read from a cache too. */
export interface Usage {
  input: number
  output: number
}

export type Finish = 'stop' | 'tool-calls' | 'length' | 'refused'

/**
 * A stream gives any number of `text`, `tool` and `retry` events and exactly one `end`, or throws a `ModelError`.
 * A `retry` with `restart` says that the answer was cut off and begins anew: text and tools given so far are void.
 * `input` of a tool is what the model sent: a string when it was not JSON, so that it fails the tool's schema.
 */
export type ModelEvent =
  /** `block` tells the text blocks of an answer apart; absent: all is one. */
  | { kind: 'text'; text: string; block?: string }
  | { kind: 'tool'; id: string; name: string; input: unknown; signature?: string }
  | { kind: 'retry'; attempt: number; delayMs: number; reason: string; restart?: true }
  | { kind: 'end'; finish: Finish; usage: Usage; model: string /** In the provider's words: `end_turn`, `tool_calls`. */; stopReason?: string }

/** A model; it throws nothing but `ModelError`, and `signal.reason` when the host aborts. */
export interface AgentModel {
  /** The canonical name, as hooks see it in `model`, e.g. `claude-opus-5-5`. */
  readonly name: string
  /** For people, e.g. `anthropic claude-opus-5-5` or `script demo.json (not a model)`. */
  readonly label: string
  /** Name of a small, fast model of the same provider, for hooks that think and name none; absent: this one. */
  readonly small?: string
  stream(request: ModelRequest, context: { signal: AbortSignal }): AsyncIterable<ModelEvent>
  /** The same provider with another model; throws `ModelError` (`model_not_found`) when the name cannot belong to it. */
  named(name: string): AgentModel
}

/** Why a turn ended without an answer; the values of StopFailure's `error` field. */
export type ModelErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'max_output_tokens'
  | 'unknown'

export interface ModelErrorOptions {
  hint?: string
  status?: number
  detail?: string
  tooLong?: true
  badMedia?: true
  cause?: unknown
}

/** A model that did not answer: which kind of failure, in words without a secret, and what to do next. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind
  readonly hint?: string
  /** HTTP status, where there was one. */
  readonly status?: number
  /** The provider's own words, without a secret. */
  readonly detail?: string
  /** The conversation does not fit into the model: a shorter one may be asked. */
  readonly tooLong?: true
  /** A picture or a PDF of the conversation is not taken: without it the request may pass. */
  readonly badMedia?: true

  constructor(kind: ModelErrorKind, message: string, options: ModelErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ModelError'
    this.kind = kind
    if (options.hint !== undefined) this.hint = options.hint
    if (options.status !== undefined) this.status = options.status
    if (options.detail !== undefined) this.detail = options.detail
    if (options.tooLong !== undefined) this.tooLong = options.tooLong
    if (options.badMedia !== undefined) this.badMedia = options.badMedia
  }
}
