/** `hookline list`: hooks by event with source and trust, and the events there are. */
import { describe, expect, test } from 'vitest'
import { eventNames } from '../../src/index.ts'
import { documentOf, project } from './start.ts'

const here = project()
const run = (command: string) => ({ hooks: [{ type: 'command', command }] })
here.writeHome('.claude/settings.json', { hooks: { Stop: [run('echo mine')] } })
here.write('.claude/settings.json', {
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo guard', if: 'Bash(rm *)', onFailure: 'block' }] }],
    Stop: [run('echo theirs')],
  },
})

describe('lists', () => {
  test('sources with their state and trust, then the hooks of each event', async () => {
    const { code, stdout } = await here.hookline(['list'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^user {2}~\/\.claude\/settings\.json {2}loaded$/m)
    expect(stdout).toMatch(/^project {2}\.claude\/settings\.json {2}loaded, not trusted/m)
    expect(stdout).not.toContain('settings.local.json')
    expect(stdout).toMatch(/^PreToolUse\n {2}Bash +echo guard +command +project \.claude\/settings\.json:\d+ +if Bash\(rm \*\), fails closed, untrusted$/m)
    expect(stdout).toMatch(/^Stop\n {2}\(every\) +echo mine +command +user .*\n {2}\(every\) +echo theirs +command +project .* untrusted$/m)
  })

  test('the same as a document', async () => {
    const document = documentOf(await here.hookline(['list', '--json']))
    expect(document).toMatchObject({ version: 1, kind: 'list', cwd: here.folder, warnings: [] })
    expect(document['sources']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'user', kind: 'user', state: 'loaded', trust: 'not-needed' }),
        expect.objectContaining({ id: 'project', kind: 'project', file: '.claude/settings.json', state: 'loaded', trust: 'untrusted' }),
        expect.objectContaining({ id: 'local', state: 'absent' }),
      ]),
    )
    expect((document['hooks'] as { id: string }[]).map((hook) => hook.id)).toEqual(['user:Stop:0:0', 'project:PreToolUse:0:0', 'project:Stop:0:0'])
  })

  test('one event, or one hook', async () => {
    expect(documentOf(await here.hookline(['list', 'PreToolUse', '--json']))['hooks']).toHaveLength(1)
    expect(documentOf(await here.hookline(['list', '--hook', 'project:Stop:0:0', '--json']))['hooks']).toMatchObject([{ label: 'echo theirs' }])
    expect(await here.hookline(['list', '--hook', 'nobody'])).toMatchObject({ code: 64, stdout: '' })
  })

  test('settings that are broken, with the place', async () => {
    const other = project()
    other.write('.claude/settings.json', '{"hooks": {]}')
    const { code, stdout } = await other.hookline(['list'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^project {2}\.claude\/settings\.json {2}broken/m)
    expect(stdout).toMatch(/^\.claude\/settings\.json:1:12 error invalid-json/m)
  })

  test('nothing, and says how to start', async () => {
    expect((await project().hookline(['list'])).stdout).toBe('No hooks. `hookline init` writes a first one.\n')
  })
})

test('--events lists every event of the settings format, hooks or not', async () => {
  const document = documentOf(await here.hookline(['list', '--events', '--json']))
  expect(document).toMatchObject({ version: 1, kind: 'events' })
  expect((document['events'] as { name: string }[]).map((event) => event.name)).toEqual(eventNames)
  const { stdout } = await here.hookline(['list', '--events', 'PreToolUse'])
  expect(stdout).toMatch(/^PreToolUse {2}matches tool_name\n {2}A tool is about to run/)
})
