/** What is published: the tarball holds what it should and no more, and works in an empty project that knows nothing of this repository. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const home = resolve(fileURLToPath(import.meta.url), '../../..')
const root = resolve(home, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'hookline-pack-'))
const project = join(scratch, 'project')
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
  name: string
  version: string
  exports: Record<string, string | object>
  scripts?: object
}
const doors = Object.keys(manifest.exports).filter((door) => typeof manifest.exports[door] === 'object')

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}
let packed: Packed

/** Runs a program to its end; a failure tells what it printed. */
function run(program: string, args: readonly string[], cwd = project): Promise<string> {
  return new Promise((done, failed) => {
    execFile(program, args, { cwd, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) done(stdout)
      else failed(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`))
    })
  })
}
const node = (code: string) => run(process.execPath, ['--input-type=module', '-e', code])

beforeAll(async () => {
  const listing = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', scratch], home)) as Packed[]
  packed = listing[0] as Packed
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0', private: true, type: 'module' }))
  await run('npm', ['install', '--no-audit', '--no-fund', join(scratch, packed.filename)])
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the tarball', () => {
  test('is at most 1 MB', () => {
    expect(packed.size).toBeLessThanOrEqual(1_000_000)
  })

  test('holds the licence, a readme, the command and the schema', () => {
    expect(packed.files.map((file) => file.path)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'bin/hookline.cjs', 'dist/cli.cjs', 'schema/settings.schema.json']),
    )
  })

  test('holds nothing but built files, the command and the schema', () => {
    const odd = packed.files
      .map((file) => file.path)
      .filter((path) => !/^(bin|dist|schema)\/|^(LICENSE|README\.md|package\.json)$/.test(path) || /tsbuildinfo|\.test\./.test(path))
    expect(odd).toEqual([])
  })

  test('brings no script that runs at install', () => {
    expect(manifest.scripts).toBeUndefined()
  })
})

describe('in an empty project', () => {
  test.each(doors)('the door %s opens', async (door) => {
    const name = door.replace('.', manifest.name)
    const names = JSON.parse(await node(`console.log(JSON.stringify(Object.keys(await import('${name}'))))`)) as string[]
    expect(names.length).toBeGreaterThan(0)
    expect(names).not.toContain('default')
  })

  test('a CommonJS program may require the root door', async () => {
    writeFileSync(join(project, 'old.cjs'), "process.stdout.write(typeof require('hookline').createEngine)")
    expect(await run(process.execPath, ['old.cjs'])).toBe('function')
  })

  test('an engine answers', async () => {
    const code = `
      import { createEngine, deny } from 'hookline'
      const hookline = createEngine()
      hookline.on('PreToolUse', () => deny('not today'))
      const verdict = await hookline.fire('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: '1' })
      console.log(verdict.blocked, verdict.toModel)`
    expect(await node(code)).toMatch(/^true .*not today/)
  })

  test('the schema is where editors look for it', async () => {
    expect(await node("import schema from 'hookline/schema.json' with { type: 'json' }; console.log(schema.title)")).toBe('Hookline settings\n')
  })

  test('the command says its version', async () => {
    expect((await run(join(project, 'node_modules/.bin/hookline'), ['--version'])).trim()).toContain(manifest.version)
  })

  test('the types of every door compile in a strict project', async () => {
    const lines = doors.map((door, index) => `export * as door${index} from '${door.replace('.', manifest.name)}'`)
    writeFileSync(join(project, 'doors.ts'), `${lines.join('\n')}\n`)
    const options = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['doors.ts'] }))
    expect(await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('')
  })

  test('few packages come with it: what it lists, and what those need', () => {
    const folders = (at: string) => readdirSync(at).filter((name) => !name.startsWith('.'))
    const modules = join(project, 'node_modules')
    const installed = folders(modules).flatMap((name) => (name.startsWith('@') ? folders(join(modules, name)).map((one) => `${name}/${one}`) : [name]))
    const listed = Object.keys((JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { dependencies: object }).dependencies)
    expect(installed).toEqual(expect.arrayContaining([manifest.name, ...listed]))
    expect(installed.length).toBeLessThanOrEqual(20)
  })
})
