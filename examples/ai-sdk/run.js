/** An AI SDK 6 agent with hooks and a scripted model: npm ci && node run.js, in this folder. */
import assert from 'node:assert/strict'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createHookline } from 'hookline/node'
import { generate, withHooks } from './with-hooks.js'

const says = (content, unified) => ({
  content,
  finishReason: { unified, raw: unified },
  usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  warnings: [],
})
const calls = (id, command) => says([{ type: 'tool-call', toolCallId: id, toolName: 'Bash', input: JSON.stringify({ command }) }], 'tool-calls')
const text = (words) => says([{ type: 'text', text: words }], 'stop')

const model = new MockLanguageModelV3({
  doGenerate: [calls('1', 'rm -rf build'), calls('2', 'node --test'), calls('3', 'git push'), text('Pushed.'), text('Pushed. Summary: one commit.')],
})

const hookline = await createHookline({ sources: [] })
const fired = []
hookline.on('PreToolUse', { matcher: 'Bash' }, ({ tool_use_id, tool_input }) => {
  fired.push(tool_use_id)
  if (tool_input.command.startsWith('rm ')) return { permission: 'deny', reason: 'rm is refused' }
  if (tool_input.command === 'git push') return { permission: 'ask', reason: 'a push leaves this machine' }
  if (tool_input.command === 'node --test') return { updatedInput: { command: 'node --test --test-reporter=dot' } }
})
hookline.on('Stop', ({ last_assistant_message }) => (last_assistant_message.includes('Summary') ? undefined : { block: 'write a summary' }))

const ran = []
const tools = withHooks(hookline, {
  Bash: tool({
    description: 'Runs a shell command.',
    inputSchema: jsonSchema({ type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }),
    execute: async ({ command }) => {
      ran.push(command)
      return 'ok'
    },
  }),
})

const approved = []
const messages = await generate(hookline, {
  prompt: 'Ship it.',
  run: (messages) => generateText({ model, messages, tools, stopWhen: stepCountIs(10) }),
  approve: ({ input }) => approved.push(input.command) > 0,
})
await hookline.close()

console.log(`ran: ${ran.join(', ')}\nasked: ${approved.join(', ')}`)
assert.deepEqual(ran, ['node --test --test-reporter=dot', 'git push'])
assert.deepEqual(approved, ['git push'])
assert.deepEqual(fired, ['1', '2', '3'], 'the hooks of a call run once')
assert.match(JSON.stringify(messages), /rm is refused/)
assert.match(JSON.stringify(messages), /write a summary/)
assert.equal(messages.at(-1).content.at(-1).text, 'Pushed. Summary: one commit.')
