/** How many workers a pool has, and who starts them: never the host, once it was told how many runs to expect. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { type Backend, createBackend } from '../../src/process/backend.ts'
import { shellOptions } from './pooled.ts'

const open: Backend[] = []
afterAll(() => {
  for (const backend of open) backend.close()
})

function pool(expected: number) {
  const backend = createBackend('eager', { limit: 64, expected })
  open.push(backend)
  const run = async (command: string) => ((await backend.start('/bin/sh', ['-c', command], shellOptions()).done).stdout ?? '').trim()
  const all = (count: number, command: string) => Promise.all(Array.from({ length: count }, () => run(command)))
  return { run, all }
}

/** The processes that this one started and that live. */
function children(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number.isInteger(pid) && Number(parent) === process.pid && state !== 'Z'
      } catch {
        return false
      }
    })
    .sort()
}

/** Waits until a worker serves. */
async function ready(run: (command: string) => Promise<string>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) if ((await run('echo $PPID')) !== String(process.pid)) return
  throw new Error('no worker ever came')
}

describe('a pool that expects many runs', () => {
  it('starts as many at once without its host', async () => {
    const { run, all } = pool(20)
    await ready(run)
    const before = children()
    const parents = await all(20, 'sleep 0.5; echo $PPID')
    expect(parents).not.toContain(String(process.pid))
    expect(new Set(parents).size).toBeGreaterThan(10)
    expect(children()).toEqual(before)
  })
})

describe('a pool that expects one run', () => {
  it('has one process that starts workers, and gets another when that is spent', async () => {
    const before = children()
    const { run, all } = pool(1)
    await ready(run)
    expect(children().length - before.length).toBe(1)
    const parents = await all(12, 'sleep 0.5; echo $PPID')
    expect(new Set(parents).size).toBeGreaterThan(7)
  })
})
