/** The way of one event from one scope: the hooks of the scope and of those above it, in configuration order, and what stands around them. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Jobs } from './background.ts'
import type { Walk } from './corridor.ts'
import { Direct, goesDirectly } from './direct.ts'
import { guardAt } from './guard.ts'
import { makePlan } from './plan.ts'
import type { ScopeCore } from './scope.ts'

/** Works out a way; it holds until the engine's version changes. */
export function makeWay(scope: ScopeCore, row: NamedRow, jobs: Jobs): Walk {
  const { engine, seat } = scope
  const lineage = scope.lineage()
  const settings = engine.settingsHooks(row)
  const isManaged = (hook: ConfiguredHook) => hook.info.source.kind === 'managed'
  const hooks = [...settings.filter((hook) => !isManaged(hook)), ...lineage.flatMap(({ attached }) => attached.hooks(row)), ...settings.filter(isManaged)]
  const plan = makePlan({ row, version: engine.version, hooks, layers: lineage.flatMap(({ attached }) => attached.layers(row)) })
  const guard = guardAt(row, engine.parts.guard)
  const silent = plan.quiet && guard === undefined
  const way = { engine, plan, spent: seat.session.spent, jobs, scope, guard, silent, direct: undefined as Direct | undefined }
  if (goesDirectly(way)) way.direct = new Direct(way, { fixed: seat.live === undefined })
  return way
}
