/** The door of `hookline run`: the reference agent as a command. */
import { HooklineError } from 'hookline'
import { type Agent, createAgent } from './agent.ts'
import { type Arguments, readArguments } from './faces/arguments.ts'
import { checkArguments } from './faces/check.ts'
import { helpText } from './faces/help.ts'
import type { Io } from './faces/io.ts'
import { print } from './faces/print.ts'
import { linePrompts, textPrompts } from './faces/prompts.ts'
import { agentOptions } from './faces/request.ts'
import { startInWorktree, withRooms } from './faces/rooms.ts'
import { safe } from './faces/terminal/text.ts'
import { createAgentModel } from './model/choose.ts'
import { ModelError } from './model/port.ts'
import { AgentError, UsageError } from './session/handle.ts'

export type { Io } from './faces/io.ts'

const codes = { usage: 64, interrupted: 130, terminated: 143 } as const

/** Runs the command; gives its exit code. Never throws for what people do wrong. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const given = readArguments(argv)
    if (given.has('help')) {
      io.out(helpText())
      return 0
    }
    return await runWith(given, io)
  } catch (error) {
    const known = error instanceof AgentError || error instanceof ModelError || error instanceof HooklineError
    if (!known) throw error
    io.err(safe(`hookline run: ${error.message}\n${error.hint === undefined ? '' : `  ${error.hint.replaceAll('\n', '\n  ')}\n`}`))
    return error instanceof UsageError ? codes.usage : 1
  }
}

async function runWith(given: Arguments, io: Io): Promise<number> {
  checkArguments(given, io)
  const name = given.one('model')
  const model = createAgentModel({ env: io.env, cwd: io.cwd, ...(name === undefined ? {} : { model: name }) })
  const { options, worktree } = await startInWorktree(agentOptions(given, io, model), given)
  if (!given.has('print') && !given.has('init-only') && io.terminal)
    return (await import('./faces/terminal/terminal.ts')).runTerminal(options, given, { io, worktree })
  const rooms = withRooms(options, given, { io })
  const agent = await createAgent(rooms.options)
  const interrupt = catchSignals(agent, io.quit)
  try {
    await vouch(agent, given)
    await rooms.open(agent.session)
    const code = await drive(agent, given, { io, signal: interrupt.signal })
    await agent.close()
    return interrupt.code() ?? code
  } finally {
    interrupt.ignore()
    await agent.close()
    await rooms.close()
  }
}

async function drive(agent: Agent, given: Arguments, { io, signal }: { io: Io; signal: AbortSignal }): Promise<number> {
  if (given.has('init') || given.has('init-only')) await agent.session.setUp('init')
  else if (given.has('maintenance')) await agent.session.setUp('maintenance')
  if (given.has('init-only')) {
    await agent.start()
    return 0
  }
  const lines = given.one('input-format') === 'stream-json'
  const prompts = lines
    ? linePrompts(io, { interrupt: () => agent.interrupt(), report: (text) => agent.session.emit({ kind: 'notice', level: 'warning', text }) })
    : textPrompts(given.words.length === 0 ? undefined : given.words.join(' '), io)
  const output = given.has('json-lines') ? 'stream-json' : given.has('json') ? 'json' : (given.one('output-format') ?? 'text')
  return print(agent, prompts, {
    io,
    options: {
      output: output as 'text' | 'json' | 'stream-json',
      hooks: given.has('include-hook-events'),
      verbose: given.has('verbose'),
      required: !lines,
      signal,
    },
  })
}

/** `--trust=DIGEST` vouches for what was reviewed and for nothing else; what stays off is said. */
async function vouch({ session }: Agent, given: Arguments): Promise<void> {
  const { trust } = session.hookline
  const digest = (given.one('trust') ?? given.one('trust-digest'))?.toLowerCase()
  if (digest !== undefined && trust.pending[0]?.digest === digest) await trust.answer(digest, 'once')
  const open = trust.pending[0]
  if (open === undefined) return
  const what = open.items.every(({ kind }) => kind === 'env' || kind === 'rule') ? 'Settings' : 'Hooks'
  const why = digest === undefined ? '' : ` Its digest is ${open.digest}.`
  session.emit({
    kind: 'notice',
    level: 'warning',
    text: `${what} that ${open.folder} brings stay off: nobody vouched for them.${why} Review them with \`hookline trust\`, or say --trust.`,
  })
}

/** The first signal ends the turn and then the session, SessionEnd included; a second one ends the process at once. */
function catchSignals(agent: Agent, quit: Io['quit']): { signal: AbortSignal; code(): number | undefined; ignore(): void } {
  const controller = new AbortController()
  let code: number | undefined
  const on = (end: number) => () => {
    if (code !== undefined) quit?.(end)
    code = end
    controller.abort(new Error('interrupted'))
    agent.interrupt()
  }
  const handlers = [
    ['SIGINT', on(codes.interrupted)],
    ['SIGTERM', on(codes.terminated)],
    ['SIGHUP', on(codes.terminated)],
  ] as const
  for (const [name, handler] of handlers) process.on(name, handler)
  return {
    signal: controller.signal,
    code: () => code,
    ignore: () => {
      for (const [name, handler] of handlers) process.off(name, handler)
    },
  }
}
