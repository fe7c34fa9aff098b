/** A session in a real terminal, as a person works in it: the prompt line, grants, leaving, what is shown and what is not. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../folder.ts'
import { terminal } from './tmux.ts'

const hook = (command: string, more: object = {}) => [{ hooks: [{ type: 'command', command, ...more }] }]
const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'x' } })
const write = (name: string) => ({ tool: 'Write', input: { file_path: name, content: 'x\n' } })
const log = (name: string) => hook(`cat >> "$CLAUDE_PROJECT_DIR/${name}"; echo >> "$CLAUDE_PROJECT_DIR/${name}"`)

function project(modelTurns: unknown[], hooks: object = {}, files: Record<string, string> = {}): string {
  return folderWith({
    'proj/turns.json': JSON.stringify({ modelTurns }),
    'proj/.claude/settings.json': JSON.stringify({ hooks: { SessionEnd: log('end.json'), ...hooks } }),
    ...files,
  })
}

const read = (folder: string, name: string): Record<string, unknown>[] =>
  (existsSync(join(folder, 'proj', name)) ? readFileSync(join(folder, 'proj', name), 'utf8') : '')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

const words = ['--model', 'script:turns.json', '--trust']

test('a prompt may have several lines, typed or pasted, and comes back with the arrow keys', { timeout: 180_000 }, async () => {
  const folder = project(['one', 'two', 'three'], { UserPromptSubmit: log('prompts.json') })
  const { type, keys, paste, shows } = terminal(folder, words)
  await shows('2 hooks')
  type('first \\', 'Enter')
  await shows('…')
  type('second', 'Enter')
  await shows('one')
  paste('pasted\n\tlines\n')
  type('end', 'Enter')
  await shows('two')
  keys('Up')
  keys('Up')
  await shows(/> first ␤second/)
  type(' again', 'Enter')
  await shows('three')
  expect(read(folder, 'prompts.json').map(({ prompt }) => prompt)).toEqual(['first \nsecond', 'pasted\n    lines\nend', 'first \nsecond again'])
})

test('always is said in words, holds for what it says, and is kept where it says', { timeout: 180_000 }, async () => {
  const folder = project([[write('a.txt')], [write('b.txt')], [bash('npm --version')], [bash('npm --version')], 'All there.'])
  const { type, shows } = terminal(folder, words)
  await shows('1 hook')
  type('go', 'Enter')
  await shows(/always: mode acceptEdits, for this session\s+\[y\]es, \[a\]lways, \[n\]o:/)
  // A sentence is no answer, whatever it begins with.
  type('yes but later', 'Enter')
  await shows(/\[n\]o: yes but later\s+\[y\]es/)
  expect(existsSync(join(folder, 'proj/a.txt'))).toBe(false)
  type('a', 'Enter')
  await shows('always: allow Bash(npm --version), in settings.local.json')
  expect(existsSync(join(folder, 'proj/b.txt'))).toBe(true)
  type('always', 'Enter')
  const screen = await shows('All there.')
  expect(screen.match(/May Bash run\?/g)).toHaveLength(1)
  expect(JSON.parse(readFileSync(join(folder, 'proj/.claude/settings.local.json'), 'utf8'))).toEqual({ permissions: { allow: ['Bash(npm --version)'] } })
})

test('what the person granted for good is no question of trust, now or in the next session', { timeout: 180_000 }, async () => {
  const ask = bash('npm --version')
  const folder = folderWith({ 'proj/turns.json': JSON.stringify({ modelTurns: [[ask], 'one', [ask], 'two'] }) })
  const first = terminal(folder, words.slice(0, 2))
  await first.shows('0 hooks')
  first.type('go', 'Enter')
  await first.shows('May Bash run?')
  first.type('a', 'Enter')
  await first.shows('one')
  first.type('again', 'Enter')
  expect(await first.shows('two')).not.toContain('that would run')
  first.keys('C-d')
  await first.shows('EXIT 0')
  const second = terminal(folder, words.slice(0, 2))
  await second.shows('0 hooks')
  second.type('go', 'Enter')
  expect(await second.shows('one')).not.toMatch(/that would run|May Bash run/)
})

test('what is being typed when a question comes is no answer to it', { timeout: 180_000 }, async () => {
  const folder = project([[bash('npm --version')], 'done', 'two'], { PreToolUse: hook('sleep 2'), UserPromptSubmit: log('prompts.json') })
  const { type, shows } = terminal(folder, words)
  await shows('3 hooks')
  type('go', 'Enter')
  await shows('● Bash')
  type('y')
  await shows(/\[n\]o: $/m)
  type('n', 'Enter')
  await shows('What should be done instead?')
  type('', 'Enter')
  await shows('Interrupted.')
  await shows(/> y$/m)
  type('es, again', 'Enter')
  await vi.waitFor(() => expect(read(folder, 'prompts.json').map(({ prompt }) => prompt)).toEqual(['go', 'yes, again']), { timeout: 60_000 })
})

test('Ctrl-C twice leaves, in a turn and at the prompt; what was typed is wiped first', { timeout: 180_000 }, async () => {
  const folder = project([[bash('sleep 100')], 'never'])
  const { type, keys, shows } = terminal(folder, [...words, '--allowedTools', 'Bash'])
  await shows('1 hook')
  type('half a prompt')
  keys('C-c')
  await shows(/> $/m)
  type('go', 'Enter')
  await shows(/sleep 100 .*[1-9] s/)
  keys('C-c')
  keys('C-c')
  await shows('EXIT 0')
  expect(read(folder, 'end.json')).toMatchObject([{ reason: 'prompt_input_exit' }])
})

test('a process that is told to end fires SessionEnd and says so with its exit code', { timeout: 180_000 }, async () => {
  const folder = project([[bash('sleep 100')], 'never'])
  const { type, shows, pid } = terminal(folder, [...words, '--allowedTools', 'Bash'])
  await shows('1 hook')
  type('go', 'Enter')
  await shows(/sleep 100 .*[1-9] s/)
  process.kill(pid(), 'SIGTERM')
  await shows('EXIT 143')
  expect(read(folder, 'end.json')).toMatchObject([{ reason: 'other' }])
})

test('no word is seen before hooks of MessageDisplay have let it pass', { timeout: 180_000 }, async () => {
  const masks = `sleep 0.5; sed 's/.*"delta":"\\(.*\\)".*/\\1/; s/SECRET/****/g; s/.*/{"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"&"}}/'`
  const folder = project(['The key is SECRET.'], { MessageDisplay: hook(masks) })
  const { type, shows } = terminal(folder, words)
  await shows('2 hooks')
  type('go', 'Enter')
  expect(await shows('The key is ****.')).not.toContain('SECRET')
})

