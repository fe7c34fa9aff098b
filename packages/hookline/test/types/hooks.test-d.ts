/** What the compiler says about hooks in code: callbacks, shorthands, settings objects and events of a host's own. */
import { expectTypeOf, test } from 'vitest'
import type { Callback, Middleware } from '../../src/protocol/answering.ts'
import { defineEvent, type StandardSchema } from '../../src/protocol/define-event.ts'
import type { Answer, EventDef, FireInput, HookInput, Verdict } from '../../src/protocol/event-types.ts'
import type { HandlerSpec, Hooks } from '../../src/protocol/handler-spec.ts'
import { allow, ask, block, context, defer, deny, stop } from '../../src/protocol/shorthands.ts'

test('a callback answers, promises an answer, or says nothing', () => {
  const callbacks: Callback<'PreToolUse', 'Bash'>[] = [
    (input) => (input.tool_input.command.startsWith('rm') ? deny('no rm') : undefined),
    async () => ({ context: 'x' }),
    () => {},
    () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }),
  ]
  expectTypeOf(callbacks).not.toBeAny()
})

test('a callback cannot give a word of another event, or a wrong value', () => {
  // @ts-expect-error Stop has no tool input to rewrite
  const rewrite: Callback<'Stop'> = () => ({ updatedInput: {} })
  // @ts-expect-error nor when it is promised
  const promised: Callback<'Stop'> = async () => ({ permission: 'deny' as const })
  // @ts-expect-error an answer is no string
  const word: Callback<'Stop'> = () => 'block'
  // @ts-expect-error a number is no context
  const count: Callback<'SessionStart'> = () => ({ context: 1 })
  // @ts-expect-error Write has no command
  const field: Callback<'PreToolUse', 'Write'> = (input) => context(input.tool_input.command)
  expectTypeOf([rewrite, promised, word, count, field]).not.toBeAny()
})

test('a shorthand fits the events that have its power, and no other', () => {
  expectTypeOf(allow()).toExtend<Answer<'PreToolUse'>>()
  expectTypeOf(ask('money')).toExtend<Answer<'PreModelSwitch'>>()
  expectTypeOf(deny('no')).toExtend<Answer<'PreSkillShellCommand'>>()
  expectTypeOf(block('no')).toExtend<Answer<'Stop'>>()
  expectTypeOf(stop('enough')).toExtend<Answer<'PostToolBatch'>>()
  expectTypeOf(context('x')).toExtend<Answer<'SubagentStart'>>()
  expectTypeOf(defer()).not.toExtend<Answer<'PermissionRequest'>>()
  expectTypeOf(allow()).not.toExtend<Answer<'Stop'>>()
  expectTypeOf(block('no')).not.toExtend<Answer<'Notification'>>()
})

test('middleware keeps its event', () => {
  const middleware: Middleware<'PreToolUse'> = async (call, next) => {
    if (call.input.tool_name === 'Bash') return call.answer({ permission: 'deny' })
    const verdict = await next(call.with({ tool_input: { command: 'ls' } }))
    return verdict.and({ context: 'x' })
  }
  // @ts-expect-error middleware gives a verdict, not an answer
  const answers: Middleware<'Stop'> = () => ({ block: 'x' })
  // @ts-expect-error and answers in the words of its event
  const foreign: Middleware<'Stop'> = (call) => call.answer({ updatedInput: {} })
  expectTypeOf([middleware, answers, foreign]).not.toBeAny()
})

test('hooks as an object have the shape of a settings file', () => {
  const hooks: Hooks = {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh', timeout: 5, onFailure: 'block' }, (input) => deny(input.tool_name)] }],
    Stop: [() => block('tests')],
  }
  // @ts-expect-error there is no such event
  const event: Hooks = { PreToolUze: [] }
  // @ts-expect-error a command hook needs a command
  const empty: HandlerSpec = { type: 'command' }
  // @ts-expect-error there is no such type of handler
  const type: HandlerSpec = { type: 'shell', command: 'x' }
  // @ts-expect-error an http hook has no command
  const mixed: HandlerSpec = { type: 'http', url: 'https://example.com', command: 'x' }
  // @ts-expect-error a timeout is a number of seconds
  const timeout: HandlerSpec = { type: 'command', command: 'x', timeout: '60' }
  expectTypeOf([hooks, event, empty, type, mixed, timeout]).not.toBeAny()
})

declare const schema: StandardSchema<{ branch: string; force: boolean }>

test('an event of a host keeps its name, its input and its powers', () => {
  const deploy = defineEvent({ name: 'acme_Deploy', summary: 'A deployment is about to start.', input: schema, match: 'branch', powers: ['block', 'context'] })
  expectTypeOf(deploy).toEqualTypeOf<EventDef<'acme_Deploy', { branch: string; force: boolean }, 'block' | 'context'>>()
  expectTypeOf<FireInput<typeof deploy>['force']>().toEqualTypeOf<boolean>()
  expectTypeOf<HookInput<typeof deploy>['cwd']>().toEqualTypeOf<string>()
  expectTypeOf<Verdict<typeof deploy>>().toHaveProperty('blocks')
  expectTypeOf<Verdict<typeof deploy>>().not.toHaveProperty('permission')
  const answer: Answer<typeof deploy> = { block: 'frozen' }
  // @ts-expect-error the event was not given this power
  const foreign: Answer<typeof deploy> = { permission: 'deny' }
  expectTypeOf([answer, foreign]).not.toBeAny()
})

test('an event of a host is defined in the words of the table', () => {
  // @ts-expect-error a matcher looks at a field of the input
  defineEvent({ name: 'a', summary: 'x.', input: schema, match: 'tag' })
  // @ts-expect-error there is no such power
  defineEvent({ name: 'b', summary: 'x.', input: schema, powers: ['veto!'] })
  const silent = defineEvent({ name: 'c', summary: 'x.', input: schema })
  expectTypeOf<Verdict<typeof silent>>().not.toHaveProperty('context')
})
