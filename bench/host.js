/** A host of its own for measuring: a process with so much memory outside of its JavaScript heap, told from outside what to run. */
import { performance } from 'node:perf_hooks'

const [file, ballastMb] = process.argv.slice(2)
const { open } = await import(file)
// Opened while the process is small, as a program opens its Hookline when it starts.
const subjects = await open()
// Buffers: the memory of JavaScript objects is nearly free for a fork, and would hide what is to be seen.
const ballast = Array.from({ length: Math.ceil(Number(ballastMb) / 50) }, () => Buffer.alloc(50 * 1_048_576, 1))
// Held by the global object: what nothing names any more is collected, and the host is small again without anybody seeing it.
globalThis.ballast = ballast

process.on('message', ({ subject, count }) => {
  measure(subjects[subject], count).then(
    (result) => process.send(result),
    (error) => process.send({ fault: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send({ ready: true, subjects: Object.keys(subjects), ballast: ballast.length })

/** The median wall time and the median time that the event loop was held, in milliseconds, of `count` runs one after the other. */
async function measure(run, count) {
  if (run === undefined) throw new Error('there is no such subject')
  const wall = []
  const busy = []
  let extra
  for (let index = 0; index < count; index++) {
    const before = performance.eventLoopUtilization()
    const start = performance.now()
    extra = await run()
    wall.push(performance.now() - start)
    busy.push(performance.eventLoopUtilization(before).active)
  }
  const lost = Number(ballastMb) - process.memoryUsage().rss / 1_048_576
  if (lost > 0) throw new Error(`the host lost ${Math.round(lost)} MB of its ballast, so its figures are those of a smaller one`)
  return { wall: median(wall), busy: median(busy), ...(typeof extra === 'object' ? extra : {}) }
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}
