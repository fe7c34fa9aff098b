/** One shell command as a process group of its own: started, listened to, and ended with all its children. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ToolError } from './tool.ts'

/** Bash where there is one; any other POSIX shell understands what we wrap around a command. */
export const shellPath = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh'

export interface ShellStart {
  script: string
  cwd: string
  env: Record<string, string | undefined>
  /** Where its output goes: to us, or into an open file. */
  output: 'pipe' | number
}

export interface ShellEnd {
  /** As a shell counts: 128 and the number of the signal for a process that was killed. */
  code: number
  signal?: string
}

export interface ShellProcess {
  child: ChildProcess
  ended: Promise<ShellEnd>
  /** Ends the whole group: asks first, then does not. */
  kill(): void
}

/** How long a group may take to obey SIGTERM. */
const graceMs = 1500
/** How long what is still in the pipes may take after the shell has ended; background children may hold them open for ever. */
const drainMs = 200

/** @throws ToolError when the shell cannot be started. */
export async function startShell({ script, cwd, env, output }: ShellStart): Promise<ShellProcess> {
  const child = await spawned(script, { cwd, env, output })
  let exited = false
  const ended = new Promise<ShellEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      exited = true
      const end = { code: code ?? 128 + (signals[signal ?? ''] ?? 0), ...(signal === null ? {} : { signal }) }
      const timer = setTimeout(() => resolve(end), drainMs)
      child.once('close', () => {
        clearTimeout(timer)
        resolve(end)
      })
    })
  })
  return {
    child,
    ended,
    kill() {
      signalGroup(child, 'SIGTERM')
      // Children of a shell that obeyed may not obey: the group is asked again, whether or not the shell is gone.
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), exited ? 0 : graceMs)
      timer.unref()
      void ended.then(() => signalGroup(child, 'SIGKILL'))
    },
  }
}

const signals: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
}

function spawned(script: string, { cwd, env, output }: Omit<ShellStart, 'script'>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(
        new ToolError(
          `Could not start ${shellPath}: ${error.code === 'E2BIG' ? 'the command line plus environment exceed the OS exec argument limit (E2BIG)' : error.message}.`,
        ),
      )
    try {
      const child = spawn(shellPath, ['-c', script], { cwd, env, stdio: ['ignore', output, output], detached: true })
      child.once('error', refuse)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      refuse(error as NodeJS.ErrnoException)
    }
  })
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is gone.
  }
}
