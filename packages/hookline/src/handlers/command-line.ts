/** From a command hook as written to the program and the arguments that run it. */
import type { Environment } from '../process/environment.ts'
import { findProgram, isProgram } from '../process/find-program.ts'
import type { Ending } from '../protocol/ending.ts'
import type { Handler } from '../protocol/handler-spec.ts'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'
import type { HostEnvironment } from './command-environment.ts'
import { fillPlaceholders, optionInShell } from './command-placeholders.ts'
import { findGitBash, inGitBash, isBatchFile } from './command-windows.ts'

/** A command hook's handler, as written. */
export type CommandSpec = Extract<Handler, { type: 'command' }>

/** What to start, or how a hook ends that cannot be started. */
export type CommandLine =
  | { readonly kind: 'line'; readonly program: string; readonly args: readonly string[]; readonly env: Environment }
  | { readonly kind: 'ended'; readonly ending: Ending }

/** What the line depends on beside the hook. */
export interface LineSetting {
  readonly context: RunContext
  /** What the program will see. */
  readonly env: Environment
  /** What the host itself was started with: the only place that may wrap or replace a shell. */
  readonly host: HostEnvironment
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

/** The exec form when `args` is there, even empty; else the shell that the hook asks for. */
export function commandLine(spec: CommandSpec, hook: RunnableHook, setting: LineSetting): CommandLine {
  if (spec.args !== undefined) return execLine([spec.command, ...spec.args], hook, setting)
  const why = optionInShell(spec.command)
  if (why !== undefined) return ended({ kind: 'refused', why })
  if (spec.shell === 'powershell') return powershellLine(spec.command, setting)
  const { host, env, platform } = setting
  const args = ['-c', prefixed(spec.command, host['CLAUDE_CODE_SHELL_PREFIX'])]
  if (platform !== 'win32') return { kind: 'line', program: '/bin/sh', args, env }
  const bash = findGitBash(host, isProgram)
  return bash === undefined ? powershellLine(spec.command, setting) : { kind: 'line', program: bash, args, env: inGitBash(env) }
}

function execLine(words: readonly string[], hook: RunnableHook, { context, env, platform }: LineSetting): CommandLine {
  const filled: string[] = []
  for (const word of words) {
    const one = fillPlaceholders(word, hook, context)
    if (one.kind === 'refused') return ended(one)
    filled.push(one.text)
  }
  const [program = '', ...args] = filled
  if (platform === 'win32' && isBatchFile(program)) {
    return ended({
      kind: 'unspawnable',
      why: `EINVAL: ${JSON.stringify(program)} is a batch file, which Windows starts only through a shell; leave "args" out and write one command line`,
    })
  }
  return { kind: 'line', program, args, env }
}

function powershellLine(command: string, { env, cwd, platform }: LineSetting): CommandLine {
  const path = env['PATH'] ?? env['Path']
  const program = ['pwsh', 'powershell'].map((name) => findProgram(name, { cwd, path, platform })).find((file) => file !== undefined)
  if (program === undefined) {
    return ended({
      kind: 'unspawnable',
      why: 'ENOENT: PowerShell is not installed: neither "pwsh" nor "powershell" is on PATH; install PowerShell, or leave "shell" out',
    })
  }
  // In PowerShell `${NAME}` is a variable of its own; the environment has a name space.
  const text = command.replace(/\$\{(CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA))\}/g, '${env:$1}')
  return { kind: 'line', program, args: ['-NoProfile', '-NonInteractive', '-Command', text], env }
}

/** Puts the host's wrapper in front of a shell command. The wrapper is a program's path, with options after the first ` -`. */
export function prefixed(command: string, prefix: string | undefined): string {
  if (prefix === undefined || prefix.trim() === '') return command
  const options = prefix.indexOf(' -')
  const program = options === -1 ? prefix : prefix.slice(0, options)
  return `${quote(program)}${options === -1 ? '' : prefix.slice(options)} ${quote(command)}`
}

/** One word for a POSIX shell. */
function quote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function ended(ending: Ending): CommandLine {
  return { kind: 'ended', ending }
}
