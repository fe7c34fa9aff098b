/** B13: hooks in JavaScript that stay, over a Node process per event. */
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'B13 warm hooks'

export async function run({ quick, budgetMs }) {
  const host = await startHost('warm')
  try {
    const counts = { script: 3, 'plain script': 3, persistent: 500, module: 500 }
    const subjects = Object.entries(counts).map(([name, count]) => ({ name, measure: () => host.ask(name, count) }))
    const found = await goAround(subjects, { rounds: quick ? 2 : 15, fewest: quick ? 2 : 3, budgetMs: budgetMs(5_000) })
    const ratio = (subject, base) => spread(found[subject].map((one, round) => one.wall / found[base][round].wall))
    return [
      row('B13', 'persistent hook ÷ a Node script per event', ratio('persistent', 'script'), { atMost: 1 / 500 }),
      row('B13', 'module hook ÷ a Node script per event', ratio('module', 'script'), { atMost: 1 / 500 }),
      row('B13', 'a Node script per event ÷ the same by plain spawn', ratio('script', 'plain script')),
    ]
  } finally {
    await host.stop()
  }
}
