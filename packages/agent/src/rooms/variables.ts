/** The room of variables: what hooks of CwdChanged and FileChanged export lives until the folder changes again, what others export as long as the session. */
import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs'
import type { SessionHandle } from '../session/handle.ts'
import type { Room } from './room.ts'

export function variablesRoom(): Room {
  // By file: how far the part goes that lives as long as the session.
  const lasting = new Map<string, number>()
  return {
    open(session) {
      const { hookline } = session
      for (const event of ['SessionStart', 'Setup'] as const) {
        hookline.use(event, async (call, next) => {
          const file = fileOf(session)
          if (file === undefined) return next(call)
          const passing = cut(file, lasting.get(file) ?? 0)
          try {
            return await next(call)
          } finally {
            lasting.set(file, sizeOf(file))
            if (passing.length > 0) appendFileSync(file, passing)
          }
        })
      }
      hookline.use('CwdChanged', (call, next) => {
        const file = fileOf(session)
        if (file !== undefined) cut(file, lasting.get(file) ?? 0)
        return next(call)
      })
    },
  }
}

function fileOf({ scope }: SessionHandle): string | undefined {
  return scope.envFile ?? undefined
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Takes away what stands behind `size`, and gives it. A hook may have emptied the file, which leaves nothing to take. */
function cut(file: string, size: number): Buffer {
  if (sizeOf(file) <= size) return Buffer.alloc(0)
  const rest = readFileSync(file).subarray(size)
  truncateSync(file, size)
  return rest
}
