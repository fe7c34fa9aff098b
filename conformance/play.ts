/** Plays one row through the real command line and records everything that can be seen from outside. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Case, Row } from './row.ts'
import { startHooks } from './servers/hooks.ts'
import { type ModelCall, startModel } from './servers/model.ts'
import { type Stage, setStage } from './stage.ts'

export interface LogEntry {
  tag: string
  mode: 'read' | 'none' | 'end'
  cwd: string
  stdin?: string
}

export interface Run {
  exit: number
  stdout: string
  stderr: string
}

/** What was seen; `stage` is gone from the disk by then and serves for its paths. */
export interface Recorded {
  stage: Stage
  runs: Run[]
  log: LogEntry[]
  calls: readonly ModelCall[]
  http: readonly string[]
  after: Record<string, string | { missing: string }>
  ports: { model: number; hooks: number }
}

export interface PlayOptions {
  /** Root of the repository: the command that is played. */
  repository: string
  /** Keeps the folder of the row, for looking at it. */
  keep?: boolean
}

/** True where a folder of the machine can be replaced for one process: rows with managed settings need it. */
export const canReplaceFolders = (): boolean => spawnSync('unshare', ['--mount', 'true']).status === 0

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Plays `row`; throws only when the stage cannot be set. */
export async function playRow(row: Row, options: PlayOptions): Promise<Recorded> {
  const given = row.case
  const hooks = await startHooks(given.http ?? {})
  // A row without a server of its own asks a port where nobody listens.
  if (given.http === undefined) await hooks.close()
  const script: Case = { ...given }
  const model = await startModel(script)
  const ports = { model: model.port, hooks: hooks.port }
  const stage = setStage(given, ports, join(options.repository, 'conformance/hk'))
  script.modelTurns = JSON.parse(stage.fill(JSON.stringify(given.modelTurns)))
  script.routes = JSON.parse(stage.fill(JSON.stringify(given.routes ?? [])))
  try {
    const runs: Run[] = []
    const parts = given.runs ?? [{ prompt: given.prompt ?? '', flags: [] }]
    for (const part of parts) runs.push(await run(given, stage, { ...ports, ...part, repository: options.repository }))
    await pause(given.settleMs ?? 100)
    const after: Recorded['after'] = {}
    for (const name of given.readAfter ?? []) {
      const file = join(stage.proj, name)
      after[name] = existsSync(file) ? readFileSync(file, 'utf8') : { missing: 'ENOENT' }
    }
    return { stage, runs, log: readLog(join(stage.root, 'log')), calls: model.calls, http: hooks.requests, after, ports }
  } finally {
    await model.close()
    await hooks.close()
    if (options.keep !== true) rmSync(stage.root, { recursive: true, force: true })
  }
}

interface Start {
  prompt: string
  flags: string[]
  repository: string
  model: number
  hooks: number
}

async function run(given: Case, stage: Stage, start: Start): Promise<Run> {
  const print = given.stdin === undefined ? ['-p', start.prompt] : ['-p']
  const flags = [...(given.flags ?? []), ...start.flags].map(stage.fill)
  const command = [
    join(start.repository, 'packages/hookline/bin/hookline.cjs'),
    'run',
    ...print,
    ...['--output-format', given.outputFormat ?? 'stream-json', '--verbose', '--include-hook-events', '--trust'],
    ...flags,
  ]
  const env = {
    PATH: `${join(stage.root, 'bin')}:${process.env['PATH']}`,
    HOME: stage.home,
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: join(stage.root, 'state'),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${start.model}`,
    ANTHROPIC_API_KEY: 'row-key',
    HOOKLINE_HTTP_ORIGINS: `http://127.0.0.1:${start.hooks}`,
    ...given.env,
  }
  const [program, args] = stage.managed === undefined ? [process.execPath, command] : withManaged(stage.managed, command)
  const child = spawn(program, args, { cwd: stage.cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdin.on('error', () => {})
  const limit = setTimeout(() => child.kill('SIGKILL'), given.limitMs ?? 90_000)
  const feed = async (): Promise<void> => {
    for (const line of given.stdin ?? []) {
      if ('waitMs' in line) await pause(line.waitMs)
      else child.stdin.write(`${JSON.stringify(line)}\n`)
    }
    if (given.closeAfterMs !== undefined) await pause(given.closeAfterMs)
    child.stdin.end()
  }
  void feed()
  const exit = await new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
  clearTimeout(limit)
  return { exit, stdout, stderr }
}

/** The same command in a mount namespace of its own, where the policy folder is the row's. */
function withManaged(folder: string, command: string[]): [string, string[]] {
  if (!existsSync('/etc/claude-code')) mkdirSync('/etc/claude-code', { recursive: true })
  return ['unshare', ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/claude-code && exec "$@"', folder, process.execPath, ...command]]
}

function readLog(folder: string): LogEntry[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.rec'))
    .sort()
  return names.map((name) => {
    const [tag = '', mode = '', cwd = ''] = readFileSync(join(folder, name), 'utf8').split('\n')
    const stdin = join(folder, name.replace(/rec$/, 'in'))
    return { tag, mode: mode as LogEntry['mode'], cwd, ...(existsSync(stdin) ? { stdin: readFileSync(stdin, 'utf8') } : {}) }
  })
}
