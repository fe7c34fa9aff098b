/** Bash: runs a shell command, in front or in the background, and follows where it went. */
import { randomBytes } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { startInBackground } from './background.ts'
import { scratchFolder } from './scratch.ts'
import { Collector, outputLimit, shortened } from './shell-output.ts'
import { startShell } from './shell-process.ts'
import { isSilent, meaningOf, shellScript } from './shell-script.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult, type Workspace } from './tool.ts'

const schema = z.strictObject({
  command: z.string().describe('The command to run'),
  timeout: z.number().positive().optional().describe('Milliseconds until the command is ended; default 120000, at most 600000'),
  description: z.string().optional().describe('What the command does, in five to ten words'),
  run_in_background: z.boolean().optional().describe('Run on while you do other things; read the output later with TaskOutput or Read'),
})

type Input = z.output<typeof schema>

/** What hooks see of a run as `tool_response`. */
export interface BashResponse {
  stdout: string
  stderr: string
  interrupted: boolean
  isImage: boolean
  noOutputExpected: boolean
  returnCodeInterpretation?: string
  backgroundTaskId?: string
  /** Where the whole of an output lies that was cut. */
  persistedOutputPath?: string
}

export const bash = defineTool({
  name: 'Bash',
  description: [
    'Runs a command in a shell and gives its output. The working directory stays between calls; shell variables do not.',
    'Quote paths with spaces. For searching use Grep and Glob, for reading Read, for changing files Edit and Write.',
    'A command that must not be waited for takes run_in_background; you are told when it has ended.',
  ].join('\n'),
  kind: 'other',
  schema,
  async execute(input, context) {
    const { workspace } = context
    const cwd = await existing(workspace)
    return input.run_in_background === true ? inBackground(input, { context, cwd }) : inFront(input, { context, cwd })
  },
  textOf(response) {
    if (typeof response !== 'object' || response === null || !('stdout' in response)) return undefined
    const { stdout, stderr } = response as Partial<BashResponse>
    return textOf(stdout ?? '', stderr ?? '')
  },
})

async function inFront(input: Input, { context, cwd }: { context: ToolContext; cwd: string }): Promise<ToolResult> {
  const { workspace, signal, toolUseId } = context
  signal.throwIfAborted()
  const cwdFile = join(tmpdir(), `hookline-cwd-${randomBytes(8).toString('hex')}`)
  const limitMs = timeoutOf(input.timeout, workspace.env)
  const script = shellScript(input.command, { envFile: workspace.scope.envFile, cwdFile })
  const shell = await startShell({ script, cwd, env: environmentOf(workspace), output: 'pipe' })
  const [out, err] = [new Collector(), new Collector()]
  shell.child.stdout?.on('data', (chunk: Buffer) => out.add(chunk))
  shell.child.stderr?.on('data', (chunk: Buffer) => err.add(chunk))

  let cause: 'timeout' | 'abort' | undefined
  const end = (why: 'timeout' | 'abort') => {
    cause ??= why
    shell.kill()
  }
  const onAbort = () => end('abort')
  const timer = setTimeout(() => end('timeout'), limitMs)
  const ticker = setInterval(() => context.progress(out.lastLine() || err.lastLine()), 1000)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const { code } = await shell.ended
    if (cause === 'abort') signal.throwIfAborted()
    await follow(cwdFile, workspace)
    const said = { stdout: out.text(), stderr: err.text() }
    const folder = () => scratchFolder(workspace.sessionId)
    const stdout = await shortened(said.stdout, { limit: outputLimit(workspace.env), folder, name: `${toolUseId}-stdout` })
    const stderr = await shortened(said.stderr, { limit: outputLimit(workspace.env), folder, name: `${toolUseId}-stderr` })
    const texts = [stdout.text, stderr.text].filter((text) => text !== '')
    if (cause === 'timeout') throw new ToolError([`Exit code ${code}`, `Command timed out after ${inWords(limitMs)}`, ...texts].join('\n'))
    const meaning = meaningOf(input.command, code)
    if (code !== 0 && meaning === undefined) throw new ToolError([`Exit code ${code}`, ...texts].join('\n'))
    const file = stdout.file ?? stderr.file
    const response: BashResponse = {
      stdout: stdout.text,
      stderr: stderr.text,
      interrupted: false,
      isImage: false,
      noOutputExpected: isSilent(input.command),
      ...(meaning === undefined ? {} : { returnCodeInterpretation: meaning }),
      ...(file === undefined ? {} : { persistedOutputPath: file }),
    }
    return { response, text: texts.length === 0 && meaning !== undefined ? meaning : textOf(stdout.text, stderr.text) }
  } finally {
    clearTimeout(timer)
    clearInterval(ticker)
    signal.removeEventListener('abort', onAbort)
    shell.child.stdout?.destroy()
    shell.child.stderr?.destroy()
    await rm(cwdFile, { force: true })
  }
}

async function inBackground(input: Input, { context, cwd }: { context: ToolContext; cwd: string }): Promise<ToolResult> {
  const { workspace } = context
  if (workspace.services.background === undefined) throw new ToolError('Commands cannot run in the background here. Run it without run_in_background.')
  const script = shellScript(input.command, { envFile: workspace.scope.envFile })
  const task = await startInBackground(
    { command: input.command, script, cwd, env: environmentOf(workspace), description: input.description ?? input.command },
    workspace,
  )
  const response: BashResponse = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false, backgroundTaskId: task.id }
  return { response, text: `Command running in background with ID: ${task.id}. Output is being written to: ${task.outputFile}` }
}

function textOf(stdout: string, stderr: string): string {
  return [stdout, stderr].filter((text) => text !== '').join('\n') || '(Bash completed with no output)'
}

/** The folder may have gone since the last call: the session's own is next, then its parents. */
async function existing(workspace: Workspace): Promise<string> {
  for (const folder of [workspace.cwd, workspace.root]) {
    const found = await stat(folder).catch(() => undefined)
    if (found?.isDirectory() === true) return folder
  }
  throw new ToolError(`The working directory ${workspace.cwd} does not exist any more, and neither does ${workspace.root}.`)
}

/** Takes over the folder that the command ended in; told before the command's PostToolUse. */
async function follow(cwdFile: string, workspace: Workspace): Promise<void> {
  const text = await readFile(cwdFile, 'utf8').catch(() => '')
  const now = text.replace(/\n$/, '')
  if (now === '' || now === workspace.cwd) return
  // `pwd -P` gives the real path: a start folder reached by a link has not been left.
  const [before, after] = await Promise.all([stat(workspace.cwd).catch(() => undefined), stat(now).catch(() => undefined)])
  if (after === undefined || (before !== undefined && before.ino === after.ino && before.dev === after.dev)) return
  const old = workspace.cwd
  workspace.cwd = now
  await workspace.services.cwdChanged?.(old, now)
}

function environmentOf(workspace: Workspace): Record<string, string | undefined> {
  // No editor may wait for a person.
  return { ...workspace.env, CLAUDECODE: '1', GIT_EDITOR: 'true' }
}

function timeoutOf(asked: number | undefined, env: Record<string, string | undefined>): number {
  const [usual, longest] = [positive(env['BASH_DEFAULT_TIMEOUT_MS']) ?? 120_000, positive(env['BASH_MAX_TIMEOUT_MS']) ?? 600_000]
  return Math.min(asked ?? usual, Math.max(longest, usual))
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text)
  return number > 0 ? number : undefined
}

function inWords(ms: number): string {
  if (ms < 1000) return `${ms}ms`
  const seconds = ms / 1000
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${Math.round(seconds % 60)}s`
}
