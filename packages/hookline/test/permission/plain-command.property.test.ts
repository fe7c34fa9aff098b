/** What is told from the text of a command alone never lets pass what a reading of it would refuse. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readingOf } from '../../src/permission/call.ts'
import { plainlyWritten } from '../../src/permission/plain-command.ts'
import { ProtectedPaths } from '../../src/permission/protected-paths.ts'
import { findInCommand } from '../../src/permission/protected-shell.ts'
import { findPath } from '../../src/permission/protected-words.ts'

const settings = { what: 'a settings file of the agent', command: 'init' as const }
const links: Readonly<Record<string, string>> = { '/p/link': '/p/.claude/settings.json', '/p/conf/a': '/p/.claude/hooks/guard.sh' }
const around = {
  paths: new ProtectedPaths(
    [
      { path: '/p/.claude/settings.json', ...settings },
      { path: '/home/ann/.claude/settings.json', ...settings },
      { path: '/etc/claude-code', folder: true, what: 'the policy of this machine' },
      { path: '/p/.claude/hooks/guard.sh', what: 'a script of a hook' },
      { path: '/usr/bin/jq', exact: true, what: 'a program of a hook' },
    ],
    { projectDir: '/p', home: '/home/ann' },
  ),
  folders: ['/p'],
  home: '/home/ann',
  variable: (name: string) => ({ HOME: '/home/ann', CLAUDE_PROJECT_DIR: '/p' })[name],
  realPath: (path: string) => links[path.replaceAll('/./', '/')],
}

// biome-ignore format: lists of words read better as a paragraph
const program = fc.constantFrom(
  'prettier', 'gzip', 'zip', 'npm run fmt', 'npx x', 'make', 'cargo', 'cat', 'ls', 'echo', 'grep', 'printf', 'git diff', 'git log', 'git add', 'git fetch', 'git grep', 'git -C conf', 'r\\m', '"rm"', "'r'm", 'RM',
  '/usr/bin/rm', 'tee', 'cd', 'pushd', 'time', 'env', 'sudo', 'nice', 'dash -c', 'split', '.', 'r?', '$X', 'exec', 'command', 'A=b gz', 'if true', '!', '{', '(', 'tar', 'uniq', 'jq', 'xargs', 'ssh h',
)
// biome-ignore format: as above
const argument = fc.constantFrom(
  '.cl*/set*.json', '.claude/s*', '.claude/set\\tings.json', "'.clau'de/sett''ings.json", 'link', './link', 'conf/a', '--output=link', '-olink', '-o', '--write', '"foo bar"', "'x y'", "'rm link'", '.', '..', '~', '~/.cl*/*',
  '$HOME/.claude', '"$X"', '`echo x`', '$(echo link)', '{a,.claude/hooks/guar}d.sh', 'src/a.ts', '/usr/bin/jq', '/etc/claude-c*/x', '.g?t/hooks/x', '.gi\\t/hooks', 'conf', '-i', 'HEAD', '2>&1', '>out', '> link', '>&link',
  '&>link', '>|link', '<link', '<>link', '>>conf/a', '2>link', '>&2', '> /dev/null', '-- link', 'if=x', 'of=link', '@link', 'a', '#', '&',
)
const command = fc
  .array(
    fc
      .tuple(program, fc.array(argument, { maxLength: 3 }), fc.constantFrom(' && ', ' ; ', ' | ', '\n', ' || ', ' & ', '&&', ';', '|'))
      .map(([name, words, then]) => [name, ...words].join(' ') + then),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join('').replace(/[\s;|&]+$/, ''))

test('what the text alone lets pass, a reading lets pass too', () => {
  let passed = 0
  fc.assert(
    fc.property(command, (text) => {
      const written = plainlyWritten(text, around.paths.named)
      if (written === undefined || written.some((path) => findPath(path, around) !== undefined)) return
      passed++
      const reading = readingOf({ tool: 'Bash', input: { command: text } })
      expect(reading && findInCommand(reading, around), text).toBeUndefined()
    }),
    { numRuns: 4_000 },
  )
  // The property says nothing where everything is read.
  expect(passed).toBeGreaterThan(200)
})

describe('a command needs a reading when it', () => {
  test.each([
    ['quotes a program apart', `r\\m -rf .`],
    ['gives a program nobody knows a pattern', 'gzip .cl*/set*'],
    ['quotes a name apart', "prettier --write .claude/sett''ings"],
    ['writes after a change of folder', 'cd conf && echo x > a'],
    ['carries another command', 'sudo cp a b'],
    ['has an operator with nothing before it', 'prettier a && ; gzip b'],
    ['quotes a command for a shell', 'dash -c "gzip a"'],
  ])('%s', (_, text) => {
    expect(plainlyWritten(text, around.paths.named)).toBeUndefined()
  })
})

describe('a command is told from its text when it', () => {
  test.each<[what: string, text: string, written: readonly string[]]>([
    ['gives a program nobody knows a text in quotes', 'npm test -- --run "a file.test.ts"', ['test', '--run', 'a file.test.ts']],
    ['only reads', 'grep -rn "a b" src | head -5', []],
    ['looks at the work of git', 'git status --short && git diff HEAD -- src', []],
    ['reads in another folder', 'cd src && ls', []],
    ['redirects plainly', 'echo x > out.txt 2>&1', ['out.txt']],
    ['names words to a program that nobody knows', 'prettier --write a.ts --config=b.json -oc', ['--write', 'a.ts', '--config=b.json', 'b.json', '-oc', 'c']],
  ])('%s', (_, text, written) => {
    expect(plainlyWritten(text, around.paths.named)).toEqual(written)
  })
})
