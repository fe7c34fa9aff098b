/** Findings as SARIF 2.1.0, which code scanning reads. */
import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../../index.ts'
import type { Viewpoint } from './place.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

/** What the log says of us beside the findings. */
export interface SarifOptions extends Viewpoint {
  readonly version: string
}

/** The whole log. */
export function sarif(diagnostics: readonly Diagnostic[], { cwd, version }: SarifOptions): object {
  const codes = [...new Map(diagnostics.map((one) => [one.code, one])).values()]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'hookline', version, rules: codes.map(({ code, url }) => ({ id: code, ...(url === undefined ? {} : { helpUri: url }) })) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(({ severity, code, message, hint, file, line, column }) => ({
          ruleId: code,
          ruleIndex: codes.findIndex((one) => one.code === code),
          level: levels[severity],
          message: { text: hint === undefined ? message : `${message}\n${hint}` },
          ...(file === undefined
            ? {}
            : {
                locations: [
                  {
                    physicalLocation: {
                      artifactLocation: { uri: uriOf(file, cwd) },
                      ...(line === undefined ? {} : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } }),
                    },
                  },
                ],
              }),
        })),
      },
    ],
  }
}

/** Relative inside the folder, so that a checkout elsewhere finds it. */
function uriOf(file: string, cwd: string): string {
  const inside = isAbsolute(file) ? relative(cwd, file) : file
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return pathToFileURL(file).href
  return inside.split(sep).map(encodeURIComponent).join('/')
}
