/** The same hook file as a command of the settings and attached in code: one definition, one verdict. */
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DefinedHook, defineHook, deny } from '../../src/hook.ts'
import { createEngine, defineEvent, type EventName, type Hookline } from '../../src/index.ts'
import { createTestHookline, example } from '../../src/testing.ts'
import { HookFolder } from './script.ts'

const folder = new HookFolder()
beforeAll(() => folder.compile())
afterAll(() => folder.remove())

test('an attached hook keeps its matcher, its options and the types of its input', async () => {
  const hook = defineHook('PreToolUse', { matcher: 'Bash', name: 'no rm' }, (input) =>
    input.tool_input.command.startsWith('rm') ? deny('no rm here') : undefined,
  )
  const h = createEngine()
  const undo = h.on(hook.event, hook.options, hook.callback)
  expect(h.list()).toMatchObject([{ label: 'no rm', matcher: 'Bash' }])
  expect((await h.fire('PreToolUse', example('PreToolUse', { tool_input: { command: 'rm x' } }))).permission).toMatchObject({
    behavior: 'deny',
    reason: 'no rm here',
  })
  expect((await h.fire('PreToolUse', example('PreToolUse', { tool_name: 'Write' }))).hooks).toMatchObject([{ skipped: { why: 'matcher' } }])
  undo()
  expect(h.has('PreToolUse')).toBe(false)
})

test('a hook without options is attached the same way', async () => {
  const hook = defineHook('Stop', () => ({ block: 'not yet' }))
  const h = createEngine()
  h.on(hook.event, hook.options, hook.callback)
  expect((await h.fire('Stop', {})).reason).toBe('not yet')
})

test("a hook of a host's own event is attached by its definition", async () => {
  const schema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      types: undefined as unknown as { input: unknown; output: { branch: string } },
    },
  } as const
  const deploy = defineEvent({ name: 'Deploy', summary: 'A deployment.', input: schema, powers: ['block'] })
  const hook = defineHook(deploy, (input) => (input.branch === 'main' ? { block: 'frozen' } : undefined))
  const h = createEngine()
  h.on(hook.event, hook.options, hook.callback)
  expect((await h.fire(deploy, { branch: 'main' })).blocked).toBe(true)
})

/** Bodies of hook files, each with an event it answers. */
const files: [event: EventName, body: string, input: object][] = [
  ['PreToolUse', `(input) => deny('no ' + input.tool_input.command)`, {}],
  ['PreToolUse', `() => ({ ...ask('money moves'), context: 'note' })`, {}],
  ['PreToolUse', `() => ({ ...allow(), updatedInput: { command: 'pwd' } })`, {}],
  ['PreToolUse', `() => stop('budget spent')`, {}],
  ['PreToolUse', `() => defer()`, {}],
  ['PreToolUse', `() => undefined`, {}],
  ['PermissionRequest', `() => ({ permission: 'deny', reason: 'no', interrupt: true })`, {}],
  ['UserPromptSubmit', `(input) => ({ ...context('about ' + input.prompt), message: 'seen', sessionTitle: 'T' })`, { prompt: 'trees' }],
  ['UserPromptSubmit', `() => block('not that')`, {}],
  ['Stop', `() => block('tests fail')`, {}],
  ['SubagentStop', `() => block('name the file')`, {}],
  ['TaskCompleted', `() => block('not done')`, {}],
  ['TeammateIdle', `() => block('one more')`, {}],
  ['PostToolBatch', `() => block('enough')`, {}],
  ['PostToolUse', `() => block('lint: 2 problems')`, { tool_response: { ok: true } }],
  ['PostToolUse', `() => ({ updatedOutput: null })`, { tool_name: 'mcp__a__b' }],
  ['Elicitation', `() => ({ elicitation: { action: 'accept', content: { a: 1 } } })`, {}],
  ['Elicitation', `() => block('never')`, {}],
  ['WorktreeCreate', `() => ({ worktreePath: '/srv/tree' })`, {}],
  ['WorktreeRemove', `() => block('in use')`, {}],
  ['PreCompact', `() => block('later')`, {}],
  ['ConfigChange', `() => block('frozen')`, {}],
  ['MessageDisplay', `(input) => ({ displayContent: input.delta.toUpperCase() })`, { delta: 'hello' }],
  ['SessionStart', `() => ({ initialUserMessage: 'go', watchPaths: ['/a'], reloadSkills: true })`, {}],
]

/** A verdict without what tells how the hook was run. */
async function said(h: Hookline, event: EventName, input: object): Promise<object> {
  const { hooks, callId, ms, sessionId, ...document } = JSON.parse(JSON.stringify(await h.fire(event, example(event, input)))) as {
    hooks: { outcome: string; id: string; label: string }[]
  } & Record<string, unknown>
  const named = JSON.stringify(document)
    .replaceAll(hooks[0]?.id ?? '', 'ID')
    .replaceAll(`hook ${hooks[0]?.label ?? ''}`, 'hook LABEL')
  return { ...(JSON.parse(named) as object), outcomes: hooks.map((hook) => hook.outcome) }
}

describe('as a command a hook means what it means in code', () => {
  test.each(files)('on %s: %s', async (event, body, input) => {
    const script = folder.write('answers.mjs', `export const hook = defineHook('${event}', { name: 'hook' }, ${body})`)
    const command = { hooks: { [event]: [{ hooks: [{ type: 'command' as const, command: process.execPath, args: [script] }] }] } }
    await using outside = await createTestHookline({ settings: [command] })
    const { hook } = (await import(`${pathToFileURL(script).href}?${event}${files.findIndex((one) => one[1] === body)}`)) as {
      hook: DefinedHook<'Stop', () => undefined>
    }
    await using inside = await createTestHookline()
    inside.on(hook.event, hook.options, hook.callback)
    expect(await said(outside, event, input)).toEqual(await said(inside, event, input))
  })
})

test('a command that fails closed blocks, whoever the hook is attached by', async () => {
  const script = folder.write('answers.mjs', `defineHook('PreToolUse', { onFailure: 'block' }, () => { throw new Error('no database') })`)
  await using h = await createTestHookline({
    settings: [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: process.execPath, args: [script] }] }] } }],
  })
  expect((await h.fire('PreToolUse', example('PreToolUse'))).permission).toMatchObject({
    behavior: 'deny',
    reason: expect.stringContaining('answers.mjs failed at answers.mjs:2:'),
  })
})
