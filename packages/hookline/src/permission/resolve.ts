/** Joins a verdict with rules and mode into a permit: no event is fired, and nobody is asked (contract §5, design decision 3). */
import type { HookContext } from '../protocol/answering.ts'
import type { Verdict } from '../protocol/event-types.ts'
import type { Cause, PermissionAnswer, PermissionMode, Permissions, Permit, ToolCall } from '../protocol/permission.ts'
import { type Behavior, stricter } from '../protocol/verdict-parts.ts'
import { type RealPath, type RuleCall, rememberPaths } from './call.ts'
import { copyInput } from './copy-input.ts'
import { askJudge, joinLists, listHostRules } from './host-rules.ts'
import { judgeRules, type ListedRule } from './judge-rules.ts'
import { judgeMode, knownKind } from './modes.ts'
import { type Decided, makePermit } from './permit.ts'

/** What a decision is made of. */
export interface ResolveRequest {
  readonly verdict: Verdict<'PreToolUse'>
  /** The call as the host made it; its input is replaced by the verdict's. Default: read from the verdict. */
  readonly call?: ToolCall
  /** The settings' own rules, beside the host's. */
  readonly lists?: readonly ListedRule[]
  /** Settings that could not be read, in words: what would be permitted becomes a question, since a rule may be missing that forbids it. */
  readonly unread?: string | undefined
  readonly permissions: Partial<Permissions>
  readonly signal?: AbortSignal
  /** The person's home folder, for rules with `~/`. */
  readonly home?: string
  /** Where paths lead; absent: links are not looked at. */
  readonly realPath?: RealPath
}

/** What the rules said about the present input. */
interface RulesSaid {
  readonly behavior: Behavior
  readonly reason?: string
  /** The text of the rule that decided, when one did. */
  readonly rule?: string
}

/**
 * Whether the call of this verdict may run: the hooks' word, the host's rules and its mode, looked at with the rewritten input.
 *
 * - A block, a deny or a stop of a hook is a deny; a hook's allow never passes a deny or an ask rule, nor a mode that denies.
 * - A hook's ask always asks. Without `permissions.ask` an ask is a deny with the cause `nobody-to-ask`; with it the permit
 *   is an `ask` and holds the question, and nobody is asked here.
 * - In mode `auto` what nobody decided goes to `permissions.classify`; one that fails, or is absent, asks.
 * - Without a mode, and with nobody of an opinion, the behavior is `passthrough`: go on as without Hookline.
 *
 * Throws `invalid-option` for a host's rule that does not parse, and the reason of an aborted signal.
 */
export async function resolvePermission(
  verdict: Verdict<'PreToolUse'>,
  permissions: Partial<Permissions>,
  context: { signal?: AbortSignal } = {},
): Promise<Permit> {
  const { signal } = context
  const request: ResolveRequest = { verdict, permissions, ...(signal !== undefined && { signal }) }
  const { classify } = permissions
  if (classify === undefined || modeOf(permissions) !== 'auto') return resolveWith(request)
  const open = await resolveWith({ ...request, permissions: { ...permissions, ask: 'return' } })
  if (open.behavior !== 'ask') return open
  if (open.cause !== 'mode') return resolveWith(request)
  const { behavior, reason } = await askJudge(classify, open.call, contextOf(request))
  if (behavior === 'allow' || behavior === 'deny')
    return permitFor(request, open.call, { behavior, cause: 'classifier', ...(reason !== undefined && { reason }) })
  return resolveWith(request)
}

/** `resolvePermission` with the settings' parsed rules beside the host's; in mode `auto` an open call is left as an `ask`. */
export async function resolveWith(request: ResolveRequest): Promise<Permit> {
  const { verdict, permissions, signal } = request
  signal?.throwIfAborted()
  const call = callOf(request)
  const hooks = verdict.permission.behavior
  if (verdict.blocked || hooks === 'deny')
    return permitFor(request, call, withReason({ behavior: 'deny', cause: 'hook', quiet: true }, verdict.permission.reason ?? verdict.reason))
  // The stop's reason is the person's; the model only learns that the call did not run.
  if (verdict.stop !== undefined) return permitFor(request, call, withReason({ behavior: 'deny', cause: 'hook', quiet: true }, verdict.stop.reason))

  const rules = await judge(request, call)
  signal?.throwIfAborted()
  if (rules.behavior === 'deny') return permitFor(request, call, withReason({ behavior: 'deny', cause: 'rule' }, rules.reason))
  const mode = modeOf(permissions)
  const said = judgeMode(mode, kindOf(permissions, call))
  if (said.behavior === 'deny') return permitFor(request, call, withReason({ behavior: 'deny', cause: 'mode' }, said.reason))
  if (hooks === 'defer') return permitFor(request, call, withReason({ behavior: 'defer', cause: 'hook' }, verdict.permission.reason))
  if (rules.behavior === 'defer') return permitFor(request, call, withReason({ behavior: 'defer', cause: 'rule' }, rules.reason))

  const askRule = rules.behavior === 'ask' && rules.rule !== undefined ? { rule: rules.rule } : {}
  if (hooks === 'ask') return asked(request, call, { cause: 'hook', reason: verdict.permission.reason, ...askRule })
  if (rules.behavior === 'ask') return asked(request, call, { cause: 'rule', reason: rules.reason, ...askRule })
  if (request.unread !== undefined && [hooks, said.behavior, rules.behavior].includes('allow'))
    return asked(request, call, { cause: 'rule', reason: request.unread })
  if (hooks === 'allow') return permitFor(request, call, withReason({ behavior: 'allow', cause: 'hook' }, verdict.permission.reason))
  if (said.behavior === 'allow') return permitFor(request, call, withReason({ behavior: 'allow', cause: 'mode' }, said.reason))
  if (rules.behavior === 'allow') return permitFor(request, call, withReason({ behavior: 'allow', cause: 'rule' }, rules.reason))
  if (mode === undefined) return permitFor(request, call, { behavior: 'passthrough', cause: 'no-opinion' })
  return asked(request, call, { cause: 'mode', reason: undefined })
}

