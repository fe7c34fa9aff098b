/** G1: a permission decision over 200 rules, in a host that does nothing else. */
import { batch } from '../hosts/permission.js'
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'G1 permission decisions'

const kinds = ['a command never given before', 'a command given before', 'a file', 'an address']
/** So many runs until all of it is compiled by the engine that runs it: the target is about what comes after. */
const warmUp = 15

export async function run({ quick, budgetMs }) {
  const host = await startHost('permission')
  try {
    const names = ['JSON.parse', ...kinds]
    for (const name of names) await host.ask(name, quick ? warmUp / 3 : warmUp)
    const subjects = names.map((name) => ({ name, measure: () => host.ask(name, 3) }))
    const found = await goAround(subjects, { rounds: quick ? 4 : 15, budgetMs: budgetMs(4_000) })
    const each = (name, round) => found[name][round].wall / (batch[name] ?? batch.decision)
    return kinds.map((kind) =>
      row(
        'G1',
        `permission decision over 200 rules, about ${kind} ÷ JSON.parse of an input`,
        spread(found[kind].map((_, round) => each(kind, round) / each('JSON.parse', round))),
        { atMost: 100 },
      ),
    )
  } finally {
    await host.stop()
  }
}
