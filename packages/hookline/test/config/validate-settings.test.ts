/** Validation: each kind of mistake gives its code at its place, and sound files give nothing. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codes } from '../../src/config/codes.ts'
import { kindOf, type ValidateOptions, validateSettings } from '../../src/config/validate-settings.ts'
import { createBoundedRegex } from '../../src/platform/bounded-regex.ts'
import { createFiles } from '../../src/platform/files.ts'
import type { Diagnostic } from '../../src/protocol/diagnostic.ts'

const bounded = createBoundedRegex()
const check = (settings: unknown, options: Partial<ValidateOptions> = {}) =>
  validateSettings(typeof settings === 'string' ? settings : JSON.stringify(settings), { file: '.claude/settings.json', bounded, ...options })
const command = (more: object = {}) => ({ type: 'command', command: 'exit 0', ...more })
const on = (event: string, hook: unknown, group: object = {}) => ({ hooks: { [event]: [{ ...group, hooks: [hook] }] } })
const short = ({ severity, code }: Diagnostic) => `${severity} ${code}`

/** Every mistake: what is written, what is found, a piece of the message. */
const mistakes: [settings: unknown, found: string, says: string][] = [
  [{ hooks: 'off' }, 'error hooks-shape', 'expected an object keyed by event, got text'],
  [{ hooks: [{ event: 'Stop' }] }, 'error hooks-shape', 'expected an object keyed by event'],
  [{ hooks: { Stop: { hooks: [command()] } } }, 'error hooks-shape', 'expected a list of groups, got object'],
  [{ hooks: { Stop: [command()] } }, 'error hooks-shape', 'expected a group, got a hook'],
  [{ hooks: { Stop: ['exit 0'] } }, 'error hooks-shape', 'expected a group, got text'],
  [{ Stop: [{ hooks: [command()] }] }, 'error hooks-shape', 'events belong under "hooks"'],
  [{ hooks: { Stop: [{}] } }, 'error missing-field', '"hooks" is missing'],
  [{ hooks: { Stop: [{ hooks: command() }] } }, 'error wrong-type', 'hooks: expected list, got object'],
  [on('Stop', 'exit 0'), 'error wrong-type', 'a hook: expected object, got text'],
  [{ hooks: { PreToolUze: [] } }, 'error unknown-event', 'unknown event "PreToolUze": did you mean "PreToolUse"?'],
  [{ hooks: { AfterTool: [] } }, 'warning unknown-event', 'PostToolUse'],
  [{ hooks: { PostSampling: [] } }, 'warning unknown-event', 'only code can attach there'],
  [{ hook: {} }, 'warning unknown-field', 'did you mean "hooks"?'],
  [on('Stop', command({ comand: 'x' })), 'warning unknown-field', 'did you mean "command"?'],
  [on('Stop', command({ url: 'x' })), 'warning unknown-field', 'belongs to http hooks'],
  [on('PreToolUse', command({ matcher: 'Bash' })), 'warning unknown-field', 'matcher belongs on the group'],
  [on('Stop', command({ cwd: 'x' })), 'warning unknown-field', '"cwd" has no effect'],
  [on('Stop', command({ description: 'x' })), 'info unknown-field', 'does no harm'],
  [on('PreToolUse', command(), { if: 'Bash(git *)' }), 'warning unknown-field', 'if belongs on the handler'],
  [on('PreToolUse', command(), { onFailure: 'block' }), 'warning unknown-field', 'onFailure belongs on the handler'],
  [on('Stop', { command: 'x' }), 'error missing-field', '"type" is missing'],
  [on('Stop', { type: 'command' }), 'error missing-field', '"command" is missing'],
  [on('Stop', { type: 'command', command: ' ' }), 'error missing-field', '"command" is empty'],
  [on('Stop', { type: 'mcp_tool', server: 's' }), 'error missing-field', '"tool" is missing'],
  [on('Stop', { type: 7 }), 'error wrong-type', 'type: expected text, got number'],
  [on('Stop', command({ timeout: '30' })), 'error wrong-type', 'timeout: expected number, got text'],
  [on('Stop', command({ args: 'x' })), 'error wrong-type', 'args: expected a list of texts, got text'],
  [on('Stop', command({ shell: 'fish' })), 'error wrong-type', 'shell: expected "bash" or "powershell", got "fish"'],
  [on('Stop', command({ once: 'yes' })), 'error wrong-type', 'once: expected true or false, got text'],
  [on('PreToolUse', command(), { matcher: ['Bash'] }), 'error wrong-type', 'matcher: expected text, got list'],
  [on('PreToolUse', command(), { matcher: { type: 'always' } }), 'error wrong-type', 'matcher: expected text, got object'],
  [on('PreToolUse', command({ onFailure: 'deny' })), 'error wrong-type', 'read as "block"'],
  [on('Stop', { type: 'Command', command: 'x' }), 'error unknown-handler', 'did you mean command?'],
  [on('Stop', { type: 'callback' }), 'error unknown-handler', 'no handler type "callback"'],
  [on('SessionStart', { type: 'prompt', prompt: 'x' }), 'error handler-not-allowed', 'prompt is not supported on SessionStart'],
  [on('PreToolUse', command(), { matcher: 'mcp__(notes' }), 'error invalid-matcher', 'matcher is not a valid pattern'],
  [on('PreToolUse', command(), { matcher: '*Bash' }), 'error invalid-matcher', 'nothing to repeat'],
  [on('PreToolUse', command(), { matcher: 'A'.repeat(1_025) }), 'error invalid-matcher', 'at most 1024'],
  [on('PreToolUse', command(), { matcher: 'Bash|' }), 'warning empty-matcher-member', 'an empty member'],
  [on('PreToolUse', command(), { matcher: '|' }), 'warning empty-matcher-member', 'matches nothing'],
  [on('Stop', command(), { matcher: 'Bash' }), 'warning matcher-ignored', 'the hooks always run'],
  [on('Stop', command(), { matcher: '[' }), 'warning matcher-ignored', 'the hooks always run'],
  [on('PreToolUse', command(), { matcher: 'bash' }), 'warning unknown-tool', 'no tool called bash; did you mean Bash?'],
  [on('PreToolUse', command(), { matcher: 'write_file' }), 'warning unknown-tool', 'did you mean Write?'],
  [on('PreToolUse', command(), { matcher: 'deploy_site' }), 'info unknown-tool', 'only if this agent has one'],
  [on('PreToolUse', command(), { matcher: 'mcp__notes' }), 'warning unknown-tool', 'did you mean mcp__notes__.*?'],
  [on('PreToolUse', command(), { matcher: '^bash$' }), 'warning unknown-tool', 'matches no known tool'],
  [on('SessionStart', command(), { matcher: 'start' }), 'warning unknown-value', 'SessionStart has no source called start'],
  [on('SessionStart', command(), { matcher: '^begin' }), 'warning unknown-value', 'matches no known source'],
  [on('PreToolUse', command(), { matcher: ' * ' }), 'warning never-fires', 'write "*"'],
  [on('PreToolUse', command(), { matcher: 'Bash(git push*)' }), 'warning never-fires', 'rules belong in "if"'],
  [on('PreToolUse', command({ if: 'Bash(git *)' }), { matcher: 'Edit' }), 'warning never-fires', 'lets no Bash call in'],
  [on('PreToolUse', command({ if: 'Bash(git *' })), 'error invalid-rule', 'never closed'],
  [on('PreToolUse', command({ if: 'Bash(git *) or Bash(ls)' })), 'error several-rules', 'if takes exactly one rule'],
  [on('PreToolUse', command({ if: ['Bash', 'Edit'] })), 'error several-rules', 'if takes exactly one rule'],
  [on('Stop', command({ if: 'Bash(git *)' })), 'error condition-not-applicable', 'never runs'],
  [on('Stop', command({ timeout: 30_000 })), 'warning timeout-looks-like-ms', 'did you mean 30?'],
  [on('Stop', command({ timeout: 1_000 })), 'warning timeout-looks-like-ms', 'did you mean 1?'],
  [on('Stop', command({ timeout: 5_400 })), 'warning timeout-looks-like-ms', '1.5 hours'],
  [on('Stop', command({ timeout: 0 })), 'error timeout-range', 'got 0'],
  [on('Stop', command({ timeout: -1 })), 'error timeout-range', 'got -1'],
  ['{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"exit 0","timeout":1e999}]}]}}', 'error timeout-range', 'got Infinity'],
  [on('Stop', command({ onFailure: 'block' })), 'warning fail-mode-ignored', 'never blocks'],
  [on('PreToolUse', command({ onFailure: 'block', async: true })), 'warning fail-mode-ignored', 'async'],
  [on('SessionStart', command({ onFailure: 'block' })), 'warning fail-mode-ignored', 'cannot be blocked'],
  [on('PreToolUse', command({ failClosed: true })), 'info fail-mode-spelling', '"failClosed" is read as "onFailure": "block"'],
  [on('PreToolUse', command({ failMode: 'closed' })), 'info fail-mode-spelling', '"block"'],
  [on('PreToolUse', command({ on_failure: 'block' })), 'info fail-mode-spelling', '"block"'],
  [on('PreToolUse', command({ fail_closed: true })), 'info fail-mode-spelling', '"block"'],
  [on('Stop', command({ command: 'sh $CLAUDE_PROJECT_DIR/a.sh' })), 'warning unquoted-path', 'quote $CLAUDE_PROJECT_DIR'],
  [on('Stop', command({ command: 'sh "$(cat $' + '{CLAUDE_PROJECT_DIR}/n)"' })), 'warning unquoted-path', 'quote'],
  [on('Stop', command({ command: 'D:\\tools\\g.exe x' })), 'warning backslash-path', 'backslash'],
  [on('Stop', command({ command: '.\\g.cmd' })), 'warning backslash-path', 'backslash'],
  [on('Stop', command({ command: 'node "/home/ann/x.js"' })), 'warning one-machine-path', 'one machine'],
  [on('Stop', command({ command: 'node', args: ['/Users/ann/x.js'] })), 'warning one-machine-path', 'one machine'],
  [on('Stop', command({ command: 'npm run', args: ['lint'] })), 'warning command-with-spaces-and-args', '"npm run"'],
  [on('Stop', command({ command: 'node', args: ['$CLAUDE_PROJECT_DIR/x.js'] })), 'warning placeholder-in-args', 'braces'],
  [on('Stop', command({ command: 'node "$' + '{CLAUDE_PLUGIN_ROOT}/s.js"' })), 'error no-plugin-here', 'no plugin here'],
  [on('Stop', command({ command: 'node "$CLAUDE_PLUGIN_DIR/s.js"' })), 'warning unknown-variable', 'did you mean CLAUDE_PLUGIN_ROOT?'],
  [on('Stop', command({ command: 'node "$CLAUDE_PROJECT_ROOT/s.js"' })), 'warning unknown-variable', 'did you mean CLAUDE_PROJECT_DIR?'],
  [
    on('PreToolUse', command({ command: `echo '{"permissionDecision": "deny"}'` })),
    'warning lost-answer',
    'permissionDecision must be inside hookSpecificOutput',
  ],
  [on('Stop', command({ command: 'echo "{\\"additionalContext\\": \\"x\\"}"' })), 'warning lost-answer', 'additionalContext must be inside'],
  [on('Stop', command({ command: `echo '{"hookSpecificOutput":{"additionalContext":"x"}}'` })), 'warning lost-answer', 'hookEventName'],
  [on('Stop', { type: 'http', url: 'localhost:8080/h' }), 'error invalid-url', 'neither http nor https'],
  [on('Stop', { type: 'http', url: '/h' }), 'error invalid-url', 'no absolute URL'],
  [on('Stop', { type: 'http', url: 'https://u:p@h.example/' }), 'error invalid-url', 'user name or a password'],
  [on('Stop', { type: 'http', url: 'https://h.example/', headers: { A: '$TOK' } }), 'warning header-variable', 'TOK is not allowed'],
  [{ version: 1, hooks: { preToolUse: [{ type: 'command', bash: './g.sh', timeoutSec: 15 }] } }, 'error foreign-format', 'copilot'],
  [{ version: 1, hooks: { beforeShellExecution: [{ command: './g.sh' }] } }, 'error foreign-format', 'cursor'],
  [{ allowManagedHooksOnly: true }, 'warning policy-entry', 'only managed settings may set allowManagedHooksOnly'],
  [{ disabledHooks: [] }, 'warning policy-entry', 'only user and managed settings may set disabledHooks'],
  [{ disableAllHooks: 'yes' }, 'error policy-entry', 'expected true or false'],
  [{ allowedHttpHookUrls: 'x' }, 'error policy-entry', 'counts as an empty list'],
  [{ permissions: { defaultMode: 'bypassPermissions' } }, 'warning policy-entry', 'may not choose bypassPermissions'],
  [{ disableAllHooks: true }, 'info disabled-hooks', 'switches hooks off'],
  [{ env: { NODE_OPTIONS: '-r x' } }, 'warning reserved-env', 'may not set NODE_OPTIONS'],
  [{ env: { A: 5 } }, 'error wrong-type', '"A" must be text'],
  [{ permissions: { deny: ['Bash(x'] } }, 'error invalid-rule', 'never closed'],
  [{ permissions: { deny: ['Bsh(git *)'] } }, 'warning unknown-tool', 'did you mean Bash?'],
  [{ permissions: { ask: ['deploy'] } }, 'warning unknown-tool', 'only if this agent has one'],
  [{ permissions: { allow: ['Ba*'] } }, 'warning never-fires', 'permits nothing'],
  [{ permissions: { deny: Array.from({ length: 10_001 }, () => 'Read') } }, 'error too-many', 'more than 10,000 rules'],
  [on('Stop', { type: 'http', url: 'https://h.example/', sandbox: 'restricted' }), 'error sandbox-misplaced', 'sandbox'],
  [{ permissions: { allow: 'Bash' } }, 'error wrong-type', 'permissions.allow: expected list'],
  [{ permissions: { defaultMode: 'x' } }, 'error wrong-type', 'permissions.defaultMode'],
  ['{"hooks": {} // x\n}', 'warning comment', 'not portable'],
  ['{"hooks": {},}', 'warning trailing-comma', 'not portable'],
  ['{"hooks": {}, "hooks": {}}', 'warning duplicate-key', '"hooks" stands here again'],
  ['{', 'error invalid-json', 'not valid JSON'],
  ['[]', 'error not-an-object', 'expected an object'],
  [`{"a": ${'['.repeat(70)}`, 'error too-deep', '64 deep'],
  [`{"a": "${'x'.repeat(10_000_000)}"}`, 'error too-large', '10 MB'],
]

