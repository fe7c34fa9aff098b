/** B10: one http hook with the address guard on. */
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'B10 http hooks'

const warmUp = 2_000

export async function run({ quick, budgetMs }) {
  const host = await startHost('http')
  try {
    const names = ['raw', 'hook', 'fetch']
    // Until all of it is compiled by the engine that runs it, and the connections are open.
    for (const name of names) await host.ask(name, quick ? warmUp / 4 : warmUp)
    const subjects = names.map((name) => ({ name, measure: () => host.ask(name, quick ? 200 : 300) }))
    const found = await goAround(subjects, { rounds: quick ? 4 : 25, budgetMs: budgetMs(4_000) })
    const ratio = (subject, base) => spread(found[subject].map((one, round) => one.wall / found[base][round].wall))
    return [
      row('B10', 'guarded http hook ÷ raw keep-alive socket', ratio('hook', 'raw'), { atMost: 2.5 }),
      row('B10', 'guarded http hook ÷ global fetch', ratio('hook', 'fetch'), { atMost: 0.27 }),
    ]
  } finally {
    await host.stop()
  }
}
