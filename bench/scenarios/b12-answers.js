/** B12: reading what a hook printed. */
import { interpretAnswer } from 'hookline'
import { interleave, ratio, row } from '../measure.js'

export const title = 'B12 answers'

export async function run({ rounds, scale }) {
  const stdout = JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'x'.repeat(200),
      additionalContext: 'y'.repeat(2_000),
    },
  })
  const short = '{"continue":true}'
  const subjects = [
    { name: 'JSON.parse', run: () => JSON.parse(stdout), count: 5_000 * scale, sync: true },
    { name: 'read', run: () => interpretAnswer('PreToolUse', { exit: 0, stdout, stderr: '' }), count: 2_000 * scale, sync: true },
    { name: 'JSON.parse, short', run: () => JSON.parse(short), count: 20_000 * scale, sync: true },
    { name: 'read, short', run: () => interpretAnswer('PreToolUse', { exit: 0, stdout: short, stderr: '' }), count: 10_000 * scale, sync: true },
  ]
  const times = await interleave(subjects, rounds)
  return [
    row('B12', 'parse and check an answer of 2 KB ÷ JSON.parse', ratio(times, 'read', 'JSON.parse'), { atMost: 1.3 }),
    row('B12', 'parse and check {"continue":true} ÷ JSON.parse', ratio(times, 'read, short', 'JSON.parse, short')),
  ]
}
