/** The common fields of every hook's input, as they are at the moment it runs. */
import type { BaseInput, PermissionMode } from 'hookline'

/** What the fields are read from. */
export interface LiveFields {
  sessionId(): string
  transcriptPath(): string
  cwd(): string
  promptId(): string | undefined
  mode(): PermissionMode
  effort: string
  /** The type that the main conversation was started as. */
  agentType?: string
}

const withMode = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'PreSkillShellCommand',
])
const withEffort = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Stop',
  'SubagentStop',
])

/** For `base` of a Hookline, a session or a subagent: asked with the event each time hooks run. */
export function liveFields(live: LiveFields): (event: string) => Partial<BaseInput> {
  return (event) => {
    const promptId = live.promptId()
    return {
      session_id: live.sessionId(),
      transcript_path: live.transcriptPath(),
      cwd: live.cwd(),
      ...(promptId === undefined ? {} : { prompt_id: promptId }),
      ...(withMode.has(event) ? { permission_mode: live.mode() } : {}),
      ...(live.agentType === undefined ? {} : { agent_type: live.agentType }),
      ...(withEffort.has(event) ? { effort: { level: live.effort } } : {}),
    }
  }
}
