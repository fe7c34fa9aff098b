/** B14: what hooks cost the reference agent when there are none: the events of a session of 100 tool calls, over the time of that session. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, createScriptModel } from '@hookline/agent'
import { createHookline } from 'hookline/node'
import { row, spread, timeAsync } from '../measure.js'

export const title = 'B14 the agent without hooks'

const calls = 100

export async function run({ rounds }) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-bench-agent-'))
  try {
    writeFileSync(join(root, 'a.txt'), 'a line of text\n'.repeat(20))
    await session(root)
    const found = []
    for (let round = 0; round < rounds; round++) found.push(await session(root))
    return [
      row('B14', '100 tool calls, no hooks: all events ÷ the loop', spread(found.map(({ events, loop }) => events / loop)), { atMost: 0.01 }),
      row('B14', '100 tool calls, no hooks: events, rules and mode ÷ the loop', spread(found.map(({ stations, loop }) => stations / loop))),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * One session, whose tool only reads a small file and whose model is a script: the loop does as little as a loop can. What it asked of
 * Hookline is kept, and asked again on the same scope with a clock beside it. Nanoseconds.
 */
async function session(root) {
  const asked = []
  const hookline = await createHookline({ cwd: root, sources: [] })
  const turns = Array.from({ length: calls }, () => [{ tool: 'Read', input: { file_path: 'a.txt' } }])
  const agent = await createAgent({
    model: createScriptModel({ modelTurns: [...turns, 'done'] }, 'b14'),
    hookline: listening(hookline, asked),
    cwd: root,
    transcripts: join(root, 'transcripts'),
    env: { PATH: process.env.PATH, HOME: root },
  })
  const loop = await timeAsync(() => agent.ask('read'), 1)
  const scope = hookline.session(agent.session.sessionId)
  const again = async (ask, at) => {
    if (ask.kind !== 'call') await replay(scope, ask)
    else await scope.runTool({ ...ask.call, id: `again-${at}` }, () => ask.output, ask.options)
  }
  const all = (run) => async () => {
    for (const [at, ask] of asked.entries()) await run(ask, at)
  }
  // So short that one pause of the machine would be all of it: the middle of several.
  const events = await medianOf(
    9,
    all((ask) => replay(scope, ask)),
  )
  const stations = await medianOf(3, all(again))
  await agent.close()
  await hookline.close()
  if (asked.filter(({ kind }) => kind === 'call').length !== calls) throw new Error('the session did not make its calls')
  return { loop, events, stations }
}

async function medianOf(times, run) {
  const found = []
  for (let time = 0; time < times; time++) found.push(await timeAsync(run, 1))
  return spread(found).median
}

/** The events of a tool call fire inside of it. */
async function replay(scope, ask) {
  if (ask.kind === 'has') scope.has(ask.event)
  else if (ask.kind === 'fire') await scope.fire(ask.event, ask.input)
  else {
    const { name, input, id } = ask.call
    const facts = { tool_name: name, tool_input: input, tool_use_id: id }
    await scope.fire('PreToolUse', facts)
    await scope.fire('PostToolUse', { ...facts, tool_response: ask.output, duration_ms: 1 })
  }
}

/** The same Hookline, or session, that notes what is asked of it. */
function listening(target, asked) {
  return new Proxy(target, {
    get(_, key) {
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key === 'session') return (...given) => listening(target.session(...given), asked)
      if (key === 'has') return (event) => asked.push({ kind: 'has', event }) && target.has(event)
      if (key === 'fire')
        return (event, input, options) => {
          asked.push({ kind: 'fire', event, input })
          return target.fire(event, input, options)
        }
      if (key === 'runTool')
        return (permit, execute, options) =>
          target.runTool(
            permit,
            async (...given) => {
              const output = await execute(...given)
              asked.push({ kind: 'call', call: permit.call, output, options })
              return output
            },
            options,
          )
      return value.bind(target)
    },
  })
}
