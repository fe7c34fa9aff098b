/** Worktrees by git and by hooks, with real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine } from 'hookline'
import { expect, test } from 'vitest'
import { createWorktree, removeWorktree } from '../../src/worktree/worktree.ts'
import { folderWith } from '../folder.ts'

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd, encoding: 'utf8' })

function repository(): string {
  const folder = folderWith({ 'a.txt': '1' })
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'first')
  return folder
}

const signal = AbortSignal.timeout(60_000)

test('without a hook git makes it on a branch of its own, and removing it leaves nothing', async () => {
  const cwd = repository()
  await using scope = createEngine()
  const tree = await createWorktree('wt1', { scope, cwd, signal })
  expect(tree).toMatchObject({ path: join(cwd, '.claude/worktrees/wt1'), branch: 'worktree-wt1', madeBy: 'git' })
  expect(existsSync(join(tree.path, 'a.txt'))).toBe(true)
  await removeWorktree(tree, { scope, signal, discard: false })
  expect(existsSync(tree.path)).toBe(false)
  expect(git(cwd, 'branch')).not.toContain('wt1')
})

test.each([
  ['a file that is not committed', (path: string) => writeFileSync(join(path, 'new.txt'), 'x')],
  ['a commit of its own', (path: string) => git(path, 'commit', '-q', '--allow-empty', '-m', 'work')],
])('%s keeps it, unless it is discarded', async (_, work) => {
  const cwd = repository()
  await using scope = createEngine()
  const tree = await createWorktree('wt', { scope, cwd, signal })
  work(tree.path)
  await expect(removeWorktree(tree, { scope, signal, discard: false })).rejects.toThrow(/has changes or commits/)
  await removeWorktree(tree, { scope, signal, discard: true })
  expect(existsSync(tree.path)).toBe(false)
})

test('a hook replaces git: its path is used, and its folder is its own to remove', async () => {
  const cwd = folderWith()
  const path = join(cwd, 'made')
  await using scope = createEngine()
  const removed: string[] = []
  scope.on('WorktreeCreate', (input) => {
    mkdirSync(path)
    expect(input.name).toBe('wt')
    return { worktreePath: path }
  })
  scope.on('WorktreeRemove', (input) => void removed.push(input.worktree_path))
  const tree = await createWorktree('wt', { scope, cwd, signal })
  expect(tree).toMatchObject({ path, madeBy: 'hook' })
  await removeWorktree(tree, { scope, signal, discard: true })
  expect([removed, existsSync(path)]).toEqual([[path], true])
})

test.each([
  ['a folder that is not there', (cwd: string) => join(cwd, 'nowhere'), /no such folder/],
  ['dot segments', (cwd: string) => `${cwd}/x/../../y`, /was not made: a WorktreeCreate hook failed or printed no path/],
  [
    'a link below the folder',
    (cwd: string) => {
      symlinkSync('/', join(cwd, 'link'))
      return join(cwd, 'link/tmp')
    },
    /is a link/,
  ],
])('a hook that answers with %s makes no worktree', async (_, answer, message) => {
  const cwd = folderWith()
  await using scope = createEngine()
  scope.on('WorktreeCreate', () => ({ worktreePath: answer(cwd) }))
  await expect(createWorktree('wt', { scope, cwd, signal })).rejects.toThrow(message)
})

test('a hook that fails, a folder without git, and a name with a path each make none and say why', async () => {
  const cwd = folderWith()
  await using scope = createEngine()
  await expect(createWorktree('wt', { scope, cwd, signal })).rejects.toThrow(/no git repository/)
  await expect(createWorktree('../up', { scope, cwd, signal })).rejects.toThrow(/cannot name a worktree/)
  scope.on('WorktreeCreate', () => ({ block: 'DISK FULL' }))
  await expect(createWorktree('wt', { scope, cwd, signal })).rejects.toThrow(/DISK FULL/)
})
