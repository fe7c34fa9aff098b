/** Rows that a decision of the design touches: which one, and what our agent does instead. */
import { readFileSync } from 'node:fs'
import type { Observed, Row } from './row.ts'

export interface Deviation {
  /** Number of the decision in the design, as in docs/guide/deviations.md. */
  decision: number
  why: string
  /** What replaces the observed value, key by key; it is asserted like the rest. */
  expect: Partial<Observed>
}

export type Deviations = Readonly<Record<string, Deviation>>

/** Reads the list; an entry for a row that does not exist is a mistake of ours. */
export function readDeviations(file: string, rows: readonly Row[]): Deviations {
  const deviations: Deviations = JSON.parse(readFileSync(file, 'utf8'))
  for (const id of Object.keys(deviations)) {
    if (!rows.some((row) => row.id === id)) throw new Error(`${file}: there is no row "${id}".`)
  }
  return deviations
}

/** What the row expects of us. */
export const expectedOf = (row: Row, deviation: Deviation | undefined): Observed => ({ ...row.observed, ...deviation?.expect })

const compared = ['fired', 'hookOutcomes', 'toolResults', 'denied', 'textToModel', 'requests', 'final', 'http', 'after'] as const

/** The part of `ours` that takes the place of what was observed: what is the same is left out. */
export function outcomeOf(observed: Observed, ours: Observed): Partial<Observed> {
  const kept: Partial<Observed> = {}
  for (const key of compared) {
    if (JSON.stringify(observed[key]) !== JSON.stringify(ours[key]) && !(observed[key] === undefined)) Object.assign(kept, { [key]: ours[key] })
  }
  if (kept.fired !== undefined) kept.hooks = ours.hooks
  return kept
}
