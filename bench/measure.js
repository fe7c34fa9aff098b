/** Measures subjects side by side: rounds go around all of them, and what counts is the ratio within a round. */

/** Nanoseconds of one call of a synchronous subject, over `count` calls. */
export function timeSync(run, count) {
  const start = process.hrtime.bigint()
  for (let index = 0; index < count; index++) run()
  return Number(process.hrtime.bigint() - start) / count
}

/** Nanoseconds of one awaited call, over `count` calls one after the other. */
export async function timeAsync(run, count) {
  const start = process.hrtime.bigint()
  for (let index = 0; index < count; index++) await run()
  return Number(process.hrtime.bigint() - start) / count
}

/**
 * Runs every subject once per round, in turn. A subject is `{ name, run, count, sync? }`; the result maps its name to the
 * nanoseconds of each round. The first round warms up and is dropped.
 */
export async function interleave(subjects, rounds) {
  const times = Object.fromEntries(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run, count, sync } of subjects) {
      const time = sync ? timeSync(run, count) : await timeAsync(run, count)
      if (round > 0) times[name].push(time)
    }
  }
  return times
}

/** Minimum, median and maximum. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = Number.isInteger(middle) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)]
  return { min: sorted[0], median, max: sorted.at(-1) }
}

/** The ratio of two subjects, round by round. */
export function ratio(times, subject, base) {
  return spread(times[subject].map((time, round) => time / times[base][round]))
}

/** One line of the result: a figure as a ratio, its target, and whether the median meets it. `atMost` or `atLeast`. */
export function row(id, what, figure, { atMost, atLeast } = {}) {
  const target = atMost === undefined ? (atLeast === undefined ? undefined : `≥ ${atLeast}`) : `≤ ${atMost}`
  const met = atMost === undefined ? (atLeast === undefined ? undefined : figure.median >= atLeast) : figure.median <= atMost
  return { id, what, ...figure, ...(target === undefined ? {} : { target, met }) }
}

/** How long the event loop was held while `run` was under way, in milliseconds, beside its wall time. */
export async function wallAndBusy(run) {
  const { performance } = await import('node:perf_hooks')
  const before = performance.eventLoopUtilization()
  const start = performance.now()
  await run()
  const wall = performance.now() - start
  return { wall, busy: performance.eventLoopUtilization(before).active }
}
