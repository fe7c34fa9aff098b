/** MCP hooks: arguments from the event, answers like those of a command, connected servers alone. */
import { describe, expect, test } from 'vitest'
import { createEngine, type EventName, type Hooks, type Mcp } from '../../src/index.ts'
import { example } from '../../src/testing.ts'

type Result = Awaited<ReturnType<Mcp['callTool']>>
type Asked = Parameters<Mcp['callTool']>[0]

/** Servers that answer every call in the same way, and remember what they were asked. */
function servers(answer: string | Result | Error, names: readonly string[] = ['memory']): Mcp & { asked: Asked[] } {
  const asked: Asked[] = []
  return {
    asked,
    servers: () => names,
    async callTool(call) {
      asked.push(call)
      if (answer instanceof Error) throw answer
      return typeof answer === 'string' ? { content: [{ type: 'text', text: answer }] } : answer
    },
  }
}

async function fire(mcp: Mcp, { event = 'PreToolUse', fields = {}, hook = {} }: { event?: EventName; fields?: object; hook?: object } = {}) {
  const hooks = { [event]: [{ hooks: [{ type: 'mcp_tool', server: 'memory', tool: 'check', ...hook }] }] } as Hooks
  const hookline = createEngine({ hooks, mcp })
  const verdict = await hookline.fire(event, example(event, fields as never) as never)
  await hookline.close()
  return verdict
}

describe('the arguments', () => {
  const fields = { tool_name: 'Bash', tool_input: { command: 'ls $HOME', list: ['a', { deep: 1 }], nothing: null } }

  test.each([
    ['${tool_input.command}', 'ls $HOME'],
    ['p=${tool_name} n=${nope} s=${ tool_name }', 'p=Bash n= s=Bash'],
    ['$tool_name and {tool_name}', '$tool_name and {tool_name}'],
    ['${tool_input.list}', '["a",{"deep":1}]'],
    ['${tool_input.list.1.deep}', '1'],
    ['${tool_input.nothing}', ''],
    ['${__proto__.x}${constructor.name}${tool_input.command.length}', ''],
    ['${}${tool_input.}', '${}'],
  ])('%s becomes %j', async (written, expected) => {
    const mcp = servers('')
    await fire(mcp, { fields, hook: { input: { what: written } } })
    expect(mcp.asked).toEqual([{ server: 'memory', tool: 'check', input: { what: expected } }])
  })

  test('are filled in at every depth, keep what is no text, and are absent as {}', async () => {
    const mcp = servers('')
    await fire(mcp, { fields, hook: { input: { a: ['${tool_name}', 2, { b: true, c: '${tool_name}' }], d: null } } })
    await fire(mcp, { fields })
    expect(mcp.asked.map(({ input }) => input)).toEqual([{ a: ['Bash', 2, { b: true, c: 'Bash' }], d: null }, {}])
  })

  test('that grow too long are not sent', async () => {
    const mcp = servers('')
    const verdict = await fire(mcp, {
      fields: { tool_input: { command: 'x'.repeat(400_000) } },
      hook: { input: { a: Array(4).fill('${tool_input.command}') } },
    })
    expect(mcp.asked).toEqual([])
    expect(verdict.toUser).toContain('its input is too long')
  })
})

