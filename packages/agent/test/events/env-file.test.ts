/** CLAUDE_ENV_FILE: what hooks write there is set for every shell command of the session that follows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allowBash, bash, perform } from './theater.ts'

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })
const sets = (line: string) => hook(`echo 'export ${line}' >> "$CLAUDE_ENV_FILE"`)
const say = bash('echo "start=$START watched=$WATCHED there=$THERE"')

test('of SessionStart holds for the session, in the background and in subagents too', async () => {
  const stage = await perform({
    turns: [say, [{ tool: 'Agent', input: { description: 'd', prompt: 'SUBPROMPT', run_in_background: false } }], 'done'],
    routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: [bash('echo "sub=$START" > sub.txt; cat sub.txt'), 'sub done'] }],
    settings: { hooks: { SessionStart: [sets('START=1')] }, ...allowBash },
  })
  await stage.agent.ask('hello')
  expect(stage.told(1)).toContain('start=1 watched= there=')
  expect(stage.requests.map((request) => JSON.stringify(request.messages)).join()).toContain('sub=1')
})

test('of FileChanged and CwdChanged lives until the folder changes again', async () => {
  const stage = await perform({
    turns: [say, 'one', bash('cd sub'), say, 'two', bash('cd ..'), say, 'three'],
    settings: {
      hooks: {
        SessionStart: [sets('START=1')],
        FileChanged: [{ matcher: 'plan.md', ...sets('WATCHED=1') }],
        CwdChanged: [hook('case "$PWD" in */sub) echo "export THERE=sub" >> "$CLAUDE_ENV_FILE";; esac')],
      },
      ...allowBash,
    },
    files: { 'plan.md': '1', 'sub/a': '' },
    hooks: { FileChanged: true },
  })
  const { agent } = stage
  await agent.start()
  writeFileSync(join(stage.cwd, 'plan.md'), '2')
  await stage.waitFor('FileChanged')
  // The hook in code is through; the one of the settings may still write.
  await new Promise((done) => setTimeout(done, 1_000))
  await agent.ask('hello')
  expect(stage.told(1)).toContain('start=1 watched=1 there=')
  await agent.ask('go there')
  expect(stage.said(4)).toContain('start=1 watched= there=sub')
  await agent.ask('come back')
  expect(stage.said(7)).toMatch(/start=1 watched= there=$/m)
})

test.each(['PreToolUse', 'UserPromptSubmit', 'Stop'])('is not there for hooks of %s', async (event) => {
  const stage = await perform({
    turns: [say, 'done'],
    settings: { hooks: { [event]: [hook('echo "${CLAUDE_ENV_FILE-unset}" > seen.txt')] }, ...allowBash },
  })
  await stage.agent.ask('hello')
  expect(stage.told(1)).toContain('start= ')
  expect(readFileSync(join(stage.cwd, 'seen.txt'), 'utf8')).toBe('unset\n')
})
