/** Drives the agent as a library, with a tool and hooks of one's own, and checks what came of it: node examples/agent-as-library/run.js */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, createScriptModel, defineTool } from '@hookline/agent'
import { z } from 'zod'

// #region agent
const weather = defineTool({
  name: 'Weather',
  description: 'Tells the weather of a city.',
  kind: 'read',
  schema: z.strictObject({ city: z.string() }),
  execute: async ({ city }) => ({ response: { city, sky: 'clear' }, text: `The sky over ${city} is clear.` }),
})

// A script stands in for the model, so that this runs anywhere; createAgentModel({ env: process.env }) asks a real one.
const model = createScriptModel(
  {
    modelTurns: [
      [{ text: 'I look.' }, { tool: 'Weather', input: { city: 'Atlantis' } }],
      [{ tool: 'Weather', input: { city: 'Oslo' } }],
      'Clear.',
      'Clear over Oslo. Source: Weather.',
    ],
  },
  'weather',
)

const folder = await mkdtemp(join(tmpdir(), 'hookline-library-'))
const agent = await createAgent({ model, tools: [weather], cwd: folder, sources: [], transcripts: join(folder, 'transcripts') })

agent.session.hookline.on({
  PreToolUse: [({ tool_input }) => (tool_input.city === 'Atlantis' ? { permission: 'deny', reason: 'Atlantis has no weather; ask about Oslo' } : undefined)],
  Stop: [({ last_assistant_message }) => (last_assistant_message.includes('Source:') ? undefined : { block: 'name your source' })],
})

const events = agent.run('How is the weather?')
let step = await events.next()
for (; !step.done; step = await events.next()) {
  if (step.value.kind === 'tool-end') console.log(`${step.value.name} ${step.value.status}: ${step.value.text}`)
}
const result = step.value
console.log(`${result.reason} after ${result.turns} answers: ${result.text}`)
await agent.close()
// #endregion

assert.equal(result.reason, 'completed')
assert.equal(result.turns, 4)
assert.equal(result.text, 'Clear over Oslo. Source: Weather.')
assert.deepEqual(agent.session.conversation.denials, [{ tool_name: 'Weather', tool_use_id: 'toolu_script_0001', tool_input: { city: 'Atlantis' } }])
await rm(folder, { recursive: true })
