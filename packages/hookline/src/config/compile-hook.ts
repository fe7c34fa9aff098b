/** From a hook that was read, or a function that was attached, to what selection judges and handlers run. */
import { HooklineError } from '../errors.ts'
import { parseRule } from '../permission/parse-rule.ts'
import type { Rule } from '../permission/rule.ts'
import type { HookOptions } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HandlerSpec, HandlerType } from '../protocol/handler-spec.ts'
import type { HookInfo, Skipped, Source } from '../protocol/hook.ts'
import { checkHook } from './check-hook.ts'
import { checkMatcher } from './check-matcher.ts'
import { dedupKeyOf } from './dedup-key.ts'
import { digestOf } from './digest.ts'
import { canFailClosed } from './fail-mode.ts'
import { Findings } from './findings.ts'
import { common, flagsOf, idOf, infoOf } from './hook-record.ts'
import { callbackLabel, labelOf } from './label.ts'
import { matcherRules } from './match-value.ts'
import { type BoundedRegex, compileMatcher } from './matcher.ts'
import type { HookSeed } from './read-hooks.ts'
import { fenceOf, type SandboxHome } from './sandbox-fence.ts'
import type { ConfiguredHook } from './snapshot.ts'
import { treeOf } from './tree.ts'

/** What the source of a hook adds to it. */
export interface HookHome extends SandboxHome {
  readonly trust: HookInfo['trust']
  /** Folder of the plugin or skill; absent for settings files and code. */
  readonly root?: string
  /** CLAUDE_PLUGIN_ROOT and friends. */
  readonly variables?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Policy: events whose hooks must fail closed. */
  readonly requireFailClosed?: readonly string[] | true
  /** The source, or this hook, is switched off. */
  readonly off?: Skipped
}

/** One hook in the settings form that comes from code, unchecked. */
export interface WrittenHook extends HookHome {
  readonly row: NamedRow
  readonly source: Source
  readonly group: number
  readonly index: number
  readonly matcher?: unknown
  readonly spec: unknown
  readonly bounded?: BoundedRegex
}

/** One function to attach. */
export interface CallbackSeed {
  readonly row: NamedRow
  readonly source: Source
  readonly group: number
  readonly index: number
  readonly callback: (input: never, context: never) => unknown
  readonly type: 'callback' | 'function'
  readonly options: HookOptions
  readonly bounded?: BoundedRegex
}

/** Checks and compiles one hook in the settings form. A wrong one comes back with `fault`. */
export function compileHook(written: WrittenHook): ConfiguredHook {
  const { row, source, group, index } = written
  const findings = new Findings()
  const id = idOf(written)
  const matcher = checkMatcher(written.matcher === undefined ? undefined : treeOf(written.matcher), { row, findings, hook: id, ...bounding(written.bounded) })
  const checked = checkHook(treeOf(written.spec), { row, kind: source.kind, id, matcher, findings })
  const broken = { type: 'command' as HandlerType, spec: {} as HandlerSpec, fault: 'a hook must be an object' }
  return assembleHook({ row, source, group, index, matcher, checked: checked ?? broken }, written)
}

