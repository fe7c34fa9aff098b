/** Says what is wrong with the words of the command line before anything starts: options that exclude each other, and what they name. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileRules, HooklineError, validateSettings } from 'hookline'
import { readMcpConfig } from '../mcp/config.ts'
import { AgentError, UsageError } from '../session/handle.ts'
import { transcriptFolder, transcriptPath } from '../session/places.ts'
import type { Arguments } from './arguments.ts'
import type { Io } from './io.ts'

/** @throws UsageError for words that cannot be read together or at all; AgentError for what they name and is not there or cannot be used. */
export function checkArguments(given: Arguments, io: Io): void {
  const cwd = resolve(io.cwd, given.one('cwd') ?? '.')
  if (!isFolder(cwd)) throw new AgentError(`There is no folder ${cwd}.`, 'Start in the folder that the agent should work in.')
  for (const wrong of exclusions(given, io)) throw new UsageError(wrong)
  for (const rule of [...given.many('allowedTools'), ...given.many('disallowedTools')]) checkRule(rule, given)
  for (const value of given.each('settings')) checkSettings(value, io.cwd)
  for (const name of ['add-dir', 'plugin-dir'])
    for (const folder of given.each(name)) if (!isFolder(resolve(cwd, folder))) throw new AgentError(`--${name}: there is no folder ${resolve(cwd, folder)}.`)
  checkServers(given, { cwd, env: io.env })
  checkSessionId(given, { cwd, env: io.env })
}

/** Options that cannot stand together, each as a sentence. */
function* exclusions(given: Arguments, io: Io): Generator<string> {
  const goesOn = given.has('resume') || given.has('continue')
  const format = given.one('output-format')
  const lines = given.one('input-format') === 'stream-json'
  if (given.has('resume') && given.has('continue')) yield '--resume and --continue both name a session to go on with: say one of them.'
  if (given.has('fork-session') && !goesOn) yield '--fork-session needs a session to fork: say --resume or --continue with it.'
  if (given.has('session-id') && goesOn && !given.has('fork-session'))
    yield '--session-id with --resume or --continue needs --fork-session: a session keeps its id.'
  if (given.has('maintenance') && (given.has('init') || given.has('init-only'))) yield '--init and --maintenance are two ways to set up: say one of them.'
  const mode = given.one('permission-mode')
  if (given.has('dangerously-skip-permissions') && mode !== undefined && mode !== 'bypassPermissions')
    yield `--dangerously-skip-permissions and --permission-mode ${mode} contradict each other.`
  if (given.has('bare') && given.has('setting-sources')) yield '--bare reads no settings files, so that --setting-sources has nothing to choose from.'
  for (const [short, long] of [
    ['json', 'json'],
    ['json-lines', 'stream-json'],
  ] as const)
    if (given.has(short) && format !== undefined && format !== long) yield `--${short} and --output-format ${format} contradict each other.`
  if (given.has('json') && given.has('json-lines')) yield '--json and --json-lines contradict each other.'
  if (lines && format !== 'stream-json' && !given.has('json-lines'))
    yield '--input-format stream-json needs --output-format stream-json: each prompt has a result of its own.'
  if (lines && given.words.length > 0) yield '--input-format stream-json reads its prompts from stdin: say none on the command line.'
  if (given.has('print') || given.has('init-only') || !io.terminal) return
  for (const name of ['output-format', 'input-format', 'include-hook-events', 'json', 'json-lines'])
    if (given.has(name)) yield `--${name} goes with -p: in a terminal the session is shown to a person.`
  for (const name of ['init', 'maintenance']) if (given.has(name)) yield `--${name} goes with -p. To only set up, say --init-only.`
}

/** A rule of a person that cannot be read is no rule, and leaving out one that denies would be dangerous. */
function checkRule(rule: string, given: Arguments): void {
  try {
    compileRules({ deny: [rule] })
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    const option = given.many('disallowedTools').includes(rule) ? 'disallowedTools' : 'allowedTools'
    throw new UsageError(`--${option}: ${error.message.replace(/^permissions\.rules\.deny: /, '')}`)
  }
}

/** Settings that are no JSON object; single mistakes in them are told and void nothing else. */
function checkSettings(value: string, cwd: string): void {
  const inline = value.trimStart().startsWith('{')
  const file = resolve(cwd, value)
  if (!inline && !existsSync(file)) throw new AgentError(`--settings: there is no file ${file}.`)
  if (!inline && isFolder(file)) throw new AgentError(`--settings: ${file} is a folder. Name a settings file in it.`)
  const problem = validateSettings(inline ? value : readFileSync(file, 'utf8'), { file: inline ? '--settings' : file }).find(
    ({ code }) => code === 'invalid-json' || code === 'not-an-object',
  )
  if (problem === undefined) return
  const where = `${inline ? 'this text' : file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`}`
  throw new (inline ? UsageError : AgentError)(`--settings: ${where}: ${problem.message}.`)
}

function checkServers(given: Arguments, { cwd, env }: Pick<Io, 'cwd' | 'env'>): void {
  const [problem] = readMcpConfig({ cwd, env, configs: given.each('mcp-config'), strict: true }).problems.filter(({ server }) => server === undefined)
  if (problem === undefined) return
  const inline = problem.file === '--mcp-config'
  throw new (inline ? UsageError : AgentError)(
    `--mcp-config: ${inline ? '' : `${problem.file}: `}${problem.message.replace(/^--mcp-config names a/, 'It names a')}`,
  )
}

/** A second session under the id of a first would be written into its transcript. */
function checkSessionId(given: Arguments, { cwd, env }: Pick<Io, 'cwd' | 'env'>): void {
  const id = given.one('session-id')
  if (id === undefined || !existsSync(transcriptPath(transcriptFolder(realpathSync(cwd), env), id))) return
  throw new AgentError(`--session-id: the session ${id} is there already.`, `Go on with it: --resume ${id}. Or give another id.`)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
