/** Puts the figures of a run into the security guide, between two marks. */
import { readFileSync, writeFileSync } from 'node:fs'
import { markdownTable } from './table.js'

const page = new URL('../docs/guide/security.md', import.meta.url)
const [from, to] = ['<!-- promises: made by "npm run promises -- --write" -->', '<!-- promises: end -->']

/** Replaces what stands between the marks. @throws when the guide has none. */
export function writePage({ machine, short, rows }) {
  const text = readFileSync(page, 'utf8')
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  if (start === -1 || end < start) throw new Error('docs/guide/security.md has no marks for the figures')
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0)
  const dates = [...new Set(rows.map((row) => row.date))].sort()
  const when = dates.length > 1 ? `between ${dates[0]} and ${dates.at(-1)}` : `on ${dates[0]}`
  const where = `${short ? 'A short run' : 'Each promise in full, some in runs of their own'}, ${Math.max(1, Math.round(seconds / 60))} min in all ${when}: Node ${machine.node}, ${machine.kernel}, ${machine.cpu}, ${machine.memory}, ${machine.virtual}.`
  writeFileSync(page, `${text.slice(0, start)}${from}\n\n${markdownTable(rows)}\n\n${where}\n\n${text.slice(end)}`)
}
