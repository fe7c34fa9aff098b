/** Names that other agents use for what the table calls otherwise, and how to tell their files apart. */
import { events } from '../protocol/events.ts'
import { memberOf, type ObjectTree, type Tree, textOf } from './tree.ts'

/** Events of other agents and their counterparts here. */
export const foreignEvents: Readonly<Record<string, string>> = {
  BeforeTool: events.PreToolUse.name,
  AfterTool: events.PostToolUse.name,
  BeforeAgent: events.UserPromptSubmit.name,
  AfterAgent: events.Stop.name,
  PreCompress: events.PreCompact.name,
  userPromptSubmitted: events.UserPromptSubmit.name,
  agentStop: events.Stop.name,
  errorOccurred: events.StopFailure.name,
  beforeSubmitPrompt: events.UserPromptSubmit.name,
  beforeShellExecution: events.PreToolUse.name,
  beforeMCPExecution: events.PreToolUse.name,
  beforeReadFile: events.PreToolUse.name,
  afterShellExecution: events.PostToolUse.name,
  afterMCPExecution: events.PostToolUse.name,
  afterFileEdit: events.PostToolUse.name,
}

/** Tools of other agents and their counterparts here. */
export const foreignTools: Readonly<Record<string, string>> = {
  run_shell_command: 'Bash',
  shell: 'Bash',
  terminal: 'Bash',
  execute_command: 'Bash',
  write_file: 'Write',
  create_file: 'Write',
  replace: 'Edit',
  edit_file: 'Edit',
  apply_patch: 'Edit',
  str_replace_editor: 'Edit',
  read_file: 'Read',
  read_many_files: 'Read',
  list_directory: 'Glob',
  search_file_content: 'Grep',
  google_web_search: 'WebSearch',
  web_fetch: 'WebFetch',
}

/** Tools that agents had once: known, so that a matcher with one is no slip. */
export const retiredTools: readonly string[] = ['LS', 'NotebookRead', 'TodoRead', 'exit_plan_mode', 'AgentOutputTool', 'TaskOutput']

/** The counterpart under a map of names, by exact spelling or by case. */
export function counterpart(map: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(map, name)) return map[name]
  const folded = name.toLowerCase()
  const key = Object.keys(map).find((candidate) => candidate.toLowerCase() === folded)
  return key === undefined ? undefined : map[key]
}

/** The agent whose hook format this file is in, when it is not ours. */
export function foreignFormat(settings: ObjectTree): 'copilot' | 'cursor' | undefined {
  const hooks = memberOf(settings, 'hooks')
  if (hooks?.kind !== 'object' || memberOf(settings, 'version')?.kind !== 'number') return undefined
  const handlers = hooks.entries.flatMap(({ value }) => (value.kind === 'list' ? value.items : []))
  const flat = handlers.filter((handler) => memberOf(handler, 'hooks') === undefined)
  if (flat.length === 0 || !hooks.entries.every(({ key }) => /^[a-z]/.test(key))) return undefined
  return flat.some(isCopilot) ? 'copilot' : 'cursor'
}

function isCopilot(handler: Tree): boolean {
  return textOf(memberOf(handler, 'type')) !== undefined || ['bash', 'powershell', 'timeoutSec'].some((key) => memberOf(handler, key) !== undefined)
}
