/** A stage for the agent's tests: a project and a home on disk, a provider on loopback, and an agent, or the real command, between them. */
import { spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hooks } from 'hookline'
import { onTestFinished } from 'vitest'
import { type Agent, createAgent } from '../src/agent.ts'
import type { AgentEvent } from '../src/events.ts'
import { createAgentModel } from '../src/model/choose.ts'
import type { AgentOptions } from '../src/session/options.ts'
import { folderWith } from './folder.ts'
import { type AnthropicRequest, type Route, startAnthropic, type Turn, textOf } from './servers/anthropic.ts'

export interface StageOptions {
  turns: Turn[]
  routes?: Route[]
  /** Files of the project. */
  files?: Record<string, string>
  /** Settings of the project. */
  settings?: object
  homeFiles?: Record<string, string>
}

export interface Stage {
  cwd: string
  home: string
  env: Record<string, string>
  requests: AnthropicRequest[]
  /** All that the model was told with request `at`, as one text. */
  told(at: number): string
  /** The new user message of request `at`. */
  said(at: number): string
  open(options?: Partial<AgentOptions>): Promise<Opened>
  /** Runs the real command. */
  run(
    args: readonly string[],
    options?: { stdin?: string | ((write: (line: object) => void, end: () => void) => void); onSpawn?: (pid: number) => void },
  ): Promise<Ran>
}

export interface Opened {
  agent: Agent
  events: AgentEvent[]
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
  lines: Record<string, unknown>[]
}

/** Sets a stage; everything is gone when the test is over. */
export async function setStage({ turns, routes = [], files = {}, settings, homeFiles = {} }: StageOptions): Promise<Stage> {
  const cwd = folderWith({ ...files, ...(settings === undefined ? {} : { '.claude/settings.json': JSON.stringify(settings) }) })
  for (const [name, text] of Object.entries(files)) if (text.startsWith('#!')) chmodSync(join(cwd, name), 0o755)
  const home = folderWith(homeFiles)
  const provider = await startAnthropic(turns, routes)
  onTestFinished(() => provider.close())
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: provider.url,
  }
  return {
    cwd,
    home,
    env,
    requests: provider.requests,
    told: (at) => (provider.requests[at]?.body.messages ?? []).map(textOf).join('\n'),
    said: (at) => textOf(provider.requests[at]?.body.messages.at(-1)),
    async open(options = {}) {
      const agent = await createAgent({
        model: createAgentModel({ env, retry: { retries: 0, firstMs: 1, longestMs: 1 } }),
        cwd,
        env,
        trust: 'implicit',
        ...options,
      })
      onTestFinished(() => agent.close())
      const events: AgentEvent[] = []
      agent.on((event) => void events.push(event))
      return { agent, events }
    },
    run: (args, options) => runCommand({ cwd, env }, args, options),
  }
}

const bin = fileURLToPath(new URL('../../hookline/bin/hookline.cjs', import.meta.url))

function runCommand(
  { cwd, env }: { cwd: string; env: Record<string, string> },
  args: readonly string[],
  { stdin = '', onSpawn }: Parameters<Stage['run']>[1] = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [bin, 'run', ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdin.on('error', () => {})
  if (child.pid !== undefined) onSpawn?.(child.pid)
  if (typeof stdin === 'string') child.stdin.end(stdin)
  else
    stdin(
      (line) => void child.stdin.write(`${JSON.stringify(line)}\n`),
      () => child.stdin.end(),
    )
  return new Promise((done) =>
    child.on('close', (code, signal) => {
      const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
      done({ code: code ?? (signal === null ? -1 : -2), stdout, stderr, lines })
    }),
  )
}

/** Hooks in code that note every input they get, in order. */
export function recorder(...names: (keyof Hooks)[]): { seen: Record<string, unknown>[]; fired: () => string[]; hooks: object } {
  const seen: Record<string, unknown>[] = []
  const note = (input: object) => void seen.push(structuredClone(input) as Record<string, unknown>)
  return {
    seen,
    fired: () => seen.map((input) => String(input['hook_event_name'])),
    hooks: Object.fromEntries(names.map((name) => [name, [note]])),
  }
}

/** A call of Bash, as the model asks for it. */
export const bash = (command: string) => [{ tool: 'Bash', input: { command, description: 'run' } }]
