/** So many commands at once, through the public door: the others wait, and their deadlines begin when they do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createHookline } from '../../src/node.ts'
import { createTestHookline } from '../../src/testing.ts'

/** Hooks that note how many of them run when they start. */
const crowd = (count: number, seconds: number, timeout: number) => ({
  hooks: {
    Stop: [
      {
        hooks: Array.from({ length: count }, (_, number) => ({
          type: 'command',
          command: `echo + >> log; sleep ${seconds}; echo - >> log # ${number}`,
          timeout,
        })),
      },
    ],
  },
})
const most = (log: string) => {
  let now = 0
  return Math.max(...log.split('\n').map((sign) => (now += sign === '+' ? 1 : sign === '-' ? -1 : 0)))
}

it('is never more than was chosen, and nobody who waits runs into a deadline for it', async () => {
  await using hookline = await createTestHookline({ settings: [crowd(6, 0.7, 3)], concurrency: 2 })
  const verdict = await hookline.fire('Stop', { last_assistant_message: '' })
  // One after the other they take longer than any of their deadlines.
  expect(verdict.hooks.map((hook) => hook.status === 'ran' && hook.ending)).toEqual(Array(6).fill({ kind: 'exited', code: 0 }))
  expect(most(readFileSync(join(String(verdict.input.cwd), 'log'), 'utf8'))).toBe(2)
})

it.each([0, -1, 1.5, Number.NaN, '4'])('refuses %s as a number of commands', async (concurrency) => {
  await expect(createHookline({ concurrency: concurrency as number })).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining('concurrency'),
  })
})
