/** Judges one hook for one call, check by check; what `explain` shows and what a skip is told by. */
import { matchSubject } from '../config/match-subject.ts'
import type { ConfiguredHook } from '../config/snapshot.ts'
import { matchCondition } from '../permission/match-condition.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Check, Skipped } from '../protocol/hook.ts'
import type { HandlerRunner } from '../protocol/runner.ts'
import type { Sandbox } from '../protocol/sandbox.ts'
import { gate } from './gate.ts'
import type { SelectionContext } from './select.ts'

/** Where judging leaves what it found, beside its answer. */
export interface JudgeNotes {
  readonly checks?: Check[]
  readonly warnings: Diagnostic[]
}

/** Why one hook does not run for this call; `undefined` when it does. Duplicates are judged over the whole selection. */
export function judge(hook: ConfiguredHook, context: SelectionContext, notes: JudgeNotes): Skipped | undefined {
  return (
    gate(hook, context.trusted, notes.checks) ??
    judgeMatcher(hook, context, notes) ??
    judgeCondition(hook, context, notes) ??
    judgeOnce(hook, context, notes) ??
    judgeHandler(hook, context, notes) ??
    judgeSandbox(hook, context, notes)
  )
}

function judgeMatcher(hook: ConfiguredHook, { row, input }: SelectionContext, { checks, warnings }: JudgeNotes): Skipped | undefined {
  const { matcher } = hook
  if (matcher.kind === 'all' || row.match === undefined) {
    checks?.push({ check: 'matcher', result: 'yes', detail: matcher.kind === 'all' ? 'no matcher: every value' : `matchers are ignored on ${row.name}` })
    return undefined
  }
  const value = matchSubject(row, input)
  if (value === undefined) {
    checks?.push({ check: 'matcher', result: 'yes', detail: `no value can be derived from ${row.match}: every hook runs` })
    return undefined
  }
  const matched = hook.matcher.test(value)
  const subject = `"${matcher.text ?? ''}" ${matched === true ? 'matches' : 'does not match'} ${row.match} "${value}"`
  if (matched === null) {
    const warning = unknownMatch(hook, row, value)
    const detail = warning.message
    checks?.push({ check: 'matcher', result: 'cannot-tell', detail })
    warnings.push(warning)
    return hook.failClosed ? undefined : { why: 'matcher', detail }
  }
  checks?.push({ check: 'matcher', result: matched ? 'yes' : 'no', detail: subject })
  return matched ? undefined : { why: 'matcher', detail: subject }
}

/** Judges the `if` of a hook. */
export function judgeCondition(
  hook: ConfiguredHook,
  { row, input, projectDir, home, realPath }: SelectionContext,
  { checks }: JudgeNotes,
): Skipped | undefined {
  const written = hook.info.if
  if (written === undefined) return undefined
  if (!row.condition) {
    const detail = `"if" needs an event with a tool; on ${row.name} a hook with "if" never runs`
    checks?.push({ check: 'condition-not-applicable', result: 'no', detail })
    return { why: 'condition-not-applicable', detail }
  }
  if (hook.condition === undefined) {
    checks?.push({ check: 'condition', result: 'cannot-tell', detail: `"${written}" is not a rule; the hook fails closed, so it runs` })
    return undefined
  }
  const call = {
    tool: String(input['tool_name'] ?? ''),
    input: asObject(input['tool_input']),
    cwd: String(input['cwd'] ?? ''),
    root: projectDir,
    ...(home === undefined ? {} : { home }),
    ...(realPath === undefined ? {} : { realPath }),
  }
  const { answer, why } = matchCondition(hook.condition, call)
  checks?.push({ check: 'condition', result: answer, detail: answer === 'cannot-tell' ? `${why}; counted as a match` : why })
  return answer === 'no' ? { why: 'condition', detail: why } : undefined
}

/** Judges whether a `once` hook is spent. */
export function judgeOnce(hook: ConfiguredHook, { spent }: SelectionContext, { checks }: JudgeNotes): Skipped | undefined {
  if (!hook.once) return undefined
  const used = spent.has(onceKey(hook))
  const detail = used ? '"once" is set and the hook already ran successfully' : '"once" is set and the hook has not succeeded yet'
  checks?.push({ check: 'once-spent', result: used ? 'no' : 'yes', detail })
  return used ? { why: 'once-spent', detail } : undefined
}

