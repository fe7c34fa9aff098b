/** What one scope does at one event, worked out once and kept until something is attached, detached or reloaded. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Layer } from './middleware.ts'
import { Selector } from './select.ts'
import { type Shape, shapeOf } from './verdict-shape.ts'

/** The hooks and the middleware of a scope at an event. */
export interface Plan {
  readonly row: NamedRow
  /** What its verdicts always have. */
  readonly shape: Shape
  /** The event's part in the Stop loop. */
  readonly loop: NamedRow['loop']
  /** The engine's version when this was worked out. */
  readonly version: number
  /** In configuration order (design decision 1). */
  readonly hooks: readonly ConfiguredHook[]
  /** Outermost first. */
  readonly layers: readonly Layer[]
  readonly selector: Selector
  /** A hook is spent by a success, or somebody wants to hear of it. */
  readonly followsUp: boolean
  /** Its verdicts may name files to watch. */
  readonly watches: boolean
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

/** Works out a plan. */
export function makePlan({ row, version, hooks, layers }: PlanParts): Plan {
  return {
    row,
    shape: shapeOf(row),
    loop: row.loop,
    version,
    hooks,
    layers,
    selector: new Selector(row, hooks),
    followsUp: hooks.some((hook) => hook.once || hook.onSuccess !== undefined),
    watches: row.powers.includes('watchPaths'),
    quiet: hooks.length === 0 && layers.length === 0,
  }
}
