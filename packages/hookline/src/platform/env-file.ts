/** The file that hooks of a session append variables to (CLAUDE_ENV_FILE, protocol §5.6). */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, removePrivateFolder } from './private-folder.ts'

/** The variable files of one Hookline, one for each session. */
export interface EnvFiles {
  /** The file of a session, empty when it is first asked for; `null` when none can be made. */
  of(sessionId: string): string | null
  /** Removes all files. */
  clear(): void
}

/** Makes the files below `base`. Nothing is made before the first session asks. */
export function createEnvFiles(base?: string): EnvFiles {
  let folder: string | undefined
  const files = new Map<string, string | null>()
  return {
    of(sessionId) {
      const known = files.get(sessionId)
      if (known !== undefined) return known
      let path: string | null = null
      try {
        folder ??= makePrivateFolder(base)
        // A session id is the host's and may hold anything; a digest of it is always a file name.
        path = join(folder, `${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}.sh`)
        writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
      } catch {
        path = null
      }
      files.set(sessionId, path)
      return path
    },
    clear() {
      removePrivateFolder(folder)
      folder = undefined
      files.clear()
    },
  }
}
