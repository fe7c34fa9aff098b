/** B2: hooks in code, synchronous and asynchronous. */
import { createHookline } from 'hookline/node'
import { interleave, ratio, row } from '../measure.js'

export const title = 'B2 callbacks'

const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }

export async function run({ peers, rounds, scale }) {
  const make = async (count, callback) => {
    // Self-protection looks into every tool call, with and without hooks; its cost is a row of B1.
    const hookline = await createHookline({ sources: [], managed: { selfProtection: false } })
    for (let index = 0; index < count; index++) hookline.on('PreToolUse', callback)
    return hookline
  }
  const sync = await make(1, () => {})
  const watched = await make(1, () => {})
  watched.trace.subscribe(() => {})
  const reading = await make(1, (given) => (given.tool_name === 'Write' ? { context: given.session_id } : undefined))
  const denying = await make(1, () => ({ permission: 'deny', reason: 'no' }))
  const async1 = await make(1, async () => {})
  const async5 = await make(5, async () => {})
  const subjects = [
    { name: 'await undefined', run: () => undefined, count: 50_000 * scale },
    { name: 'sync now', run: () => sync.fireNow('PreToolUse', input), count: 20_000 * scale, sync: true },
    { name: 'sync awaited', run: () => sync.fire('PreToolUse', input), count: 20_000 * scale },
    { name: 'sync that reads', run: () => reading.fireNow('PreToolUse', input), count: 20_000 * scale, sync: true },
    { name: 'sync that denies', run: () => denying.fireNow('PreToolUse', input).blocked, count: 5_000 * scale, sync: true },
    { name: 'sync with a trace subscriber', run: () => watched.fire('PreToolUse', input), count: 5_000 * scale },
    { name: 'one async', run: () => async1.fire('PreToolUse', input), count: 10_000 * scale },
    { name: 'five async', run: () => async5.fire('PreToolUse', input), count: 5_000 * scale },
    ...peerSubjects(peers, scale),
  ]
  const gemini = await peers.gemini?.make({})
  if (gemini !== undefined) {
    await addGeminiCallback(gemini)
    subjects.push({ name: 'gemini, one callback', run: () => gemini.fireBeforeToolEvent('Bash', input.tool_input), count: 500 * scale })
  }
  const times = await interleave(subjects, rounds)
  const base = 'await undefined'
  for (const hookline of [sync, watched, reading, denying, async1, async5]) await hookline.close()
  return [
    row('B2', 'one sync callback, fireNow ÷ await undefined', ratio(times, 'sync now', base), { atMost: 0.3 }),
    row('B2', 'one sync callback, awaited ÷ await undefined', ratio(times, 'sync awaited', base), { atMost: 1.6 }),
    row('B2', 'one async callback ÷ await undefined', ratio(times, 'one async', base), { atMost: 3.5 }),
    row('B2', 'five async callbacks ÷ await undefined', ratio(times, 'five async', base), { atMost: 10 }),
    row('B2', 'one sync callback that reads its input, fireNow ÷ await undefined', ratio(times, 'sync that reads', base)),
    row('B2', 'one sync callback that denies, verdict read ÷ await undefined', ratio(times, 'sync that denies', base)),
    row('B2', 'a trace subscriber ÷ none', ratio(times, 'sync with a trace subscriber', 'sync awaited')),
    ...(gemini === undefined ? [] : [row('B2', 'gemini-cli-core ÷ one async callback', ratio(times, 'gemini, one callback', 'one async'), { atLeast: 50 })]),
    ...Object.keys(times)
      .filter((name) => /^(hookable|tapable|before)/.test(name))
      .map((name) => row('B2', `${name} ÷ await undefined`, ratio(times, name, base))),
  ]
}

async function addGeminiCallback(system) {
  const registry = system.getRegistry?.() ?? system.hookRegistry
  registry.registerHook?.({ type: 'runtime', name: 'bench', action: async () => undefined }, 'BeforeTool', {})
}

function peerSubjects({ hookable, tapable, before }, scale) {
  const subjects = []
  const count = 10_000 * scale
  if (hookable) {
    const hooks = hookable.createHooks()
    hooks.hook('tool', async () => {})
    subjects.push({ name: 'hookable, one async', run: () => hooks.callHook('tool', input), count })
  }
  if (tapable) {
    const hook = new tapable.AsyncParallelHook(['input'])
    hook.tapPromise('a', async () => {})
    subjects.push({ name: 'tapable, one async', run: () => hook.promise(input), count })
  }
  if (before) {
    const hook = new before.Collection()
    hook.before('tool', async () => {})
    subjects.push({ name: 'before-after-hook, one async', run: () => hook('tool', () => undefined, input), count })
  }
  return subjects
}
