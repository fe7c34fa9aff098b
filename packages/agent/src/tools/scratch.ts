/** Private folders for what tools write beside the project: outputs of background tasks, whole outputs that were cut. */
import { lstat, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const opened = new Map<string, Promise<string>>()

/** The folder of a session; made when first asked for, readable by this user only. */
export function scratchFolder(sessionId: string): Promise<string> {
  const known = opened.get(sessionId)
  if (known !== undefined) return known
  const made = open(sessionId.replace(/[^\w-]/g, '_'))
  opened.set(sessionId, made)
  return made
}

async function open(name: string): Promise<string> {
  const shared = join(tmpdir(), `hookline-agent-${userInfo().uid}`)
  await mkdir(shared, { mode: 0o700 }).catch(() => undefined)
  // Somebody else may have made the folder first, to read or to lead astray what we write there.
  const own = await lstat(shared).catch(() => undefined)
  const safe = own?.isDirectory() === true && own.uid === userInfo().uid && (own.mode & 0o077) === 0
  const base = safe || process.platform === 'win32' ? shared : await mkdtemp(join(tmpdir(), 'hookline-agent-'))
  const folder = join(base, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}
