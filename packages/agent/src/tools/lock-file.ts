/** One process at a time: a lock that names its holder, and that a dead holder does not keep. */
import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 10_000

/**
 * Runs `work` while no other process holds the lock; `work` is synchronous, so that a holder holds it for a moment only.
 * @throws Error when the lock is not free in time.
 */
export async function withLock<T>(path: string, work: () => T): Promise<T> {
  const own = `${process.pid}.${randomBytes(6).toString('hex')}`
  const until = Date.now() + patienceMs
  while (!taken(path, own)) {
    if (Date.now() > until) throw new Error(`${path} is held by process ${holderOf(path)?.split('.')[0] ?? 'unknown'}.`)
    await sleep(5 + Math.random() * 20)
  }
  try {
    return work()
  } finally {
    rmSync(path, { force: true })
  }
}

function taken(path: string, own: string): boolean {
  if (mark(path, own)) return true
  const holder = holderOf(path)
  if (holder === undefined || isAlive(holder)) return false
  // Two may both have seen the dead holder: who may remove this one holder's lock is a lock itself, and under it the holder is looked at again.
  const right = `${path}.${createHash('sha256').update(holder).digest('hex').slice(0, 8)}`
  if (!mark(right, own)) {
    const other = holderOf(right)
    if (other !== undefined && !isAlive(other)) rmSync(right, { force: true })
    return false
  }
  try {
    if (holderOf(path) === holder) rmSync(path, { force: true })
  } finally {
    rmSync(right, { force: true })
  }
  return mark(path, own)
}

/** A link is made in one step, with its text: no one ever sees a lock without its holder. */
function mark(path: string, text: string): boolean {
  try {
    symlinkSync(text, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function holderOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function isAlive(holder: string): boolean {
  try {
    process.kill(Number(holder.split('.')[0]), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
