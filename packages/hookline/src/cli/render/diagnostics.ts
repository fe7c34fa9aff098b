/** Findings for people: `file:line:column severity code message`, with the hint below. */
import type { Diagnostic } from '../../index.ts'
import type { Paint } from './paint.ts'
import { shortFile, type Viewpoint } from './place.ts'
import { indented, shown } from './shown.ts'

/** How to show findings; `links` adds the page of each code. */
export interface DiagnosticView extends Viewpoint {
  readonly paint: Paint
  readonly links?: boolean
}

/** One finding. */
export function diagnosticText({ severity, code, message, hint, url, file, line, column }: Diagnostic, { paint, links = false, cwd }: DiagnosticView): string {
  const color = { error: paint.red, warning: paint.yellow, info: paint.dim }[severity]
  const place = file === undefined ? '' : `${[shortFile(file, { cwd }), line, column].filter((part) => part !== undefined).join(':')} `
  const lines = [`${place}${color(severity)} ${shown(code)} ${indented(shown(message), 2)}`]
  if (hint !== undefined) lines.push(`  ${indented(shown(hint), 2)}`)
  if (links && url !== undefined) lines.push(`  ${paint.dim(shown(url))}`)
  return lines.join('\n')
}
