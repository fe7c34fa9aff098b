/** B9: a payload of 10 MB for twenty hooks: written down once, kept once. */
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'B9 payload'

export async function run({ quick, budgetMs }) {
  // A process's memory grows with what it did before: each measures in a host of its own.
  const names = ['one', 'twenty', 'plain twenty']
  const hosts = await Promise.all(names.map(() => startHost('payload')))
  try {
    const subjects = names.map((name, index) => ({ name, measure: () => hosts[index].ask(name, 1) }))
    const found = await goAround(subjects, { rounds: quick ? 1 : 12, fewest: quick ? 1 : 3, budgetMs: budgetMs(5_000) })
    const ratio = (subject, base, figure) => spread(found[subject].map((one, round) => one[figure] / found[base][round][figure]))
    return [
      row('B9', '10 MB for twenty hooks ÷ for one', ratio('twenty', 'one', 'wall'), { atMost: 2 }),
      row('B9', 'peak memory, twenty hooks ÷ one', ratio('twenty', 'one', 'memory'), { atMost: 1.2 }),
      row('B9', '10 MB for twenty hooks ÷ plain spawn, written down for each', ratio('twenty', 'plain twenty', 'wall')),
      row('B9', 'peak memory ÷ plain spawn, written down for each', ratio('twenty', 'plain twenty', 'memory')),
    ]
  } finally {
    await Promise.all(hosts.map((host) => host.stop()))
  }
}
