/** Decides whether a tool call runs: PreToolUse, rules and mode, and a question where nobody decided yet. */
import type { ScopeCore } from '../engine/scope.ts'
import { waitForRules } from '../engine/trust-wait.ts'
import { HooklineError } from '../errors.ts'
import type { Verdict } from '../protocol/event-types.ts'
import { events } from '../protocol/events.ts'
import type { Permit, ToolCall } from '../protocol/permission.ts'
import { Desk, type PermitOptions } from './desk.ts'
import { keptOf } from './kept.ts'
import { askSomebody, settle } from './question.ts'

export type { PermitOptions } from './desk.ts'

/**
 * The same call id with the same input gives the same permit until the call has run or the turn ends. A question that was
 * handed over and never answered is put to whoever can be asked now.
 * @throws HooklineError `invalid-input` at once, when this is no tool call.
 */
export function permit(scope: ScopeCore, call: ToolCall, options: PermitOptions): Promise<Permit> {
  checkCall(call)
  const kept = keptOf(scope).ask(call, scope.turn, () => decide(new Desk(scope, call, options)))
  if (options.ask === 'return') return kept
  return kept.then((done) => (done.behavior === 'ask' ? askLater(new Desk(scope, call, options), done) : done))
}

async function decide(desk: Desk): Promise<Permit> {
  const { scope, call, options } = desk
  await waitForRules(scope.engine, options.signal ?? scope.closing)
  const verdict = (await scope.fire(events.PreToolUse, desk.inputOf(call), options)) as unknown as Verdict<'PreToolUse'>
  const first = await desk.resolve(verdict)
  const settled = first.behavior === 'ask' ? await settle(desk, first) : first
  const kept = await desk.recorded(settled)
  return kept.behavior === 'ask' ? desk.handOver(kept) : kept
}

async function askLater(desk: Desk, open: Permit): Promise<Permit> {
  const settled = await desk.recorded(desk.withTold(await askSomebody(desk, desk.takeBack(open))))
  keptOf(desk.scope).replace(desk.call, open, Promise.resolve(settled))
  return settled
}

function checkCall(call: ToolCall): void {
  const fits =
    typeof call === 'object' &&
    call !== null &&
    typeof call.name === 'string' &&
    typeof call.id === 'string' &&
    typeof call.input === 'object' &&
    call.input !== null
  if (!fits)
    throw new HooklineError('invalid-input', 'permit(): a tool call needs name, input (an object) and id.', {
      hint: "Call permit({ name: 'Bash', input: { command: 'ls' }, id: 'toolu_1' }).",
    })
}
