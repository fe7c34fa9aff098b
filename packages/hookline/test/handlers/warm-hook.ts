/** Command hooks that stay, for tests. */
import type { HandlerSpec } from '../../src/protocol/handler-spec.ts'
import type { RunnableHook } from '../../src/protocol/runner.ts'
import { commandHook, type makeHook } from './make-run.ts'

/** A command hook with `"persistent": true`. */
export function warmHook(
  command: string,
  more: Partial<Extract<HandlerSpec, { type: 'command' }>> = {},
  parts: Parameters<typeof makeHook>[0] = {},
): RunnableHook {
  return commandHook(command, { persistent: true, ...more }, { flags: ['persistent'], ...parts })
}
