/** The agent as a library: `createAgent`, prompts in, events out as an async iterable. */
import type { Undo } from 'hookline'
import type { AgentEvent, Emit, TurnResult } from './events.ts'
import type { SessionHandle } from './session/handle.ts'
import type { AgentOptions } from './session/options.ts'
import { openSession } from './session/session.ts'

export interface RunOptions {
  /** Ends the turn. */
  signal?: AbortSignal
}

/** One agent: a session, and what drives it. */
export interface Agent {
  readonly session: SessionHandle
  /** Fires SessionStart; the first prompt does it too. */
  start(): Promise<void>
  /** Runs one prompt to the end of its turn: `for await (const event of agent.run('…'))`. The generator's return value is the result. */
  run(prompt: string, options?: RunOptions): AsyncGenerator<AgentEvent, TurnResult>
  /** The same without events. */
  ask(prompt: string, options?: RunOptions): Promise<TurnResult>
  /** Puts a prompt into the inbox: a running turn takes it up between two requests, else `next` does. */
  send(prompt: string): void
  /** Runs the first prompt of the inbox; undefined when there is none. */
  next(options?: RunOptions): Promise<TurnResult | undefined>
  /** Settles when something lies in the inbox, or when no subagent runs that could put something there. Gives whether there is something. */
  settled(): Promise<boolean>
  /** Ends the turn that runs. */
  interrupt(): void
  /** All events, also between turns. A listener must not throw. */
  on(listener: Emit): Undo
  /** Fires SessionEnd and frees everything. */
  close(reason?: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a session for an agent.
 * @throws AgentError for a session, folder or agent type that is not there; HooklineError for settings and policies that cannot be used.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const listeners = new Set<Emit>()
  const early: AgentEvent[] = []
  const emit: Emit = (event) => {
    if (listeners.size === 0 && early.length < 1_000) early.push(event)
    for (const listener of listeners) listener(event)
  }
  const session = await openSession(options, emit)
  let running: AbortController | undefined
  const turn = async (work: (signal: AbortSignal) => Promise<TurnResult>, { signal }: RunOptions): Promise<TurnResult> => {
    running = new AbortController()
    try {
      return await work(signal === undefined ? running.signal : AbortSignal.any([signal, running.signal]))
    } finally {
      running = undefined
    }
  }
  const on = (listener: Emit): Undo => {
    listeners.add(listener)
    // What was told before anybody listened is told to the first who does.
    for (const event of early.splice(0)) listener(event)
    const undo = () => void listeners.delete(listener)
    return Object.assign(undo, { [Symbol.dispose]: undo })
  }
  const ask = (prompt: string, more: RunOptions = {}) => turn((signal) => session.run({ text: prompt }, { signal }), more)
  const close = (reason = 'other') => session.end(reason)
  return {
    session,
    start: () => session.start(),
    ask,
    run: (prompt, more) =>
      eventsOf(
        (listener) => on(listener),
        () => ask(prompt, more),
      ),
    send: (prompt) => {
      session.inbox.push({ text: prompt })
      emit({ kind: 'wake' })
    },
    async next(more = {}) {
      const prompt = session.inbox.shift()
      return prompt === undefined ? undefined : turn((signal) => session.run(prompt, { signal }), more)
    },
    async settled() {
      for (;;) {
        if (session.inbox.length > 0) return true
        const working = session.background.filter((task) => task.kind === 'subagent' && task.status === 'running')
        if (working.length === 0) return false
        await Promise.race(working.map((task) => task.done))
      }
    },
    interrupt: () => running?.abort(new Error('interrupted')),
    on,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Events as they come, then the result. */
async function* eventsOf(on: (listener: Emit) => Undo, work: () => Promise<TurnResult>): AsyncGenerator<AgentEvent, TurnResult> {
  const queue: AgentEvent[] = []
  let wake = () => {}
  const undo = on((event) => {
    queue.push(event)
    wake()
  })
  try {
    let done: { result: TurnResult } | { error: unknown } | undefined
    void work()
      .then(
        (result) => (done = { result }),
        (error: unknown) => (done = { error }),
      )
      .finally(() => wake())
    for (;;) {
      while (queue.length > 0) yield queue.shift() as AgentEvent
      if (done !== undefined) break
      await new Promise<void>((resolve) => {
        wake = resolve
        if (queue.length > 0 || done !== undefined) resolve()
      })
    }
    if ('error' in done) throw done.error
    return done.result
  } finally {
    undo()
  }
}
