/** Runs the benchmarks in one go: measures every scenario, prints the table, keeps the figures, renews the page when asked to. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { busyWarning, machine, sentence } from './machine.js'
import { page } from './page.js'
import { installPeers, loadPeers } from './peers.js'
import { plainTable } from './table.js'

const help = `npm run bench -- [--quick] [--only b01,b04] [--no-peers] [--write]

Measures Hookline beside its peers in one run and prints ratios: the smallest, the median and the largest of all rounds, with
the target of each. Targets are for the median.

  --quick      fewer rounds: under a minute
  --only LIST  only these scenarios: b00 to b14, g1 (permissions), g2 (audit)
  --no-peers   without the peers, which are installed once into bench/node_modules
  --write      also renews docs/benchmarks.md

The figures are kept in bench/results/last.json.
`

const here = fileURLToPath(new URL('.', import.meta.url))
const options = readOptions()
if (options.help) {
  process.stdout.write(help)
  process.exit(0)
}

const scenarios = await loadScenarios(options.only)
if (options.peers) installPeers()
const peers = options.peers ? await loadPeers() : {}
const shape = machine()
const began = performance.now()
const rows = []
for (const [index, { title, run, file }] of scenarios.entries()) {
  process.stderr.write(`[${index + 1}/${scenarios.length}] ${title}…`)
  const start = performance.now()
  const { quick } = options
  try {
    // The time a scenario may take; it stops going round when that is over.
    rows.push(...(await run({ peers, quick, rounds: quick ? 3 : 9, scale: quick ? 1 : 4, budgetMs: (ms) => (quick ? ms : 6 * ms) })))
  } catch (error) {
    rows.push({ id: file.slice(0, file.indexOf('-')).toUpperCase().replace(/^B0/, 'B'), what: title, note: `NOT RUN: ${String(error.message).split('\n')[0]}` })
  }
  process.stderr.write(` ${((performance.now() - start) / 1_000).toFixed(1)} s\n`)
}

process.stdout.write(
  `${plainTable(rows)}\n\n${sentence(shape)}\n${busyWarning(shape)}\nThe whole run took ${Math.round((performance.now() - began) / 1_000)} s.\n`,
)
mkdirSync(`${here}results`, { recursive: true })
writeFileSync(`${here}results/last.json`, `${JSON.stringify({ machine: shape, quick: options.quick, rows }, null, 2)}\n`)
if (options.write) writeFileSync(`${here}../docs/benchmarks.md`, page(shape, rows, options))
process.exit(0)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        'no-peers': { type: 'boolean', default: false },
        only: { type: 'string' },
      },
    })
    const { help, quick, write, only } = values
    return {
      help,
      quick,
      write,
      peers: !values['no-peers'],
      only: only
        ?.toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}`)
    process.exit(64)
  }
}

/** The scenarios in the order of their files; all, or those that are named. A file may hold several, and then runs as a whole. */
async function loadScenarios(only) {
  const files = readdirSync(`${here}scenarios`)
    .filter((file) => file.endsWith('.js'))
    .sort()
  const all = await Promise.all(files.map(async (file) => ({ file, ...(await import(`./scenarios/${file}`)) })))
  if (only === undefined) return all
  const named = (name, { file, ids = [] }) => file.startsWith(`${name}-`) || file === name || ids.includes(name)
  const unknown = only.find((name) => !all.some((one) => named(name, one)))
  if (unknown !== undefined) {
    process.stderr.write(
      `There is no scenario ${JSON.stringify(unknown)}. Known: ${all.map(({ file, ids }) => ids?.join(', ') ?? file.split('-')[0]).join(', ')}.\n`,
    )
    process.exit(64)
  }
  return all.filter((one) => only.some((name) => named(name, one)))
}
