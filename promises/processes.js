/** What runs on this machine, as Linux tells it: found by a word that only one try uses, ended by number. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Processes whose command line holds the word: number, age in milliseconds, command line. The looking process is left out. */
export function findProcesses(word) {
  const found = []
  const up = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      if (!line.includes(word)) continue
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[0] === 'Z') continue
      found.push({ pid: Number(name), ageMs: (up - Number(fields[19]) / ticksPerSecond) * 1000, line: line.replaceAll('\0', ' ').trim() })
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

/** Ends what a failed try left, one by one. */
export function endProcesses(word) {
  for (const { pid } of findProcesses(word)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
}

/** Waits until nothing with the word runs; what is left after `withinMs`. */
export async function whenGone(word, withinMs) {
  const end = performance.now() + withinMs
  for (;;) {
    const left = findProcesses(word)
    if (left.length === 0 || performance.now() > end) return left
    await new Promise((done) => setTimeout(done, 25))
  }
}

/** How long a process was ready to run while others had the processors, in milliseconds since it began. */
export function waitedMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/** Resident memory of a process in MiB, now and at its highest. */
export function memoryOf(pid = 'self') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: field('VmRSS'), highest: field('VmHWM') }
}

export const countDescriptors = () => readdirSync('/proc/self/fd').length