describe('an answer', () => {
  test('is read like the output of a command', async () => {
    const denial = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"R"}}'
    expect(await fire(servers(denial))).toMatchObject({ blocked: true, permission: { reason: 'R' } })
    expect(await fire(servers('context'), { event: 'UserPromptSubmit' })).toMatchObject({ context: [{ text: 'context' }] })
    const two = {
      content: [
        { type: 'text', text: '{"decision":' },
        { type: 'text', text: '"block","reason":"R"}' },
      ],
    }
    expect(await fire(servers(two), { event: 'Stop' })).toMatchObject({ blocked: true, reason: 'R' })
  })

  const failures: [what: string, answer: string | Result | Error, says: RegExp][] = [
    ['an error of the tool', { content: [{ type: 'text', text: 'no such note' }], isError: true }, /its tool answered with an error: no such note/],
    ['an error of the connection', new Error('closed, Bearer abcdefghijk'), /the call of its tool failed: closed, Bearer \*\*\*/],
    ['no content', {} as Result, /gave no content/],
    ['half an object', '{"decision": block', /JSON that/],
    ['too much', 'x'.repeat(1_100_000), /more than 1 MiB/],
  ]
  test.each(failures)('%s is a failure', async (_what, answer, says) => {
    const open = await fire(servers(answer))
    expect(open).toMatchObject({ blocked: false, hooks: [{ outcome: 'nonBlockingError' }] })
    expect(open.toUser).toMatch(says)
    expect(await fire(servers(answer), { hook: { onFailure: 'block' } })).toMatchObject({ blocked: true })
  })

  const unclear: [what: string, answer: string | Result][] = [
    ['plain text', 'checked'],
    ['an image', { content: [{ type: 'image' }] }],
    ['an object without a field of hooks', '{"fine":true}'],
    ['a reason alone', '{"reason":"R"}'],
  ]
  test.each(unclear)('of %s is a failure of a hook that fails closed, and of no other', async (_what, answer) => {
    expect(await fire(servers(answer), { hook: { onFailure: 'block' } })).toMatchObject({ blocked: true })
    expect(await fire(servers(answer))).toMatchObject({ blocked: false, hooks: [{ outcome: 'success' }] })
  })

  test.each(['', '{}', '{"continue":true}'])('of %j is fine for a hook that fails closed', async (answer) => {
    expect(await fire(servers(answer), { hook: { onFailure: 'block' } })).toMatchObject({ blocked: false, hooks: [{ outcome: 'success' }] })
  })

  test('in plain text is fine where text is an answer', async () => {
    const hook = { onFailure: 'block' }
    expect((await fire(servers('keep the plan'), { event: 'PreCompact', hook })).blocked).toBe(false)
    expect(await fire(servers('/srv/tree'), { event: 'WorktreeCreate', hook })).toMatchObject({ worktreePath: '/srv/tree' })
  })

  test('that is a picture is told about', async () => {
    expect((await fire(servers({ content: [{ type: 'image' }] }))).warnings).toMatchObject([{ code: 'not-text' }])
  })
})

describe('a server', () => {
  test('that is not connected is a failure, and nobody connects to it', async () => {
    const mcp = servers('', ['other'])
    const verdict = await fire(mcp)
    expect(verdict).toMatchObject({ blocked: false, hooks: [{ outcome: 'nonBlockingError', ending: { kind: 'refused' } }] })
    expect(verdict.toUser).toContain('the MCP server "memory" is not connected')
    expect(mcp.asked).toEqual([])
    expect((await fire(mcp, { hook: { onFailure: 'block' } })).blocked).toBe(true)
  })

  test('of a plugin has its long name', async () => {
    const mcp = servers('', ['plugin:notes:memory'])
    await fire(mcp, { hook: { server: 'plugin:notes:memory' } })
    expect(mcp.asked).toHaveLength(1)
  })

  test('is asked anew at each event whether it is there', async () => {
    const names: string[] = []
    const mcp = servers('', names)
    const hookline = createEngine({ hooks: { Stop: [{ hooks: [{ type: 'mcp_tool', server: 'memory', tool: 'check' }] }] }, mcp })
    await hookline.fire('Stop', example('Stop'))
    names.push('memory')
    await hookline.fire('Stop', example('Stop'))
    expect(mcp.asked).toHaveLength(1)
    await hookline.close()
  })

  test('is never asked while a session starts or a project is set up', async () => {
    const mcp = servers('')
    const hookline = createEngine({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'mcp_tool', server: 'memory', tool: 'check' }] }],
        Setup: [{ hooks: [{ type: 'mcp_tool', server: 'memory', tool: 'check' }] }],
      },
      mcp,
    })
    for (const source of ['startup', 'resume', 'fork', 'clear', 'compact'] as const) await hookline.fire('SessionStart', example('SessionStart', { source }))
    expect(mcp.asked).toHaveLength(2)
    const [skipped] = (await hookline.fire('SessionStart', example('SessionStart', { source: 'startup' }))).hooks
    expect(skipped).toMatchObject({ skipped: { why: 'handler-not-allowed', detail: expect.stringContaining('source "startup"') } })
    expect((await hookline.fire('Setup', example('Setup'))).hooks).toMatchObject([{ skipped: { why: 'handler-not-allowed' } }])
    await hookline.close()
  })
})
