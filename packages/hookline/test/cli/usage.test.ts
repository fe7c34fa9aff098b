/** Words that cannot be read: exit code 64, never 2, with what to do next, and no stack trace. */
import { describe, expect, test } from 'vitest'
import { documentOf, project } from './start.ts'

const here = project()

const wrong: [what: string, args: string[], says: RegExp][] = [
  ['no command at all', [], /name a command/],
  ['an unknown command', ['fier'], /unknown command 'fier'[\s\S]*Did you mean fire/],
  ['an unknown option', ['fire', 'Stop', '--inptu', 'x'], /unknown option '--inptu'[\s\S]*Did you mean --input/],
  ['an option without its value', ['fire', 'Stop', '--input'], /'--input <file\|->' argument missing/],
  ['a missing event', ['fire'], /missing required argument 'event'/],
  ['an event too many', ['fire', 'Stop', 'Setup'], /too many arguments/],
  ['an unknown event', ['fire', 'PreToolUze'], /"PreToolUze" is not an event\.[\s\S]*Did you mean "PreToolUse"/],
  ['an unknown event of explain', ['explain', 'stop'], /"stop" is not an event\.[\s\S]*Did you mean "Stop"/],
  ['an unknown event of list', ['list', 'PreToolUze'], /Did you mean "PreToolUse"/],
  ['a name that every object has', ['fire', 'constructor'], /"constructor" is not an event/],
  ['an unknown form of output', ['validate', '--format', 'xml'], /'xml' is invalid[\s\S]*text, json, sarif, github/],
  ['an unknown shell', ['completion', 'tcsh'], /'tcsh' is invalid[\s\S]*bash, zsh, fish/],
  ['an unknown thing to try', ['try', 'mather', 'x', 'y'], /unknown command 'mather'/],
  ['nothing to try', ['try', 'matcher'], /needs a pattern and a value/],
  ['half a rule', ['try', 'rule', 'Bash(ls)'], /needs a rule, and a command/],
  ['no event to read output for', ['try', 'output'], /needs an event/],
  ['an exit code that is none', ['try', 'output', 'Stop', '--exit', 'two'], /"two" is not an exit code/],
  ['a folder that is not there', ['list', '--cwd', 'nowhere'], /--cwd: there is no folder .*nowhere/],
  ['a file for a folder', ['list', '--cwd', 'file'], /--cwd: .*file is no folder/],
  ['settings that are not there', ['list', '--settings', 'nowhere.json'], /--settings: there is no file .*nowhere\.json/],
  ['a folder for settings', ['list', '--settings', '.'], /--settings: .* is a folder/],
  ['settings that are no JSON', ['fire', 'Stop', '--settings', 'broken.json'], /broken\.json:2:\d+: --settings: .*JSON/],
  ['settings typed as broken JSON', ['fire', 'Stop', '--settings', '{"hooks": }'], /^hookline: --settings:1:11: not valid JSON: [^\n]*\.\n {2}Give settings/],
  ['a form of JSON that there is none of', ['list', '--json=xml'], /unknown option '--json=xml'[\s\S]*--json=lines/],
  ['trust in a digest that is none', ['fire', 'Stop', '--trust=abc'], /"abc" is no digest/],
  ['a command of a later version', ['replay', 'x'], /"replay" is not part of this version/],
  ['a replay', ['replay', 'x'], /"replay" is not part of this version/],
]

here.write('file', '')
here.write('broken.json', '{\n  "hooks": {]\n}')

describe('exits with 64 and says what to do for', () => {
  test.each(wrong)('%s', async (_what, args, says) => {
    const { code, stdout, stderr } = await here.hookline(args)
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/^ {4}at /m)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  })
})

test('an error is the one document when one was asked for, and the last line of lines', async () => {
  const error = { version: 1, kind: 'error', code: 'unknown-event', exit: 64, hint: 'Did you mean "Stop"?' }
  expect(documentOf(await here.hookline(['fire', 'Stpo', '--json']))).toMatchObject(error)
  expect(documentOf(await here.hookline(['fire', 'Stpo', '--json=lines']))).toMatchObject(error)
  expect(documentOf(await here.hookline(['fire', '--json']))).toMatchObject({ kind: 'error', code: 'usage', exit: 64 })
})

describe('help', () => {
  const commands = [
    ['fire'],
    ['explain'],
    ['validate'],
    ['list'],
    ['try'],
    ['try', 'matcher'],
    ['try', 'rule'],
    ['try', 'output'],
    ['trust'],
    ['trust', 'approve'],
    ['schema'],
    ['init'],
    ['completion'],
  ]

  test.each(commands.map((words) => [words.join(' '), words] as const))('of %s has an example and exits with 0', async (name, words) => {
    const { code, stdout, stderr } = await here.hookline([...words, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: hookline ${name}`)
    expect(stdout).toMatch(new RegExp(`Example:\\n  .*hookline ${name}`))
    expect(stdout).toContain('--no-color')
  })

  test('of the whole lists every command and the exit codes, and nothing that is not there', async () => {
    const { code, stdout } = await here.hookline(['--help'])
    expect(code).toBe(0)
    for (const [name] of commands) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(stdout).toContain('64 usage')
    expect(stdout).not.toMatch(/^ {2}__complete\b/m)
  })
})

test('the version is that of the package', async () => {
  const { version } = (await import('../../package.json', { with: { type: 'json' } })).default
  expect(await here.hookline(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(documentOf(await here.hookline(['--version', '--json']))).toEqual({ version: 1, kind: 'version', hookline: version, node: process.versions.node })
})
