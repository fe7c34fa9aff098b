/** `hookline log`: showing, following, verifying and exporting, through the built command. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/audit/record.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { filesIn } from '../platform/log-folder.ts'
import { documentOf, type Project, project } from './start.ts'

const here = project()
const logOf = (one: Project) => join(one.home, '.local/state/hookline/log')

function verdict(call: string, more: Partial<Extract<AuditEntry, { kind: 'verdict' }>> = {}): AuditEntry {
  const hook = {
    id: 'project:PreToolUse:0:1',
    type: 'command',
    source: { kind: 'project' as const, file: '.claude/settings.json', line: 8 },
    digest: 'ab'.repeat(32),
    ms: 2.4,
  }
  return {
    kind: 'verdict',
    session: 's-1',
    event: 'PreToolUse',
    call,
    decision: 'deny',
    cause: 'hook',
    reason: 'no pushing on Friday',
    by: [hook.id],
    ms: 3,
    input: { preview: '{"tool_name":"Bash","tool_input":{"command":"git push"}}' },
    hooks: [{ ...hook, ending: { kind: 'exited', code: 2 }, outcome: 'blocking', said: 'deny' }],
    ...more,
  }
}

async function write(folder: string, entries: readonly AuditEntry[]): Promise<void> {
  const log = openAuditLog(folder, { required: true })
  for (const entry of entries) await log.append(entry)
  await log.close()
}

const hostile = 'a\u001b[2J\u001b]0;title\u0007b\u202ec\u2028d\r\nforged 2026-11-12 00:00:00  allow'

beforeAll(async () => {
  const open = {
    id: 'user:Stop:0:0',
    type: 'command',
    source: { kind: 'user' as const },
    digest: 'cd'.repeat(32),
    ms: 60_000,
    ending: { kind: 'timedOut' as const, afterMs: 60_000 },
    outcome: 'nonBlockingError' as const,
    failure: 'timeout' as const,
  }
  await write(logOf(here), [
    verdict('c-1'),
    { kind: 'permitted', session: 's-1', event: 'PreToolUse', call: 'c-1', decision: 'deny', cause: 'rule', reason: 'Bash(git push *)' },
    verdict('c-2', { event: 'Stop', decision: 'none', cause: 'no-opinion', hooks: [open], by: [], reason: '' }),
    verdict('c-3', { session: 's-2', reason: hostile, input: { preview: hostile } }),
  ])
})

describe('show', () => {
  test('prints records, oldest first, under their session; hooks that failed are named', async () => {
    const { code, stdout, stderr } = await here.hookline(['log', 'show', '--session', 's-1'])
    const lines = stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME').split('\n')
    expect([code, stderr]).toEqual([0, ''])
    expect(lines).toEqual([
      'session s-1',
      'TIME  deny      PreToolUse  project:PreToolUse:0:1: no pushing on Friday',
      '                               {"tool_name":"Bash","tool_input":{"command":"git push"}}',
      'TIME  deny      PreToolUse  by rule: Bash(git push *)',
      expect.stringMatching(/^TIME {2}none {6}Stop/),
      expect.stringContaining('{"tool_name":"Bash"'),
      '                               user:Stop:0:0  timed out after 60 s, 60000 ms',
      '',
    ])
  })

  test('shows only what fits', async () => {
    const document = documentOf(await here.hookline(['log', 'show', '--decision', 'deny', '--event', 'PreToolUse', '--since', '1h', '--json']))
    expect(document).toMatchObject({
      version: 1,
      kind: 'log',
      unreadable: 0,
      records: [{ call: 'c-1', kind: 'verdict' }, { kind: 'permitted' }, { call: 'c-3' }],
    })
    expect(documentOf(await here.hookline(['log', 'show', '--until', '2020-01-01', '--json']))).toMatchObject({ records: [] })
    expect(documentOf(await here.hookline(['log', 'show', '--hook', 'user:', '--json']))).toMatchObject({ records: [{ call: 'c-2' }] })
    expect(documentOf(await here.hookline(['log', 'show', '--last', '1', '--json']))).toMatchObject({ records: [{ call: 'c-3' }] })
    expect((await here.hookline(['log', 'show', '--decision', 'defer'])).stdout).toMatch(/^No record in .* fits\./)
  })

  test('prints JSON lines, the document last', async () => {
    const { stdout } = await here.hookline(['log', 'show', '--session', 's-1', '--json=lines'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string })
    expect(lines.map((line) => line.kind)).toEqual(['opened', 'verdict', 'permitted', 'verdict', 'log'])
  })

  test.each([[[]], [['--verbose']], [['--json']], [['--json=lines']]])('lets nothing in a record reach the terminal: %j', async (flags) => {
    const { stdout } = await here.hookline(['log', 'show', '--session', 's-2', ...flags])
    expect(stdout).toContain('forged')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/)
    expect(stdout.split('\n').filter((line) => line.startsWith('forged'))).toEqual([])
  })

  test('says where the log would be when there is none', async () => {
    const other = project()
    const { code, stdout } = await other.hookline(['log', 'show'])
    expect([code, stdout]).toEqual([0, `No records in ${logOf(other)} yet. \`hookline fire\` writes one whenever a hook runs.\n`])
    expect(documentOf(await other.hookline(['log', 'show', '--json']))).toEqual({ version: 1, kind: 'log', records: [], unreadable: 0 })
  })

  test.each([
    ['a time', ['--since', 'soon'], '"soon" is no moment'],
    ['a number', ['--last', 'all'], '--last: "all" is no number'],
    ['a decision', ['--decision', 'deny', '--decision', 'denied'], "argument 'denied' is invalid. Allowed choices are stop, deny,"],
    ['a kind of record', ['--kind', 'verdicts'], "argument 'verdicts' is invalid. Allowed choices are verdict, permitted,"],
    ['an outcome', ['--outcome', 'failed'], "argument 'failed' is invalid. Allowed choices are success, blocking,"],
  ])('refuses what is no %s', async (_what, flags, message) => {
    expect(await here.hookline(['log', 'show', ...flags])).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining(message) })
  })

  test('reads the folder or the file that is named', async () => {
    const folder = join(here.folder, 'kept')
    await write(join(folder, 'one.jsonl'), [verdict('c-9')])
    for (const path of ['kept', 'kept/one.jsonl']) {
      expect(documentOf(await here.hookline(['log', 'show', '--log', path, '--kind', 'verdict', '--json']))).toMatchObject({ records: [{ call: 'c-9' }] })
    }
  })
})

describe('verify', () => {
  /** A log of its own, with a session of two calls and another of one. */
  async function fresh(): Promise<{ one: Project; path: string; file: string }> {
    const one = project()
    await write(logOf(one), [verdict('c-1'), verdict('c-2'), verdict('c-3', { session: 'other' })])
    const file = filesIn(logOf(one)).find((name) => name.startsWith('s-1')) as string
    return { one, file, path: join(logOf(one), file) }
  }

  test('good: exit 0', async () => {
    const { one } = await fresh()
    const { code, stdout } = await one.hookline(['log', 'verify'])
    expect([code, stdout]).toEqual([0, '2 sessions, 5 records: as they were written.\n'])
    expect(documentOf(await one.hookline(['log', 'verify', '--json']))).toMatchObject({
      version: 1,
      kind: 'log-verification',
      ok: true,
      chains: [{ state: 'good' }, { state: 'good', session: 's-1', records: 3, head: { seq: 3 } }],
    })
  })

  test('changed: exit 1 with the file and the first bad record', async () => {
    const { one, path, file } = await fresh()
    writeFileSync(path, readFileSync(path, 'utf8').replace('"c-2"', '"c-7"'))
    const { code, stdout } = await one.hookline(['log', 'verify'])
    expect(code).toBe(1)
    expect(stdout).toBe(`broken  s-1  ${file}: record 3: line 3 was changed: its hash does not fit\n2 sessions, 4 records: 1 not as it was written.\n`)
    expect(documentOf(await one.hookline(['log', 'verify', '--json']))).toMatchObject({
      ok: false,
      chains: [{}, { state: 'broken', problem: { file, seq: 3 } }],
    })
    expect((await one.hookline(['log', 'verify', '--session', 'other'])).code).toBe(0)
    expect((await one.hookline(['log', 'show'])).stderr).toContain(`${file}: 1 line.`)
  })

  test('cut short by a crash: exit 1, and that it was a crash', async () => {
    const { one, path } = await fresh()
    truncateSync(path, readFileSync(path).length - 9)
    const { code, stdout } = await one.hookline(['log', 'verify'])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^torn {2}s-1 {2}.*: record 3: ended by a crash/)])
  })

  test('a noted head that is gone: exit 1', async () => {
    const { one, path } = await fresh()
    const { stdout } = await one.hookline(['log', 'verify', '--verbose'])
    const head = /s-1 .*head (3:[0-9a-f]{64})/.exec(stdout)?.[1] as string
    expect((await one.hookline(['log', 'verify', '--head', head])).code).toBe(0)
    truncateSync(path, readFileSync(path).lastIndexOf(10, -2) + 1)
    expect((await one.hookline(['log', 'verify'])).code).toBe(0)
    expect(await one.hookline(['log', 'verify', '--head', head])).toMatchObject({ code: 1, stdout: expect.stringContaining('cut off') })
    expect((await one.hookline(['log', 'verify', '--head', 'x'])).code).toBe(64)
  })

  test('unreadable: exit 3', async () => {
    const one = project()
    mkdirSync(join(logOf(one), 's-1.jsonl'), { recursive: true })
    expect(await one.hookline(['log', 'verify'])).toMatchObject({ code: 3, stdout: expect.stringContaining('unreadable  s-1') })
    const other = project()
    other.writeHome('.local/state/hookline/log', 'a file where the folder should be')
    expect(await other.hookline(['log', 'verify'])).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('cannot be read') })
  })

  test('nothing there: exit 0, a session that is not there: exit 1', async () => {
    const one = project()
    expect(await one.hookline(['log', 'verify'])).toMatchObject({ code: 0, stdout: expect.stringContaining('yet') })
    expect(await one.hookline(['log', 'verify', '--session', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no session "x"') })
  })
})

describe('export', () => {
  test('as JSON lines is what was written, byte for byte', async () => {
    const folder = logOf(here)
    const [file = ''] = filesIn(folder).filter((name) => name.startsWith('s-2'))
    const { stdout, code } = await here.hookline(['log', 'export', '--session', 's-2'])
    expect([code, stdout]).toEqual([0, readFileSync(join(folder, file), 'utf8')])
  })

  test('as CSV has a head and one line per record', async () => {
    const { stdout } = await here.hookline(['log', 'export', '--format', 'csv', '--kind', 'verdict'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^seq,time,kind,session,/)
    expect(lines[1]).toContain('"PreToolUse","c-1","deny","hook","project:PreToolUse:0:1","no pushing on Friday"')
  })

  test('of no log is empty', async () => {
    expect(await project().hookline(['log', 'export'])).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})

test('follow prints what is written from now on, and ends with Ctrl-C', { timeout: 60_000 }, async () => {
  const one = project()
  await write(logOf(one), [verdict('before')])
  let seen = ''
  const finished = await one.hookline(['log', 'follow', '--json=lines', '--kind', 'verdict'], {
    started: (child) => {
      child.stdout?.on('data', (bytes: Buffer) => {
        seen += bytes.toString()
        if (seen.includes('"after-2"')) child.kill('SIGINT')
      })
      child.stderr?.once('data', () => void write(logOf(one), [verdict('after-1'), verdict('after-2', { session: 'new' })]))
    },
  })
  expect(finished).toMatchObject({ code: 0, stderr: expect.stringContaining('Following') })
  expect(
    finished.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { call: string }).call),
  ).toEqual(['after-1', 'after-2'])
})

test('fire says that the log cannot be written, and goes on; of a hook that fails it says no more than the verdict', async () => {
  const one = project()
  one.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 0' }] }] } })
  one.write('state', 'no folder')
  const fired = await one.hookline(['--trust', 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a"}'], {
    env: { XDG_STATE_HOME: join(one.folder, 'state') },
  })
  expect(fired.code).toBe(0)
  expect(fired.stderr).toContain('audit-gap The audit log in')
  expect(fired.stdout).toContain('go on: 1 hook ran')
  one.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 7' }] }] } })
  const failed = await one.hookline(['--trust', 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a"}'])
  expect(failed.stderr).toBe('')
  expect(failed.stdout.match(/ended with code 7/g)).toHaveLength(1)
})
