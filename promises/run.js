/** Tries the promises of the security guide: `npm run promises`, `-- --short`, `-- --only 7b`, `-- --seed 42`, `-- --write`. */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machine } from '../bench/machine.js'
import { loadPromises } from './one.js'
import { writePage } from './page.js'
import { plainTable } from './table.js'

const help = `npm run promises -- [--short] [--only 1,7b] [--seed N] [--write]

Runs every promise for real and prints a table of figures; exit code 1 when one is broken.
  --short     smaller numbers, for CI: under 90 seconds in all
  --only IDS  some of them; 7 means 7a, 7b, …
  --seed N    the choices of an earlier run; default: new ones, with --short always the same
  --write     also puts the table into docs/guide/security.md
NOT RUN stands where this machine or this version cannot try a promise; it never means passed.`

const here = fileURLToPath(new URL('.', import.meta.url))
const results = `${here}results/last.json`
process.exitCode = await main(process.argv.slice(2))

async function main(args) {
  const options = readOptions(args)
  if (typeof options === 'string') {
    console.log(options)
    return options === help ? 0 : 64
  }
  const { short, only, write, seed } = options
  const all = await loadPromises()
  const wanted = all.filter(({ id }) => only === undefined || only.some((name) => id === name || id.replace(/[a-z]$/, '') === name))
  if (wanted.length === 0) {
    console.log(`No promise is called ${only.join(', ')}.`)
    return 64
  }
  const rows = []
  for (const promise of wanted) {
    process.stderr.write(`${promise.id.padEnd(4)} ${promise.words}…\n`)
    const row = await runOne(promise, { short, seed })
    process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}     ${row.result} in ${row.seconds} s${row.figure === '' ? '' : `: ${row.figure}`}\n`)
    rows.push(row)
  }
  const shape = machine()
  const report = { machine: shape, short, seed, rows: short || only === undefined ? rows : among(rows, all) }
  console.log(plainTable(rows))
  for (const { id, examples } of rows) for (const example of examples) console.log(`\n${id}: ${example}`)
  const tell = (result) => rows.filter((row) => row.result === result).length
  console.log(
    `\n${tell('PASSED')} passed, ${tell('FAILED')} failed, ${tell('NOT RUN')} not run. Seed ${seed}; ${shape.date}, Node ${shape.node}, ${shape.kernel}.`,
  )
  mkdirSync(`${here}results`, { recursive: true })
  writeFileSync(short ? `${here}results/last-short.json` : results, `${JSON.stringify(report, null, 2)}\n`)
  if (write) writePage(report)
  return tell('FAILED') > 0 ? 1 : 0
}

/** The rows of the last full run, with those that were tried again in their places. */
function among(rows, all) {
  const before = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')).rows : []
  const find = (id) => rows.find((row) => row.id === id) ?? before.find((row) => row.id === id)
  return all.flatMap(({ id }) => find(id) ?? [])
}

function readOptions(args) {
  const options = { short: false, only: undefined, write: false, seed: undefined }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '--help' || arg === '-h') return help
    if (arg === '--short') options.short = true
    else if (arg === '--write') options.write = true
    else if (arg === '--only' && args[at + 1] !== undefined) options.only = args[++at].split(',')
    else if (arg === '--seed' && /^\d{1,10}$/.test(args[at + 1] ?? '')) options.seed = Number(args[++at]) >>> 0
    else return `Not understood: ${arg}. Try --help.`
  }
  return { ...options, seed: options.seed ?? (options.short ? 1 : Date.now() >>> 0) }
}

/** A process of its own for each: one that crashes or hangs is a broken promise and no end of the run. */
function runOne({ id, words, minutes = 15 }, { short, seed }) {
  const began = performance.now()
  return new Promise((settle) => {
    const child = fork(`${here}one.js`, [id, String(seed), short ? 'short' : 'full'], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let finding
    let late = false
    let progress = 'begun'
    const stop = () => {
      late = true
      child.kill('SIGKILL')
    }
    // A busy machine takes long; one that goes no step further hangs.
    let timer = setTimeout(stop, minutes * 60_000)
    child.on('message', (message) => {
      finding = message.finding ?? finding
      progress = message.progress ?? progress
      clearTimeout(timer)
      timer = setTimeout(stop, minutes * 60_000)
      if (process.stderr.isTTY && message.progress !== undefined) process.stderr.write(`\r\u001b[K     ${progress}`)
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      const {
        tries = 0,
        failures = 1,
        examples = [],
        figure = '',
        notRun,
      } = finding ?? { figure: late ? `no step further for ${minutes} min: ${progress}` : `ended with ${signal ?? `code ${code}`}: ${progress}` }
      const result = notRun !== undefined ? 'NOT RUN' : failures > 0 || tries === 0 ? 'FAILED' : 'PASSED'
      const seconds = Math.round((performance.now() - began) / 1000)
      settle({
        id,
        words,
        result,
        tries,
        failures: notRun === undefined ? failures : 0,
        figure: notRun ?? figure,
        seconds,
        seed,
        date: new Date().toISOString().slice(0, 10),
        examples,
      })
    })
  })
}
