/** Starts workers without the host having to start them: one small process that was begun early and holds a few channels ready. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { hideInherited, inheritedDescriptors } from './inherited.ts'
import { openWorker } from './pool-handshake.ts'
import { channels, nurseryArguments, toolPath } from './pool-script.ts'
import type { PoolWorker } from './pool-worker.ts'

/** What starts workers. */
export interface Nursery {
  /** How many workers it can still start. */
  readonly left: number
  /** Starts one. Rejects when that does not work; the nursery is of no more use then. */
  start(options: { check: boolean }): Promise<PoolWorker>
  /** Ends it. Its workers are not its own any more; with `failed`, it was of no use. */
  end(): void
}

// A machine may be very busy; a worker that is not there by then never comes.
const startMs = 5_000

const bash = '/bin/bash'

let made = 0

/** Opens a nursery whose workers keep their files in `folder`. Throws when it cannot be started. */
export function openNursery(folder: string): Nursery {
  const name = `w${++made}`
  const { program, args } = shellLine(nurseryArguments(folder, name))
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: toolPath },
    detached: true,
    stdio: hideInherited(['pipe', 'ignore', 'ignore', ...channels.map(() => 'pipe' as const)]),
  })
  child.on('error', () => {})
  if (child.pid === undefined) throw new Error('the shell could not be started')
  child.unref()
  const free = [...channels]
  const sockets = child.stdio as unknown as Socket[]
  for (const socket of sockets) {
    socket?.unref()
    socket?.on('error', () => {})
  }
  child.once('exit', () => {
    free.length = 0
  })
  return {
    get left() {
      return free.length
    },
    async start({ check }) {
      const channel = free.shift()
      if (channel === undefined) throw new Error('the nursery has no channel left')
      const socket = sockets[channel] as Socket
      ask(child, `${channel}${check ? ' check' : ''}\n`)
      try {
        return await inTime(openWorker(socket, join(folder, `${name}-${channel}`), { check }))
      } catch (error) {
        socket.destroy()
        throw error
      }
    },
    end() {
      ask(child, 'end\n')
      child.stdin?.destroy()
      for (const channel of free) sockets[channel]?.destroy()
      free.length = 0
    },
  }
}

/** What runs the shell. Where the host has descriptors for all its children, they are closed first, as only bash can: other shells know no number above 9. */
function shellLine(args: readonly string[]): { program: string; args: readonly string[] } {
  const inherited = inheritedDescriptors().filter((one) => !channels.some((channel) => channel === one))
  if (inherited.length === 0 || !existsSync(bash)) return { program: '/bin/sh', args }
  const close = `exec ${inherited.map((one) => `${one}>&-`).join(' ')}; exec env -i "PATH=$PATH" /bin/sh "$@"`
  return { program: bash, args: ['-c', close, 'hookline-pool', ...args] }
}

function ask({ stdin }: ChildProcess, line: string): void {
  if (stdin?.writable) stdin.write(line)
}

async function inTime<T>(opening: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the worker was not ready in time')), startMs)
    timer.unref()
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}
