/** A folder that only this user can look into, with a name that nobody can guess. */
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes one below `base`, or in the system's temporary folder when there is no `base` or it cannot be written. */
export function makePrivateFolder(base?: string): string {
  if (base !== undefined) {
    try {
      mkdirSync(base, { recursive: true, mode: 0o700 })
      return narrow(mkdtempSync(join(base, 'run-')))
    } catch {
      // A home that cannot be written (a container, a service account) must not stop hooks.
    }
  }
  return narrow(mkdtempSync(join(tmpdir(), 'hookline-')))
}

function narrow(folder: string): string {
  chmodSync(folder, 0o700)
  return folder
}