test('a hook in the background wakes an agent that waits for its person', { timeout: 180_000 }, async () => {
  const folder = project(['I wait.', 'The build is red.'], {
    Stop: hook('[ -e woken ] && exit 0; touch woken; sleep 3; echo "build failed" >&2; exit 2', { asyncRewake: true }),
  })
  const { type, shows } = terminal(folder, words)
  await shows('2 hooks')
  type('go', 'Enter')
  await shows('I wait.')
  await shows('The build is red.')
})

test.each([
  ['nothing was done in goes', ['read it'], false, 'it is gone'],
  ['something was done in stays', [[write('new.txt')], 'written'], true, 'The worktree stays'],
])('a worktree of --worktree that %s when the person leaves', { timeout: 180_000 }, async (_, turns, stays, says) => {
  const folder = project(turns, { WorktreeRemove: hook('cat > "$CLAUDE_PROJECT_DIR/../../../removed.json"') }, { 'proj/a.txt': 'x' })
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: join(folder, 'proj') })
  git('init', '-q', '-b', 'main')
  git('add', '-f', '.')
  git('commit', '-q', '-m', 'first')
  const { type, keys, shows } = terminal(folder, [
    '--model',
    `script:${folder}/proj/turns.json`,
    '--trust',
    '--worktree',
    'w1',
    '--permission-mode',
    'acceptEdits',
  ])
  await shows('2 hooks')
  type('go', 'Enter')
  await shows(String(turns.at(-1)))
  keys('C-d')
  await shows(says)
  await shows('EXIT 0')
  expect(existsSync(join(folder, 'proj/.claude/worktrees/w1'))).toBe(stays)
  expect(existsSync(join(folder, 'proj/removed.json'))).toBe(!stays)
})

test('commands of the session work, narrow and without colours', { timeout: 240_000 }, async () => {
  const folder = project(['one', 'two'], {}, { 'other/a.txt': 'x' })
  const { type, keys, shows, coloured } = terminal(folder, words, { width: 50, env: { NO_COLOR: '1' } })
  await shows('1 hook')
  type('hello', 'Enter')
  await shows('one')
  const commands: [string, RegExp][] = [
    ['/help', /\/hooks \[event\] +the hooks of this session/],
    ['/hooks', /command cat +\(project/],
    ['/model', /The model is script/],
    ['/model nope', /The model (is|stays)|no/],
    ['/add-dir ../other', /Added .*other/],
    ['/add-dir nowhere', /is no folder/],
    ['/resume', /There is no other session/],
    ['/resume nope', /No conversation found with session ID: nope/],
    ['/mode plan', /mode is plan now/],
    ['/compact', /compacted|Not enough|summary/],
    ['/clear', /cleared|new|empty/i],
    ['/resume ', /Say \/resume ID/],
  ]
  for (const [command, answer] of commands) {
    type(command, 'Enter')
    await shows(answer)
  }
  expect(coloured()).not.toMatch(/\u001b\[3[0-9]m/)
  keys('C-d')
  await shows('EXIT 0')
  expect(read(folder, 'end.json').map(({ reason }) => reason)).toEqual(['clear', 'prompt_input_exit'])
})
