/** Promise 15: whichever call to the system fails, nothing is permitted and no store is damaged. */
import { startHost } from '../host.js'
import { count, Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [{ id: '15', words: 'every file, process and socket call fails once: never an allow, no store damaged', run: faults }]

async function faults({ short, seed, tell }) {
  const tally = new Tally()
  const figures = []
  const kinds = new Set()
  for (const pool of short ? ['eager'] : ['off', 'eager']) {
    const host = startHost('faulty.js', { root: scratch('faults'), seed, pool, ...(short ? { sample: 12 } : {}) })
    host.child.on('message', ({ progress }) => progress && tell(progress))
    const { calls, tries, hits, kinds: names, problems } = await host.finding()
    for (let at = 0; at < tries; at++) tally.add(problems[at])
    for (const problem of problems.slice(tries)) tally.fail(problem)
    for (const name of Object.keys(names)) kinds.add(name)
    if (hits < tries / 2 || calls < 50) tally.fail(`only ${hits} of ${tries} faults were met, in ${calls} calls`)
    figures.push(`${count(hits)} faults met in ${count(calls)} calls ${pool === 'off' ? 'without' : 'with'} the pool`)
  }
  return tally.done(`${figures.join(', ')}; ${kinds.size} functions of node:fs, child_process and net`)
}