describe('a mistake', () => {
  test.each(mistakes.map((row) => [`${row[1]}: ${row[2]}`, ...row] as const))('%s', (_title, settings, found, says) => {
    const all = check(settings)
    expect(all.map(short)).toEqual([found])
    expect(all[0]?.message).toContain(says)
    expect(all[0]?.url).toBe(`https://hookline.dev/codes/${all[0]?.code}`)
  })

  test('with every code of a single file is among these', () => {
    const byLoading = [
      'unreadable-file',
      'kept-last-good',
      'same-file',
      'plugin-gone',
      'plugin-file',
      'plugin-hooks-twice',
      'same-command-in-plugin',
      'invalid-front-matter',
      'missing-command',
      // Only where the machine is known.
      'sandbox-unavailable',
    ]
    expect([...new Set(mistakes.map(([, found]) => found.split(' ')[1])), ...byLoading].sort()).toEqual(Object.keys(codes).sort())
  })

  test('stands where it is written, in a file with a byte-order mark, CRLF and wide characters', () => {
    const text = `\uFEFF{\r\n  "hooks": {\r\n    "PreToolUse": [\r\n      { "matcher": "é😀*", "hooks": [{ "type": "command", "command": "x", "timeout": 0 }] }\r\n    ]\r\n  }\r\n}\r\n`
    const timeout = check(text).find(({ code }) => code === 'timeout-range')
    const line = text.split('\r\n')[3] ?? ''
    expect(timeout).toMatchObject({ file: '.claude/settings.json', line: 4, column: line.indexOf('0 }') + 1, hook: 'project:PreToolUse:0:0' })
  })

  test('costs nothing but itself', () => {
    const settings = {
      hooks: {
        PreToolUse: [
          { matcher: ['x'], hooks: [command()] },
          { matcher: 'Bash', hooks: [7, command({ timeout: 0 }), command()] },
        ],
        Nope: [],
      },
      env: 3,
    }
    expect(check(settings).map(short).sort()).toEqual([
      'error timeout-range',
      'error wrong-type',
      'error wrong-type',
      'error wrong-type',
      'warning unknown-event',
    ])
  })
})

