/** Everything Hookline reads from one settings file. Other keys belong to the agent and are left alone. */
import { eventNames } from '../protocol/events.ts'
import { readEnv } from './env-block.ts'
import { quoted } from './findings.ts'
import { foreignFormat } from './foreign-names.ts'
import { nearest } from './nearest.ts'
import { type PermissionLists, readPermissions } from './permission-lists.ts'
import { type PolicyKeys, policyKeyNames, readPolicyKeys } from './policy-keys.ts'
import { type HookSeed, type HooksSite, readHooks } from './read-hooks.ts'
import { checkHookSandbox } from './sandbox-fence.ts'
import { memberOf, type ObjectTree } from './tree.ts'

/** The settings of one source, read and checked. */
export interface SettingsContent {
  readonly seeds: readonly HookSeed[]
  readonly policy: PolicyKeys
  readonly permissions: PermissionLists
  readonly env: Readonly<Record<string, string>>
  /** Plugins that the file switches on or off, by id `name@marketplace`. */
  readonly plugins: ReadonlyMap<string, boolean>
  /** Options of plugins, by id. */
  readonly pluginOptions: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Reads one settings file. `root` is its folder, which rule paths such as "/x" start from. */
export function readContent(settings: ObjectTree, site: HooksSite & { readonly root: string }): SettingsContent {
  const { source, findings, root } = site
  const ours = checkTopLevel(settings, site)
  if (site.around?.sandboxFault !== undefined) checkHookSandbox(settings, { findings, sandboxFault: site.around.sandboxFault })
  return {
    seeds: ours ? readHooks(memberOf(settings, 'hooks'), site) : [],
    policy: readPolicyKeys(settings, source.kind, findings),
    permissions: readPermissions(settings, { source, root, findings }),
    env: readEnv(settings, source.kind, findings),
    plugins: flagsOf(settings),
    pluginOptions: optionsOf(settings),
  }
}

/** Looks for a file in another format and for keys that stand in the wrong place. False: the hooks are not ours to read. */
export function checkTopLevel(settings: ObjectTree, { findings, events = [] }: Pick<HooksSite, 'findings' | 'events'>): boolean {
  const foreign = foreignFormat(settings)
  if (foreign !== undefined) {
    findings.add('foreign-format', `this is a hooks file of another agent (${foreign}); none of its hooks runs here`, {
      at: settings.at,
      hint: 'Write the hooks in the form { "<Event>": [{ "matcher": "…", "hooks": [{ "type": "command", "command": "…" }] }] }.',
    })
    return false
  }
  const names: readonly string[] = [...eventNames, ...events.map(({ name }) => name)]
  const stray = settings.entries.find(({ key, value }) => names.includes(key) && value.kind === 'list')
  if (stray !== undefined)
    findings.add('hooks-shape', `${stray.key} stands at the top of the file; events belong under "hooks"`, {
      at: stray.keyAt,
      hint: `Write { "hooks": { "${stray.key}": […] } }.`,
    })
  for (const { key, keyAt } of settings.entries) {
    const meant = [...knownKeys, ...names].includes(key) ? undefined : nearest(key, knownKeys)
    if (meant !== undefined && memberOf(settings, meant) === undefined)
      findings.add('unknown-field', `unknown key ${quoted(key)}; did you mean "${meant}"?`, { at: keyAt })
  }
  return true
}

const knownKeys: readonly string[] = ['hooks', 'permissions', ...policyKeyNames]

function flagsOf(settings: ObjectTree): Map<string, boolean> {
  const block = memberOf(settings, 'enabledPlugins')
  const entries = block?.kind === 'object' ? block.entries : []
  return new Map(entries.flatMap(({ key, value }): [string, boolean][] => (value.kind === 'flag' ? [[key, value.value]] : [])))
}

function optionsOf(settings: ObjectTree): Map<string, Record<string, string>> {
  const block = memberOf(settings, 'pluginConfigs')
  const entries = block?.kind === 'object' ? block.entries : []
  return new Map(
    entries.map(({ key, value }) => {
      const options = memberOf(value, 'options')
      const pairs = options?.kind === 'object' ? options.entries : []
      const texts = pairs.flatMap(({ key: name, value: one }) =>
        one.kind === 'text' || one.kind === 'number' || one.kind === 'flag' ? [[name, String(one.value)] as const] : [],
      )
      return [key, Object.fromEntries(texts)]
    }),
  )
}
