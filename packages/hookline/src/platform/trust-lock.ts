/** Writes and checks the lock file of a repository (`.hookline/hooks.lock`): what its own settings run, as it was reviewed. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSnapshot } from '../config/load.ts'
import { findBrought } from '../config/trust-brought.ts'
import { type Lock, lockOf, lockPlace, readLock, writeLock } from '../config/trust-lock.ts'
import { markChanges } from '../config/trust-record.ts'
import { HooklineError } from '../errors.ts'
import type { TrustItem } from '../protocol/ports.ts'
import { findPlaces } from './places.ts'
import { nodePorts } from './ports.ts'
import { nodeScripts } from './trust-scripts.ts'

/** Whose lock. */
export interface LockOptions {
  /** The folder of the repository; default: the current one. */
  readonly cwd?: string
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A lock that was written. */
export interface WrittenLock {
  readonly file: string
  readonly digest: string
  readonly items: readonly TrustItem[]
}

/** What checking came to. */
export interface VerifiedLock {
  /** The repository runs exactly what the lock says. */
  readonly ok: boolean
  readonly file: string
  /** Of what the repository runs now. */
  readonly digest: string
  /** Whether there is a lock, and whether it can be read. */
  readonly lock: 'sound' | 'absent' | 'broken'
  /** Only what differs. The text of a script is its SHA-256. */
  readonly differences: readonly TrustItem[]
}

/**
 * Writes the lock file of a repository: its committed settings and the scripts they name, and nothing of this machine or this person.
 * A lock is no consent: it is for reviews, and for `verifyTrust` in CI.
 * @throws HooklineError `invalid-option` when its folder leads out of the repository.
 */
export async function lockTrust(options: LockOptions = {}): Promise<WrittenLock> {
  const { lock, file, projectDir } = await lookAt(options)
  writeInside(projectDir, file, writeLock(lock))
  return { file, digest: lock.digest, items: lock.items }
}

/** Compares a repository with its lock file. Starts nothing. */
export async function verifyTrust(options: LockOptions = {}): Promise<VerifiedLock> {
  const { lock, file } = await lookAt(options)
  const text = readText(file)
  const locked = text === undefined ? undefined : readLock(text)
  const state = text === undefined ? 'absent' : locked === undefined ? 'broken' : 'sound'
  const differences = markChanges(lock.items, locked?.items ?? [], { tellRemoved: true }).filter(({ change }) => change !== undefined)
  return { ok: state === 'sound' && differences.length === 0 && locked?.digest === lock.digest, file, digest: lock.digest, lock: state, differences }
}

async function lookAt({ cwd = process.cwd(), env = process.env }: LockOptions): Promise<{ lock: Lock; file: string; projectDir: string }> {
  const places = findPlaces({ cwd, env })
  const snapshot = await loadSnapshot({ places, kinds: ['project'] }, nodePorts({ env }))
  const found = await findBrought(snapshot, { projectDir: places.projectDir, scripts: nodeScripts })
  return { lock: lockOf(found), file: join(places.projectDir, lockPlace), projectDir: places.projectDir }
}

/** A repository may bring links in the place of the file or its folder: what they lead to is not written. */
function writeInside(projectDir: string, file: string, text: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  if (realpathSync(folder) !== join(realpathSync(projectDir), dirname(lockPlace)))
    throw new HooklineError('invalid-option', `The lock is not written: ${folder} is a link that leads elsewhere.`, {
      file: folder,
      hint: 'Put a folder in its place.',
    })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
