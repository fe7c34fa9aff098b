/** What the event table means to the compiler: inputs narrow, answers refuse the words of other events, verdicts hold only their powers. */
import { expectTypeOf, test } from 'vitest'
import type { Answer, EventName, FireInput, HookInput, Verdict } from '../../src/protocol/event-types.ts'
import { events } from '../../src/protocol/events.ts'
import type { Block, Permission, Stopped, Text } from '../../src/protocol/verdict-parts.ts'

test('a hook sees the common fields and its own', () => {
  expectTypeOf<HookInput<'Stop'>['session_id']>().toEqualTypeOf<string>()
  expectTypeOf<HookInput<'Stop'>['stop_hook_active']>().toEqualTypeOf<boolean>()
  expectTypeOf<HookInput<'PreCompact'>['custom_instructions']>().toEqualTypeOf<string | null>()
  expectTypeOf<HookInput<'FileChanged'>['event']>().toEqualTypeOf<'change' | 'add' | 'unlink'>()
})

test('a matcher narrows tool_input', () => {
  expectTypeOf<HookInput<'PreToolUse', 'Bash'>['tool_input']['command']>().toEqualTypeOf<string>()
  expectTypeOf<HookInput<'PreToolUse', 'Bash'>['tool_name']>().toEqualTypeOf<'Bash'>()
  expectTypeOf<HookInput<'PostToolUse', 'Edit'>['tool_input']['replace_all']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<HookInput<'PermissionRequest', 'Write'>['tool_input']['file_path']>().toEqualTypeOf<string>()
})

test('any other matcher leaves tool_input open', () => {
  expectTypeOf<HookInput<'PreToolUse', 'Edit|Write'>['tool_input']>().toEqualTypeOf<Record<string, unknown>>()
  expectTypeOf<HookInput<'PreToolUse'>['tool_name']>().toEqualTypeOf<string>()
  expectTypeOf<HookInput<'Stop', 'Bash'>>().not.toHaveProperty('tool_input')
})

test('a host gives the own fields of an event and may leave out the common ones', () => {
  expectTypeOf<{ tool_name: string; tool_input: Record<string, unknown>; tool_use_id: string }>().toExtend<FireInput<'PreToolUse'>>()
  expectTypeOf<Record<never, never>>().toExtend<FireInput<'Stop'>>()
  expectTypeOf<{ stop_hook_active: boolean; cwd: string }>().toExtend<FireInput<'Stop'>>()
  expectTypeOf<{ tool_name: string }>().not.toExtend<FireInput<'PreToolUse'>>()
  expectTypeOf<{ prompt: number }>().not.toExtend<FireInput<'UserPromptSubmit'>>()
})

test('an answer takes the words of its event', () => {
  const fine: Answer<'PreToolUse'>[] = [
    { permission: 'defer' },
    { permission: 'ask', reason: 'money', updatedInput: { a: 1 } },
    { stop: 'done', context: 'x', message: 'y' },
  ]
  const also: [Answer<'Stop'>, Answer<'PermissionRequest'>, Answer<'CwdChanged'>, Answer<'Notification'>] = [
    { block: 'tests fail' },
    { permission: 'deny', interrupt: true },
    { watchPaths: [] },
    { terminalSequence: '\u0007' },
  ]
  expectTypeOf(fine).not.toBeAny()
  expectTypeOf(also).not.toBeAny()
})

