/** What an event without hooks loads as a process: counted modules, not time. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { root } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-cold-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Says at the end what was loaded: Node's own modules and files. */
const spy = join(folder, 'spy.cjs')
writeFileSync(
  spy,
  `const { writeFileSync } = require('node:fs')
   const before = new Set(process.moduleLoadList)
   process.on('exit', () => {
     const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ') && !before.has(name)).map((name) => name.slice('NativeModule '.length))
     writeFileSync(process.env.SPY_OUT, JSON.stringify({ builtins, files: Object.keys(require.cache) }))
   })`,
)

function loadedBy(...given: [{ home: string }, ...string[]] | string[]): { status: number | null; builtins: string[]; files: string[] } {
  const [first, ...rest] = given
  const [home, args] = typeof first === 'object' ? [first.home, rest as string[]] : [folder, given as string[]]
  const out = join(folder, 'loaded.json')
  const bin = join(root, 'packages/hookline/bin/hookline.cjs')
  const env = { PATH: process.env['PATH'], HOME: home, SPY_OUT: out }
  const { status } = spawnSync(process.execPath, ['--require', spy, bin, ...args], { cwd: folder, env, stdio: 'ignore' })
  return { status, ...(JSON.parse(readFileSync(out, 'utf8')) as { builtins: string[]; files: string[] }) }
}

/** A home whose settings have a hook for another tool. */
function homeWith(more: object): string {
  const home = mkdtempSync(join(folder, 'home-'))
  mkdirSync(join(home, '.claude'))
  writeFileSync(
    join(home, '.claude/settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'npx prettier --check .' }] }] }, ...more }),
  )
  return home
}

describe('`hookline fire` where no hook is configured for the event', () => {
  const notification = ['fire', 'Notification', '--set', 'message=x', '--set', 'notification_type=auth_success']
  const reading = ['fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}']

  test.each([
    ['at a notification', folder, notification],
    ['at a tool call', folder, reading],
    ['at a tool call that plain settings say nothing about', homeWith({}), reading],
  ])('%s loads a few small files, and no part that runs hooks', (_name, home, args) => {
    const { status, files } = loadedBy({ home }, ...args)
    expect(status).toBe(0)
    const names = files.map((file) => file.split('/').at(-1) as string).sort()
    expect(names.filter((name) => !name.startsWith('chunk-'))).toEqual(['cli.cjs', 'hookline.cjs', 'spy.cjs'])
    expect(names.length).toBeLessThanOrEqual(10)
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(64 * 1024)
  })

  test.each(['child_process', 'crypto', 'dns', 'fs/promises', 'http', 'https', 'net', 'stream', 'tls', 'tty', 'vm', 'worker_threads'])(
    'never loads %s',
    (name) => {
      expect(loadedBy(...notification).builtins).not.toContain(name)
      expect(loadedBy(...reading).builtins).not.toContain(name)
      expect(loadedBy({ home: homeWith({}) }, ...reading).builtins).not.toContain(name)
    },
  )
})

describe('`hookline fire` where settings take the whole reading', () => {
  const home = homeWith({ permissions: { allow: ['Read(~/notes/**)'] } })

  test.each(['child_process', 'http', 'https', 'net', 'tls', 'dns', 'worker_threads'])('never loads %s', (name) => {
    const { status, builtins } = loadedBy({ home }, 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}')
    expect(status).toBe(0)
    expect(builtins).not.toContain(name)
  })
})
