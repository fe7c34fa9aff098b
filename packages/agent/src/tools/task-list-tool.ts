/** TaskList: the shared list in short. */
import { z } from 'zod'
import { tasksOf } from './task-create.ts'
import { defineTool } from './tool.ts'

export const taskListTool = defineTool({
  name: 'TaskList',
  description: 'Lists the tasks: number, state, owner, and which open tasks each waits for.',
  kind: 'read',
  needs: 'tasks',
  schema: z.strictObject({}),
  async execute(_input, { workspace }) {
    const all = await tasksOf(workspace).list()
    const open = new Set(all.filter((it) => it.status !== 'completed').map((it) => it.id))
    const tasks = all.map(({ id, subject, status, owner, blockedBy }) => ({
      id,
      subject,
      status,
      ...(owner === undefined ? {} : { owner }),
      // What is done blocks nothing any more.
      blockedBy: blockedBy.filter((it) => open.has(it)),
    }))
    const lines = tasks.map(({ id, subject, status, owner, blockedBy }) => {
      const who = owner === undefined ? '' : ` (${owner})`
      return `#${id} [${status}] ${subject}${who}${blockedBy.length === 0 ? '' : ` [blocked by ${blockedBy.map((it) => `#${it}`).join(', ')}]`}`
    })
    return { response: { tasks }, text: lines.join('\n') || 'No tasks found' }
  },
})
