/** What an event without hooks loads as a process: counted modules, not time. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

function loadedBy(...args: string[]): { status: number | null; builtins: string[]; files: string[] } {
  const out = join(folder, 'loaded.json')
  const bin = join(root, 'packages/hookline/bin/hookline.cjs')
  const env = { PATH: process.env['PATH'], HOME: folder, SPY_OUT: out }
  const { status } = spawnSync(process.execPath, ['--require', spy, bin, ...args], { cwd: folder, env, stdio: 'ignore' })
  return { status, ...(JSON.parse(readFileSync(out, 'utf8')) as { builtins: string[]; files: string[] }) }
}

describe('`hookline fire` where no hook is configured', () => {
  const notification = ['fire', 'Notification', '--set', 'message=x', '--set', 'notification_type=auth_success']
  const reading = ['fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}']

  test.each([
    ['at a notification', notification],
    ['at a tool call', reading],
  ])('%s loads the bundle and nothing else', (_name, args) => {
    const { status, files } = loadedBy(...args)
    expect(status).toBe(0)
    expect(files.map((file) => file.split('/').at(-1)).sort()).toEqual(['cli.cjs', 'hookline.cjs', 'spy.cjs'])
  })

  test.each(['child_process', 'crypto', 'http', 'https', 'net', 'tls', 'dns', 'worker_threads', 'vm'])('never loads %s', (name) => {
    expect(loadedBy(...notification).builtins).not.toContain(name)
  })
})
