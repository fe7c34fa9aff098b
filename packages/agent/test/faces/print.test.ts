/** The face of `-p`: text, JSON, streams of lines, flags, exit codes, stdin. In this process, through the same door as the command. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { splitArguments } from '../../src/commands/expand.ts'
import { readArguments, splitList } from '../../src/faces/arguments.ts'
import { runFlags } from '../../src/faces/flags.ts'
import type { Io } from '../../src/faces/io.ts'
import { run } from '../../src/run.ts'
import { bash, type Stage, setStage } from '../stage.ts'

const id = '11111111-2222-4333-8444-555555555555'

interface Out {
  code: number
  stdout: string
  stderr: string
  lines: Record<string, unknown>[]
}

async function call(stage: Stage, args: readonly string[], stdin: string | Readable = ''): Promise<Out> {
  let stdout = ''
  let stderr = ''
  const io: Io = {
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
    env: stage.env,
    cwd: stage.cwd,
    terminal: false,
  }
  const code = await run(['--trust', ...args], io)
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
  return { code, stdout, stderr, lines }
}

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })
const result = (out: Out) => out.lines.find((line) => line['type'] === 'result') ?? {}

describe('Text', () => {
  test('is the answer and nothing else on stdout', async () => {
    const stage = await setStage({ turns: ['the answer'] })
    expect(await call(stage, ['-p', 'hello'])).toMatchObject({ code: 0, stdout: 'the answer\n' })
  })

  test('says why a prompt was refused', async () => {
    const stage = await setStage({ turns: [], settings: { hooks: { UserPromptSubmit: [hook('echo no >&2; exit 2')] } } })
    const out = await call(stage, ['-p', 'hello'])
    expect(out).toMatchObject({ code: 0, stdout: expect.stringContaining('UserPromptSubmit operation blocked by hook') })
    expect(stage.requests).toHaveLength(0)
  })

  test('of a hook that failed goes to stderr, and the work goes on', async () => {
    const stage = await setStage({ turns: ['ok'], settings: { hooks: { UserPromptSubmit: [hook('exit 127')] } } })
    const out = await call(stage, ['-p', 'hello'])
    expect(out).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(out.stderr).not.toBe('')
  })
})

describe('JSON', () => {
  test('is one document with the result', async () => {
    const stage = await setStage({ turns: ['the answer'] })
    const out = await call(stage, ['-p', 'hello', '--output-format', 'json'])
    expect(JSON.parse(out.stdout)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'the answer',
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      num_turns: 1,
      usage: { input_tokens: 100, output_tokens: 20 },
      permission_denials: [],
    })
  })

  test('has the answer in the form of --json-schema, and asks again until it is there', async () => {
    const stage = await setStage({
      turns: ['here you are', [{ tool: 'StructuredOutput', input: { n: 'x' } }], [{ tool: 'StructuredOutput', input: { n: 3 } }], 'done'],
    })
    const schema = JSON.stringify({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })
    const out = await call(stage, ['-p', 'hello', '--output-format', 'json', '--json-schema', schema])
    expect(JSON.parse(out.stdout)).toMatchObject({ structured_output: { n: 3 }, result: 'done' })
    expect(stage.said(1)).toContain('You MUST call the StructuredOutput tool')
    expect(stage.said(2)).toContain('Output does not match required schema')
  })
})

describe('A stream of lines', () => {
  const settings = {
    hooks: { SessionStart: [hook('echo CTX')], PreToolUse: [{ matcher: 'Bash', ...hook('exit 0') }], Stop: [hook('exit 1')] },
    permissions: { allow: ['Bash'] },
  }

  test('starts with the session, shows messages as they come, and ends with the result', async () => {
    const stage = await setStage({ turns: [bash('echo hi'), 'done'], settings })
    const { code, lines } = await call(stage, [
      '-p',
      'hello',
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      '11111111-2222-4333-8444-555555555555',
    ])
    expect(code).toBe(0)
    const kinds = lines.map((line) => [line['type'], line['subtype']].filter((word) => word !== undefined).join(':'))
    expect(kinds).toEqual([
      'system:hook_started',
      'system:hook_response',
      'system:init',
      'assistant',
      'user',
      'assistant',
      'system:informational',
      'result:success',
    ])
    expect(lines[2]).toMatchObject({
      session_id: '11111111-2222-4333-8444-555555555555',
      cwd: stage.cwd,
      permissionMode: 'default',
      tools: expect.arrayContaining(['Bash', 'Read', 'Agent']),
      agents: expect.arrayContaining(['general-purpose']),
      slash_commands: expect.arrayContaining(['compact', 'clear']),
    })
    expect(lines[3]).toMatchObject({ message: { role: 'assistant', content: [{ type: 'tool_use', name: 'Bash' }] }, parent_tool_use_id: null })
    expect(lines[4]).toMatchObject({ message: { role: 'user', content: [{ type: 'tool_result', content: 'hi' }] } })
    for (const line of lines) expect(line).toMatchObject({ session_id: '11111111-2222-4333-8444-555555555555', uuid: expect.any(String) })
  })

  test('shows every hook when asked to, with its name, output and outcome', async () => {
    const stage = await setStage({ turns: [bash('echo hi'), 'done'], settings })
    const { lines } = await call(stage, ['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--include-hook-events'])
    const ended = lines.filter((line) => line['subtype'] === 'hook_response')
    expect(ended).toMatchObject([
      { hook_name: 'SessionStart:startup', hook_event: 'SessionStart', stdout: 'CTX\n', exit_code: 0, outcome: 'success' },
      { hook_name: 'PreToolUse:Bash', exit_code: 0, outcome: 'success' },
      { hook_name: 'Stop', exit_code: 1, outcome: 'error' },
    ])
  })

  test('shows the end of a background hook when it comes, and of one that the end of the session cut off', async () => {
    const late = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command', command, async: true }] })
    const stage = await setStage({
      turns: [bash('sleep 1.5'), 'done'],
      settings: {
        hooks: { PreToolUse: [late('echo SOON'), late('echo STAYS; sleep 30'), { matcher: 'Bash', ...hook('sleep 0.7') }] },
        permissions: { allow: ['Bash'] },
      },
    })
    const { lines } = await call(stage, ['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--include-hook-events'])
    const started = lines.filter((line) => line['subtype'] === 'hook_started')
    const ended = lines.filter((line) => line['subtype'] === 'hook_response')
    expect(ended).toMatchObject([
      { hook_name: 'PreToolUse:Bash', hook_event: 'PreToolUse', stdout: 'SOON\n', exit_code: 0, outcome: 'success' },
      { hook_name: 'PreToolUse:Bash', stdout: '', outcome: 'success' },
      { hook_name: 'PreToolUse:Bash', outcome: 'cancelled' },
    ])
    expect(ended.map((line) => line['hook_id'])).toEqual([0, 2, 1].map((at) => started[at]?.['hook_id']))
    // The first came before the hook that was waited for, the last after everything.
    expect(lines.at(-1)).toEqual(ended[2])
  })

  test('lets a background hook begin that was started just before the end', async () => {
    const stage = await setStage({
      turns: ['done'],
      settings: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch begun; sleep 30', async: true }] }] } },
    })
    const started = Date.now()
    await call(stage, ['-p', 'hello'])
    expect(readdirSync(stage.cwd)).toContain('begun')
    expect(Date.now() - started).toBeLessThan(25_000)
  })

  test('shows a hook of a type that its event does not take as failed, with the reason', async () => {
    const stage = await setStage({ turns: ['done'], settings: { hooks: { SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'judge $ARGUMENTS' }] }] } } })
    const { lines } = await call(stage, ['-p', 'hello', '--output-format', 'stream-json'])
    expect(lines.filter((line) => line['subtype'] === 'hook_response')).toMatchObject([
      { hook_name: 'SessionStart:startup', outcome: 'error', exit_code: 1, stderr: expect.stringContaining('prompt') },
    ])
  })

  test('names the calls that were refused', async () => {
    const stage = await setStage({ turns: [bash('npm publish'), 'ok'] })
    const out = await call(stage, ['-p', 'hello', '--output-format', 'stream-json'])
    expect(result(out)).toMatchObject({
      permission_denials: [{ tool_name: 'Bash', tool_use_id: 'toolu_fake_0001', tool_input: { command: 'npm publish', description: 'run' } }],
    })
  })

  test.each([
    [
      'an error of the service',
      [{ status: 400, errorType: 'invalid_request_error', message: 'bad thing' }],
      [],
      1,
      { subtype: 'success', is_error: true, terminal_reason: 'api_error', stop_reason: 'stop_sequence', result: 'API Error: 400 bad thing' },
    ],
    [
      'the limit of --max-turns',
      [bash('echo 1')],
      ['--max-turns', '1'],
      1,
      { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns', stop_reason: 'tool_use' },
    ],
  ])('ends with %s and its exit code', async (_, turns, flags, code, expected) => {
    const stage = await setStage({ turns })
    const out = await call(stage, ['-p', 'hello', '--output-format', 'stream-json', '--allowedTools', 'Bash', ...flags])
    expect(out.code).toBe(code)
    expect(result(out)).toMatchObject(expected)
  })

  test('of a call that a hook put off names the call, and resuming tries it again', async () => {
    const defer = `if [ -e deferred ]; then exit 0; fi; touch deferred; printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}'`
    const stage = await setStage({
      turns: [bash('touch made'), 'resumed'],
      settings: { hooks: { PreToolUse: [{ matcher: 'Bash', ...hook(defer) }] }, permissions: { allow: ['Bash'] } },
    })
    const out = await call(stage, ['-p', 'hello', '--output-format', 'stream-json'])
    expect(result(out)).toMatchObject({
      subtype: 'success',
      is_error: false,
      terminal_reason: 'tool_deferred',
      stop_reason: 'tool_deferred',
      deferred_tool_use: { name: 'Bash', input: { command: 'touch made' } },
    })
    expect(readdirSync(stage.cwd)).not.toContain('made')
    const again = await call(stage, ['-p', 'go on', '--continue', '--output-format', 'stream-json'])
    expect(result(again)).toMatchObject({ result: 'resumed' })
    expect(readdirSync(stage.cwd)).toContain('made')
  })
})

describe('Prompts', () => {
  test('come from stdin, or stdin is added to the one of the command line', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    await call(stage, ['-p'], 'from stdin')
    await call(stage, ['-p', 'look at this'], 'a log')
    expect(stage.told(0)).toBe('from stdin')
    expect(stage.told(1)).toBe('look at this\n\na log')
  })

  test('come as JSON lines, one result each; a line that is none is told and left out', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    const lines = Readable.from(
      (async function* () {
        yield '{"type":"user","message":{"role":"user","content":"first"}}\nno json\n'
        await new Promise((done) => setTimeout(done, 1_500))
        yield '{"type":"user","message":{"role":"user","content":[{"type":"text","text":"second"}]}}\n'
      })(),
    )
    const out = await call(stage, ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], lines)
    expect(out.lines.filter((line) => line['type'] === 'result').map((line) => line['result'])).toEqual(['one', 'two'])
    expect(out.lines).toContainEqual(expect.objectContaining({ subtype: 'informational', content: expect.stringContaining('no JSON') }))
    expect(stage.told(1)).toContain('first')
  })

  test('whose blocks are none are read as far as they say anything', async () => {
    const stage = await setStage({ turns: ['one'] })
    const line = {
      type: 'user',
      message: { role: 'user', content: [null, 1, 'x', { type: 'text' }, { type: 'text', text: { a: 1 } }, { type: 'text', text: 'said' }] },
    }
    const out = await call(stage, ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], `${JSON.stringify(line)}\n`)
    expect(out.code).toBe(0)
    expect(stage.told(0)).toBe('said')
  })

  test('that come while a turn runs join it', async () => {
    const stage = await setStage({
      turns: [bash('sleep 1.5'), 'one'],
      settings: { permissions: { allow: ['Bash'] }, hooks: { UserPromptSubmit: [hook('cat >> prompts.txt; echo >> prompts.txt')] } },
    })
    const lines = Readable.from(
      (async function* () {
        yield '{"type":"user","message":{"role":"user","content":"first"}}\n'
        await new Promise((done) => setTimeout(done, 800))
        yield '{"type":"user","message":{"role":"user","content":"second"}}\n'
      })(),
    )
    const out = await call(stage, ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], lines)
    expect(out.lines.filter((line) => line['type'] === 'result')).toHaveLength(1)
    expect(stage.said(1)).toContain('The user sent a new message while you were working:\nsecond')
    expect(readFileSync(join(stage.cwd, 'prompts.txt'), 'utf8').match(/"prompt":"(first|second)"/g)).toHaveLength(2)
  })
})

describe('A command of a folder that nobody vouched for', () => {
  test.each<[string, string[], Record<string, string>, boolean]>([
    ['may not allow its own shell lines', [], {}, false],
    ['runs what the person allows', ['--allowedTools', 'Bash(touch:*)'], {}, true],
    ['runs its lines once somebody vouches', ['--trust'], {}, true],
    ['is none where the person wrote it', [], { '.claude/commands/c.md': '---\nallowed-tools: Bash\n---\n!`touch ran`' }, true],
  ])('%s', async (_, flags, homeFiles, runs) => {
    const files = Object.keys(homeFiles).length > 0 ? {} : { '.claude/commands/c.md': '---\nallowed-tools: Bash\n---\n!`touch ran`' }
    const stage = await setStage({ turns: ['done'], files, homeFiles })
    let stdout = ''
    const out = (text: string) => (stdout += text)
    await run(['-p', '/c', ...flags], { stdin: Readable.from([]), out, err: () => {}, env: stage.env, cwd: stage.cwd, terminal: false, shown: false })
    expect(existsSync(join(stage.cwd, 'ran'))).toBe(runs)
    if (!runs) expect(stdout).toContain('may not run')
  })
})

describe('Where a person looks at the output', () => {
  const hostile = 'a \u001b[31mred\u001b[0m word\u202e'
  const files = { 'bad.sh': '#!/bin/sh\nprintf "%b" "\\033[2J wiped\\n" >&2; exit 2' }

  async function shown(args: readonly string[], screen: boolean): Promise<{ stdout: string; stderr: string }> {
    const stage = await setStage({ turns: [bash('ls'), hostile], files, settings: { hooks: { PreToolUse: [hook('./bad.sh')], Stop: [hook('./bad.sh')] } } })
    let stdout = ''
    let stderr = ''
    const io: Io = {
      stdin: Readable.from([]),
      out: (text) => (stdout += text),
      err: (text) => (stderr += text),
      env: { ...stage.env, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1' },
      cwd: stage.cwd,
      terminal: false,
      shown: screen,
    }
    await run(['--trust', '-p', 'hello', ...args], io)
    return { stdout, stderr }
  }
  const steers = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/

  test('nothing of a model or a hook steers the terminal', async () => {
    const { stdout, stderr } = await shown(['--verbose'], true)
    expect(stdout + stderr).not.toMatch(steers)
    expect(stderr).toContain('wiped')
  })

  test('a pipe gets the answer as it is, and a person who reads stderr is safe all the same', async () => {
    const stage = await setStage({ turns: [hostile] })
    const out = await call(stage, ['-p', 'hello'])
    expect(out.stdout).toBe(`${hostile}\n`)
    expect((await shown([], false)).stderr).not.toMatch(steers)
  })

  test.each(['json', 'stream-json'])('%s steers no terminal and says the same', async (format) => {
    const stage = await setStage({ turns: [hostile] })
    const out = await call(stage, ['-p', 'hello', '--output-format', format])
    expect(out.stdout).not.toMatch(steers)
    expect(result(out)).toMatchObject({ result: hostile })
  })

  test('words of the command line that are told back do not steer it either', async () => {
    const stage = await setStage({ turns: [] })
    const out = await call(stage, ['--nope\u001b[2J'])
    expect(out.code).toBe(64)
    expect(out.stderr).not.toMatch(steers)
  })
})

describe('Flags', () => {
  test('--init-only runs Setup and SessionStart, prints nothing and asks no model', async () => {
    const stage = await setStage({
      turns: [],
      settings: { hooks: Object.fromEntries(['Setup', 'SessionStart', 'SessionEnd'].map((event) => [event, [hook(`echo ${event} >> log.txt`)]])) },
    })
    expect(await call(stage, ['--init-only', '--output-format', 'stream-json'])).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(join(stage.cwd, 'log.txt'), 'utf8')).toBe('Setup\nSessionStart\nSessionEnd\n')
  })

  test.each([
    ['--safe-mode', []],
    ['--bare', ['flag']],
    ['--no-hooks', []],
    ['--setting-sources=user', ['flag', 'user']],
    ['--setting-sources=project', ['flag', 'project']],
  ])('%s leaves only some hooks', async (flag, expected) => {
    const say = (name: string) => ({ hooks: { UserPromptSubmit: [hook(`echo ${name} >> log.txt`)] } })
    const stage = await setStage({
      turns: ['ok'],
      settings: say('project'),
      homeFiles: { '.claude/settings.json': JSON.stringify(say('user')) },
      files: { 'log.txt': '' },
    })
    await call(stage, ['-p', 'hello', '--settings', JSON.stringify(say('flag')), flag])
    expect(
      readFileSync(join(stage.cwd, 'log.txt'), 'utf8')
        .split('\n')
        .filter((word) => word !== '')
        .sort(),
    ).toEqual(expected)
  })

  test('--disallowedTools takes a tool away by its name, and refuses calls by a rule', async () => {
    const stage = await setStage({ turns: [bash('rm x'), 'ok'] })
    await call(stage, ['-p', 'hello', '--allowedTools', 'Bash', '--disallowedTools', 'Write', 'Bash(rm *)'])
    expect(stage.requests[0]?.body.tools?.map((tool) => tool.name)).not.toContain('Write')
    expect(stage.said(1)).toContain('Bash(rm *)')
  })

  test('without --trust the hooks of the folder stay off, and somebody is told', async () => {
    const stage = await setStage({ turns: ['ok'], settings: { hooks: { UserPromptSubmit: [hook('touch ran')] } } })
    let stderr = ''
    const io: Io = { stdin: Readable.from([]), out: () => {}, err: (text) => (stderr += text), env: stage.env, cwd: stage.cwd, terminal: false }
    expect(await run(['-p', 'hello'], io)).toBe(0)
    expect(readdirSync(stage.cwd)).not.toContain('ran')
    expect(stderr).toContain('nobody vouched for them')
  })

  test.each([
    ['an option that is not there', ['--nope'], 64, 'There is no option --nope'],
    ['a value that is missing', ['-p', 'x', '--model'], 64, '--model needs a value'],
    ['a value that is none of the choices', ['-p', 'x', '--output-format', 'xml'], 64, 'none of text, json, stream-json'],
    ['a session id that is none', ['-p', 'x', '--session-id', 'abc'], 64, 'is no UUID'],
    ['settings that are not there', ['-p', 'x', '--setting-sources', 'cloud'], 64, '"cloud" is none of'],
    ['agents that are no JSON', ['-p', 'x', '--agents', '{'], 64, '--agents: it is no JSON'],
    ['a schema that is none', ['-p', 'x', '--json-schema', '{"type":"nope"}'], 64, 'this is no JSON Schema'],
    ['a schema that is no JSON', ['-p', 'x', '--json-schema', '{'], 64, '--json-schema: this is no JSON'],
    ['a schema that is no object', ['-p', 'x', '--json-schema', '[]'], 64, '--json-schema: this is no JSON object'],
    ['agents that are no object', ['-p', 'x', '--agents', '[]'], 64, '--agents: Invalid input: expected record'],
    ['an agent that is not there', ['-p', 'x', '--agent', 'nope'], 1, 'There is no agent "nope"'],
    ['a folder that is not there', ['-p', 'x', '--cwd', 'nowhere'], 1, 'There is no folder'],
    ['a folder to add that is not there', ['-p', 'x', '--add-dir', 'nowhere'], 1, '--add-dir: there is no folder'],
    ['a plugin that is not there', ['-p', 'x', '--plugin-dir', 'nowhere'], 1, '--plugin-dir: there is no folder'],
    ['a plugin that is a file', ['-p', 'x', '--plugin-dir', 'broken.json'], 1, '--plugin-dir: there is no folder'],
    ['settings that are no JSON', ['-p', 'x', '--settings', '{"hooks":'], 64, '--settings: this text:1:10: not valid JSON'],
    ['a settings file that is no JSON', ['-p', 'x', '--settings', 'broken.json'], 1, 'broken.json:2:1: not valid JSON'],
    ['a settings file that is not there', ['-p', 'x', '--settings', 'nowhere.json'], 1, '--settings: there is no file'],
    ['a settings file that is a folder', ['-p', 'x', '--settings', '.'], 1, 'is a folder'],
    ['MCP servers that are no JSON', ['-p', 'x', '--mcp-config', '{'], 64, '--mcp-config: No MCP server was read'],
    ['a file of MCP servers that is no JSON', ['-p', 'x', '--mcp-config', 'broken.json'], 1, 'broken.json: No MCP server was read'],
    ['a file of MCP servers that is not there', ['-p', 'x', '--mcp-config', 'nowhere.json'], 1, 'a file that does not exist'],
    ['a rule that is none', ['-p', 'x', '--disallowedTools', 'Bash(rm'], 64, '--disallowedTools: the rule "Bash(rm" cannot be used'],
    ['an allowing rule that is none', ['-p', 'x', '--allowedTools', 'Bash(ls'], 64, '--allowedTools: the rule "Bash(ls" cannot be used'],
    ['a list without a value', ['-p', 'x', '--add-dir', '--verbose'], 64, '--add-dir needs a value'],
    ['an empty value', ['-p', 'x', '--model', ''], 64, '--model needs a value'],
    ['a value where none belongs', ['-p', 'x', '--verbose=false'], 64, '--verbose takes no value'],
    ['a level of effort that is none', ['-p', 'x', '--effort', 'huge'], 64, 'none of low, medium'],
    ['a mode that is none', ['-p', 'x', '--permission-mode', 'yolo'], 64, 'none of default, plan'],
    ['a script that is not there', ['-p', 'x', '--model', 'script:nowhere'], 1, 'there is no such file'],
    ['a worktree outside of a repository', ['-p', 'x', '--worktree', 'w'], 1, 'is no git repository'],
    ['a worktree whose name is none', ['-p', 'x', '--worktree=../w'], 1, 'cannot name a worktree'],
    ['no session to go on with', ['-p', 'x', '--continue'], 1, 'There is no session to go on with in this folder'],
    ['no prompt', ['-p'], 64, 'There is no prompt'],
    ['no prompt for a session to go on with', ['-p', '--fork-session'], 64, '--fork-session needs a session to fork'],
    ['two sessions to go on with', ['-p', 'x', '--resume', '--continue'], 64, '--resume and --continue both'],
    ['an id for a session that has one', ['-p', 'x', '--continue', '--session-id', id], 64, 'needs --fork-session'],
    ['two ways to set up', ['-p', 'x', '--init', '--maintenance'], 64, '--init and --maintenance'],
    ['modes that contradict', ['-p', 'x', '--dangerously-skip-permissions', '--permission-mode', 'plan'], 64, 'contradict each other'],
    ['formats that contradict', ['-p', 'x', '--json', '--output-format', 'text'], 64, 'contradict each other'],
    ['sources where none are read', ['-p', 'x', '--bare', '--setting-sources', 'user'], 64, '--bare reads no settings'],
    ['lines in without lines out', ['-p', '--input-format', 'stream-json'], 64, 'needs --output-format stream-json'],
    ['a prompt beside lines', ['-p', 'x', '--input-format', 'stream-json', '--json-lines'], 64, 'say none on the command line'],
    ['a session that is not there', ['-p', 'x', '--resume', 'nope'], 1, 'No conversation found with session ID: nope'],
    ['a number that is none', ['-p', 'x', '--max-turns', '0'], 64, 'is no whole number'],
  ])('say what is wrong: %s', async (_, args, code, text) => {
    const stage = await setStage({ turns: [], files: { 'broken.json': '{"a":\n' } })
    const out = await call(stage, args)
    expect(out).toMatchObject({ code, stdout: '' })
    expect(out.stderr).toContain(text)
    expect(out.stderr).not.toMatch(/ at .*:\d+:\d+/)
  })

  test('--session-id gives no second session the transcript of a first', async () => {
    const stage = await setStage({ turns: ['one', 'two'] })
    expect(await call(stage, ['-p', 'hello', '--session-id', id])).toMatchObject({ code: 0 })
    expect(await call(stage, ['-p', 'hello', '--session-id', id])).toMatchObject({ code: 1, stderr: expect.stringContaining(`--resume ${id}`) })
    expect(await call(stage, ['-p', 'hello', '--resume', id, '--fork-session'])).toMatchObject({ code: 0, stdout: 'two\n' })
  })

  test.each(['--output-format=json', '--input-format=text', '--include-hook-events', '--json', '--json-lines', '--init', '--maintenance'])(
    '%s is for -p and says so in a terminal',
    async (flag) => {
      const stage = await setStage({ turns: [] })
      let stderr = ''
      const io: Io = { stdin: Readable.from([]), out: () => {}, err: (text) => (stderr += text), env: stage.env, cwd: stage.cwd, terminal: true }
      expect(await run([flag], io)).toBe(64)
      expect(stderr).toContain('goes with -p')
    },
  )

  test('without any model the ways to one are listed', async () => {
    const stage = await setStage({ turns: [] })
    const out = await call({ ...stage, env: { PATH: stage.env['PATH'] ?? '', HOME: stage.home } }, ['-p', 'hello'])
    expect(out.code).toBe(1)
    expect(out.stderr).toContain('ANTHROPIC_API_KEY')
    expect(out.stderr).toContain('script:FILE')
    // One way a line.
    for (const way of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', '--model ollama/NAME', '--model script:FILE'])
      expect(out.stderr).toMatch(new RegExp(`^ +${way}`, 'm'))
  })

  test('--help says what there is', async () => {
    const stage = await setStage({ turns: [] })
    const { code, stdout } = await call(stage, ['--help'])
    expect(code).toBe(0)
    for (const { names, choices = [] } of runFlags) for (const word of [`--${names[0]}`, ...choices]) expect(stdout).toContain(word)
    const examples = stdout.slice(stdout.indexOf('Examples:')).split('\n')
    const lines = examples.flatMap((line) => /^ {2}(?:\S.*\| )?hookline run(.*)$/.exec(line)?.[1] ?? [])
    expect(lines.length).toBeGreaterThanOrEqual(5)
    // Every example can be read.
    for (const line of lines) readArguments(splitArguments(line))
  })
})

describe('Words', () => {
  test.each([
    ['Bash(git log *), Read', ['Bash(git log *)', 'Read']],
    ['Bash Read', ['Bash', 'Read']],
    ['', []],
    ['mcp__a__b', ['mcp__a__b']],
  ])('%s is a list', (text, expected) => {
    expect(splitList(text)).toEqual(expected)
  })

  test('of a list end at the next option, and behind -- everything is a prompt', () => {
    const given = readArguments(['-p', 'hi', '--allowedTools', 'Bash', 'Read', '--verbose', '--', '--not-an-option'])
    expect(given.many('allowedTools')).toEqual(['Bash', 'Read'])
    expect(given.words).toEqual(['hi', '--not-an-option'])
    expect(given.has('verbose')).toBe(true)
  })
})
