/** A play for one event: a scripted model, a project on disk, and an agent with every room joined as the command joins them. */
import { Readable } from 'node:stream'
import type { EventName, Hooks } from 'hookline'
import { expect, onTestFinished, vi } from 'vitest'
import { type Agent, createAgent } from '../../src/agent.ts'
import type { AgentEvent } from '../../src/events.ts'
import { readArguments } from '../../src/faces/arguments.ts'
import type { Io } from '../../src/faces/io.ts'
import { agentOptions } from '../../src/faces/request.ts'
import { type Answers, withRooms } from '../../src/faces/rooms.ts'
import type { AgentModel, Message, ModelRequest } from '../../src/model/port.ts'
import { createScriptModel, type Script } from '../../src/model/script.ts'
import type { AgentOptions } from '../../src/session/options.ts'
import { folderWith } from '../folder.ts'

type Input = Record<string, unknown>

export interface Play {
  turns: Script['modelTurns']
  routes?: Script['routes']
  /** What a hook of the event answers; `true` only watches. */
  hooks?: Partial<Record<EventName, true | ((input: Input) => unknown)>>
  files?: Record<string, string>
  homeFiles?: Record<string, string>
  settings?: object
  /** Words of the command line. */
  flags?: readonly string[]
  answers?: Answers
  options?: Partial<AgentOptions>
  /** Takes the place of a new project: the folders of another play. */
  in?: { cwd: string; home: string }
}

export interface Stage {
  cwd: string
  home: string
  agent: Agent
  /** Every input that a hook got, in order. */
  seen: Input[]
  fired(): string[]
  of(event: EventName): Input[]
  events: AgentEvent[]
  notices(): string[]
  requests: ModelRequest[]
  /** All that the model was told with request `at`, as one text. */
  told(at: number): string
  /** The newest message of request `at`. */
  said(at: number): string
  /** Waits until the event was seen so many times. */
  waitFor(event: EventName, times?: number): Promise<Input>
}

/** Opens the play; everything is gone when the test is over. */
export async function perform(play: Play): Promise<Stage> {
  const { turns, routes, hooks = {}, files = {}, homeFiles = {}, settings, flags = [], answers, options } = play
  const cwd = play.in?.cwd ?? folderWith({ ...files, ...(settings === undefined ? {} : { '.claude/settings.json': JSON.stringify(settings) }) })
  const home = play.in?.home ?? folderWith(homeFiles)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: `${home}/state` }
  const io: Io = { stdin: Readable.from([]), out: () => {}, err: () => {}, env, cwd, terminal: false }
  const requests: ModelRequest[] = []
  const model = recording(createScriptModel({ modelTurns: turns, ...(routes === undefined ? {} : { routes }) }, 'play'), requests)
  const given = readArguments(['--trust', ...flags])
  const rooms = withRooms({ ...agentOptions(given, io, model), ...options }, given, { io, ...(answers === undefined ? {} : { answers }) })
  const agent = await createAgent(rooms.options)
  onTestFinished(async () => {
    await agent.close()
    await rooms.close()
  })
  const events: AgentEvent[] = []
  agent.on((event) => void events.push(event))
  const seen: Input[] = []
  for (const [name, answer] of Object.entries(hooks)) {
    const callback = (input: object): unknown => {
      const copy = structuredClone(input) as Input
      seen.push(copy)
      return answer === true ? undefined : answer(copy)
    }
    agent.session.hookline.on({ [name]: [callback] } as Hooks)
  }
  await rooms.open(agent.session)
  const of = (event: EventName) => seen.filter((input) => input['hook_event_name'] === event)
  return {
    cwd,
    home,
    agent,
    seen,
    fired: () => seen.map((input) => String(input['hook_event_name'])),
    of,
    events,
    notices: () => events.flatMap((event) => (event.kind === 'notice' ? [event.text] : [])),
    requests,
    told: (at) => (requests[at]?.messages ?? []).map(textOf).join('\n'),
    said: (at) => textOf(requests[at]?.messages.at(-1)),
    async waitFor(event, times = 1) {
      await vi.waitFor(() => expect(of(event).length).toBeGreaterThanOrEqual(times), { timeout: 30_000, interval: 25 })
      return of(event)[times - 1] as Input
    },
  }
}

/** The script, with a name of its own for each model that is asked for, and a copy of what it was told. */
function recording(inner: AgentModel, requests: ModelRequest[], name = 'script'): AgentModel {
  return {
    ...inner,
    name,
    named: (other) => recording(inner, requests, other),
    stream: (request, context) => {
      requests.push({ ...request, messages: [...request.messages] })
      return inner.stream(request, context)
    },
  }
}

function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((block) => (block.type === 'text' ? block.text : block.type === 'tool_result' ? block.content : '')).join('\n')
}

/** A call of a tool, as a turn of the script. */
export const call = (tool: string, input: object) => [{ tool, input }]

/** A call of Bash. */
export const bash = (command: string) => call('Bash', { command, description: 'run' })

/** Settings that let Bash run. */
export const allowBash = { permissions: { allow: ['Bash'] } }
