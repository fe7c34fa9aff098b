/** Promise 5: a hook that says far too much is stopped at the cap, and costs little memory. */
import { startHost } from '../host.js'
import { Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [{ id: '5', words: 'too much output on stdout, stderr and in a body grows memory by less than 64 MiB', run: caps }]

async function caps({ short, tell }) {
  const tally = new Tally()
  const bytes = short ? 2 ** 27 : 2 ** 30
  const figures = []
  for (const [stream, pool] of [
    ['stdout', 'eager'],
    ['stderr', 'eager'],
    ['stdout', 'off'],
    ['stderr', 'off'],
    ['body', 'off'],
    ['gzip', 'off'],
  ]) {
    tell(stream)
    const found = await startHost('flood.js', { root: scratch('flood'), stream, bytes, pool }, { flags: ['--expose-gc'] }).finding()
    const { ending, growth, ms, allowed } = found
    const wanted = stream === 'gzip' ? 'body' : stream
    const told = JSON.stringify(found)
    tally.add(growth >= 64 ? `${stream}: memory grew by ${growth.toFixed(1)} MiB` : undefined)
    tally.add(ending.kind !== 'overflowed' || ending.stream !== wanted || !(ending.limit > 0) ? `${stream}: it ended ${told}` : undefined)
    tally.add(ms > 2_500 ? `${stream}: ${Math.round(ms)} ms` : undefined)
    tally.add(allowed === 'allow' ? `${stream}: it was allowed` : undefined)
    figures.push(`${stream}${pool === 'eager' ? ' (pool)' : ''} +${growth.toFixed(1)} MiB in ${Math.round(ms)} ms`)
  }
  return tally.done(`${bytes / 2 ** 20} MiB each: ${figures.join(', ')}`)
}
