/** What the compiler says about the verbs of a scope: what may be fired and attached, and what comes back. */
import { expectTypeOf, test } from 'vitest'
import type { Hookline, Scope } from '../../src/engine/surface.ts'
import { defineEvent, type StandardSchema } from '../../src/protocol/define-event.ts'
import { defineHooks } from '../../src/protocol/define-hooks.ts'
import type { Verdict } from '../../src/protocol/event-types.ts'
import { events } from '../../src/protocol/events.ts'
import type { Permit, ToolRun } from '../../src/protocol/permission.ts'
import { deny } from '../../src/protocol/shorthands.ts'

declare const hookline: Hookline
declare const scope: Scope
declare const schema: StandardSchema<{ branch: string }>
const deploy = defineEvent({ name: 'acme_Deploy', summary: 'A deployment is about to start.', input: schema, powers: ['block'] })

test('fire takes the input of its event and gives its verdict', () => {
  expectTypeOf(scope.fire('Stop', {})).toEqualTypeOf<Promise<Verdict<'Stop'>>>()
  expectTypeOf(scope.fire('SessionStart', { source: 'startup' })).resolves.toHaveProperty('context')
  expectTypeOf(scope.fire('PreToolUse', () => ({ tool_name: 'Bash', tool_input: {}, tool_use_id: '1' }))).resolves.toHaveProperty('permission')
  expectTypeOf(scope.fire(events.PreCompact, { trigger: 'auto', custom_instructions: null })).resolves.toHaveProperty('blocks')
  expectTypeOf(scope.fire(deploy, { branch: 'main' })).resolves.toHaveProperty('blocks')
  expectTypeOf(scope.fireNow('Stop', {})).toEqualTypeOf<Verdict<'Stop'> | Promise<Verdict<'Stop'>>>()
})

test('fire refuses an input that is not complete or of another event', () => {
  // @ts-expect-error there is no such event
  void scope.fire('PreToolUze', {})
  // @ts-expect-error a tool call has a name and an id
  void scope.fire('PreToolUse', { tool_input: {} })
  // @ts-expect-error a prompt is a text
  void scope.fire('UserPromptSubmit', { prompt: 1 })
  // @ts-expect-error an unknown way of loading instructions
  void scope.fire('InstructionsLoaded', { file_path: 'a', memory_type: 'Team', load_reason: 'include' })
  // @ts-expect-error an event of the host has its own input
  void scope.fire(deploy, { tag: 'v1' })
  // @ts-expect-error the third parameter holds a signal and locals
  void scope.fire('Stop', {}, { timeout: 5 })
})

test('on gives a callback the input of its event, narrowed by the matcher', () => {
  scope.on('Stop', (input) => ({ block: String(input.stop_hook_active) }))
  scope.on('PreToolUse', { matcher: 'Bash' }, (input) => {
    expectTypeOf(input.tool_input.command).toEqualTypeOf<string>()
    return deny('no')
  })
  scope.on('PreToolUse', { timeout: 5, onFailure: 'block' }, (input) => {
    expectTypeOf(input.tool_input).toEqualTypeOf<Record<string, unknown>>()
  })
  scope.on(deploy, (input) => {
    expectTypeOf(input.branch).toEqualTypeOf<string>()
    return { block: 'frozen' }
  })
  expectTypeOf(scope.on('Stop', () => {})).toHaveProperty(Symbol.dispose)
})

test('on refuses answers and options that mean nothing', () => {
  // @ts-expect-error Stop has no permission
  scope.on('Stop', () => ({ permission: 'deny' as const }))
  // @ts-expect-error Stop has no input to rewrite
  scope.on('Stop', () => ({ updatedInput: {} }))
  // @ts-expect-error an event of the host has the powers it was given
  scope.on(deploy, () => ({ context: 'x' }))
  // @ts-expect-error a failure continues or blocks
  scope.on('Stop', { onFailure: 'deny' }, () => {})
  // @ts-expect-error a timeout is a number of seconds
  scope.on('Stop', { timeout: '5' }, () => {})
})

test('hooks that are written down keep their types', () => {
  const hooks = defineHooks({
    PreToolUse: [{ matcher: 'Bash', hooks: [(input) => deny(input.tool_name)] }],
    Stop: [(input) => (input.stop_hook_active ? undefined : { block: 'run the tests' })],
  })
  scope.on(hooks)
  // @ts-expect-error there is no such event
  defineHooks({ PreToolUze: [] })
  // @ts-expect-error Stop has no permission
  defineHooks({ Stop: [() => ({ permission: 'deny' as const })] })
})

test('the tool station gives a permit and a run', () => {
  const call = { name: 'Bash', input: {}, id: '1' }
  expectTypeOf(scope.permit(call)).toEqualTypeOf<Promise<Permit>>()
  expectTypeOf(scope.runTool(call, async () => 'out')).toEqualTypeOf<Promise<ToolRun<string>>>()
  const read = (run: ToolRun<string>) => {
    if (run.kind === 'ran') expectTypeOf(run.output).toEqualTypeOf<string>()
    // @ts-expect-error a refused call has no output
    if (run.kind === 'refused') void run.output
    expectTypeOf(run.toModel).toEqualTypeOf<string>()
  }
  expectTypeOf(read).toBeFunction()
  // @ts-expect-error a call has an id, so that it is decided once
  void scope.permit({ name: 'Bash', input: {} })
})

test('sessions and subagents have the same verbs', () => {
  expectTypeOf(hookline).toExtend<Scope>()
  expectTypeOf(hookline.session('a')).toExtend<Scope>()
  const agent = hookline.session('a').agent('1', 'explore')
  expectTypeOf(agent).toEqualTypeOf<Scope>()
  // @ts-expect-error a subagent has no session of its own to add function hooks to
  agent.addFunctionHook('Stop', { errorMessage: 'x' }, () => true)
  // @ts-expect-error a check answers yes or no
  hookline.addFunctionHook('Stop', { errorMessage: 'x' }, () => ({ block: 'x' }))
})
