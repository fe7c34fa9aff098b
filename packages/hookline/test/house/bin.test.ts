/** How the command and the doors are bundled: late parts are loaded by their first call, and the stub hands over to what was built. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build as bundleAll } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundle, removeOthers } from '../../../../scripts/build/bundle.ts'
import type { LateParts } from '../../../../scripts/build/late.ts'
import { root } from './reading.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hookline-bin-'))
  cpSync(join(root, 'packages/hookline/bin'), join(home, 'bin'), { recursive: true })
  write('package.json', '{ "type": "module" }')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, text: string): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text.replace(/^ {2}/gm, ''))
}
const hookline = (...args: string[]) => spawnSync(process.execPath, [join(home, 'bin/hookline.cjs'), ...args], { encoding: 'utf8' })
const late: LateParts = {
  groups: { cold: ['cold.ts'] },
  together: { more: ['more.ts'] },
  beside: { cold: ['./shared.ts'] },
  classes: ['Counter'],
  builtins: ['node:vm'],
  packages: [],
}
const build = () => bundle({ src: join(home, 'src'), dist: join(home, 'dist'), entries: { cli: join(home, 'src/main.ts') }, late })

const mainFile = `
  import { runInNewContext } from 'node:vm'
  import { limit, Counter, warm } from './cold.ts'
  import { seen } from './shared.ts'
  export async function main(args: string[], places: { dist: string }): Promise<number> {
    if (args[0] === 'throw') throw new Error('no disk')
    if (args[0] === 'more') return (await import('./more.ts')).run()
    if (args[0] === 'count') return new Counter(3).value
    if (args[0] === 'builtin') return runInNewContext('40 + 2')
    const before = [...seen]
    if (args[0] === 'warm') console.log(JSON.stringify([limit, before, warm(20, 22), seen]))
    else console.log(JSON.stringify([typeof places.dist, limit, seen]))
    return 2
  }`
const coldFile = `
  import { seen } from './shared.ts'
  seen.push('loaded')
  export const limit = 1_000
  export class Counter { value: number; constructor(value: number) { this.value = value } }
  export function warm(one: number, other: number): number { return one + other }`

function writeProgram(): void {
  write('src/main.ts', mainFile)
  write('src/cold.ts', coldFile)
  write('src/more.ts', 'export const other = 1\nexport function run() { return 7 }')
  write('src/shared.ts', 'export const seen: string[] = []')
}

test('a late part is not loaded by who imports it, and its plain values are there', async () => {
  writeProgram()
  await build()
  rmSync(join(home, 'src'), { recursive: true })
  expect(hookline()).toMatchObject({ status: 2, stdout: '["string",1000,[]]\n' })
})

test('a late part is loaded in the middle of the first call, and shares what others loaded', async () => {
  writeProgram()
  await build()
  expect(hookline('warm')).toMatchObject({ status: 2, stdout: '[1000,[],42,["loaded"]]\n' })
})

test.each([
  ['a class of a late part can be made', 'count', 3],
  ['what is loaded with import() comes from a file of the build', 'more', 7],
  ['a late module of Node answers as itself', 'builtin', 42],
])('%s', async (_what, word, status) => {
  writeProgram()
  await build()
  expect(hookline(word)).toMatchObject({ status, stderr: '' })
})

test.each([
  ['a file that asks for import.meta', { 'src/main.ts': 'export const main = () => import.meta.url', 'src/shared.ts': '' }, 'import.meta'],
  [
    'a late part of which a changing value is used',
    { 'src/main.ts': "import { list } from './cold.ts'\nexport const main = () => list", 'src/cold.ts': 'export const list = [1]', 'src/shared.ts': '' },
    'No matching export',
  ],
])('nothing is made from %s', async (_what, files, says) => {
  for (const [path, text] of Object.entries(files)) write(path, text)
  await expect(build()).rejects.toThrow(says)
})

test('code that an older build left is removed, and types stay', async () => {
  writeProgram()
  const outputs = await build()
  write('dist/stale.js', '')
  write('dist/lib/stale-AAAA.cjs', '')
  write('dist/main.d.ts', '')
  removeOthers(join(home, 'dist'), new Set(Object.keys(outputs)))
  const left = readdirSync(join(home, 'dist'), { recursive: true }).map(String)
  expect(left).toEqual(expect.arrayContaining(['cli.cjs', 'main.d.ts']))
  expect(left.filter((file) => file.includes('stale'))).toEqual([])
})

test('a failure of the program is one line and exit code 70', async () => {
  writeProgram()
  await build()
  expect(hookline('throw')).toMatchObject({ status: 70, stderr: 'hookline: internal error: no disk\n' })
})

test('without the built file the stub says what to do, with exit code 70', () => {
  const { status, stderr } = hookline()
  expect(status).toBe(70)
  expect(stderr).toMatch(/^hookline: .*npm run build.*\n$/)
})

test.each(['18.20.8', '20.18.3', '22.2.0'])('on Node %s the stub says which one is needed, and loads nothing', (version) => {
  write('dist/cli.cjs', "throw new Error('loaded')")
  write(
    'older.cjs',
    `Object.defineProperty(process.versions, 'node', { value: '${version}' })
    if ('${version}' !== '20.18.3') process.getBuiltinModule = undefined`,
  )
  const { status, stderr } = spawnSync(process.execPath, ['-r', join(home, 'older.cjs'), join(home, 'bin/hookline.cjs')], { encoding: 'utf8' })
  expect(status).toBe(70)
  expect(stderr).toMatch(new RegExp(`^hookline: this is Node ${version}; Hookline needs 20\\.19, 22\\.3 or newer.*\\n$`))
})

test('a door exports the same names as its source', async () => {
  const require = createRequire(import.meta.url)
  for (const door of ['index', 'node', 'testing']) {
    const built = Object.keys(await import(join(root, `packages/hookline/dist/${door}.js`))).sort()
    const written = Object.keys(await import(`../../src/${door}.ts`)).sort()
    expect(built).toEqual(written)
    expect(Object.keys(require(join(root, `packages/hookline/dist/lib/${door}.cjs`))).sort()).toEqual(written)
  }
})

test('the root door and all that it may ever load run without Node', () => {
  const seen = new Map<string, string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    const text = readFileSync(file, 'utf8')
    seen.set(file, text)
    for (const [, path = ''] of text.matchAll(/require\("(\.[^"]+)"\)/g)) visit(join(dirname(file), path))
  }
  visit(join(root, 'packages/hookline/dist/lib/index.cjs'))
  // The engine, settings, rules, the shell reader, models, questions.
  expect(seen.size).toBeGreaterThan(8)
  const inNode = [...seen].filter(([, text]) => /["']node:|require\("[^.]|getBuiltinModule/.test(text))
  expect(inNode.map(([file]) => file)).toEqual([])
})

test('a program that is bundled into one ES module finds everything', async () => {
  write(
    'program.mjs',
    `import { createHookline } from ${JSON.stringify(join(root, 'packages/hookline/dist/node.js'))}
    const settings = [{ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo no >&2; exit 2', if: 'Bash(git *)' }] }] } }]
    const hookline = await createHookline({ sources: [], settings })
    const { reason } = await hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git push' }, tool_use_id: '1' })
    console.log(reason)
    await hookline.close()`,
  )
  const outfile = join(home, 'bundled.mjs')
  await bundleAll({
    entryPoints: [join(home, 'program.mjs')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['undici', 'yaml'],
    logLevel: 'error',
  })
  expect(spawnSync(process.execPath, [outfile], { cwd: home, encoding: 'utf8' })).toMatchObject({ stderr: '', stdout: 'no\n' })
})