test('an answer refuses the words of other events', () => {
  // @ts-expect-error Stop has no tool input to rewrite
  const rewrite: Answer<'Stop'> = { updatedInput: {} }
  // @ts-expect-error a change of the model cannot be left for later
  const later: Answer<'PreModelSwitch'> = { permission: 'defer' }
  // @ts-expect-error a permission request is answered with allow or deny
  const question: Answer<'PermissionRequest'> = { permission: 'ask' }
  // @ts-expect-error a skill's shell command can only be refused
  const allowed: Answer<'PreSkillShellCommand'> = { permission: 'allow' }
  // @ts-expect-error Stop has no permission
  const denied: Answer<'Stop'> = { permission: 'deny' }
  // @ts-expect-error passthrough is what silence is, nobody says it
  const silent: Answer<'PreToolUse'> = { permission: 'passthrough' }
  // @ts-expect-error a reason is a text
  const reason: Answer<'PreToolUse'> = { permission: 'deny', reason: 1 }
  // @ts-expect-error a block carries its reason
  const bare: Answer<'Stop'> = { block: true }
  // @ts-expect-error a session that ends cannot be given context
  const ended: Answer<'SessionEnd'> = { context: 'x' }
  // @ts-expect-error interrupt is said or not said
  const half: Answer<'PermissionRequest'> = { permission: 'deny', interrupt: false }
  // @ts-expect-error paths are a list
  const path: Answer<'FileChanged'> = { watchPaths: 'a' }
  // @ts-expect-error an elicitation has an action
  const answered: Answer<'Elicitation'> = { elicitation: { content: {} } }
  // @ts-expect-error the word is updatedOutput
  const wire: Answer<'PostToolUse'> = { updatedToolOutput: 'x' }
  // @ts-expect-error a task that is created cannot end the turn
  const stopped: Answer<'TaskCreated'> = { stop: 'x' }
  expectTypeOf([rewrite, later, question, allowed, denied, silent, reason, bare, ended, half, path, answered, wire, stopped]).not.toBeAny()
})

test('a verdict holds what its event can be told', () => {
  expectTypeOf<Verdict<'PreToolUse'>['permission']>().toEqualTypeOf<Permission<'allow' | 'deny' | 'ask' | 'defer' | 'passthrough'>>()
  expectTypeOf<Verdict<'PreModelSwitch'>['permission']['behavior']>().toEqualTypeOf<'allow' | 'deny' | 'ask' | 'passthrough'>()
  expectTypeOf<Verdict<'Stop'>['blocks']>().toEqualTypeOf<readonly Block[]>()
  expectTypeOf<Verdict<'PostToolUse'>['classifierContext']>().toEqualTypeOf<readonly Text[]>()
  expectTypeOf<Verdict<'PermissionRequest'>>().toHaveProperty('interrupt')
})

test('a verdict lacks what its event cannot be told', () => {
  expectTypeOf<Verdict<'Stop'>>().not.toHaveProperty('permission')
  expectTypeOf<Verdict<'Stop'>>().not.toHaveProperty('updatedInput')
  expectTypeOf<Verdict<'SessionEnd'>>().not.toHaveProperty('context')
  expectTypeOf<Verdict<'PreToolUse'>>().not.toHaveProperty('updatedOutput')
  expectTypeOf<Verdict<'Notification'>>().not.toHaveProperty('blocks')
})

test('every verdict can be obeyed without knowing its event', () => {
  expectTypeOf<Verdict['blocked']>().toEqualTypeOf<boolean>()
  expectTypeOf<Verdict['stop']>().toEqualTypeOf<Stopped | undefined>()
  expectTypeOf<Verdict['toModel']>().toEqualTypeOf<string>()
  expectTypeOf<Verdict<'PreToolUse'>>().toExtend<Verdict>()
  const change = (verdict: Verdict<'Stop'>) => {
    // @ts-expect-error a verdict is read, not written
    verdict.blocked = false
  }
  expectTypeOf(change).toBeFunction()
})

test('an event goes by its name or by its row', () => {
  expectTypeOf(events.Stop.name).toEqualTypeOf<'Stop'>()
  expectTypeOf<HookInput<typeof events.Stop>['stop_hook_active']>().toEqualTypeOf<boolean>()
  expectTypeOf<Answer<typeof events.PreToolUse>['permission']>().toEqualTypeOf<Answer<'PreToolUse'>['permission']>()
  // @ts-expect-error there is no such event
  const wrong: EventName = 'PreToolUze'
  // @ts-expect-error nor such a row
  const row = events.PreToolUze
  expectTypeOf([wrong, row]).not.toBeNever()
})
