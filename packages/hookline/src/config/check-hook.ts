/** Checks one hook as it was written: what is sound goes on, what is not is reported, and nothing throws. */

import type { Rule } from '../permission/rule.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HandlerSpec, HandlerType } from '../protocol/handler-spec.ts'
import type { HookId, SourceKind } from '../protocol/hook.ts'
import { checkCommand, type Surroundings } from './check-command.ts'
import { checkCondition } from './check-condition.ts'
import { unlistedVariables, urlFault } from './check-http.ts'
import { checkUnknownField } from './check-unknown-field.ts'
import { canFailClosed, readFailMode } from './fail-mode.ts'
import { type Findings, quoted } from './findings.ts'
import { commonFields, failModeFields, handlerFields, misfitOf, type WrittenType, writtenTypes } from './handler-fields.ts'
import type { Matcher } from './matcher.ts'
import { nearest } from './nearest.ts'
import { type Asked, readSandbox } from './sandbox.ts'
import { entryOf, kindWord, memberOf, type ObjectTree, plainOf, type Tree, textOf, textsOf } from './tree.ts'

/** Where a hook stands and what it is checked against. */
export interface HookSite {
  readonly row: NamedRow
  readonly kind: SourceKind
  readonly id: HookId
  readonly matcher: Matcher
  readonly findings: Findings
  readonly around?: Surroundings
}

/** A hook that was read. */
export interface CheckedHook {
  readonly type: HandlerType
  /** The fields that are sound. */
  readonly spec: HandlerSpec
  readonly condition?: Rule
  /** It cannot run at all, and why. */
  readonly fault?: string
  /** It is off because a part of it is wrong, unless it fails closed, and why. */
  readonly doubt?: string
  /** The fence that the hook itself asks for; a text says why that cannot be told, or not be had. */
  readonly sandbox?: { readonly asked: Asked } | { readonly why: string }
}

