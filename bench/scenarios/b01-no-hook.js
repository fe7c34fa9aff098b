/** B1: an event that nobody listens to. */
import { createHookline } from 'hookline/node'
import { interleave, ratio, row } from '../measure.js'

export const title = 'B1 no hook configured'

const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }
/** The events of a turn, with what they bring. */
const turn = [
  ['UserPromptSubmit', { prompt: 'hi' }],
  ['PreToolUse', input],
  ['PostToolUse', { ...input, tool_response: {} }],
  ['PostToolBatch', { tool_calls: [] }],
  ['Notification', { message: 'x', notification_type: 'auth_success' }],
  ['SubagentStart', { agent_id: 'a-1', agent_type: 'Explore' }],
  ['PreCompact', { trigger: 'auto', custom_instructions: '' }],
]

export async function run({ peers, rounds, scale }) {
  // Self-protection looks into every tool call and has a row of its own.
  const hookline = await createHookline({ sources: [], managed: { selfProtection: false } })
  const guarded = await createHookline({ sources: [] })
  let at = 0
  const gemini = await peers.gemini?.make({})
  const subjects = [
    { name: 'await undefined', run: () => undefined, count: 100_000 * scale },
    { name: 'now', run: () => hookline.fireNow('PreToolUse', input), count: 100_000 * scale, sync: true },
    { name: 'awaited', run: () => hookline.fire('PreToolUse', input), count: 100_000 * scale },
    {
      name: 'turn',
      run: () => {
        at = at === turn.length - 1 ? 0 : at + 1
        return hookline.fireNow(turn[at][0], turn[at][1])
      },
      count: 100_000 * scale,
      sync: true,
    },
    { name: 'guarded', run: () => guarded.fireNow('PreToolUse', input), count: 20_000 * scale, sync: true },
    ...(gemini === undefined ? [] : [{ name: 'gemini', run: () => gemini.fireBeforeToolEvent('Bash', input.tool_input), count: 5_000 * scale }]),
    ...peerSubjects(peers, scale),
  ]
  const times = await interleave(subjects, rounds)
  await hookline.close()
  await guarded.close()
  return [
    row('B1', 'fireNow ÷ await undefined', ratio(times, 'now', 'await undefined'), { atMost: 0.1 }),
    row('B1', 'awaited fire ÷ await undefined', ratio(times, 'awaited', 'await undefined'), { atMost: 1.1 }),
    row('B1', 'fireNow over seven events in turn ÷ await undefined', ratio(times, 'turn', 'await undefined')),
    row('B1', 'fireNow of a tool call with self-protection ÷ await undefined', ratio(times, 'guarded', 'await undefined')),
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
