/** Shell completion: what is offered where, and that a shell which loads the script runs nothing that was typed. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-table.ts'
import { eventNames } from '../../src/index.ts'
import { bin, project } from './start.ts'

const here = project()
here.writeHome('.claude/settings.json', {
  hooks: {
    PreToolUse: [
      { matcher: 'mcp__gh__search', hooks: [{ type: 'command', command: 'true' }] },
      { matcher: 'Ba$(touch pwned)', hooks: [{ type: 'command', command: 'true' }] },
    ],
  },
})

async function offered(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await here.hookline(['__complete', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t', 1)[0] as string)
}

describe('offers', () => {
  test('commands, also behind options with values', async () => {
    expect(await offered('')).toEqual(commands.map((command) => command.name))
    expect(await offered('')).toEqual(expect.arrayContaining(['fire', 'explain', 'validate', 'list', 'try', 'schema', 'init', 'completion']))
    expect(await offered('--cwd', '/', 'com')).toEqual(['completion'])
  })
  test('events with what they are for', async () => {
    expect(await offered('fire', '')).toEqual(eventNames)
    expect(await offered('explain', '--json', 'PreTo')).toEqual(['PreToolUse'])
    expect((await here.hookline(['__complete', '--', 'fire', 'PreTo'])).stdout).toMatch(/^PreToolUse\tA tool is about to run/)
  })
  test('tools, those that matchers name among them, but no word that a shell would run', async () => {
    expect(await offered('fire', 'PreToolUse', '--tool', 'Ba')).toEqual(['Bash', 'BashOutput'])
    expect(await offered('fire', 'PreToolUse', '--tool', 'mcp')).toEqual(['mcp__gh__search'])
  })
  test('hook ids', async () => {
    expect(await offered('explain', 'PreToolUse', '--hook', 'user:')).toEqual(['user:PreToolUse:0:0', 'user:PreToolUse:1:0'])
  })
  test('what can be tried, and forms, shells, options', async () => {
    expect(await offered('try', '')).toEqual(['matcher', 'rule', 'output', 'url'])
    expect(await offered('validate', '--format', 's')).toEqual(['sarif'])
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await offered('fire', 'Stop', '--to')).toEqual(['--tool', '--tool-input'])
    expect(await offered('--')).not.toContain('--tool')
  })
  test('the options of the agent behind run, with their choices, files, folders and tools', async () => {
    expect(await offered('run', '--')).toEqual(
      expect.arrayContaining(['--print', '--output-format', '--allowedTools', '--permission-mode', '--mcp-config', '--worktree', '--trust', '--cwd', '--help']),
    )
    expect(await offered('run', '-p', 'go', '--permission-mode', 'p')).toEqual(['plan'])
    expect(await offered('run', '--output-format', '')).toEqual(['text', 'json', 'stream-json'])
    expect(await offered('run', '--settings', 'x')).toEqual([':file'])
    expect(await offered('run', '--plugin-dir', '')).toEqual([':folder'])
    expect(await offered('run', '--allowedTools', 'Ba')).toEqual(['Bash', 'BashOutput'])
    // A prompt is nobody's to guess, and the options of other commands stay theirs.
    expect(await offered('run', '-p', '')).toEqual([])
    expect(await offered('run', '--input', '')).not.toContain(':file')
    expect(await offered('fire', 'run', '--')).not.toContain('--print')
  })
  test('files and folders by leaving them to the shell', async () => {
    expect(await offered('validate', '')).toEqual([':file'])
    expect(await offered('fire', 'Stop', '--input', 'x')).toEqual([':file'])
    expect(await offered('--cwd', '')).toEqual([':folder'])
  })
  test('nothing where nothing is known, and nothing when settings are broken', async () => {
    expect(await offered('fire', 'Stop', '--set', '')).toEqual([])
    expect(await offered('unknown', '')).toEqual([])
    expect(await offered('list', '--cwd', '/nowhere', '--hook', '')).toEqual([])
  })
})

describe('in bash', () => {
  /** What bash offers at the end of a line, with our script loaded twice. */
  async function inBash(line: string, words: string): Promise<string[]> {
    here.write('completion.bash', (await here.hookline(['completion', 'bash'])).stdout)
    here.script('bin/hookline', `exec "${process.execPath}" "${bin}" "$@"`)
    const script = [
      'source completion.bash; source completion.bash',
      `COMP_LINE=$1; COMP_POINT=\${#1}; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()`,
      'complete -p hookline > /dev/null && _hookline',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n')
    const env = { PATH: `${here.folder}/bin:${process.env.PATH}`, HOME: here.home }
    return execFileSync('bash', ['--norc', '-c', script, 'bash', line], { cwd: here.folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
      .trim()
      .split('\n')
  }

  test('completes commands, events and files', async () => {
    expect(await inBash('hookline val', 'hookline val')).toEqual(['validate'])
    expect(await inBash('hookline fire PostToolUseF', 'hookline fire PostToolUseF')).toEqual(['PostToolUseFailure'])
    expect(await inBash('hookline validate comp', 'hookline validate comp')).toEqual(['completion.bash'])
    expect(await inBash('hookline run --output-format s', 'hookline run --output-format s')).toEqual(['stream-json'])
    expect(await inBash('hookline run --append', 'hookline run --append')).toEqual(['--append-system-prompt'])
  })

  test('completes hook ids, which bash splits at every colon', async () => {
    expect(await inBash('hookline list --hook user:PreToolUse:1', 'hookline list --hook user : PreToolUse : 1')).toEqual(['1:0'])
    expect(await inBash('hookline list --hook user:', 'hookline list --hook user :')).toEqual(['PreToolUse:0:0', 'PreToolUse:1:0'])
  })

  test('runs nothing of what was typed', async () => {
    await inBash('hookline fire $(touch pwned) `touch pwned` PreTo', `hookline fire '$(touch pwned)' '\`touch pwned\`' PreTo`)
    expect(existsSync(join(here.folder, 'pwned'))).toBe(false)
  })
})

test.each(['bash', 'zsh', 'fish'])('the script for %s hands words over as words, and is printed as a document too', async (shell) => {
  const { code, stdout } = await here.hookline(['completion', shell])
  expect(code).toBe(0)
  expect(stdout).toContain('hookline __complete --')
  expect(stdout).not.toMatch(/\beval\b|\breadonly\b/)
  const document = JSON.parse((await here.hookline(['completion', shell, '--json'])).stdout) as object
  expect(document).toEqual({ version: 1, kind: 'completion', shell, script: stdout })
})
