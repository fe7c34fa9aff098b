/** Drives the loop of agent.js with a scripted model and hooks in code, and checks the conversation: node examples/embed-in-your-agent/run.js */
import assert from 'node:assert/strict'
import { work } from './agent.js'

const turns = [
  { text: 'I clean up first.', calls: [{ name: 'Bash', id: 'toolu_1', input: { command: 'rm -rf build' } }] },
  { text: 'Done.', calls: [] },
  { text: 'Right, the summary.', calls: [{ name: 'Bash', id: 'toolu_2', input: { command: 'echo all done' } }] },
  { text: 'Done, and here is the summary.', calls: [] },
]

const messages = await work('Build the project.', {
  model: async () => turns.shift(),
  tools: { Bash: ({ command }) => `ran: ${command}` },
  sources: [],
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [({ tool_input }) => (tool_input.command.startsWith('rm ') ? { permission: 'deny', reason: 'rm is refused' } : undefined)] },
    ],
    Stop: [({ last_assistant_message }) => (last_assistant_message.includes('summary') ? undefined : { block: 'write a summary first' })],
  },
})

for (const { role, text } of messages) console.log(`${role}: ${text.trimEnd()}`)
assert.equal(turns.length, 0, 'every turn of the script was used')
assert.match(messages[2].text, /rm is refused/)
assert.match(messages[4].text, /write a summary first/)
assert.match(messages[6].text, /ran: echo all done/)
