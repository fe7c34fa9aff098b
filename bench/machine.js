/** What the figures were measured on. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'

/** The shape of this machine, without its name. */
export function machine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    kernel: `${type()} ${release().split('-')[0]}`,
    cpu: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    thp: read('/sys/kernel/mm/transparent_hugepage/enabled'),
    virtual: tell('systemd-detect-virt') ?? 'unknown',
    // Of the last minute: who else was at work.
    load: Number(loadavg()[0].toFixed(1)),
    processors: cpus().length,
  }
}

/** That shape as a sentence. */
export function sentence({ date, node, kernel, cpu, memory, virtual, thp }) {
  return `Measured on ${date} with Node ${node} on ${kernel}, ${cpu}, ${memory}, virtualisation ${virtual}, transparent huge pages ${thp}.`
}

/** A warning when others were at work on the machine; empty when nobody was. */
export function busyWarning({ load, processors }) {
  // The average of a minute still remembers what ended before the run began.
  if (load < 0.75 * processors) return ''
  return `Other work kept the machine busy while this was measured (load ${load} on ${processors} processors): compilers and several processes at once had to wait, and no figure here says whether a target is met.`
}

function read(path) {
  try {
    return /\[(\w+)\]/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

function tell(program) {
  try {
    return execFileSync(program, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch (error) {
    return typeof error.stdout === 'string' && error.stdout.trim() !== '' ? error.stdout.trim() : undefined
  }
}
