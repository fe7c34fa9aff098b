/** Keeps texts that are too long for a conversation in private files (design decision 18). */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, removePrivateFolder } from './private-folder.ts'

/** Stores long texts of one Hookline. */
export interface SpillFiles {
  /** Stores a text in a file that only this user can read, and says where; `undefined` when it could not be written. */
  store(text: string): string | undefined
  /** Removes what was stored. */
  clear(): void
}

/** Makes a store below `base`, for example the state folder. Nothing is made before the first text. */
export function createSpill(base?: string): SpillFiles {
  let folder: string | undefined
  return {
    store(text) {
      try {
        folder ??= makePrivateFolder(base)
        const path = join(folder, `${randomUUID()}.txt`)
        writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
        return path
      } catch {
        return undefined
      }
    },
    clear() {
      removePrivateFolder(folder)
      folder = undefined
    },
  }
}
