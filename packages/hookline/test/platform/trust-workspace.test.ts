/** Which folder is answered for, and who answers for it too: nested repositories, worktrees and forged pointers. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findWorkspace, identityOf, isSameFolder } from '../../src/platform/trust-workspace.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'workspace ')))
  for (const folder of ['home', 'repo/a/b', 'plain/x/y']) mkdirSync(join(root, folder), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: join(root, folder),
    env: { PATH: process.env.PATH, HOME: join(root, 'home') },
    stdio: 'ignore',
  })
const find = (folder: string) => findWorkspace(join(root, folder), { home: join(root, 'home') })
const covering = (folder: string) => find(folder).covering.map(({ path }) => path.slice(root.length + 1))

describe('a folder', () => {
  test('is its real path, device and number, whatever way leads to it', () => {
    symlinkSync(join(root, 'repo'), join(root, 'link'))
    const { identity } = find('repo')
    expect(identity).toMatchObject({ path: join(root, 'repo'), device: expect.stringMatching(/^\d+$/), inode: expect.stringMatching(/^\d+$/) })
    expect(find('link').identity).toEqual(identity)
    expect(find('repo/a/../').identity).toEqual(identity)
  })
  test('is another one when another folder takes its place, though it changed only inside before', () => {
    const before = find('repo').identity
    writeFileSync(join(root, 'repo/file'), 'x')
    expect(isSameFolder(before, find('repo').identity)).toBe(true)
    renameSync(join(root, 'repo'), join(root, 'away'))
    mkdirSync(join(root, 'repo'))
    expect(isSameFolder(before, find('repo').identity)).toBe(false)
  })
  test('that is not there is like no other', () => {
    const { identity } = find('nowhere')
    expect(isSameFolder(identity, identity)).toBe(false)
    expect(identityOf(join(root, 'nowhere'))).toBeUndefined()
  })
})

describe('a plain folder', () => {
  test('has the folders above it answer too, up to the home folder', () => {
    expect(covering('plain/x/y')).toEqual(['plain/x', 'plain'])
    mkdirSync(join(root, 'home/work/deep'), { recursive: true })
    expect(covering('home/work/deep')).toEqual(['home/work'])
  })
  test('in a repository has none beyond it', () => {
    git('repo', 'init')
    expect(covering('repo/a/b')).toEqual(['repo/a', 'repo'])
    expect(covering('repo')).toEqual([])
  })
})

describe('a nested repository', () => {
  test.each([
    ['of its own', () => git('repo/a', 'init')],
    ['a submodule', () => writeFileSync(join(root, 'repo/a/.git'), 'gitdir: ../.git/modules/a\n')],
    ['an empty file for .git', () => writeFileSync(join(root, 'repo/a/.git'), '')],
  ])('answers for itself: %s', (_, make) => {
    git('repo', 'init')
    make()
    expect(covering('repo/a')).toEqual([])
    expect(covering('repo/a/b')).toEqual(['repo/a'])
  })
})

describe('a worktree', () => {
  beforeEach(() => {
    git('repo', 'init')
    git('repo', 'commit', '--allow-empty', '-m', 'x')
    git('repo', 'worktree', 'add', '../tree')
  })
  test('has its main checkout answer', () => {
    expect(covering('tree')).toEqual(['repo'])
  })
  test('that was moved has not, until git knows', () => {
    renameSync(join(root, 'tree'), join(root, 'moved'))
    expect(covering('moved')).toEqual([])
    git('repo', 'worktree', 'repair', '../moved')
    expect(covering('moved')).toEqual(['repo'])
  })

  const forged: [string, () => string | undefined][] = [
    ['a pointer to the worktree of another folder', () => `gitdir: ${join(root, 'repo/.git/worktrees/tree')}`],
    ['a pointer to the repository itself', () => `gitdir: ${join(root, 'repo/.git')}`],
    ['a pointer to nothing', () => `gitdir: ${join(root, 'repo/.git/worktrees/none')}`],
    ['no pointer', () => 'something else'],
    ['a very long pointer', () => `gitdir: ${'x/'.repeat(10_000)}`],
    [
      'an administration of its own that names the trusted one',
      () => {
        const admin = join(root, 'forged/fake/.git/worktrees/w')
        mkdirSync(admin, { recursive: true })
        writeFileSync(join(admin, 'gitdir'), `${join(root, 'forged/.git')}\n`)
        writeFileSync(join(admin, 'commondir'), `${join(root, 'repo/.git')}\n`)
        return `gitdir: ${admin}`
      },
    ],
    [
      'a link in place of the pointer',
      () => {
        symlinkSync(join(root, 'tree/.git'), join(root, 'forged/.git'))
        return undefined
      },
    ],
  ]
  test.each(forged)('is nobody because of %s', (_, make) => {
    mkdirSync(join(root, 'forged'))
    const pointer = make()
    if (pointer !== undefined) writeFileSync(join(root, 'forged/.git'), pointer)
    expect(covering('forged')).not.toContain('repo')
  })
})

test.each([
  ['/', /root of the disk/],
  ['home', /is the home folder/],
  ['.', /home folder lies in it/],
])('%s is trusted for one session only', (folder, why) => {
  const found = folder === '/' ? findWorkspace('/', { home: join(root, 'home') }) : find(folder)
  expect(found).toMatchObject({ sessionOnly: expect.stringMatching(why), covering: [] })
})
