/** The JSON Schema of settings files accepts what people write and catches what they get wrong. */
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import schema from '../../schema/settings.schema.json' with { type: 'json' }
import { commonFields, type FieldRule, failModeFields, handlerFields, writtenTypes } from '../../src/config/handler-fields.ts'
import { eventNames, events } from '../../src/protocol/events.ts'

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
ajv.addKeyword('markdownDescription')
const valid = ajv.compile(schema)

const command = { type: 'command', command: './guard.sh' }
const hooks = (event: string, hook: object, matcher?: unknown) => ({ hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] } })

test.each<[what: string, settings: unknown]>([
  ['an empty file', {}],
  ['every event with a command', { hooks: Object.fromEntries(eventNames.map((name) => [name, [{ hooks: [command] }]])) }],
  ['a matcher', hooks('PreToolUse', command, 'Edit|Write')],
  [
    'every field of a command',
    hooks('PreToolUse', {
      ...command,
      args: [],
      shell: 'bash',
      if: 'Bash(rm *)',
      timeout: 1.5,
      statusMessage: 'x',
      once: true,
      onFailure: 'block',
      sandbox: 'contained',
    }),
  ],
  ['a sandbox with exceptions', hooks('PreToolUse', { ...command, sandbox: { mode: 'restricted', read: ['~/.cache'], write: [], network: true } })],
  ['a sandbox for a file', { hookSandbox: 'contained' }],
  ['sandboxes for kinds of sources', { hookSandbox: { project: 'restricted', plugin: { mode: 'restricted', network: true } } }],
  ['a background command', hooks('Stop', { ...command, async: true, asyncRewake: true })],
  ['a warm command', hooks('PreToolUse', { ...command, persistent: true })],
  ['an http hook', hooks('PreToolUse', { type: 'http', url: 'https://example.com/x', headers: { A: '$B' }, allowedEnvVars: ['B'] })],
  ['a prompt hook', hooks('Stop', { type: 'prompt', prompt: 'Done? $ARGUMENTS', model: 'small', continueOnBlock: true })],
  ['an agent hook', hooks('Stop', { type: 'agent', prompt: 'Do the tests pass?' })],
  ['an MCP hook', hooks('PostToolUse', { type: 'mcp_tool', server: 's', tool: 't', input: { path: '${tool_input.file_path}' } })],
  ['a module hook', hooks('PreToolUse', { type: 'module', path: './hook.js' })],
  [
    'permission lists and a mode',
    { permissions: { allow: ['Bash(ls *)'], deny: ['Read(.env)'], ask: [], defaultMode: 'plan', additionalDirectories: ['../x'] } },
  ],
  [
    'every policy key',
    {
      disableAllHooks: true,
      allowManagedHooksOnly: false,
      strictPluginOnlyCustomization: ['hooks'],
      allowedHttpHookUrls: [],
      httpHookAllowedEnvVars: ['A'],
      allowedHttpOrigins: ['http://localhost:1'],
      requireFailClosed: true,
      disabledHooks: ['user:Stop:0:0'],
      auditRequired: true,
      selfProtection: false,
    },
  ],
  ['the events that must fail closed', { requireFailClosed: ['PreToolUse'] }],
  ['environment variables', { env: { A: 'b' } }],
  ['keys that belong to the agent', { $schema: 'x', model: 'big', statusLine: { type: 'command' }, permissions: { disableBypassPermissionsMode: 'disable' } }],
  ['an event that a host defined', hooks('acme_Deploy', command)],
  ['a key of a hook that is not known here', hooks('PreToolUse', { ...command, rewakeMessage: 'x' })],
  ['a comment beside the hooks', { hooks: { Stop: [{ description: 'x', hooks: [] }] } }],
  ['older spellings of failing closed', hooks('PreToolUse', { ...command, failClosed: true, failMode: 'closed', on_failure: 'block', fail_closed: true })],
])('accepts %s', (_what, settings) => {
  expect(valid(settings), JSON.stringify(valid.errors)).toBe(true)
})

