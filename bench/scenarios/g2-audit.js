/** G2: what the audit log adds to an event with one command hook. */
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'G2 audit'

export async function run({ quick, budgetMs }) {
  const host = await startHost('audit')
  try {
    const subjects = ['none', 'batch', 'decision'].map((name) => ({ name, measure: () => host.ask(name, 20) }))
    const found = await goAround(subjects, { rounds: quick ? 8 : 25, budgetMs: budgetMs(4_000) })
    const ratio = (subject) => spread(found[subject].map((one, round) => one.wall / found.none[round].wall))
    return [
      row('G2', 'one command hook, audited (batch) ÷ not', ratio('batch'), { atMost: 1.1 }),
      row('G2', 'one command hook, audited (decision) ÷ not', ratio('decision')),
    ]
  } finally {
    await host.stop()
  }
}
