/** The shell pool: runs shell commands in small processes that were started early, so that the size of the host does not matter (docs/adr/0014). */
import { existsSync, rmSync } from 'node:fs'
import type { RawResult } from '../protocol/runner.ts'
import type { Cause } from './cause.ts'
import { newMark } from './mark.ts'
import { Crew, type CrewOptions } from './pool-crew.ts'
import { makePoolFolder } from './pool-folder.ts'
import { createInputFiles, type InputFile, type InputFiles } from './pool-input.ts'
import { type Owner, openOwner } from './pool-owner.ts'
import type { PoolWorker, WorkerRunning } from './pool-worker.ts'
import { attend, type RunOptions } from './run.ts'

/** Runs shell commands in workers. */
export interface Pool {
  /** Starts the first workers, so that they are there when they are needed. */
  begin(): void
  /** The result, or `undefined` when nothing of the command was run: it is then for a process of its own. */
  run(command: string, options: RunOptions & { cause: Cause }): Promise<RawResult | undefined>
  /** Lets all workers leave. Nothing may run any more. */
  close(): void
}

/** One folder with its workers. */
interface House {
  readonly folder: string
  readonly owner: Owner
  /** The rights that its workers have. */
  readonly rights: string
  readonly crew: Crew
  readonly inputs: InputFiles
}

// A command that its shell cannot even read is known after once.
const mostUnreadable = 100
const unreadable = 2
// A folder that somebody cleans away again and again is not worth a new one each time.
const mostHouses = 4

/** Makes a pool. Nothing is started before `begin` or the first run. */
export function createPool(size: CrewOptions): Pool {
  let house: House | undefined
  let built = 0
  let isClosed = false
  const neverBegin = new Set<string>()

  const leave = ({ crew, inputs, owner, folder }: House) => {
    crew.close()
    inputs.close()
    owner.close()
    remove(folder)
  }

  const current = (): House | undefined => {
    if (isClosed) return undefined
    // Workers keep the rights they were started with; a host that gave some up must not lend them on.
    if (house?.crew.isOpen && house.rights === house.owner.now()) return house
    if (house !== undefined) leave(house)
    house = undefined
    if (built++ < mostHouses) house = build(size)
    return house
  }

  return {
    begin: () => void current(),
    async run(command, options) {
      const at = neverBegin.has(command) ? undefined : current()
      if (at === undefined) return undefined
      let input: InputFile | undefined
      let running: WorkerRunning | undefined
      let worker: PoolWorker | undefined
      try {
        input = at.inputs.hold(options.input ?? [])
        worker = await at.crew.take(options.cause)
        if (input.written !== undefined) await input.written
        if (worker !== undefined && options.cause.ending === undefined) running = prepare(worker, { command, options, input })
      } catch {
        // No room for the input, or the files are gone: a process of its own needs none of them.
      }
      const result = running === undefined ? undefined : await attend(running, options)
      const isSound = worker === undefined || at.crew.give(worker, running)
      input?.release(isSound)
      if (running?.began !== undefined || options.cause.ending !== undefined) return result
      if (!existsSync(at.folder)) {
        leave(at)
        if (house === at) house = undefined
      } else if (result?.ending.kind === 'exited' && result.ending.code === unreadable && neverBegin.size < mostUnreadable) neverBegin.add(command)
      return undefined
    },
    close() {
      isClosed = true
      const last = house
      house = undefined
      if (last !== undefined) leave(last)
    },
  }
}

function prepare(
  worker: PoolWorker,
  { command, options, input }: { command: string; options: RunOptions & { cause: Cause }; input: InputFile },
): WorkerRunning {
  const { cwd, env, cause } = options
  return worker.prepare({ command, cwd, env, input: input.name, mark: newMark(), onLost: () => cause.name({ kind: 'signalled', signal: 'SIGKILL' }) })
}

function build(size: CrewOptions): House | undefined {
  let folder: string | undefined
  let owner: Owner | undefined
  try {
    owner = openOwner()
    const rights = owner.now()
    folder = makePoolFolder()
    return { folder, owner, rights, crew: new Crew(folder, size), inputs: createInputFiles(folder) }
  } catch {
    owner?.close()
    if (folder !== undefined) remove(folder)
    return undefined
  }
}

/** At once, not soon: a host may end right after. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2, retryDelay: 5 })
  } catch {
    // Somebody else is at it.
  }
}
