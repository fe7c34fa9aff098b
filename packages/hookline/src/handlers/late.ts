/** A handler that is loaded when its first hook runs, so that a program without such hooks never pays for it. */
import type { HandlerRunner, RawResult } from '../protocol/runner.ts'

/** A handler that may be loaded before it is needed. */
export interface LateHandler extends HandlerRunner {
  /** Loads it now. What goes wrong is told by the first run. */
  ahead(): Promise<void>
}

/** Stands in for a handler that reads the payload, until `load` brings it. */
export function lateHandler(
  type: string,
  load: () => Promise<HandlerRunner>,
  { supports, sandboxFault }: Pick<HandlerRunner, 'supports' | 'sandboxFault'> = {},
): LateHandler {
  let loading: Promise<HandlerRunner> | undefined
  let loaded: HandlerRunner | undefined
  return {
    type,
    readsPayload: true,
    ...(supports === undefined ? {} : { supports }),
    ...(sandboxFault === undefined ? {} : { sandboxFault }),
    run(hook, context) {
      if (loaded !== undefined) return loaded.run(hook, context)
      loading ??= load()
      return loading.then(
        (runner) => {
          loaded = runner
          return runner.run(hook, context)
        },
        (error: unknown): RawResult => ({
          ending: { kind: 'unspawnable', why: `the handler for ${type} hooks could not be loaded: ${error instanceof Error ? error.message : String(error)}` },
        }),
      )
    },
    async ahead() {
      loading ??= load()
      await loading.catch(() => undefined)
    },
    async close() {
      await (await loading?.catch(() => undefined))?.close?.()
    },
  }
}
