/** Slash commands that need no model: what they list and change. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../events/theater.ts'

const hook = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] })

test('/help lists each command once, and those of files apart', async () => {
  const stage = await perform({ turns: [], files: { '.claude/commands/ship.md': 'ship it' } })
  const { text } = await stage.agent.ask('/help')
  for (const name of ['help', 'hooks', 'model', 'mode', 'add-dir', 'resume', 'compact', 'clear', 'exit'])
    expect(text.match(new RegExp(`^/${name}\\b`, 'gm'))).toHaveLength(1)
  expect(text).toContain('Commands and skills: /ship')
})

test('/hooks lists every hook with what it matches, its source and trust', async () => {
  const stage = await perform({
    turns: [],
    settings: {
      hooks: { PreToolUse: [{ matcher: 'Bash', ...hook('guard.sh', { if: 'Bash(rm *)', onFailure: 'block' }) }], Stop: [hook('late.sh', { async: true })] },
    },
    homeFiles: { '.claude/settings.json': JSON.stringify({ hooks: { Stop: [hook('mine.sh')] } }) },
  })
  const { text } = await stage.agent.ask('/hooks')
  expect(text).toMatch(/^PreToolUse\n {2}command guard\.sh {2}\(project .*settings\.json:1\) {2}matcher Bash, if Bash\(rm \*\), closes on failure, trusted$/m)
  expect(text).toMatch(/^ {2}command mine\.sh {2}\(user .*settings\.json:1\)/m)
  expect(text).toMatch(/^ {2}command late\.sh .*async/m)
  expect((await stage.agent.ask('/hooks Stop')).text).not.toContain('guard.sh')
  expect((await stage.agent.ask('/hooks Nope')).text).toBe('No hooks are configured for Nope.')
})

test('/hooks says which hooks do not run, and what to do', async () => {
  const stage = await perform({ turns: [], settings: { hooks: { Stop: [hook('guard.sh')] } }, options: { trust: 'pinned' } })
  const { text } = await stage.agent.ask('/hooks')
  expect(text).toMatch(/guard\.sh .*NOT RUN: untrusted/)
  expect(text).toContain('hookline trust')
})

test('/resume without an id lists the other sessions, the newest first, by title or first prompt', async () => {
  const stage = await perform({
    turns: ['one', 'two'],
    hooks: { UserPromptSubmit: ({ prompt }) => (prompt === 'the second' ? { sessionTitle: 'A title' } : undefined) },
  })
  const { agent } = stage
  expect((await agent.ask('/resume')).text).toContain('There is no other session of this folder')
  await agent.ask('the first\nprompt')
  const first = agent.session.sessionId
  await agent.ask('/clear')
  await agent.ask('the second')
  const second = agent.session.sessionId
  await agent.ask('/clear')
  writeFileSync(join(agent.session.conversation.transcript.path, '../broken.jsonl'), 'no json\n')
  const lines = (await agent.ask('/resume')).text.split('\n')
  expect(lines.map((line) => line.split('  ')[0])).toEqual(['broken', second, first, '', 'Say /resume ID.'])
  expect(lines[1]).toContain('A title')
  expect(lines[2]).toContain('the first prompt')
  expect((await agent.ask(`/resume ${first}`)).text).toBe(`Going on with session ${first}.`)
  expect(existsSync(agent.session.conversation.transcript.path)).toBe(true)
})
