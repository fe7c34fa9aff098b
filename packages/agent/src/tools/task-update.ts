/** TaskUpdate: changes a task; a TaskCompleted hook may say that it is not complete, and then nothing changes. */
import { z } from 'zod'
import { tasksOf } from './task-create.ts'
import { defineTool, type Task, ToolError } from './tool.ts'

const schema = z.strictObject({
  taskId: z.string().min(1),
  subject: z.string().min(1).optional(),
  description: z.string().optional(),
  activeForm: z.string().optional(),
  status: z
    .enum(['pending', 'in_progress', 'completed', 'deleted'])
    .optional()
    .describe('in_progress when you begin, completed when it is wholly done, deleted to take it off the list'),
  owner: z.string().optional().describe('Who works on it'),
  addBlocks: z.array(z.string()).optional().describe('Tasks that wait for this one'),
  addBlockedBy: z.array(z.string()).optional().describe('Tasks that this one waits for'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Merged; null removes a key'),
})

export const taskUpdate = defineTool({
  name: 'TaskUpdate',
  description: 'Changes a task of the shared list: its state, owner, texts, or what it waits for.',
  kind: 'other',
  needs: 'tasks',
  schema,
  async execute(input, { workspace, signal }) {
    const tasks = tasksOf(workspace)
    const { taskId } = input
    const before = await tasks.get(taskId)
    if (before === undefined) throw new ToolError(`Task #${taskId} not found`)
    if (input.status === 'deleted') {
      await tasks.remove(taskId)
      return {
        response: { success: true, taskId, updatedFields: ['deleted'], statusChange: { from: before.status, to: 'deleted' } },
        text: `Updated task #${taskId} deleted`,
      }
    }
    const change = changeOf(input, before)
    if (change.status === 'completed') {
      const fields = { task_id: taskId, task_subject: change.subject ?? before.subject, task_description: change.description ?? before.description }
      const verdict = await workspace.scope.fire(
        'TaskCompleted',
        { ...fields, ...(before.owner === undefined ? {} : { teammate_name: before.owner }) },
        { signal },
      )
      if (verdict.blocked) throw new ToolError(verdict.toModel || `Task #${taskId} was not marked as completed: a TaskCompleted hook refused it.`)
    }
    if ((await tasks.update(taskId, change)) === undefined) throw new ToolError(`Task #${taskId} not found`)
    const updatedFields = Object.keys(change)
    const statusChange = change.status === undefined ? {} : { statusChange: { from: before.status, to: change.status } }
    return {
      response: { success: true, taskId, updatedFields, ...statusChange },
      text: `Updated task #${taskId} ${updatedFields.join(', ') || '(nothing changed)'}`,
    }
  },
})

/** What is really new. */
function changeOf(input: z.output<typeof schema>, before: Task): Partial<Omit<Task, 'id'>> {
  const change: Partial<Omit<Task, 'id'>> = {}
  for (const key of ['subject', 'description', 'activeForm', 'owner'] as const)
    if (input[key] !== undefined && input[key] !== before[key]) change[key] = input[key]
  if (input.status !== undefined && input.status !== 'deleted' && input.status !== before.status) change.status = input.status
  if (input.addBlocks !== undefined) change.blocks = input.addBlocks
  if (input.addBlockedBy !== undefined) change.blockedBy = input.addBlockedBy
  if (input.metadata !== undefined)
    change.metadata = Object.fromEntries(Object.entries({ ...before.metadata, ...input.metadata }).filter(([, value]) => value !== null))
  return change
}
