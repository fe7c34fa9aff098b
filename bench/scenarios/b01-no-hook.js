/** B1: an event that nobody listens to. */
import { createHookline } from 'hookline/node'
import { interleave, ratio, row } from '../measure.js'

export const title = 'B1 no hook configured'

const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }

export async function run({ peers, rounds, scale }) {
  const hookline = await createHookline({ sources: [] })
  const gemini = await peers.gemini?.make({})
  const subjects = [
    { name: 'await undefined', run: () => undefined, count: 100_000 * scale },
    { name: 'now', run: () => hookline.fireNow('PreToolUse', input), count: 100_000 * scale, sync: true },
    { name: 'awaited', run: () => hookline.fire('PreToolUse', input), count: 100_000 * scale },
    ...(gemini === undefined ? [] : [{ name: 'gemini', run: () => gemini.fireBeforeToolEvent('Bash', input.tool_input), count: 5_000 * scale }]),
    ...peerSubjects(peers, scale),
  ]
  const times = await interleave(subjects, rounds)
  await hookline.close()
  return [
    row('B1', 'fireNow ÷ await undefined', ratio(times, 'now', 'await undefined'), { atMost: 0.1 }),
    row('B1', 'awaited fire ÷ await undefined', ratio(times, 'awaited', 'await undefined'), { atMost: 1.1 }),
    ...(gemini === undefined ? [] : [row('B1', 'gemini-cli-core ÷ awaited fire', ratio(times, 'gemini', 'awaited'), { atLeast: 35 })]),
    ...['hookable', 'tapable', 'before-after-hook']
      .filter((name) => name in times)
      .map((name) => row('B1', `${name} ÷ await undefined`, ratio(times, name, 'await undefined'))),
  ]
}

function peerSubjects({ hookable, tapable, before }, scale) {
  const subjects = []
  const count = 50_000 * scale
  if (hookable) {
    const hooks = hookable.createHooks()
    subjects.push({ name: 'hookable', run: () => hooks.callHook('tool', input), count })
  }
  if (tapable) {
    const hook = new tapable.AsyncParallelHook(['input'])
    subjects.push({ name: 'tapable', run: () => hook.promise(input), count })
  }
  if (before) {
    const hook = new before.Collection()
    subjects.push({ name: 'before-after-hook', run: () => hook('tool', () => undefined, input), count })
  }
  return subjects
}