describe('a sound file gives nothing', () => {
  const rows: [name: string, settings: unknown, options?: Partial<ValidateOptions>][] = [
    ['empty', {}],
    [
      'with settings of others',
      { $schema: 'x', _comment: 'y', model: 'opus', statusLine: { type: 'command', command: 'echo' }, env: { A: '1' }, includeCoAuthoredBy: false },
    ],
    [
      'with permissions',
      { permissions: { allow: ['Read', 'Bash(npm run *)'], deny: ['Read(.env)'], defaultMode: 'acceptEdits', additionalDirectories: ['../x'] } },
    ],
    ['with an empty matcher on an event without one', on('Stop', command(), { matcher: '' })],
    ['with a star on an event without one', on('Stop', command(), { matcher: '*' })],
    [
      'with bars, commas and patterns',
      {
        hooks: {
          PreToolUse: ['Edit|MultiEdit|Write', 'Bash, PowerShell', 'mcp__.*', 'mcp__notes__.*', 'Task', '^(?!Read$).*', 'Notebook.*'].map((matcher) => ({
            matcher,
            hooks: [command()],
          })),
        },
      },
    ],
    ['with bars of known values', on('SessionStart', command(), { matcher: 'startup|resume|clear' })],
    [
      'with keys of the product',
      on('Stop', command({ async: true, asyncRewake: true, rewakeMessage: 'x', rewakeSummary: 'y', statusMessage: 'z', once: true })),
    ],
    ['with comment keys', on('Stop', { ...command(), _why: 'x' }, { $note: 'y' })],
    ['with a quoted path', on('Stop', command({ command: 'sh "$CLAUDE_PROJECT_DIR/h/a.sh" && node "$' + '{CLAUDE_PROJECT_DIR}/b.js"' }))],
    ['with a script for another shell', on('Stop', command({ command: `bash -c 'cd $CLAUDE_PROJECT_DIR && ls'` }))],
    ['with an assignment', on('Stop', command({ command: 'D=$CLAUDE_PROJECT_DIR; sh "$D/a.sh"' }))],
    ['with arguments', on('Stop', command({ command: 'node', args: ['$' + '{CLAUDE_PROJECT_DIR}/a.js', "it's $HOME `x`"] }))],
    [
      'with a complete answer',
      on('PreToolUse', command({ command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'` })),
    ],
    ['with a fail-closed guard', on('PreToolUse', command({ onFailure: 'block' }), { matcher: 'Bash' })],
    [
      'with other handlers',
      {
        hooks: {
          PreToolUse: [
            {
              hooks: [
                { type: 'http', url: 'http://localhost:1/h', headers: { A: 'Bearer $T' }, allowedEnvVars: ['T'] },
                { type: 'prompt', prompt: 'x', continueOnBlock: true },
                { type: 'agent', prompt: 'x' },
                { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } },
                { type: 'module', path: './h.js' },
              ],
            },
          ],
        },
      },
    ],
    ['of a team with a long timeout', on('Stop', command({ timeout: 900 }))],
    ['of a plugin', { description: 'x', ...on('Stop', command({ command: 'sh "$' + '{CLAUDE_PLUGIN_ROOT}/a.sh"' })) }, { file: 'hooks/hooks.json' }],
    ['of a person, with a path into the home', on('Stop', command({ command: 'node "/home/ann/x.js"' })), { file: '.claude/settings.local.json' }],
    [
      'of an organisation',
      { allowManagedHooksOnly: true, requireFailClosed: ['PreToolUse'], allowedHttpOrigins: ['http://localhost:8080'], disabledHooks: ['user:Stop:0:0'] },
      { kind: 'managed' },
    ],
    ['that a host-defined event is in', on('Deploy', command()), { events: [{ name: 'Deploy', handlers: ['command'], input: {}, powers: [] }] as never }],
    ['manifest of a plugin', { name: 'x', version: '1', hooks: './more.json' }, { file: '.claude-plugin/plugin.json' }],
    ['manifest of a plugin with hooks in it', { name: 'x', hooks: { Stop: [{ hooks: [command()] }] } }, { file: '.claude-plugin/plugin.json' }],
  ]
  test.each(rows)('%s', (_name, settings, options) => {
    expect(check(settings, options)).toEqual([])
  })
})

describe('programs and scripts', () => {
  const missing: [command: object, says: string | undefined][] = [
    [{ command: 'sh "$CLAUDE_PROJECT_DIR/h/there.sh"' }, undefined],
    [{ command: 'sh "$CLAUDE_PROJECT_DIR/h/gone.sh"' }, 'there is no'],
    [{ command: './h/there.sh' }, undefined],
    [{ command: './h/gone.sh --x' }, './h/gone.sh'],
    [{ command: 'sh -eu h/gone.sh' }, 'h/gone.sh'],
    [{ command: 'X=1 sh h/gone.sh | cat' }, 'h/gone.sh'],
    [{ command: 'node', args: ['gone.js'] }, 'gone.js'],
    [{ command: 'no-such-program-here --x' }, 'no-such-program-here'],
    [{ command: 'cd h && ./gone.sh' }, undefined],
    [{ command: 'sh -c "./gone.sh"' }, undefined],
    [{ command: 'if [ -f x ]; then ./gone.sh; fi' }, undefined],
    [{ command: '$TOOL gone.sh' }, undefined],
    [{ command: 'sh "$DIR/gone.sh"' }, undefined],
    [{ command: 'node "/home/no-such-person/x.js"' }, undefined],
    [{ command: 'exit 0' }, undefined],
  ]
  const files = createFiles()
  let projectDir = ''
  beforeAll(() => {
    projectDir = mkdtempSync(join(tmpdir(), 'validate '))
    mkdirSync(join(projectDir, 'h'))
    writeFileSync(join(projectDir, 'h/there.sh'), '')
  })
  afterAll(() => rmSync(projectDir, { recursive: true }))
  test.each(missing)('%j', (hook, says) => {
    const found = check(on('Stop', command(hook)), {
      kind: 'local',
      projectDir,
      exists: files.exists,
      ...(files.onPath === undefined ? {} : { onPath: files.onPath }),
    })
    expect(found.map(({ code }) => code)).toEqual(says === undefined ? [] : ['missing-command'])
    if (says !== undefined) expect(found[0]?.message).toContain(says)
  })
})

describe('the shared reports', () => {
  interface Report {
    id: string
    settings?: object
    settingsText?: string
    fileName?: string
    files?: Record<string, string>
    scopes?: { local?: object; user?: object; plugins?: { name: string; files?: Record<string, string>; hooks: object }[] }
    expect: { validate?: { problems?: { level: string; says?: string }[]; problemsAtMost?: number; detectedFormat?: string } }
  }
  const { cases } = JSON.parse(readFileSync(new URL('../data/cases/reports.json', import.meta.url), 'utf8')) as { cases: Report[] }
  const rows = cases.filter((row) => row.expect.validate !== undefined)
  const made: string[] = []
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
  })

  test('are all here', () => {
    expect(rows.length).toBeGreaterThan(12)
  })
  test.each(rows.map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const projectDir = mkdtempSync(join(tmpdir(), 'report '))
    made.push(projectDir)
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(projectDir, path)), { recursive: true })
      writeFileSync(join(projectDir, path), text)
    }
    for (const [path, text] of Object.entries(row.files ?? {})) write(path, text)
    const around = { projectDir, exists: existsSync, bounded }
    const found = check(row.settingsText ?? row.settings ?? {}, { ...around, kind: 'project', ...(row.fileName === undefined ? {} : { file: row.fileName }) })
    if (row.scopes?.local !== undefined) found.push(...check(row.scopes.local, { ...around, kind: 'local' }))
    for (const plugin of row.scopes?.plugins ?? []) {
      for (const [path, text] of Object.entries(plugin.files ?? {})) write(`p/${plugin.name}/${path}`, text)
      found.push(...check({ hooks: plugin.hooks }, { ...around, kind: 'plugin', id: `plugin:${plugin.name}`, pluginRoot: join(projectDir, 'p', plugin.name) }))
    }
    const { problems = [], problemsAtMost, detectedFormat } = row.expect.validate ?? {}
    for (const { level, says = '' } of problems) {
      expect(found.map(({ severity, message }) => `${severity} ${message.replaceAll('"', '')}`)).toContainEqual(
        expect.stringMatching(new RegExp(`^${level} .*${says}`, 's')),
      )
    }
    if (problemsAtMost !== undefined) expect(found.length).toBeLessThanOrEqual(problemsAtMost)
    if (detectedFormat !== undefined) expect(found[0]?.message).toContain(detectedFormat)
  })
})

