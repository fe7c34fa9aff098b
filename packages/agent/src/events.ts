/** What the agent tells whoever watches it: one closed union, the only way out of the loop besides its result. */
import type { Diagnostic, Ending, HookInfo, Outcome, PermissionMode } from 'hookline'
import type { Message, ModelErrorKind, Usage } from './model/port.ts'

/** How a turn ended. `hook_stopped`: a hook said `continue: false`, or a batch was ended by one; `local`: a command did it without the model. */
export type TurnReason = 'completed' | 'local' | 'hook_stopped' | 'blocked' | 'interrupted' | 'max_turns' | 'error' | 'deferred' | 'stop_block_cap'

export interface TurnResult {
  reason: TurnReason
  /** Text of the last assistant message. */
  text: string
  /** The provider's reason of the last answer, in its words: `end_turn`, `tool_use`, … */
  stopReason?: string
  error?: { kind: ModelErrorKind; message: string; hint?: string }
  /** What the person is told: reasons of blocked prompts and stops. */
  notice?: string
  turns: number
  usage: Usage
  durationMs: number
  /** The last answer of the StructuredOutput tool, where one was asked for. */
  structured?: unknown
  /** The call that a hook put off; resuming the session tries it again. */
  deferred?: { id: string; name: string; input: unknown }
}

export type AgentEvent =
  | {
      kind: 'session'
      sessionId: string
      model: string
      cwd: string
      tools: readonly string[]
      mode: PermissionMode
      mcpServers: readonly { name: string; status: string }[]
      commands: readonly string[]
      agents: readonly string[]
    }
  | { kind: 'turn-start'; promptId: string; prompt: string }
  | { kind: 'text'; text: string; agentId?: string }
  | { kind: 'message'; message: Message; id: string; agentId?: string; parentToolUseId?: string; usage?: Usage; stopReason?: string; display?: string }
  | { kind: 'tool-start'; id: string; name: string; input: unknown; agentId?: string }
  | { kind: 'tool-progress'; id: string; text: string; agentId?: string }
  | { kind: 'tool-end'; id: string; name: string; status: 'ran' | 'failed' | 'refused' | 'deferred' | 'cancelled'; text: string; ms: number; agentId?: string }
  | { kind: 'hook-start'; callId: string; hook: HookInfo; event: string; matched?: string; statusMessage?: string }
  | { kind: 'hook-output'; callId: string; hook: string; event: string; stream: 'stdout' | 'stderr'; text: string }
  | {
      kind: 'hook-end'
      callId: string
      hook: HookInfo
      event: string
      ending: Ending
      outcome: Outcome
      stdout: string
      stderr: string
      ms: number
      matched?: string
      /** Nobody waited for it: it was told of once with the ending `deferred`, and has ended now. */
      background?: true
    }
  /** A hook of a type that its event does not take: it is left out, every time. */
  | { kind: 'hook-unfit'; callId: string; hook: HookInfo; event: string; why: string; matched?: string }
  | { kind: 'notice'; level: 'info' | 'warning' | 'error'; text: string; diagnostic?: Diagnostic }
  | { kind: 'retry'; attempt: number; delayMs: number; reason: string }
  | { kind: 'mode'; mode: PermissionMode }
  | { kind: 'model'; from: string; to: string }
  | { kind: 'compacted'; trigger: 'manual' | 'auto'; tokensBefore: number }
  | { kind: 'cwd'; cwd: string }
  | { kind: 'subagent-start'; agentId: string; type: string; description: string }
  | { kind: 'subagent-end'; agentId: string; type: string; reason: TurnReason }
  | { kind: 'turn-end'; result: TurnResult }
  | { kind: 'terminal'; sequence: string }
  | { kind: 'session-end'; reason: string }
  /** Something waits in the inbox: an idle face may start a turn. */
  | { kind: 'wake' }

/** Where events go; must not throw and must return at once. */
export type Emit = (event: AgentEvent) => void
