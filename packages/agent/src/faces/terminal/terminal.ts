/** The interactive face: a prompt line, the turn as it happens, questions, until the person leaves. */
import { type Agent, createAgent } from '../../agent.ts'
import { builtInNames } from '../../built-in/commands.ts'
import { AgentError } from '../../session/handle.ts'
import type { AgentOptions } from '../../session/options.ts'
import type { Worktree } from '../../worktree/worktree.ts'
import type { Arguments } from '../arguments.ts'
import type { Io } from '../io.ts'
import { leaveWorktree, withRooms } from '../rooms.ts'
import { openHistory } from './history.ts'
import { createInput, type Input } from './input.ts'
import { type Asker, askForm, askPermission, askTrust, askUser, askYes } from './questions.ts'
import { createSpinner } from './spinner.ts'
import { isDumb, type Paint, paintFor, safe } from './text.ts'
import { createView } from './view.ts'

const permissionNoticeMs = 6_000
const idleNoticeMs = 60_000
const inARowMs = 2_000

/** Runs the session; gives the exit code. */
export async function runTerminal(options: AgentOptions, given: Arguments, { io, worktree }: { io: Io; worktree?: Worktree | undefined }): Promise<number> {
  const paint = paintFor(io.env, !given.has('no-color'))
  const width = (): number => io.screen?.columns || 80
  let agent: Agent | undefined
  const input = createInput(io, {
    history: openHistory(options.cwd ?? io.cwd, io.env),
    complete: () => [...builtInNames, ...(agent?.session.commands() ?? [])],
  })
  const stage = createStage(io.out)
  const spinner = createSpinner(stage.draw, { paint, width, still: isDumb(io.env) })
  const asker: Asker = {
    write: io.out,
    paint,
    line: (prompt, signal) => input.question(prompt, signal),
    waiting: (message) => noticeLater(input, permissionNoticeMs, () => agent?.session.notify({ type: 'permission_prompt', message })),
  }
  const alone = oneAtATime(stage, spinner.clear)
  const granted = new Set<string>()
  let undo = () => {}
  const rooms = withRooms(
    {
      ...options,
      interactive: true,
      watch: true,
      display: 'lines',
      trust: options.trust === 'implicit' ? 'implicit' : alone(askTrust(asker, granted)),
      ask: alone(askPermission(asker, granted)),
      services: { askUser: alone((questions, { signal }) => askUser(asker, questions, signal)), ...options.services },
    },
    given,
    {
      io,
      answers: {
        elicit: alone((request, { signal }) => askForm(asker, request, signal)),
        confirm: alone((reason) => askYes(asker, `${safe(reason)} Change the model? [y]es, [n]o: `)),
      },
    },
  )
  try {
    agent = await createAgent(rooms.options)
    agent.on(createView({ write: stage.write, paint, width, spinner, verbose: given.has('verbose') }))
    const ended = endBySignals(agent, { input, quit: io.quit })
    undo = ended.ignore
    // Hooks of the start may take long, and nobody is kept by them.
    let pressed = 0
    input.onInterrupt(() => (++pressed > 1 ? io.quit?.(130) : io.out(`\n${paint('dim', 'Ctrl-C again leaves at once.')}\n`)))
    await rooms.open(agent.session)
    await agent.start()
    io.out(greeting(agent, paint))
    const out = (text: string): void => {
      spinner.clear()
      io.out(text)
    }
    const reason = await converse(agent, { input, first: given.words.join(' '), paint, out, quit: io.quit })
    if (worktree !== undefined) out(`${safe(await leaveWorktree(worktree, agent.session))}\n`)
    await agent.close(ended.code() === undefined ? reason : 'other')
    return ended.code() ?? 0
  } finally {
    undo()
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
  quit: Io['quit']
}

/** Prompts and turns until the person leaves; gives the reason for SessionEnd. */
async function converse(agent: Agent, { input, first, paint, out, quit }: Conversing): Promise<string> {
  let running = false
  /** Ctrl-C in a row: the first ends the turn, the second leaves, a third waits for nothing. */
  let pressed = 0
  let pressedAt = 0
  input.onStray((prompt) => {
    if (prompt.trim() !== '') agent.send(prompt)
  })
  input.onInterrupt((typed) => {
    if (!running && typed) return input.again()
    if (!running && Date.now() - pressedAt > inARowMs) pressed = 0
    pressed += 1
    pressedAt = Date.now()
    if (running) agent.interrupt()
    if (pressed > 2) return quit?.(130)
    if (pressed === 2) return input.close()
    if (running) return out(`${paint('dim', 'Ctrl-C again leaves.')}\n`)
    out(`\n${paint('dim', 'Ctrl-C again, or Ctrl-D, leaves.')}\n`)
    input.again()
  })
  const turn = async (work: () => Promise<unknown>): Promise<void> => {
    running = true
    try {
      await work()
    } catch (error) {
      // A command that cannot be done, such as /resume of a session that is not there, ends nothing.
      if (!(error instanceof AgentError)) throw error
      out(`${paint('red', safe(`${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`))}\n`)
    } finally {
      running = false
    }
  }
  if (first !== '') await turn(() => agent.ask(first))
  for (;;) {
    // What came while the turn ran: lines of the person, reports of subagents, hooks that woke the model.
    while (agent.session.inbox.length > 0 && !input.ended()) await turn(() => agent.next())
    const woken = new AbortController()
    using _ = agent.on((event) => event.kind === 'wake' && woken.abort())
    const idle = noticeLater(input, idleNoticeMs, () => agent.session.notify({ type: 'idle_prompt', message: 'The agent waits for your input' }))
    const line = await input.line(`${paint('bold', '>')} `, woken.signal)
    idle.answered()
    if (line === undefined && woken.signal.aborted && !input.ended()) continue
    if (line === undefined) return 'prompt_input_exit'
    pressed = 0
    const text = line.trim()
    if (text === '/exit' || text === '/quit') return 'prompt_input_exit'
    if (text !== '') await turn(() => agent.ask(text))
  }
}

/** A terminal that is closed, and a process that is told to end, end the session properly; the second signal waits for nothing. */
function endBySignals(agent: Agent, { input, quit }: { input: Input; quit: Io['quit'] }): { code(): number | undefined; ignore(): void } {
  let code: number | undefined
  const end = () => {
    if (code !== undefined) quit?.(143)
    code = 143
    agent.interrupt()
    input.close()
  }
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, end)
  return {
    code: () => code,
    ignore: () => {
      for (const name of ['SIGTERM', 'SIGHUP'] as const) process.off(name, end)
    },
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
function oneAtATime(stage: Stage, clear: () => void) {
  let line: Promise<unknown> = Promise.resolve()
  return <A extends unknown[], R>(ask: (...args: A) => R | PromiseLike<R>) =>
    (...args: A): Promise<R> => {
      const answer = line.then(async () => {
        clear()
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
