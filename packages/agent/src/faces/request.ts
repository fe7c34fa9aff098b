/** From the words of the command line to the options of an agent. */
import { resolve } from 'node:path'
import type { PermissionMode, SourceKind } from 'hookline'
import { readAgentsJson } from '../agents/find.ts'
import type { AgentModel } from '../model/port.ts'
import { UsageError } from '../session/handle.ts'
import type { AgentOptions } from '../session/options.ts'
import type { Arguments } from './arguments.ts'
import type { Io } from './io.ts'

/** The options for `createAgent`. @throws UsageError that says which option is wrong. */
export function agentOptions(given: Arguments, io: Io, model: AgentModel): AgentOptions {
  const cwd = resolve(io.cwd, given.one('cwd') ?? '.')
  const mode = (given.has('dangerously-skip-permissions') ? 'bypassPermissions' : given.one('permission-mode')) as PermissionMode | undefined
  const denied = given.many('disallowedTools')
  const sources = sourcesOf(given)
  const maxTurns = wholeNumber(given, 'max-turns')
  const resume = resumeOf(given)
  const sessionId = sessionIdOf(given)
  return {
    model,
    ...(given.one('model') === undefined ? {} : { modelName: model.name }),
    cwd,
    env: io.env,
    interactive: false,
    trust: given.has('trust') && given.one('trust') === undefined ? 'implicit' : 'pinned',
    settings: settingsOf(given, denied),
    ...(sources === undefined ? {} : { sources }),
    ...(given.has('plugin-dir') ? { pluginDirs: given.each('plugin-dir').map((folder) => resolve(cwd, folder)) } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(denied.length === 0 ? {} : { withoutTools: denied.filter((rule) => !rule.includes('(')) }),
    ...(given.has('add-dir') ? { folders: given.each('add-dir').map((folder) => resolve(cwd, folder)) } : {}),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(resume === undefined ? {} : { resume }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(given.has('agents') ? { agents: agentsOf(given) } : {}),
    ...(given.one('agent') === undefined ? {} : { agent: given.one('agent') as string }),
    ...(given.has('bare') ? { agentFolders: [] } : {}),
    ...(given.one('effort') === undefined ? {} : { effort: given.one('effort') as string }),
    ...systemOf(given),
    ...(given.one('json-schema') === undefined ? {} : { jsonSchema: jsonOf(given, 'json-schema') }),
    watch: true,
  }
}

function settingsOf(given: Arguments, denied: readonly string[]): (string | object)[] {
  const allowed = given.many('allowedTools')
  const rules = denied.filter((rule) => rule.includes('(') || rule.includes('*'))
  const permissions = { ...(allowed.length === 0 ? {} : { allow: allowed }), ...(rules.length === 0 ? {} : { deny: rules }) }
  return [
    ...given.each('settings'),
    ...(Object.keys(permissions).length === 0 ? [] : [{ permissions }]),
    ...(given.has('no-hooks') || given.has('safe-mode') ? [{ disableAllHooks: true }] : []),
  ]
}

const everywhere: readonly SourceKind[] = ['builtin', 'plugin', 'session', 'managed']
const chosen: readonly SourceKind[] = ['user', 'project', 'local']

function sourcesOf(given: Arguments): readonly SourceKind[] | undefined {
  if (given.has('bare')) return ['session', 'managed']
  const text = given.one('setting-sources')
  if (text === undefined) return undefined
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const wrong = names.find((name) => !chosen.includes(name as SourceKind))
  if (wrong !== undefined) throw new UsageError(`--setting-sources: "${wrong}" is none of ${chosen.join(', ')}.`)
  return [...everywhere, ...(names as SourceKind[])]
}

function resumeOf(given: Arguments): AgentOptions['resume'] {
  const fork = given.has('fork-session') ? { fork: true } : {}
  const id = given.one('resume')
  if (id !== undefined) return { sessionId: id, ...fork }
  return given.has('resume') || given.has('continue') ? { last: true, ...fork } : undefined
}

function sessionIdOf(given: Arguments): string | undefined {
  const id = given.one('session-id')
  if (id === undefined || /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id)) return id
  throw new UsageError(`--session-id: "${id}" is no UUID.`)
}

function agentsOf(given: Arguments) {
  const read = readAgentsJson(given.one('agents') ?? '')
  if (typeof read === 'string') throw new UsageError(`--agents: ${read}.`, 'Give a JSON object such as {"reviewer": {"description": "…", "prompt": "…"}}.')
  return read
}

function systemOf(given: Arguments): Pick<AgentOptions, 'system'> {
  const whole = given.one('system-prompt')
  const more = given.one('append-system-prompt')
  if (whole !== undefined) return { system: more === undefined ? whole : `${whole}\n\n${more}` }
  return more === undefined ? {} : { system: { append: more } }
}

function wholeNumber(given: Arguments, name: string): number | undefined {
  const text = given.one(name)
  if (text === undefined) return undefined
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${name}: "${text}" is no whole number from 1.`)
  return Number(text)
}

function jsonOf(given: Arguments, name: string): object {
  const text = given.one(name) as string
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--${name}: this is no JSON: ${(error as Error).message}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`--${name}: this is no JSON object.`)
  return value
}
