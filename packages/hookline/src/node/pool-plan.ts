/** Whether and how the shell pool is started, from what the settings say. */
import type { Snapshot } from '../config/snapshot.ts'
import type { PoolMode } from '../process/backend.ts'

/** What is known of the runs that will come. */
export interface PoolPlan {
  readonly pool: PoolMode
  /** How many commands one event may start at once. */
  readonly expected: number
}

/** A pool for hooks that nobody has yet would be begun for nothing. */
export function planPool(wanted: PoolMode | undefined, { env, snapshot }: { env: Record<string, string | undefined>; snapshot: Snapshot }): PoolPlan {
  const counts = new Map<string, number>()
  // Who is fenced in is started otherwise.
  for (const { type, fault, event, sandbox } of snapshot.hooks)
    if (type === 'command' && fault === undefined && sandbox === undefined) counts.set(event, (counts.get(event) ?? 0) + 1)
  const pool = wanted ?? 'eager'
  return { pool: env['HOOKLINE_POOL'] === '0' ? 'off' : pool === 'eager' && counts.size === 0 ? 'lazy' : pool, expected: Math.max(1, ...counts.values()) }
}
