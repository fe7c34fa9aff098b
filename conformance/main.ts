/** `npm run conformance`: plays the observed sessions on our agent and says where it differs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare } from './compare.ts'
import { type Deviations, expectedOf, outcomeOf, readDeviations } from './deviations.ts'
import { gaps } from './gaps.ts'
import { observe } from './observe.ts'
import { canReplaceFolders, playRow } from './play.ts'
import { type Judged, summary, table } from './report.ts'
import { type Row, readRows } from './row.ts'

const help = `Plays the observed sessions on our agent, through the real command line.

  npm run conformance                      all rows
  npm run conformance -- --only ev-skill   rows whose id contains the text; may be given several times
  npm run conformance -- --theme events    one theme
  npm run conformance -- --short           one row in eight, as in CI
  npm run conformance -- --keep --show     keeps the folders of the rows and prints what was seen
  npm run conformance -- --write           renews docs/conformance.md
  npm run conformance -- --jobs 2          rows side by side (default 2)
  npm run conformance -- --only cfg-flat --decision 21 --why "a broken entry voids no other"
                                           notes in deviations.json that the decision touches these rows, with what was seen now
`

/** Gives the exit code: 1 when a row failed. */
export async function main(args: readonly string[], repository: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      theme: { type: 'string', multiple: true },
      short: { type: 'boolean' },
      keep: { type: 'boolean' },
      show: { type: 'boolean' },
      write: { type: 'boolean' },
      jobs: { type: 'string', default: '2' },
      decision: { type: 'string' },
      why: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return 0
  }
  const all = readRows(join(repository, 'conformance/rows'))
  const deviations = readDeviations(join(repository, 'conformance/deviations.json'), all)
  const chosen = all
    .filter((row) => values.only === undefined || values.only.some((text) => row.id.includes(text)))
    .filter((row) => values.theme === undefined || values.theme.includes(row.theme))
    .filter((_, at) => values.short !== true || at % 8 === 0)
  if (chosen.length === 0) throw new Error('No row has such an id or theme.')
  const judged = await playAll(chosen, {
    deviations,
    repository,
    jobs: Number(values.jobs),
    keep: values.keep === true,
    show: values.show === true,
  })
  process.stdout.write(`\n${table(judged)}\n\nconformance: ${summary(judged)}\n`)
  if (values.decision !== undefined) note(judged, { repository, deviations, decision: Number(values.decision), why: values.why ?? '' })
  if (values.write === true) write(judged, { repository, deviations })
  const surprises = judged.filter(({ row, status }) => status === 'failed' && gaps[row.id] === undefined)
  const mended = judged.filter(({ row, status }) => status === 'passed' && gaps[row.id] !== undefined)
  for (const { row } of surprises) process.stdout.write(`${row.id} fails and is no known gap.\n`)
  for (const { row } of mended) process.stdout.write(`${row.id} passes: take it off conformance/gaps.ts.\n`)
  return surprises.length > 0 ? 1 : 0
}

interface Settings {
  deviations: Deviations
  repository: string
  jobs: number
  keep: boolean
  show: boolean
}

/** Our outcome of each row that differs becomes what is expected of it, for a reason that a person gives. */
function note(judged: readonly Judged[], given: { repository: string; deviations: Deviations; decision: number; why: string }): void {
  if (given.why === '') throw new Error('--decision needs --why: what the decision says about these rows.')
  const deviations = { ...given.deviations }
  for (const { row, status, ours } of judged) {
    if (status === 'passed' || ours === undefined) continue
    deviations[row.id] = { decision: given.decision, why: given.why, expect: outcomeOf(row.observed, ours) }
  }
  const sorted = Object.fromEntries(Object.entries(deviations).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(given.repository, 'conformance/deviations.json'), `${JSON.stringify(sorted, undefined, 2)}\n`)
}

async function playAll(rows: readonly Row[], settings: Settings): Promise<Judged[]> {
  const judged: Judged[] = []
  const queue = rows.map((row, at) => ({ row, at }))
  const results: Judged[] = new Array(rows.length)
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const one = await judge(next.row, settings)
      results[next.at] = one
      judged.push(one)
      const mark = { passed: 'ok', deviates: 'ok (decision)', failed: 'FAILED', unstable: 'differs (unstable)', 'not-run': 'NOT RUN' }[one.status]
      process.stdout.write(`${String(judged.length).padStart(3)}/${rows.length} ${mark} ${next.row.id} ${one.ms} ms\n`)
      if (one.status !== 'passed' && one.status !== 'deviates') for (const line of one.differences) process.stdout.write(`      ${line}\n`)
    }
  }
  await Promise.all(Array.from({ length: settings.jobs }, work))
  return results
}

async function judge(row: Row, settings: Settings): Promise<Judged> {
  const started = Date.now()
  const managed = typeof row.case.settings === 'object' && 'managed' in row.case.settings
  if (managed && !canReplaceFolders())
    return { row, status: 'not-run', differences: ['This machine refuses mount namespaces, which rows with managed settings need.'], ms: 0 }
  const deviation = settings.deviations[row.id]
  const recorded = await playRow(row, { repository: settings.repository, keep: settings.keep })
  const ours = observe(recorded)
  if (settings.show) process.stdout.write(`${recorded.stage.root}\n${JSON.stringify(ours, undefined, 1)}\n${recorded.runs.map((run) => run.stderr).join('')}\n`)
  const differences = compare(row, expectedOf(row, deviation), ours)
  const status = differences.length === 0 ? (deviation === undefined ? 'passed' : 'deviates') : row.unstable === true ? 'unstable' : 'failed'
  return { row, status, differences, ms: Date.now() - started, ours }
}

function write(judged: readonly Judged[], from: { repository: string; deviations: Deviations }): void {
  const file = join(from.repository, 'docs/conformance.md')
  const page = readFileSync(file, 'utf8')
  const failed = judged
    .filter((one) => one.status === 'failed')
    .map(({ row, differences }) => `- \`${row.id}\` (${row.title}): ${gaps[row.id] ?? differences.join('; ')}`)
  const touched = judged
    .filter((one) => from.deviations[one.row.id] !== undefined)
    .map((one) => `- \`${one.row.id}\`, decision ${from.deviations[one.row.id]?.decision}: ${from.deviations[one.row.id]?.why}`)
  const text = [
    `Last run: ${new Date().toISOString().slice(0, 10)}. ${summary(judged)}.`,
    table(judged),
    '### Rows that a decision touches',
    touched.join('\n') || 'None.',
    '### Rows that fail',
    failed.join('\n') || 'None.',
  ].join('\n\n')
  writeFileSync(
    file,
    page.replace(/(<!-- run -->\n)[\s\S]*?(\n<!-- \/run -->)/, (_, open, close) => `${open}\n${text}\n${close}`),
  )
}
