/** Promise 14: after very many events a host holds no more than before. */
import { startHost } from '../host.js'
import { count, Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [{ id: '14', words: 'events by the hundred thousand: descriptors, handles and memory stay flat within 5 %', run: soak }]

const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]

async function soak({ short }) {
  const events = short ? 3_000 : 100_000
  const { samples, failed } = await startHost('soak.js', { root: scratch('soak'), events }, { flags: ['--expose-gc'] }).finding()
  const tally = new Tally()
  // The first half warms up: code is compiled, pools fill, kept results reach their bounds. Then the third quarter is compared with the last.
  const [before, after] = [samples.slice(samples.length / 2, (samples.length * 3) / 4), samples.slice((samples.length * 3) / 4)]
  const figures = []
  for (const [what, unit, slack] of [
    ['descriptors', '', 1],
    ['handles', '', 1],
    ['heap', ' MiB', 0.5],
    ['resident', ' MiB', 2],
  ]) {
    const [first, last] = [before, after].map((part) => middle(part.map((sample) => sample[what])))
    const growth = last / first - 1
    figures.push(`${what} ${first.toFixed(unit === '' ? 0 : 1)} → ${last.toFixed(unit === '' ? 0 : 1)}${unit}`)
    tally.add(
      growth > 0.05 && last - first > slack
        ? `${what} grew by ${(100 * growth).toFixed(1)} %: ${samples.map((sample) => Math.round(sample[what])).join(' ')}`
        : undefined,
    )
  }
  tally.tries = events
  if (failed > 0) tally.fail(`${failed} hooks failed`)
  return tally.done(`${count(events / 5)} of them with a command, http, module or persistent hook: ${figures.join(', ')}`)
}
