/** Has a model judge a command and a verifier look at the files of this folder: node examples/model-hooks/run.js */
import assert from 'node:assert/strict'
import { createHookline } from 'hookline/node'
import { scriptedModel } from 'hookline/testing'

// #region model
// A script stands in for the model, so that this runs anywhere. A model of yours is a function of the same shape.
const calls = (name, input) => ({ toolCalls: [{ id: name, name, input }] })
const model = scriptedModel([
  '{"ok": true}',
  '{"ok": false, "reason": "npm publish publishes the package."}',
  calls('Glob', { pattern: 'src/*.js' }),
  ({ messages }) => calls('StructuredOutput', { ok: false, reason: `No test stands beside ${messages.at(-1).text.match(/src\/\w+\.js/)[0]}.` }),
])

const hookline = await createHookline({ cwd: import.meta.dirname, sources: ['project'], trust: 'implicit', model })
// #endregion

const bash = (command) => hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' })

const harmless = await bash('npm test')
console.log(`npm test: ${harmless.blocked ? 'refused' : 'goes on'}`)
assert.equal(harmless.blocked, false)

const publishing = await bash('npm publish')
console.log(`npm publish: refused, ${publishing.permission.reason}`)
assert.equal(publishing.blocked, true)
assert.equal(publishing.stop, undefined, 'the turn goes on, because of continueOnBlock')

const stop = await hookline.fire('Stop', { last_assistant_message: 'All done.' })
console.log(`Stop: sent back, ${stop.reason}`)
assert.equal(stop.reason, 'No test stands beside src/sum.js.')
await hookline.close()
