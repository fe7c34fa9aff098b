/** The bundle of the command line: what is imported is inside, what is loaded with import() stays outside, and the stub hands over to it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main as buildBin } from '../../../../scripts/build/bin.ts'
import { root } from './reading.ts'

let tree: string
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'hookline-bin-'))
  cpSync(join(root, 'packages/hookline/bin'), join(tree, 'packages/hookline/bin'), { recursive: true })
  write('package.json', '{ "type": "module" }')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

function write(path: string, text: string): void {
  const file = join(tree, 'packages/hookline', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const hookline = (...args: string[]) => spawnSync(process.execPath, [join(tree, 'packages/hookline/bin/hookline.cjs'), ...args], { encoding: 'utf8' })

const mainFile = `
  import { word } from '../word.ts'
  export async function main(args: string[], places: { dist: string }): Promise<number> {
    if (args[0] === 'throw') throw new Error('no disk')
    if (args[0] === 'late') return (await import('./commands/late.ts')).run()
    console.log(word, typeof places.dist)
    return 2
  }`

test('holds what is imported, and sets the exit code that main gives', async () => {
  write('src/cli/main.ts', mainFile)
  write('src/word.ts', "export const word = 'inside'")
  write('dist/cli/commands/late.js', 'export const run = () => 7')
  expect(await buildBin([], tree)).toBe(0)
  rmSync(join(tree, 'packages/hookline/src'), { recursive: true })
  expect(hookline()).toMatchObject({ status: 2, stdout: 'inside string\n' })
})

test('loads a late command from the file that tsc built', async () => {
  write('src/cli/main.ts', mainFile)
  write('src/word.ts', "export const word = 'inside'")
  write('dist/cli/commands/late.js', 'export const run = () => 7')
  await buildBin([], tree)
  expect(readFileSync(join(tree, 'packages/hookline/dist/cli.cjs'), 'utf8')).toContain('import("./cli/commands/late.js")')
  expect(hookline('late').status).toBe(7)
})

test.each([
  ['a late command that was not built', "export const main = () => import('./commands/ghost.ts')", 'run tsc -b first'],
  ['a file that asks for import.meta', 'export const main = () => import.meta.url', 'import.meta'],
])('is not made from %s', async (_what, text, says) => {
  write('src/cli/main.ts', text)
  await expect(buildBin([], tree)).rejects.toThrow(says)
})

test('a failure of the program is one line and exit code 70', async () => {
  write('src/cli/main.ts', mainFile)
  write('src/word.ts', "export const word = 'inside'")
  write('dist/cli/commands/late.js', 'export const run = () => 7')
  await buildBin([], tree)
  expect(hookline('throw')).toMatchObject({ status: 70, stderr: 'hookline: internal error: no disk\n' })
})

test('without the built file the stub says what to do, with exit code 70', () => {
  const { status, stderr } = hookline()
  expect(status).toBe(70)
  expect(stderr).toMatch(/^hookline: .*npm run build.*\n$/)
})
