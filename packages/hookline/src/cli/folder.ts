/** Which folder a command works in. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from './failure.ts'
import type { GlobalOptions } from './flags.ts'

/** The folder whose settings count, absolute. */
export function folderOf({ cwd }: Pick<GlobalOptions, 'cwd'>): string {
  if (cwd === undefined) return currentFolder()
  const folder = resolve(cwd)
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) throw new Failure('no-such-folder', `--cwd: there is no folder ${folder}.`, { hint: 'Give the folder whose settings should count.' })
  if (!stat.isDirectory()) throw new Failure('not-a-folder', `--cwd: ${folder} is no folder.`, { hint: 'Give the folder, not a file in it.' })
  return folder
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Failure('no-such-folder', 'the current folder is gone.', { hint: 'Change to another folder, or give one with --cwd.' })
  }
}
