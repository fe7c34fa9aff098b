/** What people are shown of a folder: one item for each hook, script, variable and rule, whole. */
import type { TrustItem } from '../protocol/ports.ts'
import { comesWithFolder } from './env-block.ts'
import { isInside } from './paths.ts'
import type { ConfiguredFolder, ConfiguredHook, ConfiguredMode, ConfiguredRule, Snapshot } from './snapshot.ts'
import { hash } from './trust-hash.ts'
import type { ScriptRead, ScriptsPort } from './trust-ports.ts'
import type { TrustUnit } from './trust-record.ts'

/** What an item is made from beside its hook. */
export interface ItemSetting {
  readonly snapshot: Snapshot
  readonly port: ScriptsPort
  readonly projectDir: string
}

/** The item of a hook. Its file is where the settings really stand, links followed. */
export async function hookItem(hook: ConfiguredHook, setting: ItemSetting): Promise<TrustItem> {
  const { id, source } = hook.info
  const file = await fileOf(hook, setting)
  return {
    ...whatRuns(hook),
    when: whenWords(hook),
    hook: id,
    ...(file === undefined ? {} : { file }),
    ...(source.line === undefined ? {} : { line: source.line }),
  }
}

async function fileOf({ info: { source } }: ConfiguredHook, { snapshot, port, projectDir }: ItemSetting): Promise<string | undefined> {
  const path = snapshot.sources.find(({ id }) => id === source.id)?.path
  if (path === undefined || source.kind === 'plugin') return source.file
  const [real, folder] = [await port.realPath(path), await port.realPath(projectDir)]
  return real === undefined || folder === undefined || isInside(folder, real) ? source.file : real
}

function whatRuns({ spec, info }: ConfiguredHook): Pick<TrustItem, 'kind' | 'text'> {
  switch (spec?.type) {
    case 'command':
      return { kind: 'command', text: spec.args === undefined ? spec.command : [spec.command, ...spec.args].map(quoteWord).join(' ') }
    case 'http': {
      const headers = Object.entries(spec.headers ?? {}).map(([name, value]) => `\nheader ${name}: ${value}`)
      const variables = spec.allowedEnvVars === undefined || spec.allowedEnvVars.length === 0 ? '' : `\nvariables ${spec.allowedEnvVars.join(' ')}`
      return { kind: 'url', text: `${spec.url}${headers.join('')}${variables}` }
    }
    case 'prompt':
    case 'agent':
      return { kind: 'prompt', text: spec.prompt }
    case 'module':
      return { kind: 'module', text: spec.path }
    case 'mcp_tool':
      return { kind: 'command', text: `MCP server ${spec.server}, tool ${spec.tool}${spec.input === undefined ? '' : `, with ${JSON.stringify(spec.input)}`}` }
    default:
      return { kind: 'command', text: info.label }
  }
}

/** One word as a shell would need it. */
function quoteWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./${}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** When a hook runs, in words. */
export function whenWords({ info, spec, ownTimeout }: ConfiguredHook): string {
  const parts = [info.event]
  if (info.matcher !== undefined && info.matcher !== '') parts.push(`matcher ${JSON.stringify(info.matcher)}`)
  if (info.if !== undefined) parts.push(`if ${info.if}`)
  if (ownTimeout) parts.push(`timeout ${info.timeout} s`)
  parts.push(...info.flags)
  if (info.onFailure !== undefined) parts.push('fails closed')
  if (spec?.type === 'command' && spec.shell === 'powershell') parts.push('in PowerShell')
  if ((spec?.type === 'prompt' || spec?.type === 'agent') && spec.model !== undefined) parts.push(`model ${spec.model}`)
  return parts.join(', ')
}

/** The text of a script; what is no text is described. */
export function scriptText(read: ScriptRead): string {
  if (read.kind === 'missing') return '(not there)'
  if (read.kind === 'other') return `(not read: ${read.why})`
  return read.text ?? `(${read.bytes} bytes that are no text, SHA-256 ${read.digest})`
}

/** A rule that permits, from a file of the folder; rules that restrict need no consent. */
export function ruleUnit({ list, rule, source }: ConfiguredRule): { unit: TrustUnit; item: TrustItem }[] {
  if (!comesWithFolder(source.kind) || list !== 'allow') return []
  const digest = hash({ allow: rule.text })
  const { file, line } = source
  return [
    {
      unit: { kind: 'rule', digest, definition: digest },
      item: { kind: 'rule', text: `allow ${rule.text}`, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) },
    },
  ]
}

/** A folder outside that a file of the project opens to the agent. */
export function folderUnit({ path, source }: ConfiguredFolder): { unit: TrustUnit; item: TrustItem }[] {
  if (!comesWithFolder(source.kind)) return []
  const digest = hash({ folder: path })
  const { file, line } = source
  return [
    {
      unit: { kind: 'rule', digest, definition: digest },
      item: { kind: 'rule', text: `work in ${path}`, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) },
    },
  ]
}

/** The variables that a folder sets: for its own hooks, and for the commands of the agent. */
export function envUnit(env: Readonly<Record<string, string>>): TrustUnit[] {
  if (Object.keys(env).length === 0) return []
  const digest = hash({ env })
  return [{ kind: 'env', digest, definition: digest }]
}

/** What the folder's files set, later sources last. */
export function folderEnv({ env = [] }: Pick<Snapshot, 'env'>): Readonly<Record<string, string>> {
  const blocks = env.filter(({ source }) => comesWithFolder(source.kind))
  return Object.assign(Object.create(null), ...blocks.map(({ values }) => values)) as Record<string, string>
}

/** The folder's word that no hook runs here: it reaches the hooks of the user, so it needs their consent. */
export function switchUnit({ folderSwitch }: Snapshot): { unit: TrustUnit; item: TrustItem }[] {
  if (folderSwitch === undefined) return []
  const digest = hash({ disableAllHooks: true })
  const { file } = folderSwitch.source
  return [
    {
      unit: { kind: 'mode', digest, definition: digest },
      item: { kind: 'rule', text: "disableAllHooks: the user's own hooks do not run here", ...(file === undefined ? {} : { file }) },
    },
  ]
}

/** Modes under which no more is allowed than without one. */
const strict: readonly string[] = ['plan', 'dontAsk']

/** A permission mode that a file of the folder chooses, unless it only restricts. */
export function modeUnit({ mode, source }: ConfiguredMode): { unit: TrustUnit; item: TrustItem }[] {
  if (!comesWithFolder(source.kind) || strict.includes(mode)) return []
  const digest = hash({ mode })
  return [
    {
      unit: { kind: 'mode', digest, definition: digest },
      item: { kind: 'rule', text: `permission mode ${mode}`, ...(source.file === undefined ? {} : { file: source.file }) },
    },
  ]
}
