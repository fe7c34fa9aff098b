/** Derives the pages about diagnostics from the table of codes: a list, and one page per code that messages link to. */
import { type CodeEntry, codes } from '../../packages/hookline/src/config/codes.ts'
import { errorCodes } from '../../packages/hookline/src/errors.ts'
import { runCodes } from '../../packages/hookline/src/protocol/run-codes.ts'
import { page, table } from './markdown.ts'

const source = 'the table of codes'
const found: Record<string, CodeEntry> = codes
const thrown: Record<string, string> = errorCodes
const fenced = (text: string): string => `\`\`\`\n${text}\n\`\`\``

/** The pages by path from the root. */
export function codePages(): [path: string, text: string][] {
  return [
    ['docs/reference/codes.md', list()],
    ...Object.entries(found).map(([code, entry]): [string, string] => [`docs/reference/codes/${code}.md`, codePage(code, entry)]),
  ]
}

function list(): string {
  return page('Codes', source, [
    'What can be found, by `hookline validate` and while hooks run. Codes are stable: they keep their meaning, and none is used again for something else.',
    table(
      ['Code', 'Severity', 'Means'],
      Object.entries(found).map(([code, entry]) => [`[${code}](codes/${code}.md)`, entry.severity, entry.title]),
    ),
    '## While hooks run',
    'Notices, and the warnings of a verdict.',
    table(
      ['Code', 'Means'],
      Object.entries<string>(runCodes).map(([code, says]) => [`\`${code}\``, says]),
    ),
    '## Errors that are thrown',
    'A `HooklineError` carries one of these codes. Only mistakes of a host or of a settings author throw; a failing hook never does.',
    table(
      ['Code', 'Means'],
      Object.entries(thrown).map(([code, says]) => [`\`${code}\``, says]),
    ),
  ])
}

function codePage(code: string, entry: CodeEntry): string {
  const parts = [
    `**${entry.title}** (${entry.severity}).`,
    entry.explanation,
    'Wrong:',
    fenced(entry.example),
    'Right:',
    fenced(entry.fix),
    '[All codes](../codes.md)',
  ]
  return page(code, source, parts)
}
