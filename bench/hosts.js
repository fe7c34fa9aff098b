/** Starts hosts and asks them for figures, one at a time, so that nothing else of the benchmark runs meanwhile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./host.js', import.meta.url))

/** Starts a host that runs what `bench/hosts/<name>.js` opens. Its memory outside of the JavaScript heap grows by `ballastMb`. */
export async function startHost(name, { ballastMb = 0, longestMs = 180_000 } = {}) {
  const child = fork(program, [new URL(`./hosts/${name}.js`, import.meta.url).href, String(ballastMb)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await answer(child)
  return {
    /** What `count` runs of a subject take: `{ wall, busy }`, medians in milliseconds, and what the subject adds. A host that takes longer than `longestMs` is ended. */
    async ask(subject, count) {
      if (!child.connected) throw new Error('its host has ended')
      child.send({ subject, count })
      const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
      try {
        return await answer(child)
      } finally {
        clearTimeout(timer)
      }
    },
    async stop() {
      if (!child.connected) return
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function answer(child) {
  const gone = new AbortController()
  const left = () => gone.abort(new Error('a host ended before it answered'))
  child.once('exit', left)
  try {
    const [said] = await once(child, 'message', { signal: gone.signal }).catch(() => {
      throw gone.signal.reason
    })
    if (said.fault !== undefined) throw new Error(said.fault)
    return said
  } finally {
    child.off('exit', left)
  }
}

/**
 * Goes around all subjects, `{ name, measure, peer? }`, until the rounds or the time are used up, and hands back what each measured in each
 * round. The first round warms up and is dropped; at least `fewest` count. A peer that fails is left out, and said so.
 */
export async function goAround(subjects, { rounds, budgetMs, fewest = 3 }) {
  const found = Object.fromEntries(subjects.map(({ name }) => [name, []]))
  const end = performance.now() + budgetMs
  for (let round = 0; round <= rounds && (round <= fewest || performance.now() < end); round++) {
    for (const { name, measure, peer } of subjects) {
      if (found[name] === undefined) continue
      try {
        const figures = await measure()
        if (round > 0) found[name].push(figures)
      } catch (error) {
        if (!peer) throw error
        delete found[name]
        process.stderr.write(` left out: ${name}: ${error.message};`)
      }
    }
  }
  return found
}