/** Judges whether the event runs this type of hook, and whether somebody can. */
export function judgeHandler(hook: ConfiguredHook, { row, input, runners }: SelectionContext, { checks }: JudgeNotes): Skipped | undefined {
  const tooEarly = row.notAt?.[hook.type]?.includes(matchSubject(row, input) ?? '') === true
  const allowed = row.handlers.includes(hook.type) && !tooEarly
  const allowedDetail = allowed
    ? `${hook.type} hooks are allowed on ${row.name}`
    : tooEarly
      ? `${row.name} does not run ${hook.type} hooks at ${row.match} "${matchSubject(row, input)}": it is too early for them`
      : `${row.name} does not run ${hook.type} hooks; use ${row.handlers.filter((type) => type !== 'callback' && type !== 'function').join(', ')}`
  checks?.push({ check: 'handler-not-allowed', result: allowed ? 'yes' : 'no', detail: allowedDetail })
  if (!allowed) return { why: 'handler-not-allowed', detail: allowedDetail }
  const missing = unavailable(hook, runners)
  checks?.push({ check: 'handler-not-available', result: missing === undefined ? 'yes' : 'no', detail: missing ?? `a handler for ${hook.type} hooks is there` })
  return missing === undefined ? undefined : { why: 'handler-not-available', detail: missing }
}

/** What is said when a hook that fails closed is skipped because nobody can run it: it guards nothing then. */
export function absentGuard({ info, failClosed }: ConfiguredHook, { why, detail }: Skipped): Diagnostic[] {
  if (!failClosed || why !== 'handler-not-available') return []
  const message = `Hook ${JSON.stringify(info.label)} is to fail closed and did not run: ${detail}.`
  const hint = 'Give what it needs (the options "model" and "mcp"), or write the guard as a command.'
  return [{ severity: 'warning', code: 'guard-not-available', message, hint, hook: info.id }]
}

/** Judges whether the fence that a hook must have can be built; it never runs without. */
export function judgeSandbox(
  { type, sandbox, sandboxFault }: ConfiguredHook,
  { runners }: Pick<SelectionContext, 'runners'>,
  { checks }: Pick<JudgeNotes, 'checks'>,
): Skipped | undefined {
  if (sandbox === undefined && sandboxFault === undefined) return undefined
  const runner = runners.get(type)
  const why = sandboxFault ?? (runner?.sandboxFault === undefined ? `this host has no sandbox for ${type} hooks` : runner.sandboxFault(sandbox as Sandbox))
  checks?.push({ check: 'sandbox-unavailable', result: why === undefined ? 'yes' : 'no', detail: why ?? `its process can be ${sandbox?.mode}` })
  return why === undefined ? undefined : { why: 'sandbox-unavailable', detail: why }
}

/** What is said when a hook does not run for want of its sandbox. */
export function unfenced({ info }: ConfiguredHook, { detail }: Skipped): Diagnostic {
  const { id, label, source } = info
  const { file, line, column } = source
  return {
    severity: 'warning',
    code: 'sandbox-unavailable',
    message: `Hook ${JSON.stringify(label)} did not run, because its sandbox cannot be built: ${detail}.`,
    hook: id,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/** What is said when a matcher could not be evaluated. */
export function unknownMatch(hook: ConfiguredHook, row: NamedRow, value: string): Diagnostic {
  const what = `"${hook.matcher.text ?? ''}" cannot be evaluated against ${row.match} "${cut(value)}": it is too slow or the value is too long`
  const then = hook.failClosed ? 'the hook fails closed, so it runs' : 'counted as no match'
  return {
    severity: 'warning',
    code: 'matcher-cannot-tell',
    message: `${what}; ${then}.`,
    hint: 'Write a simpler pattern, for example names separated by "|".',
    hook: hook.info.id,
  }
}

function unavailable(hook: ConfiguredHook, runners: ReadonlyMap<string, HandlerRunner>): string | undefined {
  const runner = runners.get(hook.type)
  if (runner === undefined) return `this host has no handler for ${hook.type} hooks`
  if (hook.info.flags.includes('persistent') && !runner.supports?.includes('persistent'))
    return `the handler for ${hook.type} hooks cannot keep a process running`
  return undefined
}

/** What a spent `once` is remembered by: the same hook after a reload is still spent. */
export function onceKey(hook: ConfiguredHook): string {
  return `${hook.event} ${hook.dedupKey ?? hook.info.id}`
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
