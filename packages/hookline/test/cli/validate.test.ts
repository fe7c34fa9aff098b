/** `hookline validate`: findings with place and code, in four forms, and an exit code for CI. */
import { chmodSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { documentOf, project } from './start.ts'

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })

describe('named files', () => {
  const here = project()
  here.write('shape.json', '{\n  "hooks": {\n    "PreToolUse": {}\n  }\n}\n')
  here.write('warning.json', '{} // a note\n')
  here.write('good.json', { hooks: { Stop: [hook('true')] } })
  here.write('ghost.json', { hooks: { Stop: [hook('no-such-program-anywhere --now'), hook('"$CLAUDE_PROJECT_DIR"/ghost.sh')] } })

  test('an error is one line with place and code, the hint and the page below it, and exit 1', async () => {
    const { code, stdout, stderr } = await here.hookline(['validate', 'shape.json'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^shape\.json:3:19 error hooks-shape PreToolUse: .*\n {2}Put .*\n {2}https:\S+\/hooks-shape\n$/)
    expect(stderr).toBe('1 file: 1 error, 0 warnings.\n')
  })

  test('a misspelt event is found where it stands, with the right name', async () => {
    here.write('typo.json', '{\n  "hooks": {\n    "PreToolUze": []\n  }\n}\n')
    const { code, stdout } = await here.hookline(['validate', 'typo.json', '--strict'])
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^typo\.json:3:5 \w+ unknown-event .*"PreToolUze": did you mean "PreToolUse"\?/),
    })
  })

  test('a sound file is silent on stdout, exit 0', async () => {
    expect(await here.hookline(['validate', 'good.json'])).toMatchObject({ code: 0, stdout: '', stderr: '1 file: 0 errors, 0 warnings.\n' })
  })

  test('a warning is exit 0, and exit 1 with --strict', async () => {
    const { code, stdout } = await here.hookline(['validate', 'warning.json'])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warning\.json:1:4 warning comment /) })
    expect((await here.hookline(['validate', 'warning.json', '--strict'])).code).toBe(1)
  })

  test('commands that do not exist are found on the path and in the project', async () => {
    const document = documentOf(await here.hookline(['validate', 'ghost.json', '--json']))
    const codes = (document['diagnostics'] as { code: string; message: string }[]).filter((one) => one.code === 'missing-command')
    expect(codes.map((one) => one.message)).toEqual([expect.stringContaining('no-such-program-anywhere'), expect.stringContaining('ghost.sh')])
  })

  test('every file is looked at, those that cannot be read too', async () => {
    const done = await here.hookline(['validate', 'good.json', 'nowhere.json', '.', 'shape.json', '--json'])
    expect(done.code).toBe(1)
    expect(documentOf(done)).toMatchObject({
      version: 1,
      kind: 'validation',
      files: [
        { file: 'good.json', ok: true },
        { file: 'nowhere.json', ok: false },
        { file: '.', ok: false },
        { file: 'shape.json', ok: false },
      ],
      errors: 3,
      warnings: 0,
      diagnostics: [
        { code: 'no-such-file', file: 'nowhere.json' },
        { code: 'not-a-file', file: '.' },
        { code: 'hooks-shape', file: 'shape.json', line: 3, column: 19 },
      ],
    })
  })

  test('stdin is read for "-"', async () => {
    const { code, stdout } = await here.hookline(['validate', '-'], { input: '[]' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^stdin:1:1 error not-an-object/) })
  })

  test('--format github gives one annotation a finding, escaped', async () => {
    const { code, stdout } = await here.hookline(['validate', 'shape.json', 'warning.json', '--format', 'github'])
    expect(code).toBe(1)
    const [first, second, ...more] = stdout.trimEnd().split('\n')
    expect(first).toMatch(/^::error file=shape\.json,line=3,col=19,title=hooks-shape::/)
    expect(second).toMatch(/^::warning file=warning\.json,line=1,col=4,title=comment::[^\n]*%0A/)
    expect(more).toEqual([])
  })

  test('--format sarif gives one log that names rules and places', async () => {
    here.write('a b.json', 'null')
    const outside = project().write('x.json', 'null')
    const done = await here.hookline(['validate', 'shape.json', 'a b.json', outside, '--format', 'sarif'])
    expect(done.code).toBe(1)
    const [run] = documentOf(done)['runs'] as { tool: { driver: object }; results: object[] }[]
    expect(documentOf(done)).toMatchObject({ version: '2.1.0' })
    expect(run?.tool.driver).toMatchObject({
      name: 'hookline',
      rules: [{ id: 'hooks-shape', helpUri: expect.stringMatching(/^https:/) }, { id: 'not-an-object' }],
    })
    const place = (uri: string, startLine: number, startColumn: number) => [
      { physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } } },
    ]
    expect(run?.results).toMatchObject([
      { ruleId: 'hooks-shape', ruleIndex: 0, level: 'error', locations: place('shape.json', 3, 19) },
      { ruleId: 'not-an-object', ruleIndex: 1, locations: place('a%20b.json', 1, 1) },
      { ruleId: 'not-an-object', locations: place(pathToFileURL(outside).href, 1, 1) },
    ])
  })
})

describe('without a name', () => {
  test('all sources of the folder are looked at, trusted or not', async () => {
    const here = project()
    here.writeHome('.claude/settings.json', { hooks: [] })
    here.write('.claude/settings.json', { hooks: { Stop: [hook('./ghost.sh')] } })
    here.write('.claude/settings.local.json', '{')
    const done = await here.hookline(['validate', '--json'])
    expect(done.code).toBe(1)
    const document = documentOf(done)
    expect((document['files'] as { ok: boolean }[]).map((file) => file.ok)).toEqual([false, true, false])
    const found = (document['diagnostics'] as { file: string; code: string }[]).map(({ file, code }) => `${file.replace(here.home, '~')} ${code}`)
    expect(found).toEqual(
      expect.arrayContaining(['~/.claude/settings.json hooks-shape', '.claude/settings.json missing-command', '.claude/settings.local.json invalid-json']),
    )
    expect(new Set(found).size).toBe(found.length)
  })

  test('--cwd and --settings choose what is looked at', async () => {
    const here = project()
    here.write('.claude/settings.json', { hooks: [] })
    here.write('more.json', '{')
    const done = await here.hookline(['validate', '--json', '--cwd', here.folder, '--settings', `${here.folder}/more.json`], { cwd: here.home })
    expect(documentOf(done)).toMatchObject({
      files: [
        { file: '.claude/settings.json', ok: false },
        { file: 'more.json', ok: false },
      ],
      errors: 2,
    })
  })

  test('a folder without settings is sound, and says how to start', async () => {
    expect(await project().hookline(['validate'])).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('hookline init') })
  })

  test('a settings file that may not be opened is a finding', async () => {
    const here = project()
    here.write('.claude/settings.json/inner', '')
    chmodSync(`${here.folder}/.claude/settings.json`, 0o755)
    const { code, stdout } = await here.hookline(['validate'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^\.claude\/settings\.json error unreadable-file/)
  })
})
