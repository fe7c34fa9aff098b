/** Where the transcripts of a folder lie, and the files beside one transcript. */
import { join } from 'node:path'
import { stateFolder } from 'hookline/node'

/** The transcripts of one project. */
export function transcriptFolder(cwd: string, env: Record<string, string | undefined>, base?: string): string {
  return join(base ?? stateFolder(env, 'transcripts'), cwd.replaceAll(/[^A-Za-z0-9]/g, '-'))
}

/** The transcript of a session. */
export function transcriptPath(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`)
}

/** The transcript of a subagent. */
export function subagentPath(folder: string, sessionId: string, agentId: string): string {
  return join(folder, sessionId, 'subagents', `agent-${agentId}.jsonl`)
}

/** Where the output of a background task grows. */
export function taskOutputPath(folder: string, sessionId: string, taskId: string): string {
  return join(folder, sessionId, 'tasks', `${taskId}.output`)
}

/** The task list of a session, which its subagents and teammates share. */
export function taskListPath(folder: string, sessionId: string): string {
  return join(folder, sessionId, 'task-list.json')
}
