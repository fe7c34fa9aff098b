/** The private folder of a pool, in memory. */
import { mkdtempSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const tmpfs = 0x01021994

/** Makes a folder that only this user may enter. Throws when the system has no place in memory for it. */
export function makePoolFolder(): string {
  let fault: unknown = new Error('no folder in memory')
  for (const place of ['/dev/shm', process.env['XDG_RUNTIME_DIR']]) {
    if (place === undefined || place === '') continue
    try {
      if (statfsSync(place).type === tmpfs) return mkdtempSync(join(place, 'hookline-'))
    } catch (error) {
      fault = error
    }
  }
  throw fault
}
