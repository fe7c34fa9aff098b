/** Shows rows of figures as a table, for terminals and for Markdown. */

/** A figure with as many digits as mean something. */
export const digits = (value) =>
  value === undefined || !Number.isFinite(value)
    ? '–'
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value >= 0.1
          ? value.toFixed(2)
          : value.toPrecision(2)

const cells = ({ id, what, min, median, max, target, met, note }) => [
  id,
  what,
  digits(min),
  digits(median),
  digits(max),
  target ?? '',
  note ?? (met === undefined ? '' : met ? 'met' : 'missed'),
]
const head = ['', 'ratio', 'min', 'median', 'max', 'target', '']

/** Columns with blanks between, for a terminal. */
export function plainTable(rows) {
  const all = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column].length)))
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The same as Markdown. */
export function markdownTable(rows) {
  const line = (parts) => `| ${parts.map((part) => part.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map((one) => line(cells(one)))].join('\n')
}
