/** The short way of `fire`: where it says that nothing has a say, the long way comes to the empty verdict. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EventName, eventNames, events, type FireInput, type NamedRow } from '../../src/index.ts'
import { createHookline, isUntouched, resolveFor } from '../../src/node.ts'
import { example } from '../../src/testing.ts'

let cwd: string
let env: Record<string, string>
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-untouched-'))
  cwd = join(root, 'project')
  mkdirSync(cwd)
  env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home') }
})
afterEach(() => rmSync(dirname(cwd), { recursive: true, force: true }))

const rowOf = (event: EventName) => events[event] as unknown as NamedRow
const read = { tool_name: 'Read', tool_input: { file_path: 'a.txt' }, tool_use_id: 'toolu_1' }
const untouched = (event: EventName, input: object = read) => isUntouched(rowOf(event), input as Record<string, unknown>, { cwd, env })

describe('in a folder where nobody wrote anything', () => {
  test.each([...eventNames])('%s comes to the empty verdict, as is said', async (event) => {
    const input = example(event) as unknown as Record<string, unknown>
    const plain = event === 'PreToolUse' ? { ...input, ...read } : input
    expect(untouched(event, plain)).toBe(true)
    const hookline = await createHookline({ cwd, env, interactive: false, trust: 'pinned', pool: 'off' })
    const verdict = await hookline.fire(event, plain as FireInput<EventName>)
    expect(verdict).toMatchObject({ blocked: false, hooks: [], messages: [], warnings: [], conflicts: [], toModel: '', toUser: '' })
    expect(hookline.diagnostics).toEqual([])
    if (event === 'PreToolUse') expect(await resolveFor(hookline, verdict as never)).toEqual({ behavior: 'passthrough', cause: 'no-opinion' })
    await hookline.close()
  })

  test.each([
    ['a tool that writes', { ...read, tool_name: 'Write' }],
    ['a shell', { ...read, tool_name: 'Bash' }],
    ['a tool of a server', { ...read, tool_name: 'mcp__files__write' }],
    ['a tool that nobody knows', { ...read, tool_name: 'Foo' }],
    ['an input that does not fit', { ...read, tool_input: 'x' }],
    ['a common field that does not fit', { ...read, cwd: 1 }],
    ['an effort that is no object', { ...read, effort: 'high' }],
    ['a field that nobody knows and that is no text', { ...read, extra: 1 }],
  ])('nothing is said of %s', (_what, input) => {
    expect(untouched('PreToolUse', input)).toBe(false)
  })
})

test.each([
  ['user settings', '../home/.claude/settings.json'],
  ['our own user settings', '../home/.config/hookline/settings.json'],
  ['project settings', '.claude/settings.json'],
  ['our own project settings', '.hookline/settings.json'],
  ['local settings', '.claude/settings.local.json'],
])('nothing is said where there are %s, even empty ones', (_what, file) => {
  mkdirSync(dirname(join(cwd, file)), { recursive: true })
  writeFileSync(join(cwd, file), '')
  expect(untouched('PreToolUse')).toBe(false)
})

test('nothing is said where a place cannot be looked at', () => {
  mkdirSync(join(cwd, '.claude'))
  symlinkSync('settings.json', join(cwd, '.claude/settings.json'))
  expect(untouched('PreToolUse')).toBe(false)
})
