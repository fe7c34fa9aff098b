/** Shows findings as a table, for terminals and for Markdown. */
import { count } from './result.js'

const head = ['', 'Promise', 'Tries', 'Failures', 'Result', 'Figure', 'Seed']
const cells = ({ id, words, tries, failures, result, figure, seed }) => [
  id,
  words,
  result === 'NOT RUN' ? '' : count(tries),
  result === 'NOT RUN' ? '' : count(failures),
  result,
  figure,
  String(seed),
]

/** Columns with blanks between, for a terminal. */
export function plainTable(rows) {
  const all = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column].length)))
  return all
    .map((line) =>
      line
        .map((cell, column) => (column === 2 || column === 3 ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The same as Markdown. */
export function markdownTable(rows) {
  const line = (parts) => `| ${parts.map((part) => part.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), '|---|---|--:|--:|---|---|---|', ...rows.map((one) => line(cells(one)))].join('\n')
}
