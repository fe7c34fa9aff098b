/** The lock file of a repository is written into the repository, whatever stands in its place. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockTrust, verifyTrust } from '../../src/node.ts'

let root: string
let cwd: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-lock-')))
  cwd = join(root, 'repository')
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  mkdirSync(join(cwd, '.git'))
  mkdirSync(join(root, 'elsewhere'))
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo x' }] }] } }))
  writeFileSync(join(root, 'elsewhere/precious'), 'precious')
})
afterEach(() => rmSync(root, { recursive: true }))
const options = () => ({ cwd, env: { HOME: join(root, 'home') } })

test('a link in the place of the file is replaced, and what it led to stays', async () => {
  mkdirSync(join(cwd, '.hookline'))
  symlinkSync(join(root, 'elsewhere/precious'), join(cwd, '.hookline/hooks.lock'))
  const { file } = await lockTrust(options())
  expect(readFileSync(join(root, 'elsewhere/precious'), 'utf8')).toBe('precious')
  expect(lstatSync(file).isFile()).toBe(true)
  expect(readdirSync(join(cwd, '.hookline'))).toEqual(['hooks.lock'])
  expect(await verifyTrust(options())).toMatchObject({ ok: true, lock: 'sound' })
})

test('a link in the place of its folder is refused, with what to do', async () => {
  symlinkSync(join(root, 'elsewhere'), join(cwd, '.hookline'))
  await expect(lockTrust(options())).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining('is a link'), hint: expect.any(String) })
  expect(readdirSync(join(root, 'elsewhere'))).toEqual(['precious'])
})

test('a folder in the place of the file is said, and nothing is left behind', async () => {
  mkdirSync(join(cwd, '.hookline/hooks.lock'), { recursive: true })
  await expect(lockTrust(options())).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|directory/)
  expect(readdirSync(join(cwd, '.hookline'))).toEqual(['hooks.lock'])
})
