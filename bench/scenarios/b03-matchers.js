/** B3: many matchers, a known name and names never seen. */
import { createHookline } from 'hookline/node'
import { interleave, ratio, row, spread } from '../measure.js'

export const title = 'B3 matchers'

const call = (name) => ({ tool_name: name, tool_input: {}, tool_use_id: 't-1' })

export async function run({ peers, rounds, scale }) {
  const make = async (count) => {
    const hookline = await createHookline({ sources: [], managed: { selfProtection: false } })
    for (let index = 0; index < count; index++) hookline.on('PreToolUse', { matcher: matcherOf(index) }, () => {})
    return hookline
  }
  const few = await make(10)
  const many = await make(10_000)
  const known = call('Tool3')
  let fresh = 0
  const subjects = [
    { name: 'ten', run: () => few.fireNow('PreToolUse', known), count: 5_000 * scale, sync: true },
    { name: 'ten thousand', run: () => many.fireNow('PreToolUse', known), count: 5_000 * scale, sync: true },
    { name: 'never seen', run: () => many.fireNow('PreToolUse', call(`mcp__x__${fresh++}`)), count: 500 * scale, sync: true },
  ]
  const gemini = await peers.gemini?.make({
    BeforeTool: Array.from({ length: 10_000 }, (_, index) => ({ matcher: matcherOf(index), hooks: [{ type: 'command', command: 'true' }] })),
  })
  if (gemini !== undefined) subjects.push({ name: 'gemini', run: () => gemini.fireBeforeToolEvent('NoSuchTool', {}), count: 5 * scale })
  const times = await interleave(subjects, rounds)
  await few.close()
  await many.close()
  return [
    row('B3', 'fire with 10,000 matchers ÷ with 10', ratio(times, 'ten thousand', 'ten'), { atMost: 3 }),
    row('B3', 'a name never seen, µs', spread(times['never seen'].map((time) => time / 1_000)), { atMost: 5 }),
    ...(gemini === undefined ? [] : [row('B3', 'gemini-cli-core with 10,000 matchers ÷ ours', ratio(times, 'gemini', 'ten thousand'), { atLeast: 1_000 })]),
  ]
}

/** Mostly names, some lists, some patterns: what settings of many plugins look like. */
function matcherOf(index) {
  if (index % 10 === 1) return `mcp__server${index}__.*`
  return index % 10 === 2 ? `Edit${index}|Write${index}` : `Tool${index}`
}