function callOf({ verdict, call }: ResolveRequest): ToolCall {
  const { tool_name, tool_input, tool_use_id, mcp_server } = verdict.input
  return {
    ...(call ?? (mcp_server === undefined ? {} : { mcpServer: mcp_server })),
    name: tool_name,
    // A copy that nobody else holds: what the rules look at is what runs, whoever changes the input meanwhile.
    input: copyInput(tool_input as Record<string, unknown>),
    id: call?.id ?? tool_use_id,
  }
}

function modeOf({ mode }: Partial<Permissions>): PermissionMode | undefined {
  return typeof mode === 'function' ? mode() : mode
}

function kindOf({ kindOf: own }: Partial<Permissions>, call: ToolCall) {
  return (own ?? knownKind)(call)
}

const noLists: readonly ListedRule[] = []

/** The strictest word of the settings' rules, the host's lists, and the host's judge. */
async function judge(request: ResolveRequest, call: ToolCall): Promise<RulesSaid> {
  const { lists = noLists, permissions, verdict, home, realPath } = request
  const cwd = verdict.input.cwd
  const ruleCall: RuleCall = {
    tool: call.name,
    input: call.input,
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    ...(home !== undefined && { home }),
    ...(call.mcpServer !== undefined && { mcpServer: call.mcpServer }),
    ...(realPath !== undefined && { realPath: rememberPaths(realPath) }),
  }
  const { behavior, reason, rule } = judgeRules(joinLists(lists, listHostRules(permissions.rules)), ruleCall)
  const said: RulesSaid = { behavior, ...(reason !== undefined && { reason }), ...(rule !== undefined && { rule: rule.text }) }
  if (typeof permissions.rules !== 'function' || behavior === 'deny') return said
  const own = await askJudge(permissions.rules, call, contextOf(request))
  return stricter(behavior, own.behavior) === behavior ? said : own
}

function contextOf({ verdict, signal }: ResolveRequest): HookContext {
  return {
    signal: signal ?? new AbortController().signal,
    toolUseId: verdict.input.tool_use_id,
    callId: verdict.callId,
    sessionId: verdict.sessionId,
    locals: {},
  }
}

function withReason(decided: Decided, reason: string | undefined): Decided {
  return reason === undefined || reason === '' ? decided : { ...decided, reason }
}

/** Somebody has to be asked, and here nobody is. */
function asked(request: ResolveRequest, call: ToolCall, { cause, reason, rule }: { cause: Cause; reason: string | undefined; rule?: string }): Permit {
  const { permissions, verdict } = request
  if (modeOf(permissions) === 'dontAsk')
    return permitFor(request, call, {
      behavior: 'deny',
      cause: 'mode',
      reason: reason ?? `${call.name} needs a permission, and the mode says not to ask for one.`,
    })
  if (permissions.ask === undefined)
    return permitFor(request, call, {
      behavior: 'deny',
      cause: 'nobody-to-ask',
      reason: reason ?? `${call.name} needs a permission, and there is nobody to ask.`,
    })
  const question = {
    call,
    cause,
    by: verdict.permission.by,
    suggestions: permissions.suggest?.(call, cause) ?? [],
    ...(reason !== undefined && reason !== '' && { reason }),
  }
  return permitFor(request, call, withReason({ behavior: 'ask', cause, question, ...(rule !== undefined && { rule }) }, reason))
}

function permitFor(request: ResolveRequest, call: ToolCall, decided: Decided): Permit {
  return makePermit(decided, {
    verdict: request.verdict,
    call,
    answer: (permit, answer) => answered(request, permit, { answer, ...(decided.rule !== undefined && { rule: decided.rule }) }),
  })
}

/** Rules are looked at again: what a person allows may still be denied, and a rewritten input may need a question of its own. */
async function answered(request: ResolveRequest, permit: Permit, { answer: given, rule }: { answer: PermissionAnswer; rule?: string }): Promise<Permit> {
  if (permit.question === undefined) return permit
  // Own fields only, and anything but the word itself is no permission: hosts hand over what came from elsewhere.
  const answer = Object.assign(Object.create(null), given) as PermissionAnswer
  if (answer.behavior !== 'allow') {
    const reason = answer.message ?? `${permit.call.name} was not permitted.`
    return permitFor(request, permit.call, withReason({ behavior: 'deny', cause: 'person', ...(answer.interrupt === true && { interrupt: true }) }, reason))
  }
  const call = answer.updatedInput === undefined ? permit.call : { ...permit.call, input: copyInput(answer.updatedInput) }
  const rules = await judge(request, call)
  if (rules.behavior === 'deny') return permitFor(request, call, withReason({ behavior: 'deny', cause: 'rule' }, rules.reason))
  const asksAnew = answer.updatedInput !== undefined && rules.behavior === 'ask' && rules.rule !== rule
  if (asksAnew) return asked(request, call, { cause: 'rule', reason: rules.reason, ...(rules.rule !== undefined && { rule: rules.rule }) })
  return permitFor(request, call, { behavior: 'allow', cause: 'person' })
}
