/** The interactive face: a prompt line, the turn as it happens, questions, until the person leaves. */
import { join } from 'node:path'
import { stateFolder } from 'hookline/node'
import { type Agent, createAgent } from '../../agent.ts'
import { builtInNames } from '../../built-in/commands.ts'
import type { AgentOptions } from '../../session/options.ts'
import type { Arguments } from '../arguments.ts'
import type { Io } from '../io.ts'
import { withRooms } from '../rooms.ts'
import { createInput, type Input } from './input.ts'
import { type Asker, askForm, askPermission, askTrust, askUser } from './questions.ts'
import { createSpinner } from './spinner.ts'
import { type Paint, paintFor, safe } from './text.ts'
import { createView } from './view.ts'

const permissionNoticeMs = 6_000
const idleNoticeMs = 60_000

/** Runs the session; gives the exit code. */
export async function runTerminal(options: AgentOptions, given: Arguments, io: Io): Promise<number> {
  const paint = paintFor(io.env)
  const width = (): number => io.screen?.columns || 80
  let agent: Agent | undefined
  const input = createInput(io, {
    historyFile: join(stateFolder(io.env, 'history'), 'prompts'),
    complete: () => [...builtInNames, ...(agent?.session.commands() ?? [])],
  })
  const stage = createStage(io.out)
  const spinner = createSpinner(stage.draw, { paint, width })
  const asker: Asker = {
    write: (text) => {
      spinner.stop()
      io.out(text)
    },
    paint,
    line: (prompt, signal) => input.question(prompt, signal),
    waiting: (message) => noticeLater(input, permissionNoticeMs, () => agent?.session.notify({ type: 'permission_prompt', message })),
  }
  const alone = oneAtATime(stage)
  const rooms = withRooms(
    {
      ...options,
      interactive: true,
      watch: true,
      trust: options.trust === 'implicit' ? 'implicit' : alone(askTrust(asker)),
      ask: alone(askPermission(asker)),
      services: { askUser: alone((questions, { signal }) => askUser(asker, questions, signal)), ...options.services },
    },
    given,
    {
      io,
      answers: {
        elicit: alone((request, { signal }) => askForm(asker, request, signal)),
        confirm: alone(async (reason) => (await asker.line(`${safe(reason)} Change the model? [y/n] `)).trim().toLowerCase().startsWith('y')),
      },
    },
  )
  try {
    agent = await createAgent(rooms.options)
    agent.on(createView({ write: stage.write, paint, width, spinner, verbose: given.has('verbose') }))
    await rooms.open(agent.session)
    await agent.start()
    io.out(greeting(agent, paint))
    const reason = await converse(agent, { input, first: given.words.join(' '), paint, out: io.out })
    await agent.close(reason)
    return 0
  } finally {
    spinner.stop()
    input.close()
    await agent?.close()
    await rooms.close()
  }
}

function greeting({ session }: Agent, paint: Paint): string {
  const { conversation } = session
  const hooks = session.hookline.list().length
  return `${paint('bold', 'Hookline')} ${paint('dim', `${conversation.model.label}, ${safe(session.root)}, ${hooks} hook${hooks === 1 ? '' : 's'}. /help lists commands, Ctrl-D leaves.`)}\n`
}

interface Conversing {
  input: Input
  first: string
  paint: Paint
  out(text: string): void
}

/** Prompts and turns until the person leaves; gives the reason for SessionEnd. */
async function converse(agent: Agent, { input, first, paint, out }: Conversing): Promise<string> {
  let running = false
  let leaving = false
  input.onStray((line) => {
    if (line.trim() !== '') agent.send(line)
  })
  input.onInterrupt(() => {
    if (running) return agent.interrupt()
    if (leaving) return input.close()
    leaving = true
    out(`\n${paint('dim', 'Ctrl-C again, or Ctrl-D, leaves.')}\n`)
  })
  const turn = async (work: () => Promise<unknown>): Promise<void> => {
    running = true
    try {
      await work()
    } finally {
      running = false
    }
  }
  if (first !== '') await turn(() => agent.ask(first))
  for (;;) {
    // What came while the turn ran: lines of the person, reports of subagents, hooks that woke the model.
    while (agent.session.inbox.length > 0) await turn(() => agent.next())
    const idle = noticeLater(input, idleNoticeMs, () => agent.session.notify({ type: 'idle_prompt', message: 'The agent waits for your input' }))
    const line = await input.line(`${paint('bold', '>')} `)
    idle.answered()
    if (line === undefined) return 'prompt_input_exit'
    leaving = false
    const text = line.trim()
    if (text === '/exit' || text === '/quit') return 'prompt_input_exit'
    if (text !== '') await turn(() => agent.ask(text))
  }
}

/** Where the view writes: held back while a question stands, so that nothing is written into the answer. */
interface Stage {
  write(text: string): void
  /** Of the spinner: dropped while a question stands. */
  draw(text: string): void
  hold(): void
  release(): void
}

function createStage(out: (text: string) => void): Stage {
  let held: string[] | undefined
  return {
    write: (text) => {
      if (held === undefined) out(text)
      else held.push(text)
    },
    draw: (text) => {
      if (held === undefined) out(text)
    },
    hold: () => {
      held ??= []
    },
    release: () => {
      const texts = held ?? []
      held = undefined
      for (const text of texts) out(text)
    },
  }
}

/** Questions of tools that run side by side are asked one after the other. */
function oneAtATime(stage: Stage) {
  let line: Promise<unknown> = Promise.resolve()
  return <A extends unknown[], R>(ask: (...args: A) => R | PromiseLike<R>) =>
    (...args: A): Promise<R> => {
      const answer = line.then(async () => {
        stage.hold()
        try {
          return await ask(...args)
        } finally {
          stage.release()
        }
      })
      line = answer.catch(() => {})
      return answer
    }
}

/** Notifies when nobody has typed for a while; once. */
function noticeLater(input: Input, ms: number, notify: () => void): { answered(): void } {
  const timer = setInterval(() => {
    if (input.quietMs() < ms) return
    clearInterval(timer)
    notify()
  }, 500).unref()
  return { answered: () => clearInterval(timer) }
}
