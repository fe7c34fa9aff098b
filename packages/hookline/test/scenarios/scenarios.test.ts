/** Every scenario of this folder, run twice: through the API and through the command line. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { check, checkHooks, type Outcome } from './expectations.ts'
import { parseScenario, type Scenario, type Step } from './scenario.ts'
import { World } from './world.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.txt'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
const scenarios = files.map((file): [name: string, scenario: Scenario] => [relative(folder, file).replace(/\.txt$/, ''), parseScenario(readFileSync(file, 'utf8'))])

async function play({ world: options, steps }: Scenario, fire: (world: World, step: Step) => Promise<Outcome>): Promise<void> {
  const world = new World(options)
  for (const step of steps) {
    const outcome = await fire(world, step)
    const failed = step.expect.flatMap((line) => {
      try {
        check(line, outcome, world)
        return []
      } catch (error) {
        return [`${line}\n    ${error instanceof Error ? error.message.split('\n', 3).join(' ') : String(error)}`]
      }
    })
    expect(failed, JSON.stringify(outcome.document, null, 1)).toEqual([])
    checkHooks(step.expect, outcome)
  }
}

describe('through the API', () => {
  test.each(scenarios)('%s', async (_, scenario) => {
    const opened: { close(): Promise<void> }[] = []
    let hookline: Awaited<ReturnType<World['open']>> | undefined
    await play(scenario, async (world, { event, input }) => {
      if (hookline === undefined) {
        hookline = await world.open()
        opened.push(hookline)
      }
      return { document: await world.fire(hookline, event, input) }
    }).finally(() => Promise.all(opened.map((one) => one.close())))
  })
})

describe('through the command line', () => {
  test.each(scenarios.filter(([, scenario]) => scenario.apiOnly === undefined))('%s', async (_, scenario) => {
    await play(scenario, (world, { event, input }) => world.fireCommand(event, input))
  })
})

describe('the scenarios themselves', () => {
  test.each(scenarios)('%s says in a sentence what it shows, fires and expects', (_, { sentence, steps }) => {
    expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) expect(step.expect.length).toBeGreaterThan(0)
  })

  test('only those that need one process are kept from the command line', () => {
    expect(scenarios.filter(([, scenario]) => scenario.apiOnly !== undefined).length).toBeLessThan(scenarios.length / 4)
  })
})

describe('a line that does not hold', () => {
  const source = `A sentence.
-- .claude/settings.json --
{ "hooks": { "PreToolUse": [ { "hooks": [ { "type": "command", "command": "exit 2" } ] } ] } }
-- fire PreToolUse --
-- expect --
`
  const lines = [
    'decision: allow',
    'final: allow hook',
    'ran: project:PreToolUse:0:0 success',
    'ran: project:PreToolUse:0:0 blocking exited 0',
    'skipped: project:PreToolUse:0:0 matcher',
    'ran: project:PreToolUse:9:0',
    'toModel: no such text',
    'toModel: -',
    'toUser not: ',
    'warning: no-such-code',
    'blocked: false',
    'permission.by: []',
    'file: gone.txt = x',
  ]
  test.each(lines)('%s', async (line) => {
    const world = new World(parseScenario(source).world)
    const hookline = await world.open()
    const outcome = { document: await world.fire(hookline, 'PreToolUse', parseScenario(source).steps[0]?.input ?? {}) }
    await hookline.close()
    expect(() => check(line, outcome, world)).toThrow()
  })
})
