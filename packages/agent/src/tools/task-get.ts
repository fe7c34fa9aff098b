/** TaskGet: one task of the shared list, whole. */
import { z } from 'zod'
import { tasksOf } from './task-create.ts'
import { defineTool, type Task } from './tool.ts'

export const taskGet = defineTool({
  name: 'TaskGet',
  description: 'Gives one task of the shared list with its description and what it waits for.',
  kind: 'read',
  needs: 'tasks',
  schema: z.strictObject({ taskId: z.string().min(1) }),
  async execute({ taskId }, { workspace }) {
    const task = await tasksOf(workspace).get(taskId)
    if (task === undefined) return { response: { task: null }, text: `Task #${taskId} not found` }
    const { id, subject, description, status, blocks, blockedBy } = task
    return { response: { task: { id, subject, description, status, blocks, blockedBy } }, text: textOf(task) }
  },
})

function textOf({ id, subject, description, status, owner, blocks, blockedBy }: Task): string {
  const lines = [`Task #${id}: ${subject}`, `Status: ${status}`, `Description: ${description}`]
  if (owner !== undefined) lines.push(`Owner: ${owner}`)
  if (blockedBy.length > 0) lines.push(`Blocked by: ${blockedBy.map((it) => `#${it}`).join(', ')}`)
  if (blocks.length > 0) lines.push(`Blocks: ${blocks.map((it) => `#${it}`).join(', ')}`)
  return lines.join('\n')
}
