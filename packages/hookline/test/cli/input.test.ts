/** The input of an event: what is filled in, and every way in which what was given cannot be used. */
import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { documentOf, project } from './start.ts'

const here = project()
here.write('list.json', '[1]')
here.write('comma.json', '{"tool_name": "Bash",\n "tool_input": {"command": "ls"},}')
here.write('comment.json', '{"tool_name": "Bash", // hm\n "tool_input": {}}')
here.write('other.json', { hook_event_name: 'Stop', tool_name: 'Bash', tool_input: {} })
here.write('empty.json', ' \n')
here.write('good.json', '\uFEFF{"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "mine", "newer_field": 1}')
const long = `{"tool_name": "Bash", "tool_input": {"command": "${'x'.repeat(17 * 1024 * 1024)}"}}`

const wrong: [what: string, args: string[], says: RegExp, input?: string | Buffer][] = [
  ['nothing given', ['PreToolUse'], /PreToolUse needs "tool_name", "tool_input"\.[\s\S]*--tool NAME --tool-input '\{…\}', or --input FILE/],
  ['half of it given', ['PreToolUse', '--tool', 'Bash'], /needs "tool_input"\.[\s\S]*--tool-input/],
  ['a field with known values missing', ['SessionStart'], /needs "source"\.[\s\S]*--set source=startup\|resume/],
  ['a number missing', ['PostCompact'], /needs .*--set /s],
  ['a file that is not there', ['PreToolUse', '--input', 'no.json'], /--input: there is no file no\.json\.[\s\S]*"-" for stdin/],
  ['a folder', ['PreToolUse', '--input', '.'], /--input: \. is a folder/],
  ['a path through a file', ['PreToolUse', '--input', 'list.json/x'], /cannot be read|there is no file/],
  ['a list', ['PreToolUse', '--input', 'list.json'], /list\.json:1:1: expected a JSON object, got a list: \[1\]/],
  ['a trailing comma', ['PreToolUse', '--input', 'comma.json'], /comma\.json:2:34: not valid JSON: a key in double quotes/],
  ['a comment', ['PreToolUse', '--input', 'comment.json'], /comment\.json:1:23: not valid JSON: a comment/],
  ['the input of another event', ['PreToolUse', '--input', 'other.json'], /one of Stop, not of PreToolUse/],
  ['an empty file', ['PreToolUse', '--input', 'empty.json'], /empty\.json is empty/],
  ['an empty stdin', ['PreToolUse', '--input', '-'], /stdin is empty/, ''],
  [
    'broken JSON on stdin',
    ['PreToolUse', '--input', '-'],
    /stdin:2:1: not valid JSON: an object is not closed|stdin:\d+:\d+: not valid JSON/,
    '{"tool_name":\n',
  ],
  ['bytes that are not UTF-8', ['PreToolUse', '--input', '-'], /stdin: the text is not UTF-8/, Buffer.from('7b226122:ff7d'.replace(':', '3a'), 'hex')],
  ['17 MiB on stdin', ['PreToolUse', '--input', '-'], /stdin is over 16 MiB/, long],
  ['a device without an end', ['PreToolUse', '--input', '/dev/zero'], /\/dev\/zero is over 16 MiB/],
  ['tool input that is no JSON', ['PreToolUse', '--tool', 'Bash', '--tool-input', '{"command": ls}'], /--tool-input:1:13: not valid JSON/],
  ['tool input that is a list', ['PreToolUse', '--tool', 'Bash', '--tool-input', '[]'], /--tool-input:1:1: expected a JSON object/],
  ['a tool for an event without one', ['Stop', '--tool', 'Bash'], /--tool: Stop has no field "tool_name"\.[\s\S]*Fields of Stop/],
  ['an empty tool name', ['PreToolUse', '--tool', '', '--tool-input', '{}'], /--tool: the name is empty/],
  ['a field that the event does not have', ['Stop', '--set', 'foo=1'], /Stop has no field "foo"\.[\s\S]*--input/],
  ['no value', ['Stop', '--set', 'foo'], /"foo" is not field=value/],
  ['a text for a number', ['PostToolUse', '--set', 'duration_ms=soon'], /duration_ms: a number is expected, got a text/],
  ['a number for a flag', ['Stop', '--set', 'stop_hook_active=1'], /stop_hook_active: true or false is expected, got a number/],
  ['a text for an object', ['PreToolUse', '--set', 'tool_input=ls'], /tool_input: a JSON object is expected, got a text/],
  ['an inner field of a text', ['PreToolUse', '--tool', 'Bash', '--set', 'tool_name.x=1'], /"tool_name" is a text, not an object/],
  ['a wrong type in a file', ['PreToolUse', '--input', '-'], /"tool_name"/, '{"tool_name": 5, "tool_input": {}}'],
  [
    'an unknown value of a closed list',
    ['UserPromptExpansion', ...['expansion_type=x', 'command_name=a', 'command_args=', 'prompt=x'].flatMap((one) => ['--set', one])],
    /"expansion_type"/,
  ],
]

