/** `hookline explain`: every hook with its checks in order, and nothing is run. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentOf, project } from './start.ts'

const here = project()
const touch = (name: string) => ({ type: 'command', command: `touch "$CLAUDE_PROJECT_DIR/${name}-ran"` })
here.writeHome('.claude/settings.json', {
  hooks: {
    PreToolUse: [
      { matcher: 'Edit|Write', hooks: [touch('edit')] },
      { matcher: 'Bash', hooks: [touch('bash'), { ...touch('push'), if: 'Bash(git push *)' }] },
    ],
  },
})
here.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [touch('project')] }] } })
const call = ['PreToolUse', '--tool', 'Bash', '--tool-input', '{"command":"git pull"}']

test('draws source, hook and checks, and says what would run or why not', async () => {
  const { code, stdout, stderr } = await here.hookline(['explain', ...call])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^PreToolUse with tool_name "Bash": 1 of 4 hooks would run\n/)
  expect(stdout).toMatch(/^user ~\/\.claude\/settings\.json\n├─ :\d+ touch.* \(command\) {2}skipped: matcher\n/m)
  expect(stdout).toMatch(/└─ matcher: no, "Edit\|Write" does not match tool_name "Bash"/)
  expect(stdout).toMatch(/ {2}would run\n/)
  expect(stdout).toMatch(/skipped: condition\n/)
  expect(stdout).toMatch(/^project \.claude\/settings\.json\n└─ :\d+ touch.* {2}skipped: untrusted\n {3}└─ trusted: no, /m)
  expect(stderr).toMatch(/^1 hook of this folder would be left out/)
})

test('prints the explanation of the interface as its document', async () => {
  const done = await here.hookline(['explain', ...call, '--json'])
  expect(documentOf(done)).toMatchObject({
    version: 1,
    kind: 'explanation',
    event: 'PreToolUse',
    match: { field: 'tool_name', value: 'Bash' },
    hooks: [
      {
        id: 'user:PreToolUse:0:0',
        status: 'skipped',
        skipped: { why: 'matcher' },
        checks: [
          { check: 'untrusted', result: 'yes' },
          { check: 'matcher', result: 'no' },
        ],
      },
      { id: 'user:PreToolUse:1:0', status: 'would-run' },
      { id: 'user:PreToolUse:1:1', status: 'skipped', skipped: { why: 'condition' } },
      { id: 'project:PreToolUse:0:0', status: 'skipped', skipped: { why: 'untrusted' }, checks: [{ check: 'untrusted', result: 'no' }] },
    ],
    warnings: [],
  })
})

test('shows one hook, and names the others when there is no such hook', async () => {
  const done = await here.hookline(['explain', ...call, '--hook', 'user:PreToolUse:1:0', '--json'])
  expect(documentOf(done)['hooks']).toHaveLength(1)
  const wrong = await here.hookline(['explain', ...call, '--hook', 'nobody'])
  expect(wrong).toMatchObject({ code: 64, stdout: '' })
  expect(wrong.stderr).toMatch(/has no hook "nobody"[\s\S]*user:PreToolUse:0:0/)
})

test('has run nothing', async () => {
  await here.hookline(['explain', ...call, '--trust'])
  for (const name of ['edit', 'bash', 'push', 'project']) expect(existsSync(`${here.folder}/${name}-ran`)).toBe(false)
})
