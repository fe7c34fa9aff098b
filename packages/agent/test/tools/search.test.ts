/** Glob and Grep on real folders: patterns, ignored files, modes and limits. */
import { symlink, utimes } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { glob } from '../../src/tools/glob.ts'
import { grep } from '../../src/tools/grep.ts'
import { findRipgrep } from '../../src/tools/ripgrep.ts'
import { openBench, type ToolBench } from './bench.ts'

// The own search always, and ripgrep too where this machine has it.
const ways: [string, string][] = [
  ['its own search', '/nowhere'],
  ...(findRipgrep(process.env) === undefined ? [] : [['ripgrep', process.env['PATH'] ?? ''] as [string, string]]),
]

async function project(path = '/nowhere'): Promise<ToolBench> {
  const bench = await openBench({ env: { PATH: path } })
  const files = {
    'src/a.ts': 'const a = 1\nlet needle = 2\nneedle()\n',
    'src/b.js': 'Needle here\n',
    'src/deep/c.ts': 'nothing\n',
    '.hidden/d.ts': 'needle\n',
    '.git/config': 'needle\n',
    'node_modules/m/index.ts': 'needle\n',
    '.gitignore': 'out/\n*.log\n',
    'out/e.ts': 'needle\n',
    'x.log': 'needle\n',
    'src/.gitignore': '!keep.log\n',
    'src/keep.log': 'needle\n',
    'bin.dat': Buffer.from('needle\0'),
  }
  let time = 1_000
  for (const [name, content] of Object.entries(files)) {
    await bench.put(name, content)
    await utimes(bench.path(name), time, time++)
  }
  await symlink(bench.path('src'), bench.path('loop'))
  return bench
}

describe('Glob', () => {
  it.each([
    ['**/*.ts', ['.hidden/d.ts', 'src/deep/c.ts', 'src/a.ts']],
    ['*.ts', []],
    ['src/*.{ts,js}', ['src/b.js', 'src/a.ts']],
    ['**/*.log', ['src/keep.log']],
    ['node_modules/**/*.ts', ['node_modules/m/index.ts']],
  ])('finds %s, the ones changed last first', async (pattern, expected) => {
    const bench = await project()
    const { response, text } = await bench.run(glob, { pattern })
    const filenames = expected.map((name) => bench.path(name))
    expect(response).toEqual({ filenames, numFiles: filenames.length, truncated: false, durationMs: expect.any(Number) })
    expect(text).toBe(filenames.join('\n') || 'No files found')
  })

  it('takes a pattern that begins with an absolute path or a folder of its own', async () => {
    const bench = await project()
    expect((await bench.run(glob, { pattern: `${bench.root}/src/**/*.ts` })).text).toBe(`${bench.path('src/deep/c.ts')}\n${bench.path('src/a.ts')}`)
    expect((await bench.run(glob, { pattern: '*.ts', path: 'src/deep' })).text).toBe(bench.path('src/deep/c.ts'))
  })

  it('stops at a hundred and says so', async () => {
    const bench = await openBench()
    for (let at = 0; at < 105; at++) await bench.put(`f${at}.txt`, '')
    const { response, text } = await bench.run(glob, { pattern: '*.txt' })
    expect(response).toMatchObject({ numFiles: 100, truncated: true })
    expect(text).toMatch(/Results are truncated/)
  })

  it('refuses a folder that is not there', async () => {
    const bench = await openBench()
    expect(await bench.fails(glob, { pattern: '*', path: 'nope' })).toMatch(/^Directory does not exist: .*nope/)
  })
})

describe.each(ways)('Grep with %s', (_way, path) => {
  it.each([
    ['names files', {}, 'Found 3 files\nsrc/keep.log\n.hidden/d.ts\nsrc/a.ts'],
    ['shows lines with numbers', { output_mode: 'content', path: 'src' }, 'src/a.ts:2:let needle = 2\nsrc/a.ts:3:needle()\nsrc/keep.log:1:needle'],
    ['shows lines without numbers', { output_mode: 'content', path: 'src/a.ts', '-n': false }, 'src/a.ts:let needle = 2\nsrc/a.ts:needle()'],
    [
      'shows what stands around',
      { output_mode: 'content', path: 'src/a.ts', '-B': 1 },
      'src/a.ts-1-const a = 1\nsrc/a.ts:2:let needle = 2\nsrc/a.ts:3:needle()',
    ],
    ['counts', { output_mode: 'count', path: 'src' }, 'src/a.ts:2\nsrc/keep.log:1\n\nFound 3 total occurrences across 2 files.'],
    ['takes capitals and small letters for the same', { '-i': true, type: 'js' }, 'Found 1 file\nsrc/b.js'],
    ['looks only where the file pattern matches', { glob: '*.ts' }, 'Found 2 files\n.hidden/d.ts\nsrc/a.ts'],
    ['keeps to its limit', { output_mode: 'content', path: 'src', head_limit: 1, offset: 1 }, 'src/a.ts:3:needle()'],
    ['says when there is nothing', { glob: '*.md' }, 'No files found'],
    ['says when there is no line', { glob: '*.md', output_mode: 'content' }, 'No matches found'],
  ])('%s', async (_title, input, expected) => {
    const bench = await project(path)
    expect((await bench.run(grep, { pattern: 'needle', ...input })).text).toBe(expected)
  })

  it('finds what goes over line ends', async () => {
    const bench = await project(path)
    expect((await bench.run(grep, { pattern: '2\\nneedle', multiline: true, output_mode: 'content', path: 'src' })).text).toBe(
      'src/a.ts:2:let needle = 2\nsrc/a.ts:3:needle()',
    )
  })

  it('tells hooks the mode, the files and the numbers', async () => {
    const bench = await project(path)
    expect((await bench.run(grep, { pattern: 'needle', path: 'src' })).response).toEqual({
      mode: 'files_with_matches',
      filenames: ['src/keep.log', 'src/a.ts'],
      numFiles: 2,
    })
    expect((await bench.run(grep, { pattern: 'needle', path: 'src', output_mode: 'content', head_limit: 2 })).response).toEqual({
      mode: 'content',
      numFiles: 0,
      filenames: [],
      content: 'src/a.ts:2:let needle = 2\nsrc/a.ts:3:needle()',
      numLines: 2,
      appliedLimit: 2,
    })
  })
})

describe('Grep', () => {
  it.each([
    ['what is no pattern', { pattern: '(' }, /not a regular expression/],
    ['a path that is not there', { pattern: 'a', path: 'nope' }, /^Path does not exist: .*nope/],
    ['a kind of file that nobody knows', { pattern: 'a', type: 'zzz' }, /Unknown file type: zzz/],
    ['a pattern without end', { pattern: '^(a+)+$', path: 'slow.txt' }, /takes too long/],
  ])('refuses %s', async (_title, input, expected) => {
    const bench = await project()
    await bench.put('slow.txt', `${'a'.repeat(40)}b\n`)
    expect(await bench.fails(grep, input)).toMatch(expected)
  })
})
