/** The words of the tool station: modes, rules, the ports a host implements, and what it gets back. */
import type { HookContext } from './answering.ts'
import type { Verdict } from './event-types.ts'
import type { HookId } from './hook.ts'
import type { Behavior, Stopped } from './verdict-parts.ts'

type Awaitable<T> = T | PromiseLike<T>

export type PermissionMode = 'default' | 'plan' | 'acceptEdits' | 'auto' | 'dontAsk' | 'bypassPermissions'

/** One call of a tool. `id` is the model's tool-use id; `permit` is idempotent per id. */
export interface ToolCall {
  name: string
  input: Record<string, unknown>
  id: string
  mcpServer?: { name: string; source: string }
}

/** What a host brings to a permission decision; everything is optional for the host (contract §5). */
export interface Permissions {
  /** Beside the settings' own lists; the strictest wins. */
  rules: { deny?: readonly string[]; ask?: readonly string[]; allow?: readonly string[] } | Judge
  /** Absent: the host has no modes, and no opinion means go on as without Hookline. */
  mode: PermissionMode | (() => PermissionMode)
  /** Absent: nobody to ask, so ask is a deny. 'return': `permit` hands over the question. */
  ask: Ask | 'return'
  /** Consulted in mode "auto". */
  classify: Judge
  /** For modes; default: the known tools. */
  kindOf: (call: ToolCall) => 'read' | 'edit' | 'other'
  /** `cause` is who wants the question asked. */
  suggest: (call: ToolCall, cause: Cause) => readonly PermissionUpdate[]
  /** Whether the hooks of PermissionRequest may answer this question in the person's place; absent: every question. */
  request: (question: Question) => boolean
  /** Stores what was granted; absent: this session only. */
  onUpdate: (updates: readonly PermissionUpdate[]) => Awaitable<void>
}

/** The host's own rule engine. */
export type Judge = (call: ToolCall, context: HookContext) => Awaitable<Behavior | Judgement>
/** What a judge says. `noVerdict`: nobody judged the call, so that no hook of PermissionDenied can have it tried again. */
export interface Judgement {
  behavior: Behavior
  reason?: string
  noVerdict?: true
}
/** Asks a person. Has the shape of the Agent SDK's `canUseTool` result. */
export type Ask = (question: Question, context: { signal: AbortSignal }) => Awaitable<PermissionAnswer>

export interface Question {
  call: ToolCall
  reason?: string
  cause: Cause
  by: readonly HookId[]
  suggestions: readonly PermissionUpdate[]
}

export type PermissionAnswer =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: readonly PermissionUpdate[] }
  | { behavior: 'deny'; message?: string; interrupt?: boolean }

/** Who or what decided a permission. */
export type Cause = 'hook' | 'rule' | 'mode' | 'person' | 'classifier' | 'nobody-to-ask' | 'no-opinion'

/** Whether a tool call runs. `behavior` is `ask` only under `ask: 'return'`. */
export interface Permit {
  behavior: Behavior
  cause: Cause
  reason?: string
  /** With the rewritten input. */
  call: ToolCall
  question?: Question
  /** Answers the question; rules are looked at again. */
  answer(answer: PermissionAnswer): Promise<Permit>
  toModel: string
  toUser: string
  stop?: Stopped
  interrupt?: true
  retry?: true
  verdict: Verdict<'PreToolUse'>
}

/** What became of a tool call. `ms` is the tool's own wall time in milliseconds; `forClassifier` is for a host's classifier of later calls and never for the model. */
export type ToolRun<O> = { permit: Permit; toModel: string; toUser: string; stop?: Stopped; forClassifier?: string } & (
  | { kind: 'ran'; output: O; ms: number }
  | { kind: 'failed'; error: unknown; ms: number }
  | { kind: 'refused' }
  | { kind: 'deferred' }
)

export type Destination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session'

/** A change of the permission settings, in the wire's own words (protocol §6.7). */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules'
      rules: readonly { toolName: string; ruleContent?: string }[]
      behavior: 'allow' | 'deny' | 'ask'
      destination: Destination
    }
  | { type: 'setMode'; mode: PermissionMode; destination: Destination }
  | { type: 'addDirectories' | 'removeDirectories'; directories: readonly string[]; destination: Destination }
