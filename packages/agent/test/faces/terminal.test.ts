/** The interactive face in a real terminal: tmux types, and reads what a person would see. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder.ts'
import { terminal } from './tmux.ts'

const settings = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: 'sleep 1; echo NOT-HERE >&2; exit 2', if: 'Bash(rm *)', statusMessage: 'looking at the command' }],
      },
    ],
    SessionEnd: [{ hooks: [{ type: 'command', command: 'cat > "$CLAUDE_PROJECT_DIR/end.json"' }] }],
  },
})

const turns = (modelTurns: unknown[]): Record<string, string> => ({ 'proj/turns.json': JSON.stringify({ modelTurns }), 'proj/.claude/settings.json': settings })
const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'x' } })

test('asks before a tool runs, shows a hook at work and what it said, and ends with the reason of the person', { timeout: 120_000 }, async () => {
  const folder = folderWith(turns([[{ text: 'I look around.' }, bash('touch made.txt')], [bash('rm made.txt')], 'All \u001b[31mdone\u001b[0m.']))
  const { type, keys, shows } = terminal(folder, ['--model', 'script:turns.json', '--trust'])
  await shows('2 hooks')
  type('please go', 'Enter')
  await shows(/May Bash run\?\s+touch made\.txt/)
  expect(existsSync(join(folder, 'proj/made.txt'))).toBe(false)
  type('y', 'Enter')
  await shows('looking at the command')
  await shows(/PreToolUse hook .*NOT-HERE/)
  // What a model writes cannot colour the terminal.
  await shows('All \\u001b[31mdone\\u001b[0m.')
  expect(existsSync(join(folder, 'proj/made.txt'))).toBe(true)
  type('/hooks', 'Enter')
  await shows(/project .*settings\.json:1.*matcher Bash, if Bash\(rm \*\)/)
  keys('C-d')
  await shows('EXIT 0')
  expect(JSON.parse(readFileSync(join(folder, 'proj/end.json'), 'utf8'))).toMatchObject({ reason: 'prompt_input_exit' })
  // The history is the folder's own.
  const [file = ''] = readdirSync(join(folder, 'state/hookline/history'))
  expect(file).toMatch(/-proj$/)
  expect(readFileSync(join(folder, 'state/hookline/history', file), 'utf8')).toBe('please go\n/hooks\n')
})

test('a refusal may say what to do instead, and the model hears it', { timeout: 120_000 }, async () => {
  const folder = folderWith(turns([[bash('touch a')], 'I do it otherwise.']))
  const { type, shows } = terminal(folder, ['--model', 'script:turns.json', '--trust'])
  await shows('2 hooks')
  type('go', 'Enter')
  await shows('May Bash run?')
  type('n', 'Enter')
  await shows('What should be done instead?')
  type('use git', 'Enter')
  await shows(/refused: .*use git/)
  await shows('I do it otherwise.')
})

test('what the folder brings is shown whole before anything of it runs, and a no keeps it off', { timeout: 120_000 }, async () => {
  const folder = folderWith(turns([[bash('rm made.txt')], 'done']))
  const { type, keys, shows } = terminal(folder, ['--model', 'script:turns.json', '--allowedTools', 'Bash'])
  await shows('/help lists commands')
  type('go', 'Enter')
  await shows(/brings 2 things that would run:[\s\S]*sleep 1; echo NOT-HERE >&2; exit 2/)
  type('n', 'Enter')
  await shows('done')
  keys('C-d')
  await shows('EXIT 0')
  expect(existsSync(join(folder, 'proj/end.json'))).toBe(false)
})

test('Ctrl-C ends the turn and not the session', { timeout: 120_000 }, async () => {
  const folder = folderWith(turns([[bash('sleep 100')], 'after']))
  const { type, keys, shows } = terminal(folder, ['--model', 'script:turns.json', '--trust', '--allowedTools', 'Bash'])
  await shows('2 hooks')
  type('go', 'Enter')
  await shows(/sleep 100 \(\+1\) [1-9]/)
  keys('C-c')
  await shows('Interrupted.')
  type('again', 'Enter')
  await shows('after')
  keys('C-d')
  await shows('EXIT 0')
})
