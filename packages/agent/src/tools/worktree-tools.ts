/** EnterWorktree and ExitWorktree: work in a copy of the repository, and come back. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

export const enterWorktree = defineTool({
  name: 'EnterWorktree',
  description: 'Makes a worktree (a second working copy of the repository) and goes on in it. Only when the person asked for a worktree.',
  kind: 'other',
  deferred: true,
  needs: 'enterWorktree',
  schema: z.strictObject({ name: z.string().optional().describe('Letters, digits, dots, dashes and underscores; default a name by chance') }),
  async execute({ name }, context) {
    const { enterWorktree: enter } = context.workspace.services
    if (enter === undefined) throw new ToolError('This conversation cannot enter worktrees.')
    return enter(name === undefined ? {} : { name }, context)
  },
})

export const exitWorktree = defineTool({
  name: 'ExitWorktree',
  description: 'Leaves the worktree that EnterWorktree made, and keeps or removes it.',
  kind: 'other',
  deferred: true,
  needs: 'exitWorktree',
  schema: z.strictObject({
    action: z.enum(['keep', 'remove']),
    discard_changes: z.boolean().optional().describe('Remove it although it has changes; only when the person said so'),
  }),
  async execute({ action, discard_changes }, context) {
    const { exitWorktree: exit } = context.workspace.services
    if (exit === undefined) throw new ToolError('This conversation is in no worktree.')
    return exit({ action, ...(discard_changes === undefined ? {} : { discardChanges: discard_changes }) }, context)
  },
})
