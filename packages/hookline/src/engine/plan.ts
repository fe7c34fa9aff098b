/** What one scope does at one event, worked out once and kept until something is attached, detached or reloaded. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Layer } from './middleware.ts'
import { Selector } from './select.ts'
import { type VerdictClasses, verdictClasses } from './verdict-class.ts'

/** The hooks and the middleware of a scope at an event. */
export interface Plan extends VerdictClasses {
  readonly row: NamedRow
  /** The engine's version when this was worked out. */
  readonly version: number
  /** In configuration order (design decision 1). */
  readonly hooks: readonly ConfiguredHook[]
  /** Outermost first. */
  readonly layers: readonly Layer[]
  readonly selector: Selector
  /** Nothing to run and nothing to note: the call may stay closed. */
  readonly quiet: boolean
}

/** What a plan is made from. */
export interface PlanParts {
  readonly row: NamedRow
  readonly version: number
  readonly hooks: readonly ConfiguredHook[]
  readonly layers: readonly Layer[]
}

const classes = new WeakMap<NamedRow, VerdictClasses>()

/** Works out a plan. */
export function makePlan({ row, version, hooks, layers }: PlanParts): Plan {
  let made = classes.get(row)
  if (made === undefined) {
    made = verdictClasses(row)
    classes.set(row, made)
  }
  return { ...made, row, version, hooks, layers, selector: new Selector(row, hooks), quiet: hooks.length === 0 && layers.length === 0 }
}
