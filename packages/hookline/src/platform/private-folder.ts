/** A folder that only this user can look into, with a name that nobody can guess. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
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

/** Removes one with all that is in it. What cannot be removed stays, for this user only: nothing that is being closed may fail for it. */
export function removePrivateFolder(folder: string | undefined): void {
  if (folder === undefined) return
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A full table of files, a disk that is going: the folder's name is never used again.
  }
}

function narrow(folder: string): string {
  chmodSync(folder, 0o700)
  return folder
}
