/** The table of a run, for the terminal and for docs/conformance.md. */
import type { Observed, Row } from './row.ts'

export interface Judged {
  row: Row
  status: 'passed' | 'failed' | 'deviates' | 'unstable' | 'not-run'
  differences: readonly string[]
  ms: number
  /** What was seen; absent when nothing was played. */
  ours?: Observed
}

const counted = (judged: readonly Judged[], status: Judged['status']): number => judged.filter((one) => one.status === status).length

/** `N passed, N failed`: deviation rows count as passed when they give our stated outcome. */
export function summary(judged: readonly Judged[]): string {
  const passed = counted(judged, 'passed') + counted(judged, 'deviates')
  const rest = [
    `${counted(judged, 'deviates')} of them with the outcome of a decision`,
    `${counted(judged, 'unstable')} unstable rows differ`,
    `${counted(judged, 'not-run')} not run`,
  ]
  return `${passed} passed, ${counted(judged, 'failed')} failed (${rest.join(', ')})`
}

/** One line per theme. */
export function table(judged: readonly Judged[]): string {
  const lines = ['| Theme | Rows | As observed | As a decision says | Failed | Unstable, differs | Not run |', '|---|---:|---:|---:|---:|---:|---:|']
  for (const theme of [...new Set(judged.map((one) => one.row.theme))]) {
    const of = judged.filter((one) => one.row.theme === theme)
    const cells = [of.length, ...(['passed', 'deviates', 'failed', 'unstable', 'not-run'] as const).map((status) => counted(of, status))]
    lines.push(`| ${theme} | ${cells.join(' | ')} |`)
  }
  return lines.join('\n')
}
