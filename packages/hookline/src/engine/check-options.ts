/** Says at once that an option cannot be used: one that is silently ignored may be a guard that is silently off. */
import { nearest } from '../config/nearest.ts'
import { HooklineError } from '../errors.ts'
import type { SourceKind } from '../protocol/hook.ts'

type Test = (value: unknown) => boolean
const isText: Test = (value) => typeof value === 'string'
const isFlag: Test = (value) => typeof value === 'boolean'
const isFunction: Test = (value) => typeof value === 'function'
const isObject: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount: Test = (value) => Number.isInteger(value) && (value as number) >= 0
const hasMethods = (value: unknown, names: readonly string[]) => isObject(value) && names.every((name) => isFunction((value as Record<string, unknown>)[name]))
const kinds: readonly SourceKind[] = ['builtin', 'plugin', 'user', 'project', 'local', 'session', 'managed']

const needs: Readonly<Record<string, readonly [test: Test, need: string]>> = {
  sessionId: [(value) => isText(value) && value !== '', 'a string that is not empty'],
  cwd: [isText, 'a string'],
  transcriptPath: [isText, 'a string'],
  base: [isFunction, 'a function that gives common input fields'],
  hooks: [isObject, 'an object keyed by event, as defineHooks takes it'],
  events: [Array.isArray, 'a list of what defineEvent gave'],
  managed: [isObject, 'an object in the settings format'],
  permissions: [isObject, 'an object'],
  model: [isFunction, 'a function'],
  mcp: [(value) => hasMethods(value, ['servers', 'callTool']), 'an object with the functions servers and callTool'],
  tools: [
    (value) => Array.isArray(value) && value.every((tool) => isText((tool as { name?: unknown } | null)?.name) && hasMethods(tool, ['execute'])),
    'a list of tools, each with a name and the function execute',
  ],
  trust: [(value) => isFunction(value) || value === 'implicit' || value === 'pinned' || value === 'ask', '"implicit", "pinned", "ask" or a function'],
  interactive: [isFlag, 'true or false'],
  stopBlockCap: [isCount, 'a whole number from 0'],
  onRewake: [isFunction, 'a function'],
  onNotice: [isFunction, 'a function'],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  keepTrace: [isCount, 'a whole number from 0'],
  sources: [
    (value) => Array.isArray(value) && value.every((kind) => kinds.includes(kind as SourceKind)),
    `a list of ${kinds.map((kind) => `"${kind}"`).join(', ')}`,
  ],
  settings: [Array.isArray, 'a list of files, JSON texts or objects'],
  pluginDirs: [Array.isArray, 'a list of folders'],
  watch: [isFlag, 'true or false'],
  env: [isObject, 'an object of environment variables'],
  pool: [(value) => value === 'eager' || value === 'lazy' || value === 'off', '"eager", "lazy" or "off"'],
  concurrency: [(value) => isCount(value) && value !== 0, 'a whole number from 1'],
  audit: [(value) => value === false || isObject(value), 'false or an object'],
}

/** Options of other names are left alone, save those that look misspelt. @throws HooklineError `invalid-option` that names the option and what it must be. */
export function checkOptions(options: unknown): void {
  if (!isObject(options))
    throw new HooklineError('invalid-option', 'The options must be an object.', { hint: 'Leave them out, or give an object such as { cwd }.' })
  const given = options as Record<string, unknown>
  for (const [name, [test, need]] of Object.entries(needs)) {
    if (given[name] !== undefined && !test(given[name])) throw new HooklineError('invalid-option', `Option "${name}" must be ${need}.`)
  }
  for (const name of Object.keys(given)) {
    const meant = Object.hasOwn(needs, name) ? undefined : nearest(name, Object.keys(needs))
    if (meant !== undefined) throw new HooklineError('invalid-option', `There is no option "${name}".`, { hint: `Did you mean "${meant}"?` })
  }
  const groups = Object.entries((given['hooks'] ?? {}) as Record<string, unknown>).find(([, value]) => value !== undefined && !Array.isArray(value))
  if (groups !== undefined) throw new HooklineError('invalid-option', `Option "hooks": what stands under "${groups[0]}" must be a list of groups or functions.`)
}
