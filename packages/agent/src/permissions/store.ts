/** Stores what was granted where it says: rules and folders in settings files, the mode and session grants here. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Destination, PermissionMode, PermissionUpdate } from 'hookline'
import { homeFolder } from 'hookline/node'
import type { Emit } from '../events.ts'

/** What grants change in a session. */
export interface GrantTarget {
  readonly root: string
  readonly env: Record<string, string | undefined>
  readonly emit: Emit
  mode: PermissionMode
  folders: string[]
}

/** Applies the updates. @throws when a settings file cannot be read or written; what was granted then holds for the session. */
export async function storeUpdates(target: GrantTarget, updates: readonly PermissionUpdate[]): Promise<void> {
  for (const update of updates) {
    if (update.type === 'setMode') setMode(target, update.mode)
    if ('directories' in update) changeFolders(target, update)
    if (update.destination !== 'session') writeUpdate(settingsFile(target, update.destination), update)
  }
}

function setMode(target: GrantTarget, mode: PermissionMode): void {
  if (target.mode === mode) return
  target.mode = mode
  target.emit({ kind: 'mode', mode })
}

function changeFolders(target: GrantTarget, { type, directories }: Extract<PermissionUpdate, { directories: unknown }>): void {
  const named = directories.map((folder) => resolve(target.root, folder))
  const rest = target.folders.filter((folder) => !named.includes(folder))
  target.folders = type === 'addDirectories' ? [...rest, ...named.filter((folder) => folder !== target.root)] : rest
}

function settingsFile({ root, env }: GrantTarget, destination: Exclude<Destination, 'session'>): string {
  if (destination === 'projectSettings') return join(root, '.claude/settings.json')
  if (destination === 'localSettings') return join(root, '.claude/settings.local.json')
  const set = env['CLAUDE_CONFIG_DIR']
  return join(set !== undefined && isAbsolute(set) ? set : join(homeFolder(env), '.claude'), 'settings.json')
}

type Lists = Partial<Record<'allow' | 'deny' | 'ask' | 'additionalDirectories', string[]>> & { defaultMode?: string }

function writeUpdate(file: string, update: PermissionUpdate): void {
  const settings = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { permissions?: Lists }) : {}
  const permissions: Lists = { ...settings.permissions }
  if (update.type === 'setMode') permissions.defaultMode = update.mode
  else if ('directories' in update)
    permissions.additionalDirectories = changed(permissions.additionalDirectories, update.directories, update.type === 'addDirectories' ? 'add' : 'remove')
  else {
    const texts = update.rules.map(({ toolName, ruleContent }) => (ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`))
    const how = update.type === 'addRules' ? 'add' : update.type === 'removeRules' ? 'remove' : 'replace'
    permissions[update.behavior] = changed(permissions[update.behavior], texts, how)
  }
  mkdirSync(dirname(file), { recursive: true })
  const fresh = `${file}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify({ ...settings, permissions }, undefined, 2)}\n`)
  renameSync(fresh, file)
}

function changed(list: readonly string[] | undefined, items: readonly string[], how: 'add' | 'remove' | 'replace'): string[] {
  const before = how === 'replace' ? [] : (list ?? [])
  if (how === 'remove') return before.filter((item) => !items.includes(item))
  return [...new Set([...before, ...items])]
}
