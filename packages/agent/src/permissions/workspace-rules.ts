/** The agent's own rules beside the settings' lists: reading in the workspace needs no question, guarded files always do. */
import type { Behavior, ToolCall } from 'hookline'
import type { AnyTool } from '../tools/tool.ts'
import { type KindPlace, kindOfCall } from './kind.ts'
import { isGuarded, pathOf } from './place.ts'

/** Tools that change nothing outside the conversation. */
const inner = [
  'Agent',
  'Task',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'TaskGet',
  'ToolSearch',
  'StructuredOutput',
  'SendMessage',
  'TodoWrite',
  'AskUserQuestion',
  'KillShell',
  'BashOutput',
  'TaskStop',
  'TaskOutput',
  'EnterPlanMode',
  'ExitPlanMode',
  'ListAgents',
]

/** `allow` and `ask` as a permission list would say them; the strictest word of all lists wins. */
export function judgeWorkspace(call: ToolCall, tool: AnyTool | undefined, place: KindPlace): Behavior | { behavior: Behavior; reason?: string } {
  const path = pathOf(call)
  if (tool?.kind === 'edit' && path !== undefined && isGuarded(path, place))
    return { behavior: 'ask', reason: `${path} is a file that steers tools or this agent; writing it needs a person's consent.` }
  if (inner.includes(call.name)) return 'allow'
  const kind = kindOfCall(call, tool, place)
  if (place.mode === 'plan' && kind === 'edit')
    return { behavior: 'ask', reason: `Plan mode is active, and ${call.name} would change ${path ?? 'files'}. Present the plan first.` }
  return kind === 'read' ? 'allow' : 'passthrough'
}
