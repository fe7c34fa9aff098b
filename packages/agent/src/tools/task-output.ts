/** TaskOutput: what a background command or subagent has said so far, waiting for its end if asked. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { outputLimit } from './shell-output.ts'
import { type BackgroundTask, defineTool, ToolError, type Workspace } from './tool.ts'

export const taskOutput = defineTool({
  name: 'TaskOutput',
  aliases: ['BashOutput', 'AgentOutputTool'],
  description: 'Gives the output of a background command or subagent. It waits for the end unless block is false.',
  kind: 'other',
  needs: 'background',
  schema: z.strictObject({
    task_id: z.string().min(1).describe('As the start of the task gave it'),
    block: z.boolean().optional().describe('Wait for the end; default true'),
    timeout: z.number().min(0).max(600_000).optional().describe('The longest wait in milliseconds; default 30000'),
  }),
  async execute({ task_id, block = true, timeout = 30_000 }, { workspace, signal }) {
    const task = taskOf(task_id, workspace)
    if (block && task.status === 'running') await ended(task, { timeout, signal })
    const output = tail(task.outputFile === undefined ? '' : await readFile(task.outputFile, 'utf8').catch(() => ''), outputLimit(workspace.env))
    const status = task.status !== 'running' ? 'success' : block ? 'timeout' : 'not_ready'
    const kind = task.kind === 'shell' ? 'local_bash' : 'local_agent'
    const exit = task.exitCode === undefined ? {} : { exitCode: task.exitCode }
    const lines = [
      `<retrieval_status>${status}</retrieval_status>`,
      `<task_id>${task.id}</task_id>`,
      `<task_type>${kind}</task_type>`,
      `<status>${task.status}</status>`,
    ]
    if (task.exitCode !== undefined) lines.push(`<exit_code>${task.exitCode}</exit_code>`)
    if (output !== '') lines.push(`<output>\n${output}\n</output>`)
    return {
      response: { retrieval_status: status, task: { task_id: task.id, task_type: kind, status: task.status, description: task.description, output, ...exit } },
      text: lines.join('\n\n'),
    }
  },
})

/** @throws ToolError that names the tasks there are. */
export function taskOf(id: string, { services }: Workspace): BackgroundTask {
  const found = services.background?.find((it) => it.id === id)
  if (found !== undefined) return found
  const known = services.background?.map((it) => it.id) ?? []
  throw new ToolError(`No task found with ID: ${id}.${known.length === 0 ? ' Nothing runs in the background.' : ` Known are ${known.join(', ')}.`}`)
}

function ended(task: BackgroundTask, { timeout, signal }: { timeout: number; signal: AbortSignal }): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      act()
    }
    const timer = setTimeout(finish(resolve), timeout)
    const aborted = finish(() => reject(signal.reason))
    signal.addEventListener('abort', aborted, { once: true })
    task.done.then(finish(resolve), finish(resolve))
  })
}

/** The end of a long output is what is new. */
function tail(text: string, limit: number): string {
  const whole = text.trimEnd()
  return whole.length <= limit ? whole : `[${whole.length - limit} characters left out]\n${whole.slice(-limit)}`
}
