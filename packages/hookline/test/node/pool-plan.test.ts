/** Whether a pool is started, and for how many runs at once. */
import { describe, expect, it } from 'vitest'
import type { ConfiguredHook, Snapshot } from '../../src/config/snapshot.ts'
import { type PoolPlan, planPool } from '../../src/node/pool-plan.ts'
import type { PoolMode } from '../../src/process/backend.ts'

type Given = Partial<Pick<ConfiguredHook, 'type' | 'event' | 'sandbox' | 'fault'>>

const command: Given = { type: 'command', event: 'Stop' }
const three = [command, command, { ...command, event: 'Setup' }]

describe('a pool', () => {
  it.each<[what: string, hooks: Given[], wanted: PoolMode | undefined, env: Record<string, string>, plan: PoolPlan]>([
    ['is started for commands, for as many as one event has', three, undefined, {}, { pool: 'eager', expected: 2 }],
    ['waits where there are none', [{ type: 'http', event: 'Stop' }], undefined, {}, { pool: 'lazy', expected: 1 }],
    ['waits where all are behind fences', [{ ...command, sandbox: { mode: 'contained' } }], 'eager', {}, { pool: 'lazy', expected: 1 }],
    ['does not count those that never run', [command, { ...command, fault: { kind: 'invalid' } as never }], undefined, {}, { pool: 'eager', expected: 1 }],
    ['is as the host wants it', three, 'lazy', {}, { pool: 'lazy', expected: 2 }],
    ['is off by a variable', three, 'eager', { HOOKLINE_POOL: '0' }, { pool: 'off', expected: 2 }],
  ])('%s', (_what, hooks, wanted, env, plan) => {
    expect(planPool(wanted, { env, snapshot: { hooks } as unknown as Snapshot })).toEqual(plan)
  })
})
