/** The few pieces of Markdown that generated pages are made of. */

/** A table with a heading row. Cells are Markdown; a bar in them is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** Words as code, separated by commas. */
export const codes = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

/** Words as code, the last one after "or". */
export function either(words: readonly string[]): string {
  const last = words.at(-1)
  return last === undefined ? '' : words.length === 1 ? `\`${last}\`` : `${codes(words.slice(0, -1))} or \`${last}\``
}

/** A number of seconds as people write it. */
export const seconds = (count: number): string => `${count} s`

/** The line under a page's title that keeps people from editing it. */
export const madeFrom = (source: string): string => `<!-- Made by "npm run generate" from ${source}; edit that, not this. -->`

/** A page: title, note, parts with a blank line between. */
export const page = (title: string, source: string, parts: readonly string[]): string => `${[`# ${title}`, madeFrom(source), ...parts].join('\n\n')}\n`
