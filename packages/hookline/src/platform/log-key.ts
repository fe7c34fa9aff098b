/** The key of input digests: random, one per log, readable by its owner only, so that nobody can try out what an input was. */
import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { LogLock } from './log-lock.ts'
import type { LogSetup } from './log-setup.ts'

/** A function that gives the keyed digest of some bytes in hex; `undefined` as long as there is no key. It never throws. */
export function inputDigest({ files, place }: Pick<LogSetup, 'files' | 'place'>): (bytes: Uint8Array) => string | undefined {
  const path = join(place.folder, place.only === undefined ? 'input.key' : `${place.only}.input.key`)
  let key: Uint8Array | undefined
  return (bytes) => {
    try {
      key ??= readKey(files, path) ?? makeKey(files, path, place.folder)
    } catch {
      // The record says so by having no digest; whether it can be written at all is said by the log.
    }
    return key === undefined ? undefined : createHmac('sha256', key).update(bytes).digest('hex')
  }
}

const length = 32

function readKey(files: LogSetup['files'], path: string): Uint8Array | undefined {
  if (files.look(path) === undefined) return undefined
  const fd = files.open(path, 'read')
  try {
    const text = new TextDecoder().decode(files.read(fd, 0, 2 * length + 1)).trim()
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined
  } finally {
    files.close(fd)
  }
}

function makeKey(files: LogSetup['files'], path: string, folder: string): Uint8Array | undefined {
  files.makeFolder(folder)
  const lock = new LogLock(files, `${path}.lock`)
  for (let patience = 50; !lock.take(); patience--) {
    if (patience === 0) return undefined
    // Another process is making it, which takes less than a millisecond.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
  try {
    const known = readKey(files, path)
    if (known !== undefined) return known
    // What is no key is left of a process that died while it made one.
    files.remove(path)
    const key = randomBytes(length)
    const fd = files.open(path, 'create')
    try {
      const text = Buffer.from(`${key.toString('hex')}\n`)
      return files.write(fd, text) === text.length ? key : undefined
    } finally {
      files.close(fd)
    }
  } finally {
    lock.release()
  }
}
