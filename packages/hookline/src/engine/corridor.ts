/** One event's walk: gate and select, execute, interpret, aggregate. What takes effect is written down behind it (`settle.ts`). */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { Part } from './aggregate.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { Direct } from './direct.ts'
import type { Engine } from './engine.ts'
import { execute } from './execute.ts'
import { type Execution, silentRun } from './execution.ts'
import { type Guard, guarded } from './guard.ts'
import { quiet } from './interpret.ts'
import { onceKey } from './judge.ts'
import type { Plan } from './plan.ts'
import type { WayScope } from './seat.ts'
import type { Selection, SelectionContext } from './select.ts'
import { tell } from './tell.ts'
import { traceOf } from './trace.ts'
import type { FoldedVerdict, VerdictParts } from './verdict.ts'
import { fullVerdict } from './verdict-class.ts'

/** What the walk needs from where it starts. */
export interface Walk {
  readonly engine: Engine
  readonly plan: Plan
  readonly jobs: Jobs
  /** Keys of the `once` hooks that this session has spent. */
  readonly spent: Set<string>
  /** Where the walk starts. */
  readonly scope: WayScope
  /** The guard that is in force at the event. */
  readonly guard: Guard | undefined
  /** Nothing to run and nobody to ask: the call may stay closed. */
  readonly silent: boolean
  /** Asks hooks in code without a walk; absent: the event, or what stands around it, always takes one. */
  readonly direct: Direct | undefined
}

/**
 * Walks one call through the corridor. Hands back the verdict itself when nothing was asynchronous. `late` sees a verdict that was
 * waited for before anybody else does; what it throws, the promise rejects with.
 */
export function walk(call: OpenCall, way: Walk, late?: Late): FoldedVerdict | Promise<FoldedVerdict> {
  const { engine, jobs } = way
  const selection = selectionOf(call, way)
  const step: Step = { call, way, selection }
  if (engine.trace.active) announce(step)
  return execute(selection.run, call, {
    engine,
    jobs,
    conclude: (ran, waited) => {
      way.direct?.timed(ran)
      return waited && late !== undefined ? late(conclude(step, ran)) : conclude(step, ran)
    },
  })
}

function selectionOf(call: OpenCall, { engine, plan, spent }: Walk): Selection {
  return plan.selector.known(call) ?? plan.selector.select(selectionContext(call, engine, spent))
}

/** Looks at a verdict that was waited for. */
export type Late = (verdict: FoldedVerdict) => FoldedVerdict | Promise<FoldedVerdict>

/** What selection looks at for a call. */
export function selectionContext(call: OpenCall, engine: Engine, spent: ReadonlySet<string>): SelectionContext {
  return {
    row: call.row,
    input: call.input,
    trusted: engine.trusted,
    runners: engine.runners,
    spent,
    projectDir: call.origin.projectDir,
    home: engine.parts.home,
    realPath: engine.parts.realPath,
  }
}

/** A call, the way it goes, and what was selected for it. */
export interface Step {
  readonly call: OpenCall
  readonly way: Walk
  readonly selection: Selection
}

/** Interprets and folds what the selected hooks said. */
export function conclude(step: Step, ran: readonly Execution[]): FoldedVerdict {
  const { call, way, selection } = step
  const { engine, plan } = way
  call.settle()
  const judged = selection.unjudged.length === 0 ? ran : [...selection.unjudged.map((one) => readUnjudged(step, one)), ...ran]
  // What fails closed and must not run refuses without having run.
  const all = selection.unfenced.length === 0 ? judged : [...selection.unfenced.map((one) => readUnfenced(step, one)), ...judged]
  if (plan.followsUp) followUp(way, ran)
  const made: VerdictParts = {
    call,
    parts: partsOf(all),
    hooks: () => report(step, judged),
    warnings: selection.warnings,
    endedAt: endOf(call, ran),
    spill: engine.parts.spill,
    unread: engine.snapshot.unread,
  }
  const full = fullVerdict(made, plan.shape)
  return engine.parts.guard === undefined ? full : guarded(full, made, engine.parts.guard)
}

