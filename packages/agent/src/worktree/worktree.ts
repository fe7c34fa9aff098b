/** Worktrees of a session: a hook makes the folder when one is there, git does otherwise. */
import { existsSync, lstatSync } from 'node:fs'
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import type { Scope } from 'hookline'
import { git, topOf } from './git.ts'

export interface Worktree {
  name: string
  path: string
  /** Set when git made it: the branch that it is on. */
  branch?: string
  madeBy: 'hook' | 'git'
  /** The repository, or the folder, that it was made from. */
  from: string
}

/** A worktree that could not be made or removed; the message is for the person and for the model. */
export class WorktreeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WorktreeError'
  }
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Makes a worktree called `name`; WorktreeCreate hooks replace git's way. */
export async function createWorktree(name: string, context: { scope: Scope; cwd: string; signal: AbortSignal }): Promise<Worktree> {
  if (!namePattern.test(name) || name.includes('..'))
    throw new WorktreeError(`"${name}" cannot name a worktree. Use letters, digits, dots, dashes and underscores, at most 64.`)
  const { scope, cwd, signal } = context
  const verdict = await scope.fire('WorktreeCreate', { name }, { signal })
  if (verdict.worktreePath !== undefined) return { name, path: checked(verdict.worktreePath, cwd), madeBy: 'hook', from: cwd }
  if (verdict.blocked) throw new WorktreeError(`The worktree "${name}" was not made: ${verdict.reason ?? 'a WorktreeCreate hook failed or printed no path'}.`)
  const top = await topOf(cwd)
  if (top === undefined) throw new WorktreeError(`${cwd} is no git repository. Run git init there, or add a WorktreeCreate hook that makes the folder.`)
  const path = join(top, '.claude/worktrees', name)
  const branch = `worktree-${name}`
  if (existsSync(path)) return { name, path, branch, madeBy: 'git', from: top }
  const known = (await git(top, ['branch', '--list', branch])).trim() !== ''
  try {
    await git(top, known ? ['worktree', 'add', '-q', path, branch] : ['worktree', 'add', '-q', '-b', branch, path, 'HEAD'], signal)
  } catch (error) {
    throw new WorktreeError(`The worktree "${name}" was not made. ${(error as Error).message}`)
  }
  return { name, path, branch, madeBy: 'git', from: top }
}

/** Removes it; WorktreeRemove hooks replace git's way for folders that a hook made. Without `discard` changes keep it. */
export async function removeWorktree(worktree: Worktree, context: { scope: Scope; signal: AbortSignal; discard: boolean }): Promise<void> {
  const { scope, signal } = context
  if (worktree.madeBy === 'git' && !context.discard && (await hasWork(worktree)))
    throw new WorktreeError(`${worktree.path} has changes or commits of its own. Keep it, or remove it with discard_changes.`)
  const verdict = await scope.fire('WorktreeRemove', { worktree_path: worktree.path }, { signal })
  if (verdict.blocked && existsSync(worktree.path))
    throw new WorktreeError(`${worktree.path} was not removed: ${verdict.reason ?? 'a WorktreeRemove hook failed'}.`)
  if (worktree.madeBy === 'hook') return
  if (existsSync(worktree.path)) await git(worktree.from, ['worktree', 'remove', '--force', worktree.path], signal)
  if (worktree.branch !== undefined) await git(worktree.from, ['branch', '-q', '-D', worktree.branch], signal).catch(() => '')
}

/** Whether anything would be lost: uncommitted files, or commits that only its branch has. */
export async function hasWork(worktree: Worktree): Promise<boolean> {
  if (!existsSync(worktree.path)) return false
  if ((await git(worktree.path, ['status', '--porcelain'])).trim() !== '') return true
  const ahead = await git(worktree.path, ['rev-list', '--count', 'HEAD', '--not', `--exclude=${worktree.branch}`, '--branches'])
  return Number(ahead.trim()) > 0
}

/** A hook's path: absolute without dot segments, no link below the folder that it was made from. */
function checked(given: string, cwd: string): string {
  const path = isAbsolute(given) ? given : resolve(cwd, given)
  if (isAbsolute(given) && normalize(given) !== given.replace(/\/+$/, ''))
    throw new WorktreeError(`A WorktreeCreate hook printed "${given}": a path with dot segments is refused.`)
  const inside = relative(cwd, path)
  const parts = inside.startsWith('..') || isAbsolute(inside) ? [] : inside.split(sep)
  for (let at = 1; at <= parts.length; at++) {
    const part = join(cwd, ...parts.slice(0, at))
    if (existsSync(part) && lstatSync(part).isSymbolicLink())
      throw new WorktreeError(`A WorktreeCreate hook printed "${given}": ${part} is a link, which is refused.`)
  }
  if (!existsSync(path)) throw new WorktreeError(`A WorktreeCreate hook printed "${given}", and no such folder exists.`)
  return path
}
