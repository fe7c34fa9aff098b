/** Hints about command hooks: quoting, paths, programs that are not there, answers that nobody reads. */
import type { NamedRow } from '../protocol/events.ts'
import type { SourceKind } from '../protocol/hook.ts'
import type { Sandbox } from '../protocol/sandbox.ts'
import { checkVariables } from './check-variables.ts'
import { firstWords, startedBy, unquotedPart } from './command-words.ts'
import { isAbsolute, resolvePath } from './paths.ts'

/** What is known of the machine; absent parts are not checked. */
export interface Surroundings {
  readonly exists?: (path: string) => boolean
  /** A program of that name is found on the path. */
  readonly onPath?: (name: string) => boolean
  /** Why this machine cannot build a sandbox. */
  readonly sandboxFault?: (sandbox: Sandbox) => string | undefined
  readonly projectDir?: string
  readonly pluginRoot?: string
}

/** One command hook, as these checks see it. */
export interface CommandSite {
  readonly command: string
  /** Present: no shell reads the line. */
  readonly args?: readonly string[]
  readonly shell?: string
  readonly kind: SourceKind
  readonly row: NamedRow
  readonly around: Surroundings
  /** Reports about the command, unless another field is named. */
  report(code: CommandCode, message: string, more?: { readonly hint?: string; readonly field?: 'command' | 'args' }): void
}
export type CommandCode =
  | 'unquoted-path'
  | 'backslash-path'
  | 'one-machine-path'
  | 'missing-command'
  | 'command-with-spaces-and-args'
  | 'placeholder-in-args'
  | 'no-plugin-here'
  | 'unknown-variable'
  | 'lost-answer'

