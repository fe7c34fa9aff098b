/** The door of the reference agent: what a program that embeds it may use. */

export { type Agent, createAgent, type RunOptions } from './agent.ts'
export type { AgentDefinition } from './agents/definition.ts'
export type { AgentEvent, Emit, TurnReason, TurnResult } from './events.ts'
export { createAgentModel } from './model/choose.ts'
export type {
  AgentModel,
  Finish,
  Media,
  Message,
  ModelErrorKind,
  ModelEvent,
  ModelRequest,
  TextBlock,
  ToolResultBlock,
  ToolSpec,
  ToolUseBlock,
  Usage,
} from './model/port.ts'
export { ModelError } from './model/port.ts'
export { createScriptModel, type Script } from './model/script.ts'
export { AgentError, type SessionHandle } from './session/handle.ts'
export type { AgentOptions, Expanded, Expander, NoteSource, Starter } from './session/options.ts'
export { toolTable as builtInTools, toolTable } from './tools/table.ts'
export { openTaskList } from './tools/task-list.ts'
export type { AnyTool, Services, Tool, ToolContext, ToolResult, Workspace } from './tools/tool.ts'
export { defineTool, ToolError } from './tools/tool.ts'
