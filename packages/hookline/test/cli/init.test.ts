/** `hookline init` and `hookline schema`: a first hook that works, nothing lost, and the schema that editors use. */
import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../house/reading.ts'
import { documentOf, type Project, project } from './start.ts'

const read = (here: Project, path = '.claude/settings.json') => readFileSync(join(here.folder, path), 'utf8')

describe('in an empty folder', () => {
  const here = project()

  test('writes settings and a script, and says the next command', async () => {
    const { code, stdout, stderr } = await here.hookline(['init'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      `wrote .claude/settings.json (1 hook: block-rm)\nwrote .claude/hooks/block-rm.sh\nNext: hookline fire PreToolUse --tool Bash --tool-input '{"command":"rm -rf /"}' --trust\n`,
    )
    expect(statSync(join(here.folder, '.claude/hooks/block-rm.sh')).mode & 0o111).toBe(0o111)
    expect(JSON.parse(read(here))).toMatchObject({ $schema: expect.stringMatching(/settings\.schema\.json$/), hooks: { PreToolUse: [{ matcher: 'Bash' }] } })
  })

  test('what it wrote is sound, without a warning', async () => {
    expect(await here.hookline(['validate', '--strict'])).toMatchObject({ code: 0, stdout: '' })
  })

  const commands: [command: string, code: number][] = [
    ['rm -rf /', 2],
    ['sudo rm -fr build', 2],
    ['rm -r -f build', 2],
    ['rm --recursive --force build', 2],
    ['cd x && rm -rf build', 2],
    ['echo a\nrm\t-rf build', 2],
    ["bash -c 'rm -rf build'", 2],
    ['rm -Rf "a b"', 2],
    ['rm notes.txt', 0],
    ['rm -r build', 0],
    ['rm -f a; ls -r', 0],
    ['git rm -rf build', 0],
    ['echo "rm -rf /"', 0],
    ['ls', 0],
  ]
  test.each(commands)('its hook answers %j with %i', async (command, code) => {
    const done = await here.hookline(['fire', 'PreToolUse', '--trust', '--tool', 'Bash', '--tool-input', JSON.stringify({ command })])
    expect(done.code).toBe(code)
    if (code === 2) expect(done.stdout).toMatch(/^denied by .*project \.claude\/settings\.json:\d+ block-rm\.sh.*rm -rf is not allowed here/ms)
  })

  test('a second time changes nothing and says so', async () => {
    const before = read(here)
    const { code, stdout } = await here.hookline(['init'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^kept \.claude\/settings\.json as it is/)
    expect(read(here)).toBe(before)
  })
})

describe('beside settings that are there', () => {
  test.each([
    [
      'comments, tabs and other keys stay',
      '// mine\n{\n\t"env": { "A": "1" }, // x\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
      ['// mine\n', '\t"env": { "A": "1" }, // x\n', '\t\t"Stop": [],\n\t\t"PreToolUse": [\n\t\t\t{'],
    ],
    ['the event has hooks already', '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}', ['"command": "true"']],
    ['there is a byte-order mark and CRLF', '\uFEFF{\r\n  "hooks": {}\r\n}\r\n', ['\uFEFF{\r\n  "hooks": {\r\n    "PreToolUse": [\r\n']],
    ['there are no hooks', '{}', ['"hooks": {']],
  ])('%s: the hook is added', async (_what, text, keeps) => {
    const here = project()
    here.write('.claude/settings.json', text)
    const { code, stdout } = await here.hookline(['init'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^added to \.claude\/settings\.json/)
    for (const part of keeps) expect(read(here)).toContain(part)
    const listed = documentOf(await here.hookline(['list', 'PreToolUse', '--json']))['hooks'] as { label: string }[]
    expect(listed.at(-1)?.label).toContain('block-rm')
  })

  test.each([
    ['broken JSON', '{"hooks": ', 'not valid JSON'],
    ['an empty file', '', 'empty'],
    ['a list', '[]', 'does not hold an object'],
    ['hooks that are a list', '{"hooks": []}', '"hooks" in it is not an object'],
    ['an event that is an object', '{"hooks": {"PreToolUse": {}}}', 'is not a list'],
    ['hooks written twice', '{"hooks": {}, "hooks": {}}', 'stands twice'],
  ])('%s is left alone, with exit 1 and what to add by hand', async (_what, text, says) => {
    const here = project()
    here.write('.claude/settings.json', text)
    const { code, stdout, stderr } = await here.hookline(['init'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(says)
    expect(stderr).toContain('"PreToolUse": [{')
    expect(read(here)).toBe(text)
    expect(() => statSync(join(here.folder, '.claude/hooks/block-rm.sh'))).toThrow('ENOENT')
  })

  test('a script of that name is kept, and that is said', async () => {
    const here = project()
    here.script('.claude/hooks/block-rm.sh', 'exit 0')
    const { code, stdout } = await here.hookline(['init'])
    expect(code).toBe(0)
    expect(stdout).toContain('kept .claude/hooks/block-rm.sh as it is')
    expect(read(here, '.claude/hooks/block-rm.sh')).toBe('#!/bin/sh\nexit 0\n')
  })

  test('a link that leads nowhere is not written through', async () => {
    const here = project()
    here.write('.claude/x', '')
    symlinkSync(join(here.home, 'elsewhere.json'), join(here.folder, '.claude/settings.json'))
    expect(await here.hookline(['init'])).toMatchObject({ code: 1, stdout: '' })
    expect(() => statSync(join(here.home, 'elsewhere.json'))).toThrow('ENOENT')
  })
})

test('schema prints the schema of the package, as text and as document', async () => {
  const here = project()
  const shipped = readFileSync(join(root, 'packages/hookline/schema/settings.schema.json'), 'utf8')
  expect(await here.hookline(['schema'])).toMatchObject({ code: 0, stdout: shipped, stderr: '' })
  expect(documentOf(await here.hookline(['schema', '--json']))).toEqual(JSON.parse(shipped))
})

describe('links that a folder brings', () => {
  test.each([
    ['the settings file', '.claude/settings.json', 'own.json'],
    ['the folder of settings', '.claude', 'own'],
    ['the folder of scripts', '.claude/hooks', 'own'],
  ])('%s: what it leads to is not written', async (_, path, target) => {
    const here = project()
    const outside = here.writeHome(target === 'own' ? 'own/settings.json' : target, '{}')
    if (path !== '.claude') here.write('.claude/readme', '')
    symlinkSync(target === 'own' ? join(here.home, 'own') : outside, join(here.folder, path))
    const { code, stderr } = await here.hookline(['init'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is a link to') })
    expect(readFileSync(outside, 'utf8').trim()).toBe('{}')
  })
})
