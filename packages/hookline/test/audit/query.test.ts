/** Finding records, reading moments, and writing tables. */
import { describe, expect, test } from 'vitest'
import { encodeLine } from '../../src/audit/encode.ts'
import { type AuditQuery, fits, readMoment, selectRecords } from '../../src/audit/query.ts'
import { readLine } from '../../src/audit/read-line.ts'
import type { AuditEntry, AuditRecord } from '../../src/audit/record.ts'
import { tableHead, tableRow } from '../../src/audit/table.ts'
import { seal, verdict } from './sealed.ts'

const recordsOf = (entries: readonly AuditEntry[]): AuditRecord[] => seal(entries).lines.map((line) => readLine(line) as AuditRecord)
const start = 1_790_000_000_000

const records = recordsOf([
  { kind: 'opened', session: 's-1', pid: 7 },
  verdict('c-1'),
  verdict('c-2', { decision: 'deny', reason: 'no', event: 'UserPromptSubmit', session: 's-2' }),
  { kind: 'permitted', session: 's-1', event: 'PreToolUse', call: 'c-1', decision: 'deny', cause: 'rule' },
  { kind: 'late', session: 's-1', event: 'Stop', hook: 'user:Stop:0:0', job: 'j', ending: { kind: 'exited', code: 0 }, wake: false },
])

describe('a query', () => {
  const cases: [what: string, query: AuditQuery, seqs: number[]][] = [
    ['nothing asked: all', {}, [1, 2, 3, 4, 5]],
    ['a session by the beginning of its id', { session: ['s-2'] }, [3]],
    ['an event', { event: ['PreToolUse'] }, [2, 4]],
    ['several events', { event: ['PreToolUse', 'Stop'] }, [2, 4, 5]],
    ['a decision, of hooks or of the station', { decision: ['deny'] }, [3, 4]],
    ['a hook by a part of its id', { hook: ['user:'] }, [5]],
    ['a hook that ran', { hook: ['project:PreToolUse:0:0'] }, [2, 3]],
    ['an outcome', { outcome: ['success'] }, [2, 3]],
    ['a kind', { kind: ['opened', 'late'] }, [1, 5]],
    ['a time', { since: start + 1_000, until: start + 3_000 }, [2, 3]],
    ['everything at once', { session: ['s-1'], event: ['PreToolUse'], decision: ['deny'] }, [4]],
    ['what does not exist', { decision: ['allow'], kind: ['late'] }, []],
  ]
  test.each(cases)('%s', (_what, query, seqs) => {
    expect([...selectRecords(records, query)].map((record) => record.seq)).toEqual(seqs)
    for (const record of records) expect(fits(record, query)).toBe(seqs.includes(record.seq))
  })
})

describe('a moment', () => {
  const now = Date.UTC(2026, 10, 12, 14, 0, 0)
  test.each([
    ['90s', now - 90_000],
    ['1h', now - 3_600_000],
    ['1.5h', now - 5_400_000],
    ['30min', now - 1_800_000],
    ['2d 12h', now - 216_000_000],
    ['1w', now - 604_800_000],
    ['250 ms', now - 250],
    ['2026-11-12T10:00:00Z', Date.UTC(2026, 10, 12, 10)],
    ['2026-11-12', new Date(2026, 10, 12).getTime()],
    ['1790000000000', 1_790_000_000_000],
  ])('%s', (text, expected) => {
    expect(readMoment(text, now)).toBe(expected)
  })

  test.each(['', 'soon', '1x', 'h', '1h ago', '2026-99-99', 'yesterday', '5'])('"%s" is none, and the error says how to write one', (text) => {
    expect(() => readMoment(text, now)).toThrow(expect.objectContaining({ code: 'invalid-option', hint: expect.stringContaining('1h') }))
  })
})

describe('export', () => {
  test('as a JSON line gives exactly what was written', () => {
    const entries = [verdict('c-1', { reason: 'a\u2028b\u202e "q" \\ \ud800 🎉' }), verdict('c-2')]
    const { lines } = seal(entries)
    expect(lines.map((line) => `${encodeLine(readLine(line) as AuditRecord)}\n`)).toEqual(lines.map((line) => new TextDecoder().decode(line)))
  })

  test('as CSV has one line per record and a cell per column', () => {
    const row = tableRow(records[1] as AuditRecord)
    expect(tableHead.split(',').slice(0, 6)).toEqual(['seq', 'time', 'kind', 'session', 'agent', 'event'])
    expect(row).toMatch(/^2,"2026-09-21T\d\d:\d\d:\d\d\.000Z","verdict","s-1",,"PreToolUse","c-1","allow","hook","project:PreToolUse:0:0",,2\.5,/)
    expect(row).toContain('"{""tool_name"":""Bash"",')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)'])('a cell that a spreadsheet would compute is made text: %s', (reason) => {
    expect(tableRow(recordsOf([verdict('c', { reason })])[0] as AuditRecord)).toContain(`"'${reason}"`)
  })

  test('a newline in a text breaks no line', () => {
    expect(tableRow(recordsOf([verdict('c', { reason: 'a\nb\r\n"c"\u2028' })])[0] as AuditRecord)).toContain(String.raw`"a\nb\r\n""c""\u2028"`)
  })
})
