/** The room of worktrees: the tools that enter and leave one, and a folder of its own for an isolated subagent. */
import { randomBytes } from 'node:crypto'
import type { SessionHandle } from '../session/handle.ts'
import { type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts'
import { createWorktree, hasWork, removeWorktree, type Worktree, WorktreeError } from '../worktree/worktree.ts'
import type { Room } from './room.ts'

export function worktreesRoom(): Room {
  let session: SessionHandle | undefined
  let entered: { worktree: Worktree; before: string } | undefined
  return {
    open(opened) {
      session = opened
    },
    services: {
      async enterWorktree({ name = `wt-${randomBytes(3).toString('hex')}` }, { workspace, signal }): Promise<ToolResult> {
        if (entered !== undefined) throw new ToolError(`This session is in the worktree ${entered.worktree.path} already. Leave it with ExitWorktree first.`)
        const worktree = await asToolError(createWorktree(name, { scope: workspace.scope, cwd: workspace.cwd, signal }))
        entered = { worktree, before: workspace.cwd }
        move(workspace, worktree.path)
        return {
          response: {
            worktreePath: worktree.path,
            ...(worktree.branch === undefined ? {} : { worktreeBranch: worktree.branch }),
            message: `Created worktree at ${worktree.path}`,
          },
          text: `Created worktree at “${worktree.path}”. The session is now working in the worktree. Use ExitWorktree to leave mid-session, or exit the session to be prompted.`,
        }
      },
      async exitWorktree({ action, discardChanges = false }, { workspace, signal }): Promise<ToolResult> {
        if (entered === undefined) throw new ToolError('This session is in no worktree that EnterWorktree made.')
        const { worktree, before } = entered
        if (action === 'remove') await asToolError(removeWorktree(worktree, { scope: workspace.scope, signal, discard: discardChanges }))
        entered = undefined
        move(workspace, before)
        const done = action === 'remove' ? 'Exited and removed' : 'Exited and kept'
        return {
          response: {
            action,
            originalCwd: before,
            worktreePath: worktree.path,
            ...(worktree.branch === undefined ? {} : { worktreeBranch: worktree.branch }),
            message: `${done} worktree at ${worktree.path}`,
          },
          text: `${done} worktree at “${worktree.path}”. Session is now back in “${before}”.`,
        }
      },
      async isolate({ name }, { scope, signal }) {
        const worktree = await asToolError(createWorktree(name, { scope, cwd: session?.conversation.workspace.cwd ?? process.cwd(), signal }))
        return {
          path: worktree.path,
          // What a subagent left behind is not thrown away, and a hook's folder is the hook's own.
          async leave() {
            if (worktree.madeBy === 'hook' || (await hasWork(worktree))) return
            await removeWorktree(worktree, { scope, signal: AbortSignal.timeout(30_000), discard: false }).catch(() => {})
          },
        }
      },
    },
  }

  function move(workspace: ToolContext['workspace'], to: string): void {
    const from = workspace.cwd
    workspace.cwd = to
    session?.emit({ kind: 'cwd', cwd: to })
    session?.conversation.reminders.push(`# Environment update\n - Primary working directory: ${to} (was ${from})`)
  }
}

async function asToolError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof WorktreeError ? new ToolError(error.message) : error
  }
}
