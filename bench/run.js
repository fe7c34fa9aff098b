/** Runs the benchmarks: `npm run bench`, `npm run bench -- --quick`, `npm run bench -- --only b01,b02`, `-- --write` for the page. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machine } from './machine.js'
import { installPeers, loadPeers } from './peers.js'
import { markdownTable, plainTable } from './table.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : undefined

if (args.includes('--help')) {
  console.log(
    'npm run bench -- [--quick] [--no-peers] [--only b01,b04] [--write]\n\nPrints ratios measured side by side; --write also renews docs/benchmarks.md.',
  )
  process.exit(0)
}

if (!args.includes('--no-peers')) installPeers()
const peers = args.includes('--no-peers') ? {} : await loadPeers()
const files = readdirSync(`${here}scenarios`)
  .filter((file) => file.endsWith('.js'))
  .sort()
const rows = []
for (const file of files) {
  if (only !== undefined && !only.some((name) => file.startsWith(name))) continue
  const { title, run } = await import(`./scenarios/${file}`)
  process.stderr.write(`${title}…\n`)
  try {
    rows.push(...(await run({ peers, quick, rounds: quick ? 3 : 9, scale: quick ? 1 : 4 })))
  } catch (error) {
    rows.push({ id: file.slice(0, 3).toUpperCase(), what: title, note: `NOT RUN: ${error.message.split('\n')[0]}` })
  }
}
const shape = machine()
console.log(plainTable(rows))
console.log(`\n${shape.date}, Node ${shape.node}, ${shape.kernel}, ${shape.cpu}, ${shape.memory}, ${shape.virtual}, THP ${shape.thp}`)
mkdirSync(`${here}results`, { recursive: true })
writeFileSync(`${here}results/last.json`, `${JSON.stringify({ machine: shape, quick, rows }, null, 2)}\n`)
if (args.includes('--write')) writeFileSync(`${here}../docs/benchmarks.md`, page(shape, rows))
process.exit(0)

function page(shape, rows) {
  return `# Benchmarks

<!-- Made by "npm run bench -- --write"; do not edit by hand. -->

Ratios, measured side by side in one run; absolute times depend on the machine and its neighbours. \`missed\` stands where the median does not meet the target.

${markdownTable(rows)}

Measured on ${shape.date} with Node ${shape.node}, ${shape.kernel}, ${shape.cpu}, ${shape.memory}, ${shape.virtual}, transparent huge pages ${shape.thp}.
Run it yourself: \`npm run bench\` (minutes) or \`npm run bench -- --quick\` (under a minute).
`
}
