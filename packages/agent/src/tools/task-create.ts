/** TaskCreate: adds a task to the shared list; a TaskCreated hook may refuse it, and then it was never there. */
import { z } from 'zod'
import { defineTool, type TaskList, ToolError, type Workspace } from './tool.ts'

export const taskCreate = defineTool({
  name: 'TaskCreate',
  description: 'Adds a task to the shared task list. Use it for work of three steps or more; one task for each step.',
  kind: 'other',
  needs: 'tasks',
  schema: z.strictObject({
    subject: z.string().min(1).describe('A short title, as "Fix the login test"'),
    description: z.string().describe('What is to be done'),
    activeForm: z.string().optional().describe('Shown while it runs, as "Fixing the login test"'),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  async execute({ subject, description, activeForm, metadata }, { workspace, signal }) {
    const tasks = tasksOf(workspace)
    const task = await tasks.create({
      subject,
      description,
      ...(activeForm === undefined ? {} : { activeForm }),
      ...(metadata === undefined ? {} : { metadata }),
    })
    const verdict = await workspace.scope
      .fire('TaskCreated', { task_id: task.id, task_subject: subject, task_description: description }, { signal })
      .catch(async (error: unknown) => {
        await tasks.remove(task.id)
        throw error
      })
    if (verdict.blocked) {
      await tasks.remove(task.id)
      throw new ToolError(verdict.toModel || `The task "${subject}" was refused by a TaskCreated hook.`)
    }
    return { response: { task: { id: task.id, subject } }, text: `Task #${task.id} created successfully: ${subject}` }
  },
})

/** @throws ToolError where there is no list. */
export function tasksOf({ services }: Workspace): TaskList {
  if (services.tasks === undefined) throw new ToolError('There is no task list in this conversation.')
  return services.tasks
}
