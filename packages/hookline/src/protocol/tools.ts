/** The tools of the field: their input types, names, aliases, kinds, and the output shapes that a rewrite must keep. */

/** Input of the well-known tools; open to declaration merging. */
export interface ToolInputs {
  Bash: { command: string; description?: string; timeout?: number; run_in_background?: boolean }
  PowerShell: { command: string; description?: string; timeout?: number; run_in_background?: boolean }
  Write: { file_path: string; content: string }
  Edit: { file_path: string; old_string: string; new_string: string; replace_all?: boolean }
  Read: { file_path: string; offset?: number; limit?: number }
  Glob: { pattern: string; path?: string }
  Grep: { pattern: string; path?: string; glob?: string; output_mode?: string; '-i'?: boolean; multiline?: boolean }
  WebFetch: { url: string; prompt: string; offset?: number }
  WebSearch: { query: string; allowed_domains?: string[]; blocked_domains?: string[] }
  Agent: { prompt: string; description: string; subagent_type: string; model?: string }
  NotebookEdit: { notebook_path: string; new_source: string; cell_id?: string; cell_type?: 'code' | 'markdown'; edit_mode?: 'replace' | 'insert' | 'delete' }
  Skill: { skill: string; args?: string }
}

/** Built-in tool names that a matcher may look for (protocol §4.1; not exhaustive). */
// biome-ignore format: a list of words reads better as a paragraph
export const toolNames: readonly string[] = [
  'Agent', 'Artifact', 'AskUserQuestion', 'Bash', 'BashOutput', 'ClaudeDesign', 'CronCreate', 'CronDelete', 'CronList', 'Edit', 'EndConversation', 'EnterPlanMode', 'EnterWorktree',
  'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'KillShell', 'ListAgents', 'ListMcpResourcesTool', 'LSP', 'Monitor', 'MultiEdit', 'NotebookEdit', 'OfferChromeSetup', 'PowerShell', 'Projects', 'propose_skills',
  'PushNotification', 'Read', 'ReadMcpResourceDirTool', 'ReadMcpResourceTool', 'ReadNotifications', 'RemoteTrigger', 'ReportFindings', 'ScheduleWakeup', 'SendFeedback', 'SendMessage',
  'SendUserFile', 'SendUserMessage', 'SetGoal', 'ShareOnboardingGuide', 'ShowOnboardingRolePicker', 'Skill', 'SlashCommand', 'StructuredOutput', 'SubagentHandback', 'Task', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskStop',
  'TaskUpdate', 'TodoWrite', 'ToolSearch', 'WaitForMcpServers', 'WebFetch', 'WebSearch', 'Workflow', 'Write',
]

/** Former names and the names they stand for now: a matcher or rule with one means the other too. */
export const toolAliases: Readonly<Record<string, string>> = { Task: 'Agent' }

/** Every name under which a tool is known: its own, its former ones, and the one it is a former name of. */
export function namesOf(tool: string): readonly string[] {
  const now = Object.hasOwn(toolAliases, tool) ? toolAliases[tool] : undefined
  if (now !== undefined) return [tool, now]
  const former = Object.keys(toolAliases).filter((old) => toolAliases[old] === tool)
  return former.length === 0 ? [tool] : [tool, ...former]
}

/** What a tool does to the machine, for permission modes. */
export const toolKinds: Readonly<Record<string, 'read' | 'edit'>> = {
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LSP: 'read',
  TaskGet: 'read',
  TaskList: 'read',
  ToolSearch: 'read',
  ListMcpResourcesTool: 'read',
  ReadMcpResourceTool: 'read',
  Edit: 'edit',
  Write: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
}

/** The tool's main field: what a rule's text is compared with, never a `Tool(param:value)` (protocol §1.4). */
export const mainFields: Readonly<Record<string, string>> = {
  Bash: 'command',
  PowerShell: 'command',
  Monitor: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'path',
  Grep: 'path',
  LSP: 'file_path',
  WebFetch: 'url',
}

/**
 * The fields that a built-in tool's output must have, with their JSON type. A rewritten output of such a tool
 * that lacks one is ignored with a warning (protocol §1.3, PostToolUse). Tools that are not listed take anything.
 */
export const toolOutputs: Readonly<Record<string, Readonly<Record<string, 'string' | 'boolean' | 'number' | 'object'>>>> = {
  Bash: { stdout: 'string', stderr: 'string', interrupted: 'boolean' },
  PowerShell: { stdout: 'string', stderr: 'string', interrupted: 'boolean' },
  Write: { filePath: 'string' },
  Edit: { filePath: 'string' },
  Read: { file: 'object' },
}
