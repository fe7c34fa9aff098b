/** `hookline log follow`: prints records as they are written, until Ctrl-C. */
import { followAuditLog } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../failure.ts'
import { catchInterrupt } from '../interrupt.ts'
import { RecordPrinter } from '../render/log.ts'
import { type FilterOptions, logFolder, logPath, queryOf } from './log-options.ts'

/** Ends with Ctrl-C, which is how it is meant to end. @throws HooklineError. */
export async function followLog(options: FilterOptions, { terminal }: CommandContext): Promise<Exit> {
  const query = queryOf(options)
  const interrupt = catchInterrupt()
  const printer = new RecordPrinter({ paint: terminal.paint, verbose: options.verbose === true })
  terminal.note(`Following ${logFolder(options)}; Ctrl-C ends.`)
  try {
    for await (const record of followAuditLog(logPath(options), { query, signal: interrupt.signal })) {
      if (terminal.form === 'text') terminal.print(printer.text(record))
      else terminal.line(record)
    }
    return exits.goOn
  } finally {
    interrupt.ignore()
  }
}
