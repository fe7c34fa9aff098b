/** Events as lines of `stream-json`: one JSON object per line, in the form that programs around coding agents read. */
import { randomUUID } from 'node:crypto'
import type { Ending } from 'hookline'
import type { AgentEvent, TurnResult } from '../events.ts'
import { hookName } from '../loop/hook-feed.ts'
import type { SessionHandle } from '../session/handle.ts'
import { wireContent } from '../session/transcript.ts'

type Line = Record<string, unknown>

// Their hooks run beside the conversation and are not part of the stream.
const silent = new Set([
  'SessionEnd',
  'Notification',
  'PreCompact',
  'PostCompact',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'ConfigChange',
  'Elicitation',
  'ElicitationResult',
  'WorktreeCreate',
  'WorktreeRemove',
  'StopFailure',
  'DirectoryAdded',
  'PostSampling',
])
// Shown whether hook events were asked for or not.
const always = new Set(['SessionStart', 'Setup'])
const shownTypes = new Set(['command', 'http', 'mcp_tool', 'module'])

/** What a stream of lines shows. */
export interface LineOptions {
  hooks: boolean
}

/** Turns events into lines; some have none. */
export function createLines(session: SessionHandle, { hooks }: LineOptions): (event: AgentEvent) => Line[] {
  const common = () => ({ session_id: session.sessionId, uuid: randomUUID() })
  const shows = (event: string, type: string) => shownTypes.has(type) && !silent.has(event) && (hooks || always.has(event))
  const types = new Map<string, string>()
  return (event) => {
    switch (event.kind) {
      case 'session':
        return [
          {
            type: 'system',
            subtype: 'init',
            cwd: event.cwd,
            tools: event.tools,
            mcp_servers: event.mcpServers,
            model: event.model,
            permissionMode: event.mode,
            slash_commands: event.commands,
            agents: event.agents,
            ...common(),
            session_id: event.sessionId,
          },
        ]
      case 'hook-start':
        types.set(event.hook.id, event.hook.type)
        return shows(event.event, event.hook.type)
          ? [
              {
                type: 'system',
                subtype: 'hook_started',
                hook_id: `${event.callId}/${event.hook.id}`,
                hook_name: hookName(event.event, event.matched),
                hook_event: event.event,
                ...common(),
              },
            ]
          : []
      case 'hook-output': {
        if (!shows(event.event, types.get(event.hook) ?? '')) return []
        const streams = event.stream === 'stdout' ? { stdout: event.text, stderr: '' } : { stdout: '', stderr: event.text }
        return [
          {
            type: 'system',
            subtype: 'hook_progress',
            hook_id: `${event.callId}/${event.hook}`,
            hook_name: event.event,
            hook_event: event.event,
            ...streams,
            output: event.text,
            ...common(),
          },
        ]
      }
      case 'hook-end':
        if (!shows(event.event, event.hook.type) || event.ending.kind === 'deferred') return []
        return [
          {
            type: 'system',
            subtype: 'hook_response',
            hook_id: `${event.callId}/${event.hook.id}`,
            hook_name: hookName(event.event, event.matched),
            hook_event: event.event,
            output: event.stdout + event.stderr,
            stdout: event.stdout,
            stderr: event.stderr,
            ...exitOf(event.ending),
            outcome: outcomeOf(event.ending, event.outcome),
            ...common(),
          },
        ]
      case 'hook-unfit':
        if (silent.has(event.event) || !(hooks || always.has(event.event))) return []
        return [
          {
            type: 'system',
            subtype: 'hook_response',
            hook_id: `${event.callId}/${event.hook.id}`,
            hook_name: hookName(event.event, event.matched),
            hook_event: event.event,
            output: event.why,
            stdout: '',
            stderr: event.why,
            exit_code: 1,
            outcome: 'error',
            ...common(),
          },
        ]
      case 'message': {
        const { message, agentId, parentToolUseId, usage, stopReason, display, id } = event
        if (agentId !== undefined && parentToolUseId === undefined) return []
        const content =
          display === undefined ? wireContent(message) : [{ type: 'text', text: display }, ...message.content.filter((block) => block.type !== 'text')]
        const wire =
          message.role === 'user'
            ? { role: 'user', content }
            : {
                id: `msg_${id.replaceAll('-', '').slice(0, 24)}`,
                type: 'message',
                role: 'assistant',
                model: session.conversation.model.name,
                content,
                stop_reason: stopReason ?? null,
                stop_sequence: null,
                usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
              }
        // The id of the transcript's line: who reads both can tell that they are one message.
        return [{ type: message.role, message: wire, parent_tool_use_id: parentToolUseId ?? null, ...common(), uuid: id }]
      }
      case 'notice':
        return [{ type: 'system', subtype: 'informational', level: event.level, content: event.text, ...common() }]
      case 'retry':
        return [{ type: 'system', subtype: 'api_retry', attempt: event.attempt, retry_delay_ms: event.delayMs, error: event.reason, ...common() }]
      case 'compacted':
        return [{ type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger: event.trigger, pre_tokens: event.tokensBefore }, ...common() }]
      case 'mode':
        return [{ type: 'system', subtype: 'status', status: null, permissionMode: event.mode, ...common() }]
      case 'turn-end':
        return [{ ...resultLine(event.result, session), ...common() }]
      default:
        return []
    }
  }
}

