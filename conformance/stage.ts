/** Sets the stage of one row: a project, a home, settings in every place, the logging helper on PATH. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Case, places } from './row.ts'

export interface Stage {
  root: string
  proj: string
  home: string
  /** Where the agent starts. */
  cwd: string
  /** Folder that stands in for the machine's policy folder, when the row has managed settings. */
  managed?: string
  /** Fills in `${ROOT}` and the ports. */
  fill(text: string): string
}

export interface Ports {
  model: number
  hooks: number
}

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (text.startsWith('#!')) spawnSync('chmod', ['+x', file])
}

/** Builds the folders of `row`; `hk` is the logging helper. */
export function setStage(row: Case, ports: Ports, hk: string): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-row-')))
  const proj = join(root, 'proj')
  const home = join(root, 'home')
  for (const folder of [proj, join(home, '.claude'), join(root, 'bin'), join(root, 'log'), join(root, 'state')]) mkdirSync(folder, { recursive: true })
  copyFileSync(hk, join(root, 'bin/hk'))
  const fill = (text: string): string =>
    text.replaceAll('${ROOT}', root).replaceAll('127.0.0.1:8787', `127.0.0.1:${ports.model}`).replaceAll('127.0.0.1:8788', `127.0.0.1:${ports.hooks}`)
  const files = {
    user: join(home, '.claude/settings.json'),
    project: join(proj, '.claude/settings.json'),
    local: join(proj, '.claude/settings.local.json'),
    managed: join(root, 'managed/managed-settings.json'),
    flag: join(root, 'flag-settings.json'),
  }
  const given = row.settings ?? {}
  const placed = places.some((place) => place in given)
  for (const place of places) {
    const settings = placed ? (given as Record<string, unknown>)[place] : place === 'project' && row.settings !== undefined ? given : undefined
    if (settings !== undefined) put(files[place], fill(JSON.stringify(settings, undefined, 2)))
  }
  for (const [name, text] of Object.entries(row.files ?? {})) put(join(proj, name), fill(text))
  for (const [name, text] of Object.entries(row.homeFiles ?? {})) put(join(home, name), fill(text))
  const cwd = row.cwd === undefined ? proj : join(proj, row.cwd)
  mkdirSync(cwd, { recursive: true })
  if (row.git !== undefined) git(proj, row.git === 'commit')
  return { root, proj, home, cwd, fill, ...(placed && 'managed' in given ? { managed: join(root, 'managed') } : {}) }
}

function git(folder: string, commit: boolean): void {
  const run = (...args: string[]): void => {
    const done = spawnSync('git', ['-c', 'user.name=row', '-c', 'user.email=row@localhost', ...args], { cwd: folder, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`git ${args.join(' ')} in ${folder}: ${done.stderr}`)
  }
  run('init', '-q', '-b', 'main')
  if (!commit) return
  run('add', '-A')
  run('commit', '-q', '--allow-empty', '-m', 'init')
}
