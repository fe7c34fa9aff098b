/** The tools of a verifier in Node: they read below the folder of the event, and nothing else. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { groundOf } from '../../src/platform/reading-ground.ts'
import { verifierTools } from '../../src/platform/verifier-tools.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'verifier-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const project = join(root, 'project')
const files: Readonly<Record<string, string | Buffer>> = {
  'project/a.txt': 'one\ntwo\r\nthree',
  'project/src/main.ts': 'const token = 1\nexport { token }\n',
  'project/src/deep/more.tsx': 'TOKEN\n',
  'project/.env': 'token=secret\n',
  'project/node_modules/x/index.js': 'token\n',
  'project/.git/config': 'token\n',
  'project/long.txt': Array.from({ length: 2_500 }, (_, at) => `line ${at + 1}`).join('\n'),
  'project/wide.txt': `${'a'.repeat(5_000)}\n`,
  'project/slow.txt': `${'a'.repeat(40)}!\n`,
  'project/bytes.bin': Buffer.from([0x61, 0xff, 0xfe]),
  'outside/secret.txt': 'token\n',
}
for (const [name, content] of Object.entries(files)) {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}
symlinkSync(join(root, 'outside/secret.txt'), join(project, 'link.txt'))
symlinkSync(join(root, 'outside'), join(project, 'away'))
symlinkSync(join(project, 'src'), join(project, 'near'))

const signal = new AbortController().signal
const use = async (name: string, input: unknown, ground = groundOf({ cwd: project, projectDir: project })) =>
  await verifierTools(ground)
    .find((tool) => tool.name === name)
    ?.execute(input, { signal })

describe('Read', () => {
  test.each<[string, object, RegExp]>([
    ['numbers the lines', { file_path: 'a.txt' }, /^1\tone\n2\ttwo\n3\tthree$/],
    ['takes an absolute path', { file_path: join(project, 'a.txt') }, /^1\tone/],
    ['starts and ends where it is told', { file_path: 'a.txt', offset: 2, limit: 1 }, /^2\ttwo\n… \(1 more lines\)$/],
    ['ends after 2000 lines', { file_path: 'long.txt' }, /2000\tline 2000\n… \(500 more lines\)$/],
    ['cuts a long line', { file_path: 'wide.txt' }, /^1\ta{1000}…/],
    ['follows a link that stays inside', { file_path: 'near/main.ts' }, /^1\tconst token/],
  ])('%s', async (_what, input, shows) => {
    expect(await use('Read', input)).toMatch(shows)
  })

  test.each<[string, object, RegExp]>([
    ['a path that leads out', { file_path: '../outside/secret.txt' }, /outside of the folders/],
    ['an absolute path elsewhere', { file_path: '/etc/hostname' }, /outside of the folders/],
    ['a link that leads out', { file_path: 'link.txt' }, /outside of the folders/],
    ['a linked folder that leads out', { file_path: 'away/secret.txt' }, /outside of the folders/],
    ['a file that is not there', { file_path: 'gone.txt' }, /no file/],
    ['a folder', { file_path: 'src' }, /is a folder/],
    ['bytes that are no text', { file_path: 'bytes.bin' }, /cannot be read as text/],
    ['nothing', {}, /"file_path" is missing/],
    ['a number', { file_path: 5 }, /must be a text/],
    ['a line 0', { file_path: 'a.txt', offset: 0 }, /whole number from 1/],
  ])('refuses %s', async (_what, input, says) => {
    await expect(use('Read', input)).rejects.toThrow(says)
  })

  test('does not open what a rule denies, by whatever name', async () => {
    symlinkSync(join(project, '.env'), join(project, 'plain.txt'))
    const ground = groundOf({ cwd: project, projectDir: project, mayRead: (path) => !path.endsWith('.env') })
    for (const file_path of ['.env', 'plain.txt']) await expect(use('Read', { file_path }, ground)).rejects.toThrow('A rule denies')
    expect(await use('Grep', { pattern: 'secret' }, ground)).toBe('No line matches.')
    expect(await use('Glob', { pattern: '**/*env' }, ground)).toBe('No file is named by this pattern.')
  })
})

describe('Glob', () => {
  test.each<[string, object, string]>([
    ['at one depth', { pattern: 'src/*.ts' }, 'src/main.ts'],
    ['at every depth', { pattern: '**/*.{ts,tsx}' }, 'src/main.ts\nsrc/deep/more.tsx'],
    ['in this folder alone', { pattern: '*.ts' }, 'No file is named by this pattern.'],
    ['from another folder', { pattern: '**/*.tsx', path: 'src' }, 'src/deep/more.tsx'],
    ['from an absolute pattern', { pattern: `${project}/src/**/*.ts` }, 'src/main.ts'],
    ['one absolute path', { pattern: `${project}/a.txt` }, 'a.txt'],
    ['nothing in folders of others', { pattern: '**/index.js' }, 'No file is named by this pattern.'],
    ['nothing behind links', { pattern: '**/secret.txt' }, 'No file is named by this pattern.'],
  ])('lists %s', async (_what, input, shows) => {
    expect(await use('Glob', input)).toBe(shows)
  })

  test.each([[{ pattern: '../*' }], [{ pattern: '' }], [{ pattern: `${'{a,b}'.repeat(12)}` }], [{ pattern: '*', path: '..' }], [{ pattern: '/etc/*' }]])(
    'refuses %j',
    async (input) => {
      await expect(use('Glob', input)).rejects.toThrow()
    },
  )
})

describe('Grep', () => {
  test.each<[string, object, string]>([
    ['a line with its place', { pattern: 'export' }, 'src/main.ts:2:export { token }'],
    ['without regard to case', { pattern: '^token$', ignore_case: true }, 'src/deep/more.tsx:1:TOKEN'],
    ['in named files alone', { pattern: 'TOKEN', glob: '*.tsx' }, 'src/deep/more.tsx:1:TOKEN'],
    ['in one file', { pattern: 'o', path: 'a.txt' }, 'a.txt:1:one\na.txt:2:two'],
    ['nothing', { pattern: 'nowhere' }, 'No line matches.'],
  ])('finds %s', async (_what, input, shows) => {
    expect(await use('Grep', input)).toBe(shows)
  })

  test('ends a pattern that takes for ever, and a pattern that is none', async () => {
    expect(await use('Grep', { pattern: '^(a+)+$', path: 'slow.txt' })).toBe('No line matches.\nNot searched to the end, the pattern is too slow: slow.txt')
    await expect(use('Grep', { pattern: '(' })).rejects.toThrow(/The pattern cannot be used/)
  })
})

describe('the ground', () => {
  test.each([
    ['the folder of the event and the project', join(root, 'outside'), [join(root, 'outside'), project]],
    ['the project, from inside it', join(project, 'src'), [join(project, 'src'), project]],
    ['the project alone, when the event stands above it', root, [project]],
    ['the project alone, when the event stands at the root', '/', [project]],
    ['the project alone, when the event stands nowhere', '', [project]],
  ])('is %s', (_what, cwd, roots) => {
    expect(groundOf({ cwd, projectDir: project })).toMatchObject({ cwd: roots[0], roots })
  })

  test('an aborted search ends', async () => {
    const tool = verifierTools(groundOf({ cwd: project, projectDir: project })).find(({ name }) => name === 'Glob')
    await expect(tool?.execute({ pattern: '**' }, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over')
  })
})
