/** Fires shell commands at the guard of this folder and checks which of them it refuses: node examples/block-rm/run.js */
import assert from 'node:assert/strict'
import { createHookline } from 'hookline/node'

const hookline = await createHookline({ cwd: import.meta.dirname, sources: ['project'], trust: 'implicit' })

const commands = [
  ['rm -rf /', 'refused'],
  ['sudo rm -rf build', 'refused'],
  ['npm test && rm -r dist', 'refused'],
  ["bash -c 'rm notes.txt'", 'refused'],
  ['git rm notes.txt', 'goes on'],
  ['echo "rm -rf /"', 'goes on'],
  ['ls', 'goes on'],
]

for (const [command, expected] of commands) {
  const verdict = await hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' })
  const answer = verdict.blocked ? 'refused' : 'goes on'
  console.log(`${answer.padEnd(8)} ${command}`)
  assert.equal(answer, expected, command)
  if (verdict.blocked) assert.match(verdict.toModel, /rm is refused here/)
}
await hookline.close()
