/** Which instruction files enter a conversation, when, and what hooks hear of it. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine } from 'hookline'
import { expect, test } from 'vitest'
import { announce, instructionText } from '../../src/memory/load.ts'
import { createMemory } from '../../src/memory/memory.ts'
import { folderWith } from '../folder.ts'

const memoryOf = (root: string, cwd = join(root, 'proj')) =>
  createMemory({ cwd, home: join(root, 'home'), userFolder: join(root, 'home/.claude'), managedFolder: join(root, 'managed') })

test('a session starts with managed, user and project files, outermost first, imports after the file that names them', () => {
  const root = folderWith({
    'managed/CLAUDE.md': 'managed',
    'home/.claude/CLAUDE.md': 'user @./more.md',
    'home/.claude/more.md': 'more',
    'CLAUDE.md': 'above',
    'proj/CLAUDE.md': 'project, see @docs/a.md and `@docs/b.md`\n```\n@docs/c.md\n```\n',
    'proj/docs/a.md': 'a, back to @../CLAUDE.md',
    'proj/docs/b.md': 'in code',
    'proj/docs/c.md': 'in a fence',
    'proj/CLAUDE.local.md': 'local',
    'proj/.claude/rules/style.md': 'style',
  })
  const found = memoryOf(root).start('session_start')
  expect(found.map((one) => [one.path.slice(root.length + 1), one.type, one.reason])).toEqual([
    ['managed/CLAUDE.md', 'Managed', 'session_start'],
    ['home/.claude/CLAUDE.md', 'User', 'session_start'],
    ['home/.claude/more.md', 'User', 'include'],
    ['CLAUDE.md', 'Project', 'session_start'],
    ['proj/CLAUDE.md', 'Project', 'session_start'],
    ['proj/docs/a.md', 'Project', 'include'],
    ['proj/CLAUDE.local.md', 'Local', 'session_start'],
    ['proj/.claude/rules/style.md', 'Project', 'session_start'],
  ])
  expect(found.find((one) => one.path.endsWith('a.md'))?.parent).toBe(join(root, 'proj/CLAUDE.md'))
})

test('a file of the project leads nobody out of it, by its imports or as a link, unless somebody vouched for it', () => {
  const root = folderWith({
    'home/.claude/mine.md': 'mine',
    'home/key': 'KEY',
    'outside.md': 'OUTSIDE',
    'proj/CLAUDE.md': '@../outside.md @~/key @link.md @~/.claude/mine.md @in.md',
    'proj/in.md': 'in @~/key',
    'proj/.claude/rules/own.md': 'own',
  })
  symlinkSync('../outside.md', join(root, 'proj/link.md'))
  symlinkSync('../../../outside.md', join(root, 'proj/.claude/rules/linked.md'))
  symlinkSync('../outside.md', join(root, 'proj/CLAUDE.local.md'))
  const left: string[] = []
  const places = { cwd: join(root, 'proj'), home: join(root, 'home'), userFolder: join(root, 'home/.claude'), managedFolder: join(root, 'managed') }
  const found = createMemory({ ...places, leftOut: (path) => void left.push(path.slice(root.length + 1)) }).start('session_start')
  expect(found.map(({ path }) => path.slice(root.length + 1))).toEqual(['proj/CLAUDE.md', 'home/.claude/mine.md', 'proj/in.md', 'proj/.claude/rules/own.md'])
  expect(left.sort()).toEqual(['home/key', 'outside.md', 'proj/.claude/rules/linked.md', 'proj/CLAUDE.local.md', 'proj/link.md'])
  const all = createMemory({ ...places, trusted: true }).start('session_start')
  expect(all.map(({ text }) => text)).toEqual(expect.arrayContaining(['OUTSIDE', 'KEY']))
})

test('a file of the repository above may be imported by the folder below', () => {
  const root = folderWith({ 'repo/.git/HEAD': '', 'repo/AGENTS.md': 'all', 'repo/sub/CLAUDE.md': 'sub @../AGENTS.md' })
  const found = memoryOf(root, join(root, 'repo/sub')).start('session_start')
  expect(found.map(({ text }) => text)).toContain('all')
})

test('a rule with paths waits for a file that it concerns, a nested file for its folder, and neither comes twice', () => {
  const root = folderWith({
    'proj/.claude/rules/api.md': '---\npaths:\n  - "src/api/**/*.ts"\n---\nAPI rule',
    'proj/src/api/CLAUDE.md': 'nested',
    'proj/src/api/x.ts': '',
    'proj/src/y.ts': '',
  })
  const memory = memoryOf(root)
  expect(memory.start('session_start')).toEqual([])
  expect(memory.touched(join(root, 'proj/src/y.ts'))).toEqual([])
  const touched = memory.touched(join(root, 'proj/src/api/x.ts'))
  expect(touched.map((one) => [one.reason, one.text.trim(), one.trigger === join(root, 'proj/src/api/x.ts')])).toEqual([
    ['nested_traversal', 'nested', true],
    ['path_glob_match', 'API rule', true],
  ])
  expect(memory.touched(join(root, 'proj/src/api/x.ts'))).toEqual([])
  expect(memory.touched(join(root, 'elsewhere/z.ts'))).toEqual([])
})

test('AGENTS.md is read where there is no CLAUDE.md, and no event tells of it', async () => {
  const root = folderWith({ 'proj/AGENTS.md': 'agents', 'proj/.claude/rules/a.md': 'rule' })
  const found = memoryOf(root).start('session_start')
  expect(instructionText(found)).toContain('agents')
  const told: unknown[] = []
  await using engine = createEngine()
  engine.on('InstructionsLoaded', (input) => void told.push(input.file_path, input.memory_type, input.load_reason))
  await announce(found, engine)
  expect(told).toEqual([join(root, 'proj/.claude/rules/a.md'), 'Project', 'session_start'])
})

test.each([
  ['a front matter that is no YAML', '---\npaths: [\n---\ntext'],
  ['a file in another encoding', Buffer.from([0xff, 0xfe, 0x41]).toString('latin1')],
  ['a file that imports itself', '@CLAUDE.md'],
])('%s voids nothing', (_, text) => {
  const root = folderWith({ 'proj/CLAUDE.md': text, 'proj/.claude/rules/good.md': 'good' })
  expect(
    memoryOf(root)
      .start('session_start')
      .some((one) => one.text === 'good'),
  ).toBe(true)
})
