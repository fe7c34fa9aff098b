/** `hookline log follow`: prints records as they are written, until Ctrl-C. */
import { encodeLine, followAuditLog } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { catchInterrupt } from '../interrupt.ts'
import { RecordPrinter } from '../render/log.ts'
import { type FilterOptions, logFolder, logPath, queryOf } from './log-options.ts'

/** Ends with Ctrl-C, which is how it is meant to end. @throws HooklineError. */
export async function followLog(options: FilterOptions, { terminal }: CommandContext): Promise<Exit> {
  const query = queryOf(options)
  const interrupt = catchInterrupt()
  const printer = new RecordPrinter({ paint: terminal.paint, verbose: options.verbose === true })
  try {
    const records = followAuditLog(logPath(options), { query, signal: interrupt.signal })
    terminal.note(`Following ${logFolder(options)}; Ctrl-C ends.`)
    for await (const record of records) {
      if (terminal.form === 'text') terminal.print(printer.text(record))
      else terminal.print(encodeLine(record))
    }
    return exits.goOn
  } finally {
    interrupt.ignore()
  }
}
