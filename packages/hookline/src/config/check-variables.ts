/** Hints about the variables that a command names: those of plugins outside a plugin, and names that hooks do not get. */
import type { CommandSite } from './check-command.ts'
import { nearest } from './nearest.ts'

/** Variables that hooks get (protocol §5.6). */
const variables: readonly string[] = [
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_ENV_FILE',
  'CLAUDE_EFFORT',
  'CLAUDE_PID',
  'CLAUDE_CODE_REMOTE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_BRIDGE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
]
const places: Readonly<Record<string, string>> = { PROJECT: 'CLAUDE_PROJECT_DIR', PLUGIN: 'CLAUDE_PLUGIN_ROOT' }

/** Looks at every variable once. */
export function checkVariables({ command, args = [], kind, report }: CommandSite): void {
  const names = new Set([...[command, ...args].join('\n').matchAll(/\$\{?(CLAUDE_[A-Z0-9_]+)/g)].map((found) => found[1] as string))
  for (const name of names) {
    if (variables.includes(name) || name.startsWith('CLAUDE_PLUGIN_OPTION_')) {
      if (name.startsWith('CLAUDE_PLUGIN_') && !['plugin', 'session', 'builtin'].includes(kind)) {
        report('no-plugin-here', `${name} is empty: there is no plugin here`, {
          hint: 'Write the path from "${CLAUDE_PROJECT_DIR}", or move the hook into the plugin.',
        })
      }
      continue
    }
    const meant = meantBy(name)
    if (meant !== undefined) report('unknown-variable', `hooks get no variable ${name}; did you mean ${meant}?`)
  }
}

function meantBy(name: string): string | undefined {
  const [, owner] = /^CLAUDE_(PROJECT|PLUGIN)(?:_(?:DIR|DIRECTORY|ROOT|PATH|FOLDER|HOME|BASE))?$/.exec(name) ?? []
  return owner === undefined ? nearest(name, variables) : places[owner]
}
