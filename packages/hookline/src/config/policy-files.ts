/** Policy files: drop-ins beside the main file, and the refusal to start without a policy that can be relied on (design decision 8). */
import { HooklineError } from '../errors.ts'
import type { FilesPort, Ownership, Places } from './ports.ts'
import type { SettingsFile } from './read-file.ts'

/** The drop-ins of a policy folder, in the order of their names. @throws HooklineError `policy-unreadable`. */
export async function listPolicyFiles(folder: string, files: FilesPort): Promise<string[]> {
  const listed = await files.list(folder)
  if (listed.kind === 'unreadable') throw unreliable(folder, `the folder cannot be read: ${listed.why}`)
  return listed.kind === 'missing' ? [] : listed.names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).map((name) => `${folder}/${name}`)
}

/** Refuses a folder of policy in which others could take a file away or put one in. @throws HooklineError `policy-unreadable`. */
export async function checkPolicyFolder(folder: string, { files, places, reloading }: { files: FilesPort; places: Places; reloading: boolean }): Promise<void> {
  const wrong = openToOthers((await files.ownership?.(folder)) ?? {}, places)
  if (wrong !== undefined) throw unreliable(folder, wrong, { reloading })
}

function openToOthers({ owner, writableByOthers }: Ownership, { policyOwners = [0] }: Places): string | undefined {
  if (writableByOthers) return 'other users can write it'
  return owner !== undefined && !policyOwners.includes(owner) ? `it belongs to user ${owner}, not to the administrator` : undefined
}

/** Passes a policy file on. @throws HooklineError `policy-unreadable` when it is there and cannot be relied on. */
export function checkPolicyFile(file: SettingsFile, { path, places, reloading }: { path: string; places: Places; reloading: boolean }): SettingsFile {
  if (file.kind === 'absent' && file.link) throw unreliable(path, 'it is a link that leads to nothing', { reloading })
  if (file.kind === 'absent') return file
  if (file.kind === 'broken') {
    const first = file.diagnostics.find(({ severity }) => severity === 'error')
    throw unreliable(path, first?.message ?? 'it cannot be read', { ...first, reloading })
  }
  const { read } = file
  if (file.kind === 'kept' || read?.kind !== 'text') return file
  const wrong = openToOthers(read, places)
  if (wrong === undefined) return file
  throw unreliable(path, wrong, { reloading })
}

function unreliable(
  path: string,
  what: string,
  { line, column, reloading = false }: { line?: number; column?: number; reloading?: boolean } = {},
): HooklineError {
  const where = line === undefined ? path : `${path}:${line}:${column}`
  return new HooklineError('policy-unreadable', `The policy file ${where} cannot be relied on: ${what}.`, {
    hint: !reloading ? 'Nothing starts without it. Ask whoever manages this machine to put it right.' : 'The settings of before stay in force.',
    file: path,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  })
}
