/** Promise 9: nothing of a folder runs before it was accepted, and what was accepted is what runs. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHost } from '../host.js'
import { count, notRun, Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [
  { id: '9a', words: 'the stories of trust, with real folders, links, worktrees and processes', run: stories },
  { id: '9b', words: 'swaps between check and start: no untrusted run', run: swaps },
]

const root = fileURLToPath(new URL('../..', import.meta.url))

/** They are part of the test suite; this is their run by themselves. */
function stories({ short }) {
  const file = 'packages/hookline/test/cases/trust.test.ts'
  if (!existsSync(join(root, file))) return notRun('the stories are not in this package')
  if (short) return notRun('the test step of CI runs them')
  const folder = mkdtempSync(join(tmpdir(), 'hookline-promise-stories-'))
  const report = join(folder, 'report.json')
  try {
    const { stderr } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file, '--reporter=json', `--outputFile=${report}`], {
      cwd: root,
      encoding: 'utf8',
    })
    if (!existsSync(report)) throw new Error(stderr.slice(-1_000))
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status !== 'passed'))
    return {
      tries: numTotalTests,
      failures: failed.length,
      figure: `${numPassedTests} passed`,
      examples: failed.slice(0, 5).map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages?.[0]?.slice(0, 300)}`),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function swaps({ short, seed }) {
  const tally = new Tally()
  const { runs, good, evil, refused, swapped, inGap, errors } = await startHost('swapping.js', {
    root: scratch('swap'),
    runs: short ? 150 : 10_000,
    seed,
  }).finding()
  for (let at = 0; at < runs; at++) tally.add(at < evil ? 'a script that nobody accepted ran' : undefined)
  for (const error of errors) tally.fail(error)
  if (good === 0 || refused === 0 || swapped < runs)
    tally.fail(`too little happened to prove anything: ${good} accepted runs, ${refused} refusals, ${swapped} swaps`)
  return tally.done(
    `${count(swapped)} swaps, ${count(inGap)} of them right behind a look at the file: ${count(good)} runs of what was accepted, ${count(refused)} refusals, ${evil} runs of anything else`,
  )
}
