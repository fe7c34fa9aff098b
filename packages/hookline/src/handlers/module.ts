/** Module hooks: a JavaScript file, loaded once in a worker of its own, that answers event after event (design decision 16). */
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ResourceLimits } from 'node:worker_threads'
import { stampOf } from '../process/persistent-files.ts'
import { onAbort } from '../protocol/on-abort.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import type { HostEnvironment } from './command-environment.ts'
import { ModuleCall } from './module-call.ts'
import { modulePath } from './module-path.ts'
import { ModuleRoom } from './module-room.ts'
import { environmentKey, warmEnvironment } from './warm-environment.ts'

/** What a host decides about module hooks. */
export interface ModuleOptions {
  /** What modules see as `process.env`; default: that of this process, as it is when a worker starts. */
  readonly env?: HostEnvironment
  /** What one worker may use; default 256 MiB of heap. */
  readonly resourceLimits?: ResourceLimits
  /** How long a worker is kept without an event; default ten minutes. */
  readonly idleMs?: number
}

const limit = 1_048_576
const defaultIdleMs = 600_000
const defaultLimits: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Makes the runner for `module` hooks. It never throws and never rejects. */
export function createModuleHandler(options: ModuleOptions = {}): HandlerRunner {
  const rooms = new Map<string, ModuleRoom>()
  let closed = false

  const run = async (hook: RunnableHook, context: RunContext): Promise<RawResult> => {
    if (hook.spec?.type !== 'module') return { ending: { kind: 'refused', why: 'a module hook without a path cannot run' } }
    if (closed || context.signal.aborted) return { ending: { kind: 'aborted' } }
    const host = options.env ?? process.env
    const found = modulePath(hook.spec.path, hook, { context, host })
    if (found.kind === 'refused') return { ending: found }
    const { file } = found
    const stamp = stampOf([file])
    if (stamp === 'gone') return { ending: { kind: 'unspawnable', why: `ENOENT: there is no file ${JSON.stringify(file)}` } }

    const key = `${environmentKey(hook, context)} ${file}`
    const room = rooms.get(key) ?? new ModuleRoom({ idleMs: options.idleMs ?? defaultIdleMs, forget: () => rooms.delete(key) })
    rooms.set(key, room)
    const call = new ModuleCall(context, limit)
    room.ask(call, {
      stamp,
      start: () => ({
        url: pathToFileURL(file).href,
        name: basename(file),
        limit,
        env: warmEnvironment(host, hook, context),
        resourceLimits: { ...defaultLimits, ...options.resourceLimits },
      }),
    })
    const undo = onAbort(context.signal, () => call.end({ kind: 'aborted' }))
    const result = await call.done
    undo()
    return result
  }

  return {
    type: 'module',
    readsPayload: true,
    run: (hook, context) => run(hook, context).catch(broken),
    async close() {
      closed = true
      await Promise.all([...rooms.values()].map((room) => room.close()))
    },
  }
}

/** An input that cannot be written down, say: told as data, since an event must not fall over one hook. */
function broken(error: unknown): RawResult {
  return { ending: { kind: 'refused', why: `the hook could not be asked: ${error instanceof Error ? error.message : String(error)}` } }
}
