/** TaskStop: ends a background command or subagent. */
import { z } from 'zod'
import { taskOf } from './task-output.ts'
import { defineTool, ToolError } from './tool.ts'

export const taskStop = defineTool({
  name: 'TaskStop',
  aliases: ['KillShell', 'KillBash'],
  description: 'Ends a background command or subagent by its id.',
  kind: 'other',
  needs: 'background',
  schema: z.strictObject({ task_id: z.string().min(1) }),
  async execute({ task_id }, { workspace }) {
    const task = taskOf(task_id, workspace)
    if (task.status !== 'running') throw new ToolError(`Task ${task_id} is not running (status: ${task.status})`)
    task.stop()
    await task.done
    const message = `Successfully stopped task: ${task.id} (${task.command ?? task.description})`
    const type = task.kind === 'shell' ? 'local_bash' : 'local_agent'
    return { response: { message, task_id: task.id, task_type: type, ...(task.command === undefined ? {} : { command: task.command }) }, text: message }
  },
})
