/** Promise 13: hooks that do not match cost next to nothing, and a command hook little more than a process. */
import { waitedMs } from '../processes.js'
import { notRun, Tally } from '../result.js'
import { bashInput, createWorld } from '../world.js'

export const promises = [
  { id: '13', words: 'an event without matching hooks costs < 1 ms (99th percentile), a no-op command hook < 25 ms (median)', run: overhead },
]

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

async function overhead({ short }) {
  const world = createWorld()
  const group = (matcher, command) => ({ matcher, hooks: [{ type: 'command', command }] })
  world.write('.claude/settings.json', { hooks: { PreToolUse: [group('Edit|Write', 'true'), group('mcp__.*', 'true'), group('Noop', ':')] } })
  const h = await world.open()
  const times = async (count, input) => {
    const list = []
    for (let run = 0; run < count; run++) {
      const began = performance.now()
      await h.fire('PreToolUse', input)
      list.push(performance.now() - began)
    }
    return list.sort((one, other) => one - other)
  }
  await times(100, bashInput())
  const [began, waited] = [performance.now(), waitedMs('self')]
  const quiet = await times(short ? 2_000 : 20_000, bashInput())
  await times(10, { ...bashInput(), tool_name: 'Noop' })
  const noop = await times(short ? 40 : 300, { ...bashInput(), tool_name: 'Noop' })
  await h.close()
  const tally = new Tally()
  const [p99, median] = [at(quiet, 0.99), at(noop, 0.5)]
  tally.add(p99 >= 1 ? `the 99th percentile is ${p99.toFixed(3)} ms` : undefined)
  tally.add(median >= 25 ? `the median is ${median.toFixed(1)} ms` : undefined)
  const busy = (waitedMs('self') - waited) / (performance.now() - began)
  if (tally.failures > 0 && busy > 0.02) return notRun(`this machine is too busy: we stood in line for a processor ${Math.round(100 * busy)} % of the time`)
  tally.tries = quiet.length + noop.length
  return tally.done(
    `without a matching hook ${at(quiet, 0.5).toFixed(3)} ms at the median, ${p99.toFixed(3)} ms at the 99th percentile; no-op command hook ${median.toFixed(1)} ms at the median`,
  )
}
