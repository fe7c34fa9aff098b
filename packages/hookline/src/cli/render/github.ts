/** Findings as GitHub's workflow commands, which become annotations on the lines. */
import type { Diagnostic } from '../../index.ts'
import { shortFile, type Viewpoint } from './place.ts'
import { shown } from './shown.ts'

const words = { error: 'error', warning: 'warning', info: 'notice' } as const

/** One command per finding. */
export function githubText(diagnostics: readonly Diagnostic[], view: Viewpoint): string {
  return diagnostics
    .map(({ severity, code, message, hint, file, line, column }) => {
      const where = {
        ...(file === undefined ? {} : { file: shortFile(file, view) }),
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { col: column }),
        title: code,
      }
      const properties = Object.entries(where).map(([key, value]) => `${key}=${escapeProperty(shown(String(value)))}`)
      return `::${words[severity]} ${properties.join(',')}::${escapeData(shown(hint === undefined ? message : `${message}\n${hint}`))}`
    })
    .join('\n')
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