function exitOf(ending: Ending): { exit_code?: number } {
  if (ending.kind === 'exited') return { exit_code: ending.code }
  if (ending.kind === 'replied') return { exit_code: ending.status }
  return ending.kind === 'refused' || ending.kind === 'threw' || ending.kind === 'returned' || ending.kind === 'judged' ? {} : { exit_code: 1 }
}

function outcomeOf(ending: Ending, outcome: string): 'success' | 'error' | 'cancelled' {
  if (ending.kind === 'timedOut' || ending.kind === 'aborted') return 'cancelled'
  if (ending.kind === 'exited' && ending.code !== 0) return 'error'
  return outcome === 'nonBlockingError' ? 'error' : outcome === 'cancelled' ? 'cancelled' : 'success'
}

/** The last line of a prompt, and the one document of `--output-format json`. */
export function resultLine(result: TurnResult, session: SessionHandle): Line {
  const failed = isFailure(result)
  const subtype = result.reason === 'max_turns' ? 'error_max_turns' : result.reason === 'interrupted' ? 'error_during_execution' : 'success'
  const terminal = result.reason === 'interrupted' && result.stopReason !== 'tool_use' ? 'aborted_streaming' : terminalReasons[result.reason]
  return {
    type: 'result',
    subtype,
    is_error: failed,
    duration_ms: result.durationMs,
    num_turns: result.turns,
    ...(subtype === 'success' ? { result: resultText(result) } : {}),
    stop_reason: result.reason === 'blocked' || result.reason === 'local' ? null : result.reason === 'error' ? 'stop_sequence' : (result.stopReason ?? null),
    ...(terminal === undefined ? {} : { terminal_reason: terminal }),
    session_id: session.sessionId,
    usage: { input_tokens: result.usage.input, output_tokens: result.usage.output },
    permission_denials: session.conversation.denials,
    ...(result.structured === undefined ? {} : { structured_output: result.structured }),
    ...(result.deferred === undefined ? {} : { deferred_tool_use: result.deferred }),
    ...(result.error === undefined ? {} : { error: result.error }),
  }
}

const terminalReasons: Readonly<Partial<Record<TurnResult['reason'], string>>> = {
  completed: 'completed',
  stop_block_cap: 'completed',
  hook_stopped: 'hook_stopped',
  interrupted: 'aborted_tools',
  max_turns: 'max_turns',
  error: 'api_error',
  deferred: 'tool_deferred',
}

/** What a person reads as the outcome. An answer that hooks never let pass is none. */
export function resultText({ reason, text, notice }: TurnResult): string {
  if (reason === 'blocked') return notice ?? ''
  return reason === 'stop_block_cap' ? '' : text
}

export function isFailure({ reason }: TurnResult): boolean {
  return reason === 'max_turns' || reason === 'interrupted' || reason === 'error'
}
