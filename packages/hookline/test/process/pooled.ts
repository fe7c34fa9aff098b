/** A shell pool for tests: how to run in it and beside it, and what is to be seen of it from outside. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Backend, createBackend } from '../../src/process/backend.ts'
import { type Run, type RunOptions, startRun } from '../../src/process/run.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { programs } from '../fixtures/programs.ts'

export const home = realpathSync(tmpdir())

/** How a shell command is run in tests, unless a test says otherwise. */
export function shellOptions(more: Partial<RunOptions> = {}): RunOptions {
  return { cwd: home, env: { PATH: `${programs}:/usr/bin:/bin` }, timeoutMs: 20_000, ...more }
}

/** A backend with a pool, and the same command without one. */
export interface Pooled {
  readonly backend: Backend
  begin(command: string, more?: Partial<RunOptions>): Run
  run(command: string, more?: Partial<RunOptions>): Promise<RawResult>
  /** What a process of its own gives. */
  alone(command: string, more?: Partial<RunOptions>): Promise<RawResult>
  /** The worker that serves the next command. On a busy machine it may be a while until there is one. */
  worker(): Promise<number>
}

export function openPool(limit = 64): Pooled {
  const backend = createBackend('eager', { limit })
  const begin = (command: string, more?: Partial<RunOptions>) => backend.start('/bin/sh', ['-c', command], shellOptions(more))
  return {
    backend,
    begin,
    run: (command, more) => begin(command, more).done,
    alone: (command, more) => startRun('/bin/sh', ['-c', command], shellOptions(more)).done,
    worker: async () => {
      for (let tries = 0; tries < 100; tries++) {
        const pid = Number((await begin('echo $PPID').done).stdout)
        if (pid !== process.pid) return pid
      }
      throw new Error('no worker ever came')
    },
  }
}

/** The private folder that a worker's pipes are in, seen from the worker's own command line. */
export function folderOf(worker: number): string {
  const [, , , , base = ''] = readFileSync(`/proc/${worker}/cmdline`, 'utf8').split('\0')
  return base.slice(0, base.lastIndexOf('/'))
}

/** All processes of pools whose folder this is. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number.isInteger(pid) &&
          pid !== process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) &&
          readlinkSync(`/proc/${pid}/exe`) !== ''
        )
      } catch {
        return false
      }
    })
}

/** Waits until something holds; throws, saying what, when it never does. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2_000) throw new Error(`it never came true: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
