/** Shell commands that run on while the model does other things: one output file each, one place in the session's list. */
import { randomBytes } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder } from './scratch.ts'
import { startShell } from './shell-process.ts'
import type { BackgroundTask, Workspace } from './tool.ts'

/** Starts a command and puts it into the list; it ends by itself, or by its `stop`. */
export async function startInBackground(
  run: { command: string; script: string; cwd: string; env: Record<string, string | undefined>; description: string },
  workspace: Workspace,
): Promise<BackgroundTask & { outputFile: string }> {
  const id = `b${randomBytes(4).toString('hex')}`
  const folder = join(await scratchFolder(workspace.sessionId), 'tasks')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const outputFile = join(folder, `${id}.output`)
  const file = await open(outputFile, 'w', 0o600)
  try {
    const shell = await startShell({ script: run.script, cwd: run.cwd, env: run.env, output: file.fd })
    // The session may end before the command does: what is left is stopped by whoever ends the session.
    shell.child.unref()
    let stopped = false
    const task: BackgroundTask & { outputFile: string } = {
      id,
      kind: 'shell',
      description: run.description,
      command: run.command,
      status: 'running',
      outputFile,
      stop() {
        stopped = true
        shell.kill()
      },
      done: shell.ended.then((end) => {
        task.status = stopped ? 'killed' : end.code === 0 ? 'completed' : 'failed'
        task.exitCode = end.code
        if (!stopped) workspace.services.taskEnded?.(task)
      }),
    }
    workspace.services.background?.push(task)
    return task
  } finally {
    await file.close()
  }
}
