/** Every example runs with one command, as a process of its own, and agrees with what it asserts. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../house/reading.ts'

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'examples-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

function run(example: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: home }
  return new Promise((done) => {
    execFile(process.execPath, [join(root, 'examples', example, 'run.js')], { cwd: home, env, timeout: 60_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr })
    })
  })
}

/** Folders with a run.js, save those that install something of their own. */
const examples = readdirSync(join(root, 'examples')).filter(
  (name) => existsSync(join(root, 'examples', name, 'run.js')) && !existsSync(join(root, 'examples', name, 'package.json')),
)

test('the examples are there', () => {
  expect(examples).toEqual(expect.arrayContaining(['audit', 'block-rm', 'embed-in-your-agent', 'format-after-edit', 'hook-in-javascript', 'tour']))
})

describe('an example ends well', () => {
  test.each(examples.filter((name) => name !== 'tour'))('%s', { timeout: 90_000 }, async (example) => {
    expect(await run(example)).toMatchObject({ code: 0, stderr: '' })
  })
})

test('the tour ends well, prints no colours to a file and shows each kind of verdict', { timeout: 90_000 }, async () => {
  const { code, stdout, stderr } = await run('tour')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toMatch(/PreToolUse Bash ls src && sudo rm -rf src: refused/)
  expect(stdout).toMatch(/Stop: sent back/)
  expect(stdout).toMatch(/All \d+ steps are as expected\.$/m)
})
