/** Says for every hook of an event whether it would run and what was looked at, in order; starts nothing. */
import { matchSubject } from '../config/match-subject.ts'
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { Check, Explanation, Skipped } from '../protocol/hook.ts'
import type { OpenCall } from './call.ts'
import { selectionContext, type Walk } from './corridor.ts'
import { duplicateOf, duplicateWords, withoutDuplicates } from './duplicates.ts'
import type { Engine } from './engine.ts'
import { guardAt, guardInfo } from './guard.ts'
import { judge } from './judge.ts'

/** Walks the selection of one call with every check written down. */
export function explainCall(call: OpenCall, { engine, plan, spent }: Pick<Walk, 'engine' | 'plan' | 'spent'>): Explanation {
  const warnings: Diagnostic[] = []
  const context = selectionContext(call, engine, spent)
  const judged = plan.hooks.map((hook) => {
    const checks: Check[] = []
    return { hook, checks, skipped: judge(hook, context, { checks, warnings }) }
  })
  const value = matchSubject(call.row, call.input)
  const wouldRun = judged.filter((one) => one.skipped === undefined).map((one) => one.hook)
  const kept = new Map(withoutDuplicates(wouldRun).map((hook) => [hook.info.id, hook]))
  return {
    version: 1,
    kind: 'explanation',
    event: call.row.name,
    ...(call.row.match === undefined || value === undefined ? {} : { match: { field: call.row.match, value } }),
    hooks: [
      ...guardEntry(call, engine),
      ...judged.map(({ hook, checks, skipped }) => entry(kept.get(hook.info.id) ?? hook, checks, skipped ?? repeated(hook, wouldRun, checks))),
    ],
    warnings: [...warnings, ...pluginTwins(wouldRun)],
  }
}

/** The guard shows only where it would refuse. */
function guardEntry(call: OpenCall, engine: Engine): Explanation['hooks'] {
  const reason = guardAt(call.row, engine.parts.guard)?.refuses(call.input)
  return reason === undefined ? [] : [{ ...guardInfo, status: 'would-run', checks: [{ check: 'condition', result: 'yes', detail: reason }] }]
}

function entry(hook: ConfiguredHook, checks: readonly Check[], skipped: Skipped | undefined): Explanation['hooks'][number] {
  return { ...hook.info, status: skipped === undefined ? 'would-run' : 'skipped', checks, ...(skipped === undefined ? {} : { skipped }) }
}

function repeated(hook: ConfiguredHook, wouldRun: readonly ConfiguredHook[], checks: Check[]): Skipped | undefined {
  const twin = duplicateOf(hook, wouldRun.slice(wouldRun.indexOf(hook) + 1))
  if (hook.dedupKey !== undefined)
    checks.push({
      check: 'duplicate',
      result: twin === undefined ? 'yes' : 'no',
      detail: twin === undefined ? 'no later hook does the same' : duplicateWords(hook, twin).detail,
    })
  return twin === undefined ? undefined : duplicateWords(hook, twin)
}

/** The same command in settings and in a plugin runs twice, by design: the reader should not be surprised. */
function pluginTwins(hooks: readonly ConfiguredHook[]): Diagnostic[] {
  return hooks.flatMap((hook) => {
    if (hook.info.source.kind === 'plugin' || hook.info.type !== 'command') return []
    const twin = hooks.find((other) => other.info.source.kind === 'plugin' && commandOf(other) === commandOf(hook))
    if (twin === undefined) return []
    return [
      {
        severity: 'info' as const,
        code: 'same-command-in-plugin',
        message: `${hook.info.id} runs the same command also in plugin ${twin.info.source.id.replace(/^plugin:/, '')} (${twin.info.id}): both run.`,
        hook: hook.info.id,
      },
    ]
  })
}

function commandOf(hook: ConfiguredHook): unknown {
  return hook.spec !== undefined && 'command' in hook.spec ? hook.spec.command : hook
}