/** Reads one hook; `undefined` when it is not even an object. */
export function checkHook(hook: Tree, site: HookSite): CheckedHook | undefined {
  const { findings, id, matcher } = site
  if (hook.kind !== 'object') {
    findings.add('wrong-type', `a hook: expected object, got ${kindWord(hook)}`, {
      at: hook.at,
      hook: id,
      hint: 'Write { "type": "command", "command": "…" }.',
    })
    return undefined
  }
  const type = readType(hook, site)
  if (typeof type !== 'object') return { type: type as HandlerType, spec: plainOf(hook) as HandlerSpec, fault: typeFault(hook) }
  const notes = new Notes()
  const spec = readFields(hook, { ...site, type: type.known, notes })
  const condition = checkCondition(memberOf(hook, 'if'), site)
  if (condition.doubt !== undefined) notes.doubt(condition.doubt)
  if (matcher.kind === 'invalid') notes.doubt(matcher.detail ?? 'the matcher cannot be used')
  checkTimeout(memberOf(hook, 'timeout'), site, { spec, notes })
  checkFailMode(hook, site, spec)
  checkPayload(hook, site, { type: type.known, spec, notes })
  const sandbox = checkSandbox(memberOf(hook, 'sandbox'), site, type.known)
  return {
    type: type.known,
    spec: spec as unknown as HandlerSpec,
    ...(condition.rule === undefined ? {} : { condition: condition.rule }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...notes.told,
  }
}

/** What keeps a hook from running: the first reason of each kind. */
class Notes {
  #fault: string | undefined
  #doubt: string | undefined

  fault(why: string): void {
    this.#fault ??= why
  }
  doubt(why: string): void {
    this.#doubt ??= why
  }
  get told(): { fault?: string; doubt?: string } {
    return { ...(this.#fault === undefined ? {} : { fault: this.#fault }), ...(this.#doubt === undefined ? {} : { doubt: this.#doubt }) }
  }
}

type Spec = Record<string, unknown>

/** The type when it is known, else what was written. */
function readType(hook: ObjectTree, { row, findings, id }: HookSite): { known: WrittenType } | string {
  const written = memberOf(hook, 'type')
  if (written === undefined) {
    findings.add('missing-field', '"type" is missing', { at: hook.at, hook: id, hint: `Write "type": one of ${writtenTypes.join(', ')}.` })
    return 'unknown'
  }
  if (written.kind !== 'text') {
    findings.add('wrong-type', `type: expected text, got ${kindWord(written)}`, { at: written.at, hook: id })
    return 'unknown'
  }
  const known = writtenTypes.find((type) => type === written.value)
  if (known === undefined) {
    const near = nearest(written.value, writtenTypes)
    findings.add('unknown-handler', `no handler type ${quoted(written.value)}${near === undefined ? '' : `; did you mean ${near}?`}`, {
      at: written.at,
      hook: id,
      hint: `Known are ${writtenTypes.join(', ')}.`,
    })
    return written.value
  }
  if (!row.handlers.includes(known)) {
    const allowed = row.handlers.filter((type) => type !== 'callback' && type !== 'function')
    findings.add('handler-not-allowed', `${known} is not supported on ${row.name}`, {
      at: written.at,
      hook: id,
      hint: allowed.length === 0 ? 'Only hooks in code can attach there.' : `Use ${allowed.join(', ')}.`,
    })
  }
  return { known }
}

function typeFault(hook: ObjectTree): string {
  const written = memberOf(hook, 'type')
  if (written === undefined) return '"type" is missing'
  return written.kind === 'text' ? `there is no handler type ${quoted(written.value)}` : `type: expected text, got ${kindWord(written)}`
}

function readFields(hook: ObjectTree, { type, findings, id, notes }: HookSite & { type: WrittenType; notes: Notes }): Spec {
  const rules = { ...commonFields, ...handlerFields[type] }
  const spec: Spec = Object.create(null)
  for (const entry of hook.entries) {
    const rule = Object.hasOwn(rules, entry.key) ? rules[entry.key] : undefined
    if (failModeFields.includes(entry.key)) continue
    if (rule === undefined) {
      checkUnknownField(entry, { type, findings, hook: id })
      continue
    }
    const misfit = misfitOf(rule, entry.value)
    if (misfit === undefined) spec[entry.key] = plainOf(entry.value)
    // A list in "if" is a joined rule; its own check says so.
    else if (entry.key !== 'if' || entry.value.kind !== 'list') {
      const why = `${entry.key}: ${misfit}`
      findings.add('wrong-type', why, { at: entry.value.at, hook: id })
      // What was asked for is not known, but that something was: the hook stays off, closed or not.
      if (entry.key === 'sandbox') spec[entry.key] = plainOf(entry.value)
      else if (rule.required) notes.fault(why)
      else notes.doubt(why)
    }
  }
  for (const [key, rule] of Object.entries(rules)) {
    if (!rule.required) continue
    const written = memberOf(hook, key)
    if (written === undefined || (written.kind === 'text' && written.value.trim() === '')) {
      const why = `"${key}" is ${written === undefined ? 'missing' : 'empty'}`
      findings.add('missing-field', why, { at: written?.at ?? hook.at, hook: id, hint: `A ${type} hook needs "${key}".` })
      notes.fault(why)
    }
  }
  return spec
}

/** A fence cannot be had everywhere, and one that cannot be had must not be missed quietly. */
function checkSandbox(written: Tree | undefined, { findings, id, around }: HookSite, type: WrittenType): CheckedHook['sandbox'] {
  if (written === undefined) return undefined
  const read = readSandbox(written)
  if (read.kind === 'misfit') return { why: `its "sandbox" cannot be read: ${read.why}` }
  if (read.asked === 'none') return { asked: read.asked }
  if (type === 'command') {
    const fault = around?.sandboxFault?.(read.asked)
    if (fault !== undefined) findings.add('sandbox-unavailable', `sandbox: the hook does not run here: ${fault}`, { at: written.at, hook: id })
    return { asked: read.asked }
  }
  const why =
    type === 'module' ? 'a module runs inside of the host, where nothing can fence it in' : `a ${type} hook starts no program here that could be fenced in`
  const hint = type === 'module' ? 'Make it a command, or leave "sandbox" out.' : 'Leave "sandbox" out.'
  findings.add('sandbox-misplaced', `sandbox: ${why}`, { at: written.at, hook: id, hint })
  return { why: `${why}; ${type === 'module' ? 'make it a command, or leave "sandbox" out' : 'leave "sandbox" out'}` }
}

function checkTimeout(written: Tree | undefined, { findings, id }: HookSite, { spec, notes }: { spec: Spec; notes: Notes }): void {
  if (written?.kind !== 'number') return
  const { value, at } = written
  if (!Number.isFinite(value) || value <= 0) {
    delete spec['timeout']
    findings.add('timeout-range', `timeout: expected a number of seconds above 0, got ${value}`, { at, hook: id, hint: 'Leave it out for the default.' })
    notes.doubt(`timeout ${value} cannot be used`)
  } else if (value >= 1_000 && value % 1_000 === 0) {
    findings.add('timeout-looks-like-ms', `timeout is in seconds: ${value} is ${spanOf(value)}; did you mean ${value / 1_000}?`, { at, hook: id })
  } else if (value > 3_600) {
    findings.add('timeout-looks-like-ms', `timeout is in seconds: ${value} is ${spanOf(value)}`, { at, hook: id })
  }
}

function spanOf(seconds: number): string {
  const hours = seconds / 3_600
  return hours < 1 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(hours * 10) / 10} hours`
}

function checkFailMode(hook: ObjectTree, { row, findings, id }: HookSite, spec: Spec): void {
  const mode = readFailMode(hook, findings, id)
  if (mode === undefined) return
  spec['onFailure'] = mode
  const background = spec['async'] === true || spec['asyncRewake'] === true
  if (mode !== 'block' || canFailClosed(row, background)) return
  const at = failModeFields.map((key) => entryOf(hook, key)?.keyAt).find((place) => place !== undefined)
  const why = background
    ? 'a failure of an async hook never blocks'
    : row.failClosed === 'ignored'
      ? `on ${row.name} a block would keep the agent running, so a failure never blocks`
      : `${row.name} cannot be blocked`
  findings.add('fail-mode-ignored', `onFailure has no effect here: ${why}`, { ...(at === undefined ? {} : { at }), hook: id })
}

function checkPayload(hook: ObjectTree, site: HookSite, { type, spec, notes }: { type: WrittenType; spec: Spec; notes: Notes }): void {
  const { findings, id } = site
  const at = (field: string) => memberOf(hook, field)?.at ?? hook.at
  if (type === 'http' && typeof spec['url'] === 'string') {
    const fault = spec['url'].trim() === '' ? undefined : urlFault(spec['url'])
    if (fault !== undefined) {
      findings.add('invalid-url', `url: ${fault}`, { at: at('url'), hook: id, hint: 'Write an absolute http or https URL.' })
      notes.doubt(`url: ${fault}`)
    }
    for (const name of unlistedVariables((spec['headers'] ?? {}) as Spec, textsOf(memberOf(hook, 'allowedEnvVars')) ?? [])) {
      findings.add('header-variable', `headers: ${name} is not allowed: "allowedEnvVars" does not list it, so it is empty`, {
        at: at('headers'),
        hook: id,
        hint: `Write "allowedEnvVars": ["${name}"].`,
      })
    }
  }
  const command = textOf(memberOf(hook, 'command'))
  if (type !== 'command' || command === undefined || command.trim() === '') return
  const args = spec['args'] as string[] | undefined
  checkCommand({
    command,
    ...(args === undefined ? {} : { args }),
    ...(typeof spec['shell'] === 'string' ? { shell: spec['shell'] } : {}),
    kind: site.kind,
    row: site.row,
    around: site.around ?? {},
    report: (code, message, { hint, field = 'command' } = {}) => findings.add(code, message, { at: at(field), hook: id, hint }),
  })
}
