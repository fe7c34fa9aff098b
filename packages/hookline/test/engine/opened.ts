/** What the tests of the engine share: engines without files, tool calls, and handlers that hand back what a test says. */
import { afterEach } from 'vitest'
import { emptySnapshot } from '../../src/config/empty.ts'
import type { EngineParts } from '../../src/engine/engine.ts'
import { openHookline } from '../../src/engine/open.ts'
import { createCallbackHandler } from '../../src/handlers/callback.ts'
import { createEngine, type EngineOptions, type Hookline } from '../../src/index.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { station } from '../../src/station/station.ts'

const open: Hookline[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** An engine that is closed after the test. */
export function engine(options: EngineOptions = {}): Hookline {
  const made = createEngine({ sessionId: 's-1', cwd: '/project', ...options })
  open.push(made)
  return made
}

/** The input of a tool call. */
export const call = (command = 'ls', tool = 'Bash') => ({ tool_name: tool, tool_input: { command }, tool_use_id: 'toolu_1' })

/** Waits a number of milliseconds. */
export const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Gives back control until promises that are ready have settled. */
export const turn = () => new Promise<void>((done) => setImmediate(done))

/** An engine whose command hooks end as `answer` says, so that what is done with a result can be tested without a process. */
export function scripted(answer: (hook: RunnableHook, context: RunContext) => RawResult | Promise<RawResult>, options: Partial<EngineParts> = {}): Hookline {
  const runner: HandlerRunner = { type: 'command', readsPayload: true, run: answer }
  const parts = { snapshot: emptySnapshot, runners: [runner, createCallbackHandler()], stopBlockCap: 8, keepTrace: 0, ...options }
  const made = openHookline(parts, { sessionId: 's-1', cwd: '/project', station: station() }) as unknown as Hookline
  open.push(made)
  return made
}
