/** One event's walk: gate and select, execute, interpret, aggregate, commit; what `fire` is. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { RawResult } from '../protocol/runner.ts'
import type { Interpreted } from '../protocol/words.ts'
import type { Jobs } from './background.ts'
import type { OpenCall } from './call.ts'
import type { Engine } from './engine.ts'
import { type Execution, execute, traceOf } from './execute.ts'
import { interpret } from './interpret.ts'
import type { Plan } from './plan.ts'
import { onceKey, type Selection, select } from './select.ts'
import type { FoldedVerdict } from './verdict.ts'

/** What the walk needs from where it starts. */
export interface Walk {
  readonly engine: Engine
  readonly plan: Plan
  readonly jobs: Jobs
  /** Keys of the `once` hooks that this session has spent. */
  readonly spent: Set<string>
}

/** Walks one call through the corridor. Hands back the verdict itself when nothing was asynchronous. */
export function walk(call: OpenCall, { engine, plan, spent, jobs }: Walk): FoldedVerdict | Promise<FoldedVerdict> {
  const selection = select(plan.hooks, { row: call.row, input: call.input, trusted: engine.trusted, runners: engine.runners, spent, memo: plan.memo })
  announce(call, selection, engine)
  const read = (hook: ConfiguredHook, raw: RawResult, ms: number): Execution => readResult(call, engine, { hook, raw, ms })
  const unasked = selection.unjudged.map(({ hook, why }) => read(hook, { ending: { kind: 'refused', why }, unasked: true }, 0))
  const executions = execute(selection.run, call, { runners: engine.runners, trace: engine.trace, jobs, read, ...(engine.budgetMs === undefined ? {} : { budgetMs: engine.budgetMs }) })
  const finish = (ran: readonly Execution[]): FoldedVerdict | Promise<FoldedVerdict> => {
    call.settle()
    const all = [...unasked, ...ran]
    for (const { hook, said } of ran) if (hook.once && said.outcome === 'success') spent.add(onceKey(hook))
    const verdict = new plan.Full({
      call,
      parts: all.map(({ hook, said }) => ({ by: hook.info.id, said })),
      hooks: () => report(plan, selection, all),
      warnings: selection.warnings,
      ms: performance.now() - call.startedAt,
      ...(engine.spill === undefined ? {} : { spill: engine.spill }),
    })
    tellSuccess(ran)
    const committed = engine.commit?.(verdict, call)
    return committed === undefined ? verdict : committed.then(() => verdict)
  }
  return executions instanceof Promise ? executions.then(finish) : finish(executions)
}

function readResult(call: OpenCall, engine: Engine, { hook, raw, ms }: { hook: ConfiguredHook; raw: RawResult; ms: number }): Execution {
  const said = closeUnasked(call, raw, interpret(raw, { row: call.row, info: hook.info, failClosed: hook.failClosed, input: call.input, timeoutMs: hook.timeoutMs }))
  if (engine.trace.active) engine.trace.write({ kind: 'ended', ...traceOf(call), hook: hook.info.id, ending: raw.ending, outcome: said.outcome, ms })
  if (said.failure !== undefined) {
    const message = said.messages.find((one) => one.level !== 'info')?.text ?? said.failure
    engine.notice({ severity: 'warning', code: 'hook-failed', message, hook: hook.info.id })
  }
  return { hook, raw, ms, said }
}

/** A hook that could not even be asked blocks where a permission is at stake (design decision 6). */
function closeUnasked(call: OpenCall, raw: RawResult, said: Interpreted): Interpreted {
  if (!raw.unasked || said.words.permission === 'deny') return said
  if (!call.row.powers.some((power) => power === 'permission' || power === 'grant')) return said
  return { ...said, outcome: 'blocking', failedClosed: true, words: { permission: 'deny', ...(said.failure === undefined ? {} : { reason: said.failure }) } }
}

function announce(call: OpenCall, selection: Selection, engine: Engine): void {
  const { trace } = engine
  if (!trace.active) return
  trace.write({ kind: 'fired', ...traceOf(call), input: call.input, selected: selection.run.length, skipped: selection.skipped.length })
  for (const { hook, skipped } of selection.skipped) trace.write({ kind: 'skipped', ...traceOf(call), hook: hook.info, skipped })
}

/** Every hook of the event in configuration order, with what became of it. */
function report(plan: Plan, selection: Selection, ran: readonly Execution[]): HookReport[] {
  const skipped = new Map(selection.skipped.map((one) => [one.hook, one.skipped]))
  const runs = new Map(ran.map((one) => [one.hook, one]))
  return plan.hooks.flatMap((hook): HookReport[] => {
    const why = skipped.get(hook)
    if (why !== undefined) return [{ ...hook.info, status: 'skipped', skipped: why }]
    const run = runs.get(hook)
    return run === undefined ? [] : [reportRun(run)]
  })
}

function reportRun({ hook, raw, ms, said }: Execution): HookReport {
  return {
    ...hook.info,
    status: 'ran',
    ending: raw.ending,
    outcome: said.outcome,
    ...(Object.keys(said.words).length === 0 ? {} : { answer: said.words }),
    ...(raw.stdout === undefined ? {} : { stdout: raw.stdout }),
    ...(raw.stderr === undefined ? {} : { stderr: raw.stderr }),
    ms: Math.round(ms * 10) / 10,
  }
}

function tellSuccess(ran: readonly Execution[]): void {
  for (const run of ran) {
    const tell = run.hook.onSuccess
    if (tell !== undefined && run.said.outcome === 'success') (tell as (report: HookReport) => void)(reportRun(run))
  }
}
