/** One command hook with and without the audit log. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'
import { fireAll, quietCommand, settingsOf } from './subject.js'

export async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const make = (more) => createHookline({ sources: [], settings: [settingsOf([quietCommand()])], ...more })
  const silent = await make({})
  const kept = await make({ audit: { path: join(folder, 'batch'), sync: 'batch' } })
  const synced = await make({ audit: { path: join(folder, 'decision'), sync: 'decision' } })
  return { none: () => fireAll(silent, 1), batch: () => fireAll(kept, 1), decision: () => fireAll(synced, 1) }
}
