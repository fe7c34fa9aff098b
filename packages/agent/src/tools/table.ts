/** All built-in tools, in the order in which the model is told of them. */
import { agent } from './agent.ts'
import { askUserQuestion } from './ask-user-question.ts'
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { notebookEdit } from './notebook-edit.ts'
import { enterPlanMode, exitPlanMode } from './plan-mode.ts'
import { read } from './read.ts'
import { sendMessage } from './send-message.ts'
import { skill } from './skill.ts'
import { taskCreate } from './task-create.ts'
import { taskGet } from './task-get.ts'
import { taskListTool } from './task-list-tool.ts'
import { taskOutput } from './task-output.ts'
import { taskStop } from './task-stop.ts'
import { taskUpdate } from './task-update.ts'
import type { AnyTool } from './tool.ts'
import { toolSearch } from './tool-search.ts'
import { webFetch } from './web-fetch.ts'
import { enterWorktree, exitWorktree } from './worktree-tools.ts'
import { write } from './write.ts'

export const toolTable: readonly AnyTool[] = [
  agent,
  bash,
  glob,
  grep,
  read,
  edit,
  write,
  notebookEdit,
  webFetch,
  skill,
  taskCreate,
  taskGet,
  taskUpdate,
  taskListTool,
  taskOutput,
  taskStop,
  sendMessage,
  askUserQuestion,
  enterPlanMode,
  exitPlanMode,
  enterWorktree,
  exitWorktree,
  toolSearch,
]