/** Compiles a hook that was read from a source. */
export function assembleHook(seed: HookSeed, home: HookHome): ConfiguredHook {
  const { row, matcher, checked } = seed
  const { type, spec, condition, fault, doubt } = checked
  const fields = spec as Readonly<Record<string, unknown>>
  const { sandbox, sandboxFault } = fenceOf(checked, home)
  const background = fields['asyncRewake'] === true ? 'asyncRewake' : fields['async'] === true ? 'async' : undefined
  const asked = spec.onFailure === 'block' || home.requireFailClosed === true || home.requireFailClosed?.includes(row.name) === true
  const failClosed = asked && canFailClosed(row, background !== undefined)
  const skipped: Skipped | undefined = invalidity(fault ?? (failClosed ? undefined : doubt)) ?? home.off
  return {
    ...common({ row, type, matcher, failClosed, timeout: spec.timeout, once: spec.once === true, ...(background === undefined ? {} : { background }) }),
    info: infoOf(seed, {
      type,
      label: labelOf(type, fields),
      matcher,
      flags: flagsOf({ background, once: spec.once === true, persistent: fields['persistent'] === true }),
      condition: typeof spec.if === 'string' ? spec.if : undefined,
      timeout: spec.timeout,
      failClosed,
      sandbox: sandbox?.mode,
      trust: home.trust,
      // What the file says for all its hooks is said for this one.
      digest: () =>
        digestOf({ event: row.name, matcher: matcher.text, spec: home.sandboxHere === undefined ? fields : { sandbox: home.sandboxHere, ...fields } }),
    }),
    spec,
    dedupKey: dedupKeyOf(home.root ?? '', type, fields),
    ...(spec.statusMessage === undefined ? {} : { statusMessage: spec.statusMessage }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(sandboxFault === undefined ? {} : { sandboxFault }),
    ...(condition === undefined ? {} : { condition }),
    ...(skipped === undefined ? {} : { fault: skipped }),
    ...(home.variables === undefined ? {} : { variables: home.variables }),
    ...(home.env === undefined ? {} : { env: home.env }),
  }
}

/**
 * Compiles a hook in code.
 * @throws HooklineError `invalid-option` when matcher, rule, timeout or failure mode cannot be used.
 */
export function compileCallback(seed: CallbackSeed): ConfiguredHook {
  const { row, callback, type, options } = seed
  const matcher = compileMatcher(options.matcher, { ...matcherRules(row), ...bounding(seed.bounded) })
  if (matcher.kind === 'invalid') refuse(row, `matcher ${JSON.stringify(options.matcher)}: ${matcher.detail}`)
  const condition = conditionOf(row, options.if)
  const { timeout, onFailure } = options
  if (timeout !== undefined && !(typeof timeout === 'number' && Number.isFinite(timeout) && timeout > 0))
    refuse(row, `timeout must be a number of seconds above 0, not ${String(timeout)}.`)
  if (onFailure !== undefined && onFailure !== 'block' && onFailure !== 'continue')
    refuse(row, `onFailure must be "block" or "continue", not ${JSON.stringify(onFailure)}.`)
  const background = options.async === true ? ('async' as const) : undefined
  const failClosed = onFailure === 'block' && canFailClosed(row, background !== undefined)
  const once = options.once === true
  return {
    ...common({ row, type, matcher, failClosed, timeout, once, ...(background === undefined ? {} : { background }) }),
    info: infoOf(seed, {
      type,
      label: callbackLabel(options.name, callback),
      matcher,
      flags: flagsOf({ background, once, persistent: false }),
      condition: options.if,
      timeout,
      failClosed,
      sandbox: undefined,
      trust: 'not-needed',
      digest: () => digestOf({ event: row.name, matcher: matcher.text, spec: { type, if: options.if, code: String(callback) } }),
    }),
    callback,
    ...(takesNothing(callback) ? { takesNothing: true as const } : {}),
    ...(condition === undefined ? {} : { condition }),
    ...(options.onSuccess === undefined ? {} : { onSuccess: options.onSuccess as (report: never) => void }),
  }
}

/** Only of an arrow function without parameters can that be told: every other kind has its `arguments`. */
function takesNothing(callback: CallbackSeed['callback']): boolean {
  return /^(?:async\s*)?\(\s*\)\s*=>/.test(Function.prototype.toString.call(callback))
}

function conditionOf(row: NamedRow, text: string | undefined): Rule | undefined {
  if (text === undefined) return undefined
  const parsed = parseRule(text)
  return parsed.kind === 'rule' ? parsed.rule : refuse(row, `if ${JSON.stringify(text)}: ${parsed.message}.`, parsed.hint)
}

function refuse(row: NamedRow, what: string, hint?: string): never {
  throw new HooklineError('invalid-option', `A hook on ${row.name} cannot be attached: ${what}`, hint === undefined ? {} : { hint })
}

function bounding(bounded: BoundedRegex | undefined): { bounded?: BoundedRegex } {
  return bounded === undefined ? {} : { bounded }
}

function invalidity(detail: string | undefined): Skipped | undefined {
  return detail === undefined ? undefined : { why: 'invalid', detail }
}
