/** The door of the reference agent: what a program that embeds it may use. */
export type { AgentEvent, Emit, TurnReason, TurnResult } from './events.ts'
export type {
  AgentModel,
  Finish,
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
export type { AnyTool, Services, Tool, ToolContext, ToolResult, Workspace } from './tools/tool.ts'
export { defineTool, ToolError } from './tools/tool.ts'
