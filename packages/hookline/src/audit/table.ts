/** Records as rows of a table, for a spreadsheet: one line per record, the same columns for every kind. */
import { encodeLine } from './encode.ts'
import type { AuditRecord } from './record.ts'

const columns = [
  'seq',
  'time',
  'kind',
  'session',
  'agent',
  'event',
  'call',
  'decision',
  'cause',
  'by',
  'reason',
  'ms',
  'hooks',
  'failures',
  'input',
  'detail',
  'hash',
] as const

/** The first line. */
export const tableHead: string = columns.join(',')

/** One record as a line of CSV, without its newline. Cells that a spreadsheet would compute start with an apostrophe. */
export function tableRow(record: AuditRecord): string {
  const cells = cellsOf(record)
  return columns.map((column) => cell(cells[column])).join(',')
}

function cellsOf(record: AuditRecord): Partial<Record<(typeof columns)[number], string | number | undefined>> {
  const one = record as unknown as Readonly<Record<string, unknown>>
  const text = (key: string) => (typeof one[key] === 'string' ? (one[key] as string) : undefined)
  const hooks = record.kind === 'verdict' ? record.hooks : []
  return {
    seq: record.seq,
    time: new Date(record.at).toISOString(),
    kind: record.kind,
    session: record.session,
    agent: text('agent'),
    event: text('event'),
    call: text('call'),
    decision: text('decision'),
    cause: text('cause'),
    by: record.kind === 'verdict' ? record.by?.join(' ') : undefined,
    reason: text('reason'),
    ms: record.kind === 'verdict' ? record.ms : undefined,
    hooks: hooks.map((hook) => `${hook.id}=${hook.outcome}`).join(' '),
    failures: hooks.flatMap((hook) => (hook.failure === undefined ? [] : [`${hook.id}=${hook.failure}`])).join(' '),
    input: record.kind === 'verdict' ? record.input?.preview : undefined,
    detail: detailOf(record),
    hash: record.hash,
  }
}

/** What a record without a decision says, as its own JSON keys. */
function detailOf(record: AuditRecord): string | undefined {
  if (record.kind === 'verdict' || record.kind === 'permitted') return undefined
  const { v: _v, seq: _seq, at: _at, up: _up, kind: _kind, session: _session, prev: _prev, mac: _mac, hash: _hash, ...own } = record
  return Object.keys(own).length === 0 ? undefined : encodeLine(own)
}

function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // Newlines and invisible characters as in JSON, so that one record stays one line.
  const plain = encodeLine([value]).slice(2, -2).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  return `"${(/^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain).replaceAll('"', '""')}"`
}