describe('fire exits with 64 and says where and what for', () => {
  test.each(wrong)('%s', async (_what, args, says, input) => {
    const { code, stdout, stderr } = await here.hookline(['fire', ...args], input === undefined ? {} : { input })
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/^ {4}at /m)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  })
})

test('explain reads the same input and refuses it in the same words', async () => {
  for (const args of [
    ['PreToolUse', '--input', 'comma.json'],
    ['Stop', '--set', 'foo=1'],
  ]) {
    const [fired, explained] = [await here.hookline(['fire', ...args]), await here.hookline(['explain', ...args])]
    expect(explained).toEqual(fired)
    expect(explained.code).toBe(64)
  }
})

test('a file that may not be opened is named, with what to look at', async () => {
  chmodSync(here.write('locked.json', '{}'), 0)
  const { code, stderr } = await here.hookline(['fire', 'PreToolUse', '--input', 'locked.json'])
  // The administrator may open every file, and then finds it empty of fields.
  const says = process.getuid?.() === 0 ? /needs "tool_name"/ : /locked\.json cannot be read \(permission denied\)/
  expect(stderr).toMatch(says)
  expect(code).toBe(64)
})

/** The input that a hook got, read back through a hook that repeats it. */
async function received(args: readonly string[], input?: string): Promise<Record<string, unknown>> {
  const echo = `cat > "$CLAUDE_PROJECT_DIR/got.json"`
  const settings = JSON.stringify({ hooks: { [args[0] as string]: [{ hooks: [{ type: 'command', command: echo }] }] } })
  const done = await here.hookline(['fire', ...args, '--settings', settings, '--json'], input === undefined ? {} : { input })
  expect(documentOf(done)).toMatchObject({ kind: 'verdict', hooks: [{ status: 'ran', outcome: 'success' }] })
  const { readFileSync } = await import('node:fs')
  return JSON.parse(readFileSync(`${here.folder}/got.json`, 'utf8')) as Record<string, unknown>
}

describe('a hook gets', () => {
  test('the fields that were given, and the common ones filled in', async () => {
    expect(await received(['PreToolUse', '--tool', 'Bash', '--tool-input', '{"command":"ls"}'])).toEqual({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: expect.stringMatching(/^toolu_\w+$/),
      session_id: expect.stringMatching(/./),
      transcript_path: expect.any(String),
      cwd: here.folder,
    })
  })

  test('a file with a byte-order mark and fields of a newer version as they stand', async () => {
    expect(await received(['PreToolUse', '--input', 'good.json'])).toMatchObject({ session_id: 'mine', newer_field: 1, tool_input: { command: 'ls' } })
  })

  test('stdin, overridden by --tool and --set', async () => {
    const args = ['PreToolUse', '--input', '-', '--tool', 'Write', '--set', 'tool_input.file_path=a b.txt', '--set', 'permission_mode=plan']
    expect(await received(args, '{"tool_name":"Bash","tool_input":{"content":"x"},"tool_use_id":"t1"}')).toMatchObject({
      tool_name: 'Write',
      tool_input: { content: 'x', file_path: 'a b.txt' },
      tool_use_id: 't1',
      permission_mode: 'plan',
    })
  })

  test('values as the field wants them: text stays text, JSON becomes JSON', async () => {
    expect(await received(['UserPromptSubmit', '--set', 'prompt=42'])).toMatchObject({ prompt: '42' })
    expect(await received(['UserPromptSubmit', '--set', 'prompt="quoted"'])).toMatchObject({ prompt: 'quoted' })
    expect(await received(['Stop', '--set', 'stop_hook_active=true'])).toMatchObject({ stop_hook_active: true })
    expect(await received(['PostToolUse', '--tool', 'X', '--tool-input', '{}', '--set', 'tool_response={"a":[1]}'])).toMatchObject({
      tool_response: { a: [1] },
    })
  })

  test('a key named __proto__ as data', async () => {
    const got = await received(['PreToolUse', '--tool', 'X', '--tool-input', '{"a":1}', '--set', 'tool_input.__proto__=1'])
    expect(Object.entries(got['tool_input'] as object)).toEqual([
      ['a', 1],
      ['__proto__', 1],
    ])
  })
})
