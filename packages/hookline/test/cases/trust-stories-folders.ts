/** Stories of trust.json about folders: links, replaced folders, spellings, nested repositories, worktrees, home and root. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { createTrustKeeper } from '../../src/platform/trust-keeper.ts'
import type { Story } from './trust-stories-consent.ts'
import { person, ranAt, running, type TrustWorld } from './trust-world.ts'

const good = running({ Stop: 'true' })

function git(world: TrustWorld, folder: string, ...args: string[]): void {
  const env = { ...world.env, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }
  execFileSync('git', args, { cwd: join(world.root, folder), env, stdio: 'ignore' })
}

export const folderStories: Readonly<Record<string, Story>> = {
  'trust-019': async (world) => {
    const target = world.settings(good, 'elsewhere/.claude/settings.json')
    await world.accept('always', { cwd: join(world.root, 'elsewhere') })
    mkdirSync(join(world.project, '.claude'))
    symlinkSync(target, join(world.project, '.claude/settings.json'))
    const hookline = await world.open()
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(hookline.trust.pending[0]?.items).toMatchObject([{ file: target }])
  },
  'trust-021': async (world) => {
    world.settings(good)
    await world.accept()
    renameSync(world.project, join(world.root, 'away'))
    world.settings(good)
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual([])
    expect(asked).toHaveLength(1)
  },
  'trust-022': async (world) => {
    world.settings(good)
    await world.accept()
    const other = join(dirname(world.project), basename(world.project).toUpperCase())
    if (existsSync(other)) {
      expect(await ranAt(await world.open({ cwd: other }), 'Stop')).toHaveLength(1)
    } else {
      // This disk tells the two apart, so they are two folders with an answer each.
      world.settings(good, 'PROJECT/.claude/settings.json')
      expect(await ranAt(await world.open({ cwd: other }), 'Stop')).toEqual([])
    }
    expect(world.records()).toHaveLength(1)
  },
  'trust-024': async (world) => {
    world.settings(good)
    await world.accept()
    symlinkSync(world.project, join(world.root, 'link'))
    for (const cwd of [`${world.root}//project/`, `${world.project}/./`, `${world.root}/home/../project//.`, join(world.root, 'link')]) {
      const hookline = await world.open({ cwd })
      expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
      expect(hookline.trust.pending).toEqual([])
    }
    expect(world.records()).toHaveLength(1)
  },
  'trust-026': async (world) => {
    world.settings(good)
    await world.accept()
    world.settings(good, 'project/plain/sub/.claude/settings.json')
    expect(await ranAt(await world.open({ cwd: join(world.project, 'plain/sub') }), 'Stop')).toHaveLength(1)
    // A yes covers what was shown, in a plain folder below too.
    world.settings(running({ Stop: 'echo other' }), 'project/plain/sub/.claude/settings.json')
    expect(await ranAt(await world.open({ cwd: join(world.project, 'plain/sub') }), 'Stop')).toEqual([])
  },
  'trust-028': async (world) => {
    git(world, 'project', 'init')
    world.settings(good)
    await world.accept()
    world.settings(good, 'project/module/.claude/settings.json')
    mkdirSync(join(world.project, '.git/modules/module'), { recursive: true })
    world.write('project/module/.git', 'gitdir: ../.git/modules/module\n')
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ cwd: join(world.project, 'module'), trust: ask }), 'Stop')).toEqual([])
    expect(asked).toMatchObject([{ folder: join(world.project, 'module') }])
  },
  'trust-029': async (world) => {
    world.settings(good)
    git(world, 'project', 'init')
    git(world, 'project', 'add', '-A')
    git(world, 'project', 'commit', '-m', 'x')
    await world.accept()
    git(world, 'project', 'worktree', 'add', '../tree')
    const { ask, asked } = person()
    expect(await ranAt(await world.open({ cwd: join(world.root, 'tree'), trust: ask }), 'Stop')).toHaveLength(1)
    expect(asked).toEqual([])
    // A pointer that claims the same, and is registered nowhere.
    world.settings(good, 'forged/.claude/settings.json')
    world.write('forged/.git', `gitdir: ${join(world.project, '.git/worktrees/tree')}\n`)
    expect(await ranAt(await world.open({ cwd: join(world.root, 'forged') }), 'Stop')).toEqual([])
  },
  'trust-031': async (world) => {
    world.settings(good, 'home/.claude/settings.local.json')
    const { ask } = person('always')
    const hookline = await world.open({ cwd: world.home, trust: ask })
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    expect(world.records()).toEqual([])
    expect(world.notices).toMatchObject([{ code: 'trust-not-stored', message: expect.stringContaining('it is the home folder') }])
    expect(await ranAt(await world.open({ cwd: world.home }), 'Stop')).toEqual([])
    // Nor does it answer for what lies in it.
    world.settings(good, 'home/work/.claude/settings.json')
    expect(await ranAt(await world.open({ cwd: join(world.home, 'work') }), 'Stop')).toEqual([])
  },
  'trust-032': async (world) => {
    for (const folder of ['/', dirname(world.home)]) {
      const keeper = createTrustKeeper({ projectDir: folder, home: world.home, store: join(world.state, 'hookline/trust') })
      expect(keeper.sessionOnly).toMatch(/root of the disk|home folder lies in it/)
      expect(await keeper.keep({ at: 1, digest: '0'.repeat(64), units: [], items: [] })).toMatchObject({ kind: 'session' })
    }
    expect(world.records()).toEqual([])
  },
}
