/** Where settings, policy, plugins and our own state stand on this system (design §5). */
import { platform as thisPlatform, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Place, Places } from '../config/ports.ts'

/** What places are worked out from. */
export interface PlacesOptions {
  /** The folder whose settings are read. */
  readonly cwd: string
  /** The environment that the process was started with; never one that settings add to. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly platform?: NodeJS.Platform
}

const claudeFolder = '.claude'
const ourFolder = '.hookline'

/** The places of settings. Nothing is looked up on disk. */
export function findPlaces({ cwd, env = process.env, platform = thisPlatform() }: PlacesOptions): Places {
  const projectDir = resolve(cwd)
  const claude = claudeHome(env)
  const ours = join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), 'hookline')
  const inProject = (name: string): Place[] => [claudeFolder, ourFolder].map((folder) => ({ path: join(projectDir, folder, name), root: projectDir }))
  return {
    projectDir,
    user: [claude, ours].map((root) => ({ path: join(root, 'settings.json'), root })),
    project: inProject('settings.json'),
    local: inProject('settings.local.json'),
    managed: policyFolders(platform, env).map((root) => ({ path: join(root, 'managed-settings.json'), root, folder: join(root, 'managed-settings.d') })),
    plugins: join(claude, 'plugins'),
  }
}

/** `$CLAUDE_CONFIG_DIR` when it is absolute, else `~/.claude`: a relative one would be the folder that happens to be open. */
function claudeHome(env: PlacesOptions['env'] = {}): string {
  const set = env['CLAUDE_CONFIG_DIR']
  return set !== undefined && isAbsolute(set) ? set : join(homeFolder(env), claudeFolder)
}

/** Where logs, trust records and long texts are kept: `$XDG_STATE_HOME/hookline`. */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env, name = ''): string {
  return join(baseFolder(env, 'XDG_STATE_HOME', '.local/state'), 'hookline', name)
}

/** A base folder of the XDG rules; a relative value counts as not set. */
function baseFolder(env: PlacesOptions['env'] = {}, name: string, otherwise: string): string {
  const set = env[name]
  return set !== undefined && isAbsolute(set) ? set : join(homeFolder(env), otherwise)
}

/** The person's home folder: `$HOME`, else what the system says. */
export function homeFolder(env: PlacesOptions['env'] = {}): string {
  const set = env['HOME'] ?? env['USERPROFILE']
  // homedir() answers with $HOME too, and a relative one would make any folder a home: then the account's own record counts.
  return set !== undefined && isAbsolute(set) ? set : userInfo().homedir
}

function policyFolders(platform: NodeJS.Platform, env: PlacesOptions['env'] = {}): string[] {
  if (platform === 'darwin') return ['/Library/Application Support/ClaudeCode', '/Library/Application Support/Hookline']
  if (platform !== 'win32') return ['/etc/claude-code', '/etc/hookline']
  const programs = env['ProgramFiles'] ?? 'C:\\Program Files'
  return [`${programs}\\ClaudeCode`, `${programs}\\Hookline`]
}