test('the usual names tell the kind of a file', () => {
  const kinds = [
    '.claude/settings.json',
    'C:\\p\\.claude\\settings.local.json',
    '/etc/claude-code/managed-settings.json',
    '/etc/claude-code/managed-settings.d/a.json',
    'x/hooks/hooks.json',
    'my.json',
  ].map(kindOf)
  expect(kinds).toEqual(['project', 'local', 'managed', 'managed', 'plugin', 'project'])
})

describe('no text throws', () => {
  const word = fc.constantFrom(
    'hooks',
    'PreToolUse',
    'Stop',
    'matcher',
    'type',
    'command',
    'http',
    'if',
    'timeout',
    '__proto__',
    'permissions',
    'deny',
    'env',
    'disableAllHooks',
    'onFailure',
    'args',
    'url',
  )
  const settings = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.boolean(), fc.double(), fc.string(), word, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(word, fc.string()), tie('value'), { maxKeys: 5 }),
  })).object
  test('whatever it holds', () => {
    fc.assert(
      fc.property(settings, (value) => {
        expect(Array.isArray(check(value))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
  test('wherever it is cut or damaged', () => {
    const whole = JSON.stringify(mistakes.slice(0, 40).map(([settings]) => settings))
      .replace(/^\[/, '{"a":[')
      .replace(/\]$/, ']}')
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.constantFrom('', '"', '{', ']', ',', '\\', '//', '\0', '\uD800'), (from, to, instead) => {
        expect(Array.isArray(check(whole.slice(0, from) + instead + whole.slice(to)))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a sandbox that this machine cannot build', () => {
  const sandboxFault = ({ mode }: { mode: string }) => (mode === 'restricted' ? 'install bubblewrap' : undefined)
  const checkHere = (settings: object, file = '.claude/settings.json') =>
    validateSettings(JSON.stringify(settings, null, 2), { file, sandboxFault }).filter(({ code }) => code === 'sandbox-unavailable')

  test.each<[where: string, settings: object, file: string, found: [line: number, says: string][]]>([
    ['for the whole file', { hookSandbox: 'restricted' }, '.claude/settings.json', [[2, 'hookSandbox: the commands of this file']]],
    ['in the short word', { sandbox: 'restricted' }, '.claude/settings.json', [[2, 'sandbox: the commands of this file']]],
    ['as an object', { hookSandbox: { mode: 'restricted', network: true } }, '.claude/settings.json', [[2, 'hookSandbox']]],
    [
      'for kinds of sources',
      { hookSandbox: { project: 'restricted', plugin: 'contained', local: { mode: 'restricted' } } },
      '/etc/claude-code/managed-settings.json',
      [
        [3, 'hookSandbox.project: the commands of project settings do not run here: install bubblewrap'],
        [5, 'hookSandbox.local'],
      ],
    ],
  ])('%s is told where it is written', (_, settings, file, found) => {
    const all = checkHere(settings, file)
    expect(all.map(({ line }) => line)).toEqual(found.map(([line]) => line))
    for (const [at, [, says]] of found.entries()) expect(all[at]?.message).toContain(says)
  })

  test.each<[what: string, settings: object]>([
    ['one that it can', { hookSandbox: 'contained' }],
    ['none', { hookSandbox: 'none' }],
    ["another agent's own sandbox", { sandbox: { enabled: true } }],
  ])('%s is no finding', (_, settings) => {
    expect(checkHere(settings)).toEqual([])
  })
})

describe('a fault in a rule stands where the fault is', () => {
  const ruleIn = (rule: string) => `{ "permissions": { "deny": [${rule}] } }`
  const ifIn = (rule: string) => `{ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "x", "if": ${rule} }] }] } }`
  test.each<[what: string, text: string, before: string]>([
    ['the bracket that is never closed', ruleIn('"Bash(git *"'), '"Bash'],
    ['behind escapes', ruleIn('"\\u0042as\\u0068(git \\"x"'), '"\\u0042as\\u0068'],
    ['a regular expression', ruleIn('"  Edit.*"'), '"  Edit'],
    ['a path that is negated', ruleIn('"Edit(!x)"'), '"Edit('],
    ['in an if', ifIn('"Bash(git *"'), '"if": "Bash'],
    ['of several rules in one', ifIn('"Bash(ls) || Bash(cat)"'), '"if": "Bash(ls)'],
  ])('%s', (_, text, before) => {
    const [found] = validateSettings(text, { file: '.claude/settings.json' }).filter(({ code }) => code === 'invalid-rule' || code === 'several-rules')
    expect(found).toMatchObject({ line: 1, column: text.indexOf(before) + before.length + 1 })
  })
})
