/** Tests the hook of this folder, as a script that the settings start and as a function: node examples/hook-in-javascript/run.js */
// #region test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestHookline, example } from 'hookline/testing'
import { askBeforePush } from './.claude/hooks/ask-before-push.js'

const bash = (command) => example('PreToolUse', { tool_name: 'Bash', tool_input: { command } })

test('the settings start the hook, and it asks before a push', async () => {
  const hookline = await createTestHookline({ cwd: import.meta.dirname })
  const verdict = await hookline.fire('PreToolUse', bash('git push'))
  assert.equal(verdict.permission.behavior, 'ask')
  assert.equal(verdict.toUser, 'A push leaves this machine.')
  await hookline.close()
})

test('in process, without starting anything', async () => {
  const hookline = await createTestHookline()
  hookline.on(askBeforePush.event, askBeforePush.options, askBeforePush.callback)
  assert.equal((await hookline.fire('PreToolUse', bash('git push --force'))).blocked, true)
  assert.equal((await hookline.fire('PreToolUse', bash('git status'))).permission.behavior, 'passthrough')
  await hookline.close()
})
// #endregion
