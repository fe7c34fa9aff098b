/** Promises 2 and 3: hooks that hang and children that run away are gone in time. */
import { whyNotContained } from '../contained.js'
import { startHost } from '../host.js'
import { endProcesses, findProcesses, waitedMs, whenGone } from '../processes.js'
import { count, notRun, Tally } from '../result.js'
import { scratch } from '../world.js'

export const promises = [
  { id: '2', words: 'hooks whose children ignore SIGTERM are gone by timeout + 2 s', run: hanging },
  { id: '3a', words: 'children that leave the session and clear their environment: 0 left, contained', run: contained },
  { id: '3b', words: 'the same, not contained: what carries the mark is gone, the rest may be left', run: free },
]

const secret = (random) => String(10_000_000 + random.int(80_000_000))
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

async function hanging({ random, short, tell }) {
  const hooks = short ? 30 : 500
  const timeout = 1
  const word = secret(random)
  const tally = new Tally()
  const host = startHost('hanging.js', { root: scratch('hang'), hooks, word, timeout })
  // By hook and process: how old it became, and how long of that the host stood in line for a processor that others had.
  const seen = new Map()
  let [most, ended] = [0, false]
  void host.ended.then(() => {
    ended = true
  })
  // The host is not asked: the system says how old each process became.
  while (!ended) {
    const leaders = new Set()
    const waited = waitedMs(host.child.pid)
    for (const { pid, ageMs, line } of findProcesses(word)) {
      const hook = new RegExp(`${word}[. ](\\d{4})`).exec(line)?.[1]
      if (hook === undefined) continue
      leaders.add(hook)
      const since = seen.get(`${hook} ${pid}`)?.since ?? waited
      seen.set(`${hook} ${pid}`, { hook, ageMs, since, waited: waited - since })
    }
    most = Math.max(most, leaders.size)
    tell(`${seen.size} processes seen, ${leaders.size} now`)
    await pause(short ? 100 : 200)
  }
  const { endings, ms } = await host.finding()
  const all = [...seen.values()]
  // A promise in wall-clock time cannot be tried while others have the processors: a process that was late then proves nothing.
  let starved = 0
  for (let at = 0; at < hooks; at++) {
    const own = all.filter(({ hook }) => Number(hook) === at)
    const late = own.find(({ ageMs }) => ageMs > (timeout + 2) * 1000)
    if (late !== undefined && late.waited > 300) starved++
    else
      tally.add(
        own.length === 0 ? `hook ${at} was never seen to run` : late !== undefined ? `a process of hook ${at} was ${Math.round(late.ageMs)} ms old` : undefined,
      )
  }
  const left = await whenGone(word, 500)
  if (left.length > 0) tally.fail(`${left.length} processes are left: ${left[0].line}`)
  if (most > 64) tally.fail(`${most} hooks ran at a time`)
  if (endings.timedOut !== hooks) tally.fail(`endings: ${JSON.stringify(endings)}`)
  endProcesses(word)
  if (starved > 0 && tally.failures === 0)
    return notRun(
      `this machine is too busy: ${starved} of ${hooks} hooks were late, and their host waited for a processor meanwhile; nothing was left, at most ${most} ran at a time`,
    )
  const oldest = all.reduce((one, other) => (other.ageMs > one.ageMs ? other : one))
  return tally.done(
    `${count(all.length)} processes seen, the oldest ${Math.round(oldest.ageMs)} ms at a timeout of ${timeout} s (the host waited ${Math.round(oldest.waited)} ms of that for a processor); at most ${most} hooks at a time; ${Math.round(ms / 100) / 10} s in all`,
  )
}

async function contained({ random, short }) {
  const why = await whyNotContained()
  if (why !== undefined) return notRun(why)
  const hooks = short ? 20 : 100
  const word = secret(random)
  const tally = new Tally()
  const { started, other } = await startHost('escaping.js', { root: scratch('escape'), word, sandbox: 'contained', hooks }).finding()
  const left = await whenGone(word, 0)
  const hooksLeft = new Set(left.map(({ line }) => line))
  for (let at = 0; at < hooks; at++) tally.add(at < hooksLeft.size ? `${[...hooksLeft][at]} is left` : undefined)
  if (started !== hooks) tally.fail(`only ${started} of ${hooks} hooks ran; one ended with ${JSON.stringify(other)}`)
  endProcesses(word)
  return tally.done(`${left.length} left the moment the host ended`)
}

async function free({ random, short }) {
  const hooks = short ? 10 : 100
  const word = secret(random)
  const tally = new Tally()
  const { started } = await startHost('escaping.js', { root: scratch('escape'), word, hooks }).finding()
  const left = await whenGone(word, 0)
  endProcesses(word)
  for (let at = 0; at < hooks; at++) tally.add(at < started ? undefined : 'a hook did not run')
  return tally.done(`${left.length} of ${hooks} left: without a namespace nothing finds a child that gave up both group and mark, as the guide says`)
}
