/** The form of a row of reports.json, and the world on disk that it describes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EventName } from '../../src/index.ts'
import type { WorldOptions } from '../scenarios/world.ts'

type Json = Record<string, unknown>

/** One plugin beside the settings. */
export interface PluginOfRow {
  readonly name: string
  readonly hooks: object
  readonly manifest?: object
  readonly files?: Readonly<Record<string, string>>
  readonly source?: 'marketplace' | 'installed'
  readonly rootMissing?: boolean
}

/** One public bug report, re-told. */
export interface Row {
  readonly id: string
  readonly kind: string
  readonly note: string
  readonly run?: 'validate'
  readonly settings?: Json
  readonly settingsText?: string
  readonly fileName?: string
  readonly scopes?: { readonly user?: Json; readonly local?: Json; readonly managed?: Json; readonly plugins?: readonly PluginOfRow[] }
  readonly rules?: Json
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly projectDirName?: string
  readonly trust?: Json
  readonly fill?: { readonly path: string; readonly bytes: number }
  readonly httpReplies?: readonly { readonly status: number; readonly body: string }[]
  readonly modelReplies?: readonly (string | { readonly error: string })[]
  readonly event?: Json & { readonly hook_event_name: EventName }
  readonly sequence?: { readonly repeat: Json & { readonly hook_event_name: EventName }; readonly times: number }
  readonly steps?: readonly { readonly writeSettingsText?: string; readonly writeSettings?: object }[]
  readonly expect: Json
}

/** All rows of the file. */
export const reportRows = (JSON.parse(readFileSync(fileURLToPath(new URL('../data/cases/reports.json', import.meta.url)), 'utf8')) as { cases: Row[] }).cases

/** The text of the project's settings file. */
export function settingsTextOf(row: Row): string {
  if (row.settingsText !== undefined) return row.settingsText
  const permissions = { ...(row.settings?.['permissions'] as object | undefined), ...row.rules }
  return JSON.stringify({ ...row.settings, ...(Object.keys(permissions).length === 0 ? {} : { permissions }) }, null, 2)
}

/** The world of a row; `{{HTTP}}` stands for the origin of the loopback server. */
export function worldOf(row: Row, origin: string): WorldOptions {
  const { user, local, managed, plugins = [] } = row.scopes ?? {}
  const market = 'test'
  const home = '~/.claude'
  const files: Record<string, string> = { [row.fileName ?? '.claude/settings.json']: settingsTextOf(row), ...row.files }
  if (local !== undefined) files['.claude/settings.local.json'] = JSON.stringify(local)
  const enabled = Object.fromEntries(plugins.map(({ name }) => [`${name}@${market}`, true]))
  const opened = row.httpReplies === undefined ? {} : { allowedHttpOrigins: [origin] }
  files[`${home}/settings.json`] = JSON.stringify({ ...user, ...opened, ...(plugins.length === 0 ? {} : { enabledPlugins: enabled }) })
  const installed: Record<string, object> = {}
  const listed: object[] = []
  for (const plugin of plugins) {
    const root = plugin.source === 'marketplace' ? `plugins/marketplaces/${market}/${plugin.name}` : `plugins/cache/${market}/${plugin.name}/1.0.0`
    if (plugin.source === 'marketplace') listed.push({ name: plugin.name, source: `./${plugin.name}` })
    else installed[`${plugin.name}@${market}`] = [{ scope: 'user', installPath: `\${HOME}/.claude/${root}` }]
    if (plugin.rootMissing) continue
    files[`${home}/${root}/hooks/hooks.json`] = JSON.stringify({ hooks: plugin.hooks }, null, 2)
    if (plugin.manifest !== undefined) files[`${home}/${root}/.claude-plugin/plugin.json`] = JSON.stringify(plugin.manifest)
    for (const [name, text] of Object.entries(plugin.files ?? {})) files[`${home}/${root}/${name}`] = text
  }
  if (Object.keys(installed).length > 0) files[`${home}/plugins/installed_plugins.json`] = JSON.stringify({ version: 2, plugins: installed })
  if (listed.length > 0) files[`${home}/plugins/marketplaces/${market}/.claude-plugin/marketplace.json`] = JSON.stringify({ name: market, plugins: listed })
  const withOrigin = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll('{{HTTP}}', origin)]))
  return {
    files: withOrigin,
    ...(row.env === undefined ? {} : { env: row.env }),
    ...(managed === undefined ? {} : { managed }),
    ...(row.projectDirName === undefined ? {} : { projectName: row.projectDirName }),
    // With a person there, what the folder brings is asked about.
    ...(row.trust === undefined
      ? {}
      : { trust: row.trust['interactive'] === true ? ('ask' as const) : ('pinned' as const), interactive: row.trust['interactive'] === true }),
  }
}

/** The input of a row's event, a field filled to its size where the row says so. */
export function inputOf(row: Row, event: Json): Json {
  if (row.fill === undefined) return event
  const copy = structuredClone(event)
  const keys = row.fill.path.split('.')
  const parent = keys.slice(0, -1).reduce((value, key) => value[key] as Json, copy)
  parent[keys.at(-1) as string] = 'x'.repeat(row.fill.bytes)
  return copy
}
