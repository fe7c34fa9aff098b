/** `hookline log show`: what was decided, when, by which hooks, oldest first. */
import { type AuditRecord, encodeLine, readAuditLog } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { emptyText, RecordPrinter, unreadableNote } from '../render/log.ts'
import { type FilterOptions, lastOf, logFolder, logPath, queryOf } from './log-options.ts'

/** Documents are written as the log itself is: nothing in a record can move a cursor. @throws Failure, HooklineError. */
export async function showLog(options: FilterOptions, { terminal }: CommandContext): Promise<Exit> {
  const unreadable = new Map<string, number>()
  const onUnreadable = ({ file }: { file: string }) => unreadable.set(file, (unreadable.get(file) ?? 0) + 1)
  const records = lastRecords(readAuditLog(logPath(options), { query: queryOf(options), onUnreadable }), lastOf(options))
  if (terminal.form === 'lines') {
    let count = 0
    for (const record of records) {
      terminal.print(encodeLine(record))
      count += 1
    }
    terminal.print(encodeLine({ version: 1, kind: 'log', count, unreadable: total(unreadable) }))
  } else if (terminal.form === 'document') {
    const all = [...records]
    terminal.print(encodeLine({ version: 1, kind: 'log', records: all, unreadable: total(unreadable) }, { indent: 2 }))
  } else {
    const printer = new RecordPrinter({ paint: terminal.paint, verbose: options.verbose === true })
    let some = false
    for (const record of records) {
      terminal.print(printer.text(record))
      some = true
    }
    if (!some) terminal.print(emptyText(logFolder(options), isFiltered(options)))
  }
  terminal.note(unreadableNote(unreadable))
  return exits.goOn
}

function* lastRecords(records: Iterable<AuditRecord>, last: number): Generator<AuditRecord> {
  if (last === Number.POSITIVE_INFINITY) {
    yield* records
    return
  }
  const kept: AuditRecord[] = []
  for (const record of records) {
    kept.push(record)
    if (kept.length > last) kept.shift()
  }
  yield* kept
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function isFiltered(options: FilterOptions): boolean {
  return Object.keys(queryOf(options)).length > 0
}
