/** The long session, shortened: memory is flat after warm-up, the transcript is whole. `npm run soak` is the long one. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Found {
  turns: number
  events: number
  failed: number
  compacted: number
  transcript: { lines: number; messages: number }
  growth: Record<'heap' | 'resident' | 'handles', { before: number; after: number }>
}

test('A session of 100 turns holds no more at its end than after warm-up, and its transcript has all of it', { timeout: 300_000 }, () => {
  // A process of its own: here the test runner's memory would be measured too. It checks the transcript itself.
  const text = execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'soak.js'), '--turns', '100', '--json'], { encoding: 'utf8' })
  const found = JSON.parse(text) as Found
  expect(found).toMatchObject({ turns: 100, failed: 0 })
  expect(found.events).toBeGreaterThan(1_000)
  expect(found.compacted).toBeGreaterThan(0)
  for (const [what, slack] of [
    ['heap', 1],
    ['handles', 1],
  ] as const)
    expect(found.growth[what].after, what).toBeLessThanOrEqual(Math.max(found.growth[what].before * 1.1, found.growth[what].before + slack))
})