test.each<[what: string, settings: unknown, at: string]>([
  ['hooks that are a list', { hooks: [] }, '/hooks'],
  ['an event that is one group', { hooks: { Stop: { hooks: [command] } } }, '/hooks/Stop'],
  ['a group without hooks', { hooks: { Stop: [{ matcher: 'x' }] } }, '/hooks/Stop/0'],
  ['a matcher that is a list', hooks('PreToolUse', command, ['Edit']), '/hooks/PreToolUse/0/matcher'],
  ['a hook that is a string', hooks('Stop', 'x' as unknown as object), '/hooks/Stop/0/hooks/0'],
  ['a hook without a type', hooks('Stop', { command: 'x' }), '/hooks/Stop/0/hooks/0'],
  ['a hook of no known type', hooks('Stop', { type: 'callback' }), '/hooks/Stop/0/hooks/0'],
  ['a command without a command', hooks('Stop', { type: 'command' }), '/hooks/Stop/0/hooks/0'],
  ['a timeout that is a string', hooks('Stop', { ...command, timeout: '60' }), '/hooks/Stop/0/hooks/0'],
  ['a timeout of nothing', hooks('Stop', { ...command, timeout: 0 }), '/hooks/Stop/0/hooks/0'],
  ['another word for onFailure', hooks('Stop', { ...command, onFailure: 'deny' }), '/hooks/Stop/0/hooks/0'],
  ['a URL that is none', hooks('Stop', { type: 'http', url: 'example' }), '/hooks/Stop/0/hooks/0'],
  ['arguments that are one string', hooks('Stop', { ...command, args: '-x' }), '/hooks/Stop/0/hooks/0'],
  ['a prompt where none is allowed', hooks('SessionStart', { type: 'prompt', prompt: 'x' }), '/hooks/SessionStart/0/hooks/0'],
  ['a rule that is no string', { permissions: { deny: [1] } }, '/permissions/deny/0'],
  ['a mode that does not exist', { permissions: { defaultMode: 'manual' } }, '/permissions/defaultMode'],
  ['a sandbox that does not exist', hooks('Stop', { ...command, sandbox: 'jail' }), '/hooks/Stop/0/hooks/0'],
  ['a policy that is a word', { disableAllHooks: 'yes' }, '/disableAllHooks'],
  ['a variable that is a number', { env: { A: 1 } }, '/env/A'],
])('refuses %s', (_what, settings, at) => {
  expect(valid(settings)).toBe(false)
  expect(valid.errors?.map((error) => error.instancePath)).toContain(at)
})

test('names the events of the table and leaves out the internal row', () => {
  const { hooks: described } = schema.properties
  expect(Object.keys(described.properties)).toEqual(eventNames)
  expect(Object.keys(described.properties)).not.toContain(events.PostSampling.name)
})

test('describes every key, in plain words and in Markdown', () => {
  const bare: string[] = []
  const look = (part: unknown, path: string) => {
    if (typeof part !== 'object' || part === null) return
    const { properties = {} } = part as { properties?: Record<string, { description?: string; markdownDescription?: string }> }
    for (const [key, value] of Object.entries(properties)) if (!value.description || !value.markdownDescription) bare.push(`${path}/${key}`)
    for (const [key, value] of Object.entries(part)) look(value, `${path}/${key}`)
  }
  look(schema, '')
  expect(bare).toEqual([])
})

const types: Record<FieldRule['holds'], object> = {
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  object: { type: 'object' },
  texts: { type: 'array', items: { type: 'string' } },
  'text map': { type: 'object', additionalProperties: { type: 'string' } },
  sandbox: { anyOf: [{ enum: ['none', 'contained', 'restricted'] }, { type: 'object', required: ['mode'] }] },
}

test.each(writtenTypes)('describes the fields of a %s hook that the loader checks, and no other', (type) => {
  const described: { required: string[]; properties: Record<string, object> } = schema.definitions[type]
  // Written by one public plugin and described nowhere: read over, not offered.
  const silent = ['rewakeMessage', 'rewakeSummary']
  const rules = Object.entries({ ...commonFields, ...handlerFields[type] }).filter(([key]) => !silent.includes(key))
  expect(Object.keys(described.properties).sort()).toEqual([...rules.map(([key]) => key), ...failModeFields].sort())
  expect(described.required.sort()).toEqual(rules.flatMap(([key, rule]) => (rule.required ? [key] : [])).sort())
  for (const [key, rule] of rules) {
    if (key === 'type') continue
    expect(described.properties[key], key).toMatchObject(rule.values === undefined ? types[rule.holds] : { enum: rule.values })
  }
})
