/** Events that something outside of the conversation causes: an MCP server that asks, a worktree, a person who is away. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AskElicitation } from '../../src/mcp/elicitation.ts'
import { folderWith } from '../folder.ts'
import { allowBash, bash, call, perform } from './theater.ts'

const server = JSON.stringify({ mcpServers: { probe: { command: process.execPath, args: [join(import.meta.dirname, '../mcp/server.mjs')] } } })
const flags = ['--mcp-config', server, '--allowedTools', 'mcp__probe__ask mcp__probe__ask-url']
const accepts: AskElicitation = async () => ({ action: 'accept', content: { name: 'Person' } })

describe('Elicitation', () => {
  test('fires when a server asks: a hook answers in the place of the person, or declines', async () => {
    let times = 0
    const asked: string[] = []
    const elicit: AskElicitation = async ({ message }) => {
      asked.push(message)
      return { action: 'cancel' }
    }
    const stage = await perform({
      turns: [call('mcp__probe__ask', {}), call('mcp__probe__ask', {}), call('mcp__probe__ask-url', {}), 'ok'],
      flags,
      answers: { elicit },
      hooks: { Elicitation: () => (++times === 1 ? { elicitation: { action: 'accept', content: { name: 'Hook' } } } : { block: 'private' }) },
    })
    await stage.agent.ask('hello')
    expect(stage.of('Elicitation')).toMatchObject([
      { mcp_server_name: 'probe', message: 'Name?', mode: 'form', requested_schema: { required: ['name'] } },
      { mode: 'form' },
      { mode: 'url', url: 'https://example.com/login', elicitation_id: 'e1' },
    ])
    expect(asked).toEqual([])
    expect(stage.said(1)).toMatch(/"action":"accept".*"name":"Hook"/)
    expect(stage.said(2)).toContain('"action":"decline"')
    expect(stage.said(3)).toContain('"action":"decline"')
  })
})

describe('ElicitationResult', () => {
  test('fires with what the person said, and a hook may change or decline it', async () => {
    let times = 0
    const stage = await perform({
      turns: [call('mcp__probe__ask', {}), call('mcp__probe__ask', {}), 'ok'],
      flags,
      answers: { elicit: accepts },
      hooks: {
        ElicitationResult: () => (++times === 1 ? { elicitation: { action: 'accept', content: { name: 'Changed' } } } : { block: 'private' }),
        Notification: true,
      },
    })
    await stage.agent.ask('hello')
    expect(stage.of('ElicitationResult')).toMatchObject([{ mcp_server_name: 'probe', action: 'accept', content: { name: 'Person' } }, { action: 'accept' }])
    expect(stage.said(1)).toContain('"name":"Changed"')
    expect(stage.said(2)).toContain('"action":"decline"')
    expect(stage.said(2)).not.toContain('Person')
  })
})

describe('Notification', () => {
  test.each([
    ['a form', 'ask', ['elicitation_dialog', 'elicitation_response'], 'MCP server "probe" asks: Name?'],
    ['a page, and is through there', 'ask-url', ['elicitation_url_dialog', 'elicitation_response', 'elicitation_complete'], 'MCP server "probe" asks: Sign in'],
  ])('fires when a server asks the person for %s, and when that is answered', async (_, tool, types, message) => {
    const stage = await perform({ turns: [call(`mcp__probe__${tool}`, {}), 'ok'], flags, answers: { elicit: accepts }, hooks: { Notification: true } })
    await stage.agent.ask('hello')
    await stage.waitFor('Notification', types.length)
    expect(stage.of('Notification').map(({ notification_type }) => notification_type)).toEqual(types)
    expect(stage.of('Notification')[0]).toMatchObject({ message })
  })

  test('can only signal the terminal: whatever else a hook of it says, nothing waits and nothing changes', async () => {
    const stage = await perform({
      turns: [call('mcp__probe__ask', {}), 'ok'],
      flags,
      answers: { elicit: accepts },
      hooks: { Notification: () => ({ terminalSequence: '\u0007' }) },
    })
    expect(await stage.agent.ask('hello')).toMatchObject({ reason: 'completed' })
    await stage.waitFor('Notification', 2)
    expect(stage.events).toContainEqual({ kind: 'terminal', sequence: '\u0007' })
  })
})

const enter = call('EnterWorktree', { name: 'wtx' })
const leave = call('ExitWorktree', { action: 'remove', discard_changes: true })
const tools = ['--allowedTools', 'Bash EnterWorktree ExitWorktree Agent']

describe('WorktreeCreate', () => {
  test('fires by EnterWorktree, and the session works in the folder that the hook made', async () => {
    const other = folderWith()
    const made = join(other, 'wt')
    const stage = await perform({
      turns: [enter, bash('pwd > here.txt'), 'ok'],
      flags: tools,
      hooks: {
        WorktreeCreate: () => {
          mkdirSync(made)
          return { worktreePath: made }
        },
      },
    })
    await stage.agent.ask('hello')
    expect(stage.of('WorktreeCreate')).toMatchObject([{ name: 'wtx' }])
    expect(existsSync(join(made, 'here.txt'))).toBe(true)
    expect(stage.agent.session.conversation.workspace.cwd).toBe(made)
  })

  test('that blocks makes none, and the model reads why', async () => {
    const stage = await perform({ turns: [enter, 'ok'], flags: tools, hooks: { WorktreeCreate: () => ({ block: 'disk is full' }) } })
    await stage.agent.ask('hello')
    expect(stage.said(1)).toContain('disk is full')
    expect(stage.agent.session.conversation.workspace.cwd).toBe(stage.cwd)
  })

  test('fires for a subagent that is to be isolated, and the subagent works there', async () => {
    const made = join(folderWith(), 'wt')
    const stage = await perform({
      turns: [call('Agent', { description: 'd', prompt: 'SUBPROMPT', run_in_background: false, isolation: 'worktree' }), 'ok'],
      routes: [{ name: 'sub', when: { first: 'SUBPROMPT' }, turns: [bash('touch sub-was-here'), 'sub done'] }],
      flags: tools,
      hooks: {
        WorktreeCreate: () => {
          mkdirSync(made)
          return { worktreePath: made }
        },
      },
    })
    await stage.agent.ask('hello')
    expect(stage.of('WorktreeCreate')).toMatchObject([{ name: expect.stringMatching(/^agent-a[0-9a-f]{16}$/) }])
    expect(existsSync(join(made, 'sub-was-here'))).toBe(true)
  })
})

describe('WorktreeRemove', () => {
  function repository(): string {
    const folder = folderWith({ 'a.txt': '1', '.claude/settings.json': JSON.stringify(allowBash) })
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-q', '-m', 'first')
    return folder
  }

  test('fires by ExitWorktree with the folder of git, which is gone then', async () => {
    const stage = await perform({ turns: [enter, leave, 'ok'], in: { cwd: repository(), home: folderWith() }, flags: tools, hooks: { WorktreeRemove: true } })
    await stage.agent.ask('hello')
    const path = join(stage.cwd, '.claude/worktrees/wtx')
    expect(stage.of('WorktreeRemove')).toMatchObject([{ worktree_path: path }])
    expect(existsSync(path)).toBe(false)
    expect(stage.agent.session.conversation.workspace.cwd).toBe(stage.cwd)
  })

  test('that blocks keeps the folder', async () => {
    const stage = await perform({
      turns: [enter, leave, 'ok'],
      in: { cwd: repository(), home: folderWith() },
      flags: tools,
      hooks: { WorktreeRemove: () => ({ block: 'keep it' }) },
    })
    await stage.agent.ask('hello')
    expect(existsSync(join(stage.cwd, '.claude/worktrees/wtx'))).toBe(true)
    expect(stage.said(2)).toContain('keep it')
    rmSync(join(stage.cwd, '.claude/worktrees'), { recursive: true })
  })
})