const place = /\$\{?(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\b\}?/
const home = /(?:^|[\s"'=:(,])((?:\/home\/|\/Users\/(?!Shared\/))[^/\s"']+|\/root|[A-Za-z]:[\\/]Users[\\/](?!Public[\\/])[^\\/\s"']+)(?=[\\/])/

/** Looks at one command hook. */
export function checkCommand(site: CommandSite): void {
  if (site.args !== undefined) checkArgs(site)
  else if (site.shell !== 'powershell') checkShellLine(site)
  checkVariables(site)
  checkHome(site)
  checkMissing(site)
  checkAnswer(site)
}

function checkShellLine({ command, report }: CommandSite): void {
  const shown = unquotedPart(command)
  const found = place.exec(shown)
  if (found !== null && !/(?:^|[\s;&|(])[A-Za-z_]\w*=\S*$/.test(shown.slice(0, found.index))) {
    report('unquoted-path', `quote $${found[1]}: without quotes the shell splits the path at every blank`, {
      hint: `Put the whole path in double quotes: "\${${found[1]}}/…".`,
    })
  }
  const drive = /(?:^|[\s=])[A-Za-z]:\\[^\s\u0001]/.exec(shown)
  const program = /^\s*(?:\.{1,2}\\|[\w.-]+\\)[\w.-]+(?:\\[\w.-]+)*\.\w+/.exec(shown)
  if (drive !== null || program !== null) {
    report('backslash-path', 'a POSIX shell removes every backslash of an unquoted path', { hint: 'Use forward slashes, quotes, or "args".' })
  }
}

function checkArgs({ command, args = [], around, report }: CommandSite): void {
  if (/\s/.test(command.trim()) && !/[\\/]/.test(command) && around.onPath?.(command) !== true) {
    report('command-with-spaces-and-args', `with "args" the command is one program called ${JSON.stringify(command)}, blanks included`, {
      hint: 'Move everything after the program into "args".',
    })
  }
  const { program = '' } = startedBy([command])
  if (/sh$/.test(program)) return
  const bare = args.find((arg) => /^\$CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\b/.test(arg))
  if (bare !== undefined) {
    const name = /^\$(\w+)/.exec(bare)?.[1]
    report('placeholder-in-args', `with "args" no shell reads $${name}; placeholders need braces there`, { hint: `Write \${${name}}.`, field: 'args' })
  }
}

function checkHome({ command, args = [], kind, report }: CommandSite): void {
  if (kind !== 'project' && kind !== 'plugin') return
  const found = [command, ...args].map((word) => home.exec(word)?.[1]).find((folder) => folder !== undefined)
  if (found === undefined) return
  report('one-machine-path', `the path below ${found} works on one machine only, and this file is for a team`, {
    hint: 'Write the path from "${CLAUDE_PROJECT_DIR}", or move the hook into settings.local.json.',
  })
}

function checkMissing(site: CommandSite): void {
  const { command, args, around, report } = site
  const words = args === undefined ? firstWords(command).map((word) => word.text) : [command, ...args]
  const { program, script } = startedBy(words)
  if (program === undefined || (args === undefined && builtins.has(program) && script === undefined)) return
  if (/[\\/]/.test(program)) {
    const path = known(program, around)
    if (path !== undefined && around.exists?.(path) === false)
      report('missing-command', `there is no ${shown(path, program)}`, { hint: 'Check the path: a guard that cannot start lets everything through.' })
    return
  }
  if (!builtins.has(program) && /^[\w.+-]+$/.test(program) && around.onPath?.(program) === false) {
    report('missing-command', `there is no program ${JSON.stringify(program)} on the path`, { hint: 'Install it, or write its whole path.' })
    return
  }
  if (script === undefined) return
  const path = known(script, around)
  if (path !== undefined && around.exists?.(path) === false)
    report('missing-command', `there is no ${shown(path, script)}`, {
      hint: 'Check the path: a guard that cannot start lets everything through.',
      field: args === undefined ? 'command' : 'args',
    })
}

/** The absolute path a word stands for; `undefined` when that cannot be known here. */
function known(word: string, { projectDir, pluginRoot, exists }: Surroundings): string | undefined {
  const path = word.replace(/^\$\{?CLAUDE_PROJECT_DIR\b\}?/, () => projectDir ?? '$').replace(/^\$\{?CLAUDE_PLUGIN_ROOT\b\}?/, () => pluginRoot ?? '$')
  if (/[$`*?[\]{}~\u0001]/.test(path) || /^[A-Za-z][\w+.-]+:/.test(path)) return undefined
  // A home that is not on this machine says that the line was written for another one.
  const folder = home.exec(path)?.[1]
  if (folder !== undefined && exists?.(folder) === false) return undefined
  if (isAbsolute(path)) return path
  return projectDir === undefined ? undefined : resolvePath(projectDir, path)
}

function shown(path: string, word: string): string {
  return JSON.stringify(isAbsolute(word) ? path : word)
}

/** Answers that an inline command prints in a place where nobody reads them. */
function checkAnswer({ command, args = [], row, report }: CommandSite): void {
  const line = [command, ...args].join(' ').replaceAll('\\"', '"')
  if (!/\b(?:echo|printf|print|cat)\b/.test(line)) return
  const field =
    /"(additionalContext|permissionDecision|permissionDecisionReason|updatedInput|updatedToolOutput|updatedPermissions|sessionTitle|watchPaths)"\s*:/.exec(
      line,
    )?.[1]
  if (field === undefined) return
  if (!line.includes('hookSpecificOutput')) {
    report('lost-answer', `${field} must be inside hookSpecificOutput`, { hint: `Print {"hookSpecificOutput":{"hookEventName":"${row.name}", …}}.` })
    return
  }
  const named = /"hookEventName"\s*:\s*"(\w+)"/.exec(line)?.[1]
  if (named === row.name || (named === undefined && line.includes('hookEventName'))) return
  report('lost-answer', named === undefined ? 'hookSpecificOutput needs a hookEventName' : `hookEventName says ${named}, but the event is ${row.name}`, {
    hint: `Add "hookEventName": "${row.name}".`,
  })
}

/** Words that a shell knows without a program. */
const builtins = new Set(
  '! . : [ [[ { alias bg break builtin case cd command continue declare do done echo elif else esac eval exec exit export false fg fi for function getopts hash if jobs kill let local printf pwd read readonly return select set shift shopt source test then time times trap true type typeset ulimit umask unset until wait while }'.split(
    ' ',
  ),
)
