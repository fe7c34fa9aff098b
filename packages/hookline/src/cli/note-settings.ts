/** Says on stderr what is wrong with the settings in force. */
import type { Hookline } from '../node.ts'
import type { GlobalOptions } from './flags.ts'
import { folderOf } from './folder.ts'
import { diagnosticText } from './render/diagnostics.ts'
import type { Terminal } from './terminal.ts'

/** Errors always, since a guard that did not load guards nothing; warnings with `--verbose`. */
export function noteSettings(hookline: Hookline, options: GlobalOptions, terminal: Terminal): void {
  const view = { paint: terminal.notePaint, cwd: folderOf(options) }
  for (const found of hookline.diagnostics) {
    if (found.severity === 'error' || (options.verbose && found.severity === 'warning')) terminal.note(diagnosticText(found, view))
  }
}
