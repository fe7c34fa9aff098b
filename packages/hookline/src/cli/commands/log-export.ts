/** `hookline log export`: records as JSON lines, exactly as they were written, or as CSV. */
import { encodeLine, readAuditLog, tableHead, tableRow } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { unreadableNote } from '../render/log.ts'
import { type FilterOptions, logPath, queryOf } from './log-options.ts'

/** Options of `log export`. */
export interface ExportOptions extends FilterOptions {
  format?: 'jsonl' | 'csv'
}

/** @throws HooklineError. */
export async function exportLog(options: ExportOptions, { terminal }: CommandContext): Promise<Exit> {
  const unreadable = new Map<string, number>()
  const onUnreadable = ({ file }: { file: string }) => unreadable.set(file, (unreadable.get(file) ?? 0) + 1)
  const csv = options.format === 'csv'
  if (csv) terminal.print(tableHead)
  for (const record of readAuditLog(logPath(options), { query: queryOf(options), onUnreadable })) terminal.print(csv ? tableRow(record) : encodeLine(record))
  terminal.note(unreadableNote(unreadable))
  return exits.goOn
}