/** What a hook that ended well leaves behind. */
function followUp({ engine, spent }: Walk, ran: readonly Execution[]): void {
  for (const run of ran) {
    if (run.said.outcome !== 'success') continue
    if (run.hook.once) spent.add(onceKey(run.hook))
    if (run.hook.onSuccess !== undefined)
      tell(run.hook.onSuccess as (report: HookReport) => unknown, reportRun(run), (error) => tellOnSuccess(engine, run.hook.info.id, error))
  }
}

function tellOnSuccess(engine: Engine, hook: string, error: unknown): void {
  engine.notice({
    severity: 'warning',
    code: 'on-success-threw',
    message: `onSuccess of ${hook} threw: ${error instanceof Error ? error.message : String(error)}.`,
    hook,
  })
}

const noParts: readonly Part[] = Object.freeze([])

/** Only hooks that said something take part in the fold. */
function partsOf(all: readonly Execution[]): readonly Part[] {
  let parts: Part[] | undefined
  for (let index = 0; index < all.length; index++) {
    const { hook, said } = all[index] as Execution
    if (said === quiet || isSilent(said)) continue
    parts ??= []
    parts.push({ by: hook.info.id, said })
  }
  return parts ?? noParts
}

function isSilent({ words, messages, warnings }: Interpreted): boolean {
  if (messages.length > 0 || warnings.length > 0) return false
  for (const _ in words) return false
  return true
}

/** The end of the hook that ended last is the call's end: the clock is not asked again. */
function endOf(call: OpenCall, ran: readonly Execution[]): number {
  let end = call.startedAt
  for (let index = 0; index < ran.length; index++) end = Math.max(end, (ran[index] as Execution).endedAt)
  return end
}

function readUnjudged({ call, way: { engine } }: Step, { hook, why }: { hook: ConfiguredHook; why: string }): Execution {
  const raw: RawResult = { ending: { kind: 'refused', why }, unasked: true }
  return { hook, raw, said: engine.read(hook, raw, call), startedAt: call.startedAt, endedAt: call.startedAt }
}

function readUnfenced({ call, way: { engine } }: Step, { hook, why }: { hook: ConfiguredHook; why: string }): Execution {
  const raw: RawResult = { ending: { kind: 'refused', why: `its sandbox cannot be built: ${why}` } }
  return { hook, raw, said: engine.read(hook, raw, call), startedAt: call.startedAt, endedAt: call.startedAt }
}

function announce({ call, way, selection }: Step): void {
  const { engine, plan, spent } = way
  const { trace } = engine
  const context = selectionContext(call, engine, spent)
  const running = new Set(selection.run.map((hook) => hook.info.id))
  const left = plan.hooks.filter((hook) => !running.has(hook.info.id))
  trace.write({ kind: 'fired', ...traceOf(call), input: call.input, selected: selection.run.length, skipped: left.length })
  for (const hook of left) trace.write({ kind: 'skipped', ...traceOf(call), hook: hook.info, skipped: plan.selector.why(hook, selection, context) })
}

/** What became of the hooks of a call whose selected hooks all returned nothing. */
export function reportSilent(call: OpenCall, way: Walk): HookReport[] {
  const selection = selectionOf(call, way)
  return report({ call, way, selection }, selection.run.map(silentRun))
}

/** Every hook of the event in configuration order, with what became of it. */
function report({ call, way, selection }: Step, ran: readonly Execution[]): HookReport[] {
  const { engine, plan, spent } = way
  const context = selectionContext(call, engine, spent)
  // By id: a copy of another hook may run as that one is written.
  const runs = new Map(ran.map((one) => [one.hook.info.id, one]))
  return plan.hooks.map((hook): HookReport => {
    const run = runs.get(hook.info.id)
    return run === undefined ? { ...hook.info, status: 'skipped', skipped: plan.selector.why(hook, selection, context) } : reportRun(run)
  })
}

function reportRun({ hook, raw, said, startedAt, endedAt }: Execution): HookReport {
  return {
    ...hook.info,
    status: 'ran',
    ending: raw.ending,
    outcome: said.outcome,
    ...(Object.keys(said.words).length === 0 ? {} : { answer: said.words }),
    ...(raw.stdout === undefined ? {} : { stdout: raw.stdout }),
    ...(raw.stderr === undefined ? {} : { stderr: raw.stderr }),
    ms: Math.round((endedAt - startedAt) * 10) / 10,
  }
}
