/** `hookline try`: short forms in words, and every published case through `--batch`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../house/reading.ts'
import { documentOf, project } from './start.ts'

const here = project()

describe('the short form', () => {
  const rows: [args: string[], code: number, says: RegExp][] = [
    [['matcher', 'Edit|Write', 'Edit'], 0, /^match: list of names$/m],
    [['matcher', 'mcp__gh', 'mcp__gh__search'], 1, /^no match: exact name; for a whole server write mcp__gh__\.\*$/m],
    [['matcher', 'bash', 'Bash'], 1, /^no match: exact name; names are case-sensitive, write Bash$/m],
    [['matcher', '', 'Bash'], 0, /^match: every value$/m],
    [['matcher', 'Ba.h', 'Bash'], 0, /^match: regular expression/m],
    [['matcher', '(', 'Bash'], 1, /^invalid matcher \(invalid-regex\): .*Unterminated group/m],
    [['matcher', 'x'.repeat(1025), 'Bash'], 1, /^invalid matcher \(too-long\)/m],
    [['matcher', '(a+)+$', `${'a'.repeat(200)}!`], 1, /^cannot tell: /m],
    [['matcher', 'a,b', 'a', '--event', 'FileChanged'], 1, /^no match: regular expression/m],
    [['rule', 'Bash(git push *)', 'sudo git push --force'], 0, /deny or ask rule: yes\nas the only allow rule: no/],
    [['rule', 'Bash(git push *)', 'git pull'], 1, /deny or ask rule: no\nas the only allow rule: no/],
    [['rule', 'Bash(git push', 'git push'], 1, /deny or ask rule: no/],
    [['rule', 'WebFetch(domain:example.com)', '--tool', 'WebFetch', '--tool-input', '{"url":"https://example.com/x"}'], 0, /allow rule: yes/],
    [['output', 'PreToolUse', '--exit', '2', '--stderr', 'not on Friday'], 0, /^decision: deny\nreason: not on Friday$/m],
    [['output', 'Stop', '--exit', '1'], 0, /^decision: none\nhook failure: yes$/m],
    [['output', 'PreToolUse', '--exit', '1'], 0, /^with "onFailure": "block": deny$/m],
    [['output', 'PreToolUse', '--hook-type', 'prompt', '--stdout', '{"ok":false,"reason":"no"}'], 0, /^decision: deny\nreason: no$/m],
    [['url', 'https://example.com/hook', '--dns', '93.184.215.14'], 0, /^allow \(public\): its address is public$/m],
    [['url', 'https://example.com/hook', '--dns', '93.184.215.14', '--dns', '10.0.0.1'], 1, /^deny \(private\): .*allowedHttpOrigins/m],
    [['url', 'https://example.com/hook'], 1, /^deny \(unresolvable\): names are not looked up here/m],
    [['url', 'http://127.0.0.1:8080/'], 1, /^deny \(loopback\): /m],
    [['url', 'http://127.0.0.1:8080/', '--origin', 'http://127.0.0.1:8080'], 0, /^allow \(opt-in\): /m],
    [['url', 'http://[::ffff:a9fe:a9fe]/latest'], 1, /^deny \(link-local\): /m],
    [['url', 'ftp://example.com/'], 1, /^deny \(scheme\): /m],
    [['url', 'https://me:pw@example.com/'], 1, /^deny \(userinfo\): /m],
  ]

  test.each(rows)('%j exits with %i', async (args, code, says) => {
    const done = await here.hookline(['try', ...args])
    expect(done.stdout).toMatch(says)
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code, stderr: '' })
  })

  test('as a document is the object of a batch line', async () => {
    expect(documentOf(await here.hookline(['try', 'matcher', 'Edit', 'Edit', '--json']))).toEqual({ matches: true, kind: 'exact' })
    expect(documentOf(await here.hookline(['try', 'rule', 'Bash(ls)', 'ls', '--json']))).toEqual({
      deny: true,
      allow: true,
      certainty: 'exact',
      why: expect.any(String),
    })
    expect(documentOf(await here.hookline(['try', 'output', 'Stop', '--exit', '2', '--json']))).toMatchObject({
      decision: 'block',
      error: false,
      failClosed: 'block',
    })
  })

  test('a URL that is missing is a usage error', async () => {
    expect(await here.hookline(['try', 'url'])).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('try url needs a URL') })
    expect(documentOf(await here.hookline(['try', 'url', 'http://10.0.0.1/', '--json']))).toEqual({ expect: 'deny', reason: 'private' })
  })

  test('an unknown event is a usage error with the right name', async () => {
    expect(await here.hookline(['try', 'output', 'PreToolUze'])).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('PreToolUze') })
  })
})

/** One run of `--batch`. */
async function batch(what: string, lines: readonly unknown[]) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const done = await here.hookline(['try', what, '--batch'], { input: `${input}\n` })
  return {
    code: done.code,
    out: done.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

interface Case extends Record<string, unknown> {
  id: string
}
const cases = (name: string) => (JSON.parse(readFileSync(join(root, 'packages/hookline/test/data/cases', name), 'utf8')) as { cases: Case[] }).cases

describe('--batch', () => {
  test('answers every published matcher', async () => {
    const rows = cases('matchers.json')
    const { code, out } = await batch(
      'matcher',
      rows.map(({ id, event, matcher, value }) => ({ id, event, matcher, value })),
    )
    const narrow = (row: Case) => row['event'] === 'FileChanged' || row['event'] === 'StopFailure'
    const right = (row: Case, index: number) =>
      row['maxMs'] !== undefined && out[index]?.['matches'] === null ? null : narrow(row) ? row['matches'] : row['matchesExtended']
    expect(out.map(({ id, matches, error }) => ({ id, matches, error }))).toEqual(
      rows.map((row, index) => ({ id: row.id, matches: right(row, index), error: row['error'] ?? undefined })),
    )
    expect(code).toBe(0)
  })

  test('answers every published rule', async () => {
    const rows = cases('shell-rules.json')
    const { code, out } = await batch(
      'rule',
      rows.map(({ id, rule, command }) => ({ id, rule, command })),
    )
    expect(out.map(({ id, deny, allow }) => ({ id, deny, allow }))).toEqual(rows.map(({ id, deny, allow }) => ({ id, deny, allow })))
    for (const [index, row] of rows.entries())
      if (row['certainty'] !== undefined) expect({ id: row.id, certainty: out[index]?.['certainty'] }).toEqual({ id: row.id, certainty: row['certainty'] })
    expect(code).toBe(0)
  })

  test('answers every published output', async () => {
    const rows = cases('outputs.json')
    const filled = (run: unknown) => JSON.parse(JSON.stringify(run).replaceAll('{dir}', here.folder).replaceAll('{repo}', root)) as unknown
    const { code, out } = await batch(
      'output',
      rows.map(({ id, event, hookType, run, mode, value }) => ({ id, event, hookType, run: filled(run), mode, value })),
    )
    const expected = (row: Case) => row['expect'] as { decision: string }
    expect(out.map(({ id, decision, failClosed }) => ({ id, decision, failClosed }))).toEqual(
      rows.map((row) => ({ id: row.id, decision: row['strict'] ?? expected(row).decision, failClosed: row['failClosed'] })),
    )
    expect(code).toBe(0)
  })

  test('answers every published URL', async () => {
    const rows = cases('ssrf.json')
    const { code, out } = await batch(
      'url',
      rows.map(({ id, url, policy, dns, dnsSequence, redirects, projectEnv }) => ({ id, url, policy, dns, dnsSequence, redirects, projectEnv })),
    )
    expect(out).toEqual(rows.map(({ id, expect: expected, reason }) => ({ id, expect: expected, reason })))
    expect(code).toBe(0)
  })

  test("reads the policy's own keys of a URL line", async () => {
    const url = 'http://10.0.0.1:8080/x'
    const { out } = await batch('url', [
      { id: 1, url, policy: { allowedHttpOrigins: ['http://10.0.0.1:8080'] } },
      { id: 2, url, policy: { allowedHttpOrigins: ['http://10.0.0.1:8080'], allowedHttpHookUrls: [] } },
    ])
    expect(out).toEqual([
      { id: 1, expect: 'allow', reason: 'opt-in' },
      { id: 2, expect: 'deny', reason: 'not-listed' },
    ])
  })

  const unread: [what: string, kind: string, line: unknown, error: RegExp, id?: unknown][] = [
    ['no JSON', 'matcher', '{"id": 1', /not valid JSON/],
    ['a blank line', 'matcher', '', /not valid JSON/],
    ['a list', 'rule', '[1]', /expected a JSON object/],
    ['no value', 'matcher', { id: 'a', matcher: 'Bash' }, /"value" must be a text/, 'a'],
    ['an unknown event', 'matcher', { id: 2, event: 'Stopp', matcher: '', value: '' }, /"Stopp" is not an event/, 2],
    ['no rule', 'rule', { id: 'a', command: 'ls' }, /"rule" must be a text/, 'a'],
    ['no call', 'rule', { id: 'a', rule: 'Bash' }, /give "command"/, 'a'],
    ['no event', 'output', { id: 'a', run: {} }, /"event" must be/, 'a'],
    ['no URL', 'url', { id: 'a' }, /"url" must be a text/, 'a'],
    ['a policy that is a list', 'url', { id: 'a', url: 'http://x/', policy: [] }, /"policy" must be/, 'a'],
    ['addresses that are no list', 'url', { id: 'a', url: 'http://x/', dns: { x: '10.0.0.1' } }, /"dns" must be an object of lists/, 'a'],
    ['no run', 'output', { id: 'a', event: 'Stop' }, /run must be an object/, 'a'],
  ]
  test.each(unread)('tells %s on its own line, answers the rest and exits with 1', async (_what, kind, line, error, id) => {
    const good = {
      matcher: { id: 'z', matcher: 'Bash', value: 'Bash' },
      rule: { id: 'z', rule: 'Bash', command: 'ls' },
      output: { id: 'z', event: 'Stop', run: { exit: 0 } },
      url: { id: 'z', url: 'http://10.0.0.1/' },
    }[kind]
    const { code, out } = await batch(kind, [good, line, good])
    expect(out).toHaveLength(3)
    expect(out[1]).toEqual({ ...(id === undefined ? {} : { id }), error: expect.stringMatching(error) })
    expect([out[0]?.['id'], out[2]?.['id']]).toEqual(['z', 'z'])
    expect(out[2]).not.toHaveProperty('error', expect.any(String))
    expect(code).toBe(1)
  })

  test('reads lines with CRLF, without a last line end, and bytes that are not UTF-8', async () => {
    const line = '{"id":1,"matcher":"Bash","value":"Bash"}'
    const done = await here.hookline(['try', 'matcher', '--batch'], {
      input: Buffer.concat([Buffer.from(`${line}\r\n`), Buffer.from([0xff, 0x0a]), Buffer.from(line)]),
    })
    expect(
      done.stdout
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one)),
    ).toEqual([{ id: 1, matches: true, kind: 'exact' }, { error: 'the line is not UTF-8' }, { id: 1, matches: true, kind: 'exact' }])
    expect(done.code).toBe(1)
  })

  test('nothing in is nothing out', async () => {
    expect(await here.hookline(['try', 'matcher', '--batch'], { input: '' })).toMatchObject({ code: 0, stdout: '' })
  })
})
