/** Promise 1: a host that is killed at any moment loses no record it acknowledged, breaks no chain unseen, and leaves no orphan in contained mode. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { verifyAuditLog } from 'hookline/node'
import { whyNotContained } from '../contained.js'
import { startHost } from '../host.js'
import { endProcesses, findProcesses, whenGone } from '../processes.js'
import { count, notRun, Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [
  { id: '1a', words: 'kill -9 of the host: no acknowledged record lost, no chain broken unseen', run: (context) => kill(context) },
  { id: '1b', words: 'kill -9 of the host: 0 processes left after 2 s, contained', run: orphans },
]

const secret = (random) => String(10_000_000 + random.int(80_000_000))

async function orphans(context) {
  const why = await whyNotContained()
  return why === undefined ? kill(context, 'contained') : notRun(why)
}

/** Several lanes side by side; a lane kills hosts of one session again and again, so that each host goes on with the log its predecessor left. */
async function kill({ random, short, tell }, sandbox) {
  const wanted = short ? (sandbox === undefined ? 6 : 4) : 1_000
  const tally = new Tally()
  const seen = { acknowledged: new Map(), torn: 0, recovered: new Set(), alive: 0, slowest: 0 }
  const lane = async (lane) => {
    let root
    let acknowledged
    for (let round = 0; tally.tries + lane.before < wanted; round++) {
      const word = `${secret(random)}.${lane.number}`
      const sessionId = `lane-${lane.number}-${Math.floor(round / 10)}`
      // Each host goes on with the log of the one before; a long log takes long to check, so now and then a new one is begun.
      if (round % 10 === 0) {
        if (root !== undefined) rmSync(root, { recursive: true, force: true })
        root = scratch('kill')
        mkdirSync(join(root, 'log'))
        acknowledged = join(root, 'acknowledged')
      }
      const host = startHost('killed.js', { root, acknowledged, word, sandbox, sessionId })
      await Promise.race([new Promise((ready) => host.child.once('message', ready)), host.ended])
      // At any moment from the first record on, most often soon.
      await new Promise((done) => setTimeout(done, random.int(random.chance(0.7) ? 120 : 600)))
      // Every other time while a hook runs: on a busy machine that may be seldom.
      if (round % 2 === 0) await whenHookRuns(word, host.child.pid)
      seen.alive += findProcesses(word).filter(({ pid }) => pid !== host.child.pid).length
      host.child.kill('SIGKILL')
      const killed = performance.now()
      const { code, stderr } = await host.ended
      if (code !== 'SIGKILL') {
        tally.add(`the host ended by itself with ${code}: ${stderr}`)
        continue
      }
      const left = await whenGone(word, sandbox === undefined ? 0 : 2_000)
      if (sandbox !== undefined && left.length === 0) seen.slowest = Math.max(seen.slowest, performance.now() - killed)
      endProcesses(word)
      let problem =
        sandbox !== undefined && left.length > 0 ? `${left.length} processes are left after 2 s: ${left.map(({ line }) => line).join('; ')}` : undefined
      problem ??= await checkLog(join(root, 'log'), acknowledged, { sessionId, seen })
      tally.add(problem)
      tell(`${tally.tries} kills, ${tally.failures} problems`)
    }
  }
  const lanes = short ? 2 : 4
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane({ number, before: number })))
  const acknowledged = [...seen.acknowledged.values()].reduce((sum, calls) => sum + calls, 0)
  if (acknowledged === 0) tally.fail('no decision was ever acknowledged')
  if (sandbox !== undefined) {
    if (seen.alive === 0) tally.fail('no hook ever ran while its host was killed')
    return tally.done(`${count(seen.alive)} processes of hooks were alive at the moment of a kill; the last was gone after ${Math.round(seen.slowest)} ms`)
  }
  return tally.done(
    `${count(acknowledged)} acknowledged decisions, all in the log; ${seen.torn} logs were reported as ended by a crash, ${seen.recovered.size} were seen to be recovered by the next host`,
  )
}

async function whenHookRuns(word, host) {
  for (const end = performance.now() + 5_000; performance.now() < end; ) {
    if (findProcesses(word).some(({ pid }) => pid !== host)) return
    await new Promise((done) => setTimeout(done, 2))
  }
}

async function checkLog(folder, acknowledged, { sessionId, seen }) {
  const chains = await verifyAuditLog(folder, { session: sessionId })
  for (const { state, problem, notes } of chains) {
    if (state === 'torn') seen.torn++
    else if (state !== 'good') return `the chain is ${state}: ${JSON.stringify(problem)}`
    for (const note of notes) if (/unfinished record/.test(note)) seen.recovered.add(`${sessionId} ${note}`)
  }
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
  const calls = existsSync(acknowledged) ? readFileSync(acknowledged, 'utf8').split('\n').slice(0, -1) : []
  seen.acknowledged.set(sessionId, calls.length)
  const lost = calls.find((call) => !text.includes(`"${call}"`))
  return lost === undefined ? undefined : `the record of call ${lost} was acknowledged and is lost`
}
