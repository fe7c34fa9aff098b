/** Slash commands and skills: found, expanded, guarded. */
import { join } from 'node:path'
import { createEngine } from 'hookline'
import { expect, test, vi } from 'vitest'
import { fillArguments, inlineCommands } from '../../src/commands/expand.ts'
import { type Command, findCommands } from '../../src/commands/find.ts'
import { expandTyped, readSlash, type UseContext, useInvoked } from '../../src/commands/use.ts'
import { folderWith } from '../folder.ts'

test.each([
  ['Run $ARGUMENTS now', 'a "b c"', 'Run a "b c" now'],
  ['first $1, second $2', 'a "b c"', 'first a, second b c'],
  ['$ARGUMENTS[1] $ARGUMENTS[9]', 'a b', 'b '],
  ['price \\$1', 'a', 'price $1\n\nARGUMENTS: a\n'],
  ['no placeholder', 'a b', 'no placeholder\n\nARGUMENTS: a b\n'],
  ['no arguments $ARGUMENTS', '', 'no arguments '],
  ['cost is $100', 'x', 'cost is $100\n\nARGUMENTS: x\n'],
])('%j with %j is %j', (body, args, expected) => {
  expect(fillArguments(body, args)).toBe(expected)
})

test.each([
  ['/foo one two', { name: 'foo', args: 'one two' }],
  ['/plugin:foo', { name: 'plugin:foo', args: '' }],
  ['/foo\nmore lines', { name: 'foo', args: 'more lines' }],
  ['/ foo', undefined],
  ['look at /etc/passwd', undefined],
  ['/etc/passwd', undefined],
])('%j is read as %j', (prompt, expected) => {
  expect(readSlash(prompt)).toEqual(expected)
})

test('inline shell is found where it is meant', () => {
  expect(inlineCommands('a !`git log` b `!no` x!`no`\n```!\nls\npwd\n```\n').map((one) => one.command)).toEqual(['ls\npwd', 'git log'])
})

test('commands and skills of every place are found; a broken file is a problem and voids nothing', () => {
  const root = folderWith({
    'home/commands/user.md': 'from the user',
    'home/commands/both.md': 'user',
    'proj/.claude/commands/both.md': 'project',
    'proj/.claude/commands/sub/deep.md': '# Deep\ntext',
    'proj/.claude/commands/broken.md': '---\ndescription: [1\n---\nx',
    'proj/.claude/commands/wrong.md': '---\nallowed-tools: 7\n---\nx',
    'proj/.claude/skills/sk/SKILL.md': '---\ndescription: a skill\nallowed-tools: Bash(git log:*), Read\nuser-invocable: false\n---\nbody',
    'plug/commands/p.md': 'of a plugin',
  })
  const { commands, problems } = findCommands({
    cwd: join(root, 'proj'),
    userFolder: join(root, 'home'),
    plugins: [{ name: 'plug', folder: join(root, 'plug') }],
  })
  expect([...commands.values()].map((one) => [one.name, one.kind, one.source, one.description])).toEqual([
    ['plug:p', 'command', 'plugin', 'of a plugin'],
    ['both', 'command', 'projectSettings', 'project'],
    ['user', 'command', 'userSettings', 'from the user'],
    ['sub:deep', 'command', 'projectSettings', 'Deep'],
    ['sk', 'skill', 'projectSettings', 'a skill'],
  ])
  expect(commands.get('sk')).toMatchObject({ allowedTools: ['Bash(git log:*)', 'Read'], typed: false, invoked: true })
  expect(problems.map((one) => [one.file.slice(root.length + 1), one.message.slice(0, 24)])).toEqual([
    ['proj/.claude/commands/broken.md', 'Its front matter is no Y'],
    ['proj/.claude/commands/wrong.md', 'Its front matter is wron'],
  ])
})

const command = (body: string, more: Partial<Command> = {}): Command => ({
  name: 'c',
  kind: 'command',
  source: 'projectSettings',
  file: '/p/.claude/commands/c.md',
  description: '',
  allowedTools: [],
  typed: true,
  invoked: true,
  hasHooks: false,
  body,
  ...more,
})

function contextOf(scope: UseContext['scope'], more: Partial<UseContext> = {}): UseContext {
  let at = 0
  return {
    scope,
    sessionId: 's',
    signal: AbortSignal.timeout(20_000),
    runShell: async (text) => `<${text}>`,
    newId: () => `skill_${++at}`,
    attachHooks: async () => {},
    ...more,
  }
}

test('what the person typed passes UserPromptExpansion: a block keeps it from the model, context goes with it', async () => {
  await using engine = createEngine()
  const seen: unknown[] = []
  const undo = engine.on('UserPromptExpansion', (input) => {
    seen.push([input.command_name, input.command_args, input.command_source, input.prompt])
    return { context: 'CTX' }
  })
  const typed = { prompt: '/c one', args: 'one' }
  expect(await expandTyped(command('Run $ARGUMENTS'), typed, contextOf(engine))).toMatchObject({
    kind: 'expanded',
    text: 'Run one',
    context: expect.stringContaining('CTX'),
  })
  expect(seen).toEqual([['c', 'one', 'projectSettings', '/c one']])
  undo()
  engine.on('UserPromptExpansion', () => ({ block: 'NOT TODAY' }))
  expect(await expandTyped(command('Run $ARGUMENTS'), typed, contextOf(engine))).toEqual({ kind: 'blocked', notice: expect.stringContaining('NOT TODAY') })
})

test('inline shell passes PreSkillShellCommand and the rules of Bash, and its output stands in the text', async () => {
  await using engine = createEngine({ permissions: { mode: 'default' } })
  const asked: unknown[] = []
  engine.on('PreSkillShellCommand', (input) => {
    asked.push([input.tool_input.command, input.command_name, input.invoked_by])
    return input.tool_input.command.includes('rm') ? { permission: 'deny', reason: 'NO-RM' } : undefined
  })
  const ran = vi.fn(async (text: string) => `<${text}>`)
  const context = contextOf(engine, { runShell: ran })
  const allowed = { allowedTools: ['Bash(git log:*)'] }
  expect(await useInvoked(command('log: !`git log -1`', allowed), '', context)).toBe('log: <git log -1>')
  await expect(useInvoked(command('!`rm -rf x`', allowed), '', context)).rejects.toThrow(/refused by a hook: NO-RM/)
  await expect(useInvoked(command('!`curl x`', allowed), '', context)).rejects.toThrow(/may not run/)
  expect(ran.mock.calls.map(([text]) => text)).toEqual(['git log -1'])
  expect(asked).toEqual([
    ['git log -1', 'c', 'claude'],
    ['rm -rf x', 'c', 'claude'],
    ['curl x', 'c', 'claude'],
  ])
})

test('what a shell command prints is text: it is not expanded again', async () => {
  await using engine = createEngine()
  const context = contextOf(engine, { runShell: async () => '!`rm -rf /` $& $1' })
  expect(await useInvoked(command('a !`x` b'), '', context)).toBe('a !`rm -rf /` $& $1 b')
})
