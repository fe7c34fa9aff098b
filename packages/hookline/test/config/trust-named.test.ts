/** Which files a hook names: whole words, in every form a command has, and where a copy can stand in for each. */
import { describe, expect, test } from 'vitest'
import { namedFiles } from '../../src/config/trust-named.ts'
import type { HandlerSpec } from '../../src/protocol/handler-spec.ts'
import type { RunnableHook } from '../../src/protocol/runner.ts'

const projectDir = '/p r/oj'
const hookOf = (spec: object, variables?: Record<string, string>) =>
  ({ spec: spec as HandlerSpec, ...(variables === undefined ? {} : { variables }) }) as RunnableHook
const named = (command: string, more: object = {}) => namedFiles(hookOf({ type: 'command', command, ...more }), { projectDir, roots: [projectDir] })
/** `!` stands for files that the hook runs, `~` for those that depend on the folder, `#` for names that a copy cannot replace. */
const short = (files: ReturnType<typeof named>) =>
  files
    .map(({ path, runs, relative, seats }) => `${runs ? '!' : ''}${relative ? '~' : ''}${seats === undefined ? '#' : ''}${path.slice(projectDir.length + 1)}`)
    .join(' ')

describe('in a shell text', () => {
  const rows: [command: string, files: string][] = [
    ['echo hi', ''],
    ['node x', '!~x'],
    ['.claude/hooks/a.sh', '!~.claude/hooks/a.sh'],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh x', '!.claude/hooks/a.sh ~x'],
    ['"${CLAUDE_PROJECT_DIR:-.}/.claude/a.sh"', '!.claude/a.sh'],
    ["'/p r/oj/a.sh'", '!a.sh'],
    ['/elsewhere/a.sh', ''],
    ['../a.sh', ''],
    ['sub/../../a.sh', ''],
    ['bash -e ./a.sh && node b.mjs --flag', '~bash !~a.sh ~node !~b.mjs'],
    ['env X=1 timeout 5 python3 t/c.py', '~env ~X=1 ~timeout ~5 ~python3 !~t/c.py'],
    ['. lib.sh; source ./two.sh', '!~lib.sh ~source !~two.sh'],
    ['sh < in.sh', '~sh ~in.sh'],
    ['cat x > out.sh', '~cat ~x'],
    ['eslint --config=conf/e.js src', '~eslint ~#conf/e.js ~src'],
    ['awk -f prog data', '~awk !~prog ~data'],
    ['"$(git rev-parse --show-toplevel)/.claude/a.sh"', '!#.claude/a.sh'],
    ['$UNKNOWN/x$OTHER', ''],
    ['echo $(./inner.sh)', '~echo !~#inner.sh'],
    ['"$PWD/a.sh"', '!~a.sh'],
    ["bash -c './in.sh arg'", '!~#in.sh'],
    ['xargs tool.js', '~#tool.js'],
  ]
  test.each(rows)('%s', (command, files) => {
    const found = short(named(command))
    // Words that are no files are looked at later, on disk; here it only counts that the files are among them.
    for (const file of files.split(' ').filter((one) => /[!#]|\.(?:sh|mjs|py|js)$/.test(one))) expect(found.split(' ')).toContain(file)
    if (files === '') expect(found).not.toMatch(/!|echo|node|\.sh/)
  })

  test('after a change of folder a name may be one of two files', () => {
    expect(short(named('cd tools && ./a.sh'))).toContain('!~a.sh !~tools/a.sh')
  })

  test('the places of names are those in the text', () => {
    const command = 'a "$CLAUDE_PROJECT_DIR"/x.sh; b \'/p r/oj/x.sh\''
    const [file] = named(command).filter(({ path }) => path.endsWith('x.sh'))
    expect(file?.seats?.map((seat) => (seat.kind === 'text' ? command.slice(seat.start, seat.end) : seat))).toEqual([
      '"$CLAUDE_PROJECT_DIR"/x.sh',
      "'/p r/oj/x.sh'",
    ])
  })

  test.each([
    ['a sentence that stops', 'if ./a.sh'],
    ['an open quote', "./a.sh 'open"],
    ['brackets', '(((('],
    ['a very long word', 'x'.repeat(200_000)],
    ['a very long path', '/'.repeat(200_000)],
  ])('what cannot be read throws nothing and takes no time: %s', (_, command) => {
    const found = named(command)
    if (command.includes('a.sh')) expect(short(found)).toContain('#a.sh')
  })
})

describe('in the exec form', () => {
  test('command and arguments are words, with placeholders filled in', () => {
    expect(short(named('node', { args: ['${CLAUDE_PROJECT_DIR}/x.mjs', 'plain'] }))).toBe('!x.mjs ~#plain')
    const [file] = named('node', { args: ['${CLAUDE_PROJECT_DIR}/x.mjs'] })
    expect(file?.seats).toEqual([{ kind: 'word', index: 1 }])
  })
  test('a text for another shell is looked into', () => {
    expect(short(named('bash', { args: ['-c', './x.sh'] }))).toContain('!~#x.sh')
  })
})

test('a module names one file', () => {
  expect(namedFiles(hookOf({ type: 'module', path: './m.mjs' }), { projectDir, roots: [projectDir] })).toMatchObject([{ path: '/p r/oj/m.mjs', runs: true }])
})

test('a plugin names files of its own folder', () => {
  const hook = hookOf({ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}/a.sh"' }, { CLAUDE_PLUGIN_ROOT: '/plug/in' })
  expect(namedFiles(hook, { projectDir, roots: [projectDir, '/plug/in'] })).toMatchObject([{ path: '/plug/in/a.sh', runs: true, relative: false }])
})

test.each([[{ type: 'http', url: 'https://x.test/a.sh' }], [{ type: 'prompt', prompt: './a.sh' }]])('%o names no file', (spec) => {
  expect(namedFiles(hookOf(spec), { projectDir, roots: [projectDir] })).toEqual([])
})
