/** Command hooks, run for real: their forms, input, folder, output, and what they leave behind. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CommandOptions, createCommandHandler } from '../../src/handlers/command.ts'
import type { RawResult, RunContext } from '../../src/protocol/runner.ts'
import { newToken, openDescriptors, program, programs, started, survivors } from '../fixtures/programs.ts'
import { commandHook, makeContext, makeHook, runHook } from './make-run.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline it's a test ")))
afterAll(() => rmSync(root, { recursive: true }))
const folder = (name: string) => {
  mkdirSync(join(root, name), { recursive: true })
  return join(root, name)
}
const script = (name: string, text: string) => {
  writeFileSync(join(root, name), text)
  chmodSync(join(root, name), 0o755)
  return join(root, name)
}

const path = `${programs}:/usr/bin:/bin`
const run = async (hook: ReturnType<typeof commandHook>, context: Partial<RunContext> = {}, options: CommandOptions = {}): Promise<RawResult> =>
  createCommandHandler({ env: { PATH: path, HOME: root }, ...options }).run(hook, makeContext({ projectDir: root, cwd: root, ...context }))

describe('a command in shell form', () => {
  it('is run by /bin/sh, whatever the host calls its shell', async () => {
    const { stdout } = await run(commandHook('echo "$0 $-"'), {}, { env: { PATH: path, SHELL: '/bin/bash' } })
    expect(stdout).toBe('/bin/sh \n')
  })

  it.each(['bash', undefined] as const)('is run by /bin/sh for shell %s', async (shell) => {
    expect((await run(commandHook('echo "$0"', shell === undefined ? {} : { shell }))).stdout).toBe('/bin/sh\n')
  })

  it.each([
    ['a pipeline', 'echo one | tr o 0', '0ne\n'],
    ['a home folder', `cd ~ && [ "$PWD" = "${root}" ] && echo home`, 'home\n'],
    ['the project folder, with a blank and a quote in its name', 'cat "$CLAUDE_PROJECT_DIR"/note', 'noted'],
    ['the project folder in braces', 'cat "${CLAUDE_PROJECT_DIR}/note"', 'noted'],
    ['a command substitution', 'echo "$(printf x)"', 'x\n'],
  ])('knows %s', async (_name, command, stdout) => {
    writeFileSync(join(root, 'note'), 'noted')
    expect(await run(commandHook(command))).toEqual({ ending: { kind: 'exited', code: 0 }, stdout, stderr: '' })
  })

  it('never reads a folder name as code', async () => {
    const projectDir = folder('$(touch injected)`touch injected`;touch injected')
    const { stdout } = await run(commandHook('echo "${CLAUDE_PROJECT_DIR}"'), { projectDir })
    expect(stdout).toBe(`${projectDir}\n`)
    expect(existsSync(join(root, 'injected'))).toBe(false)
  })

  it('ends as the shell says for a program that is missing', async () => {
    const { ending, stderr } = await run(commandHook('no-such-program'))
    expect(ending).toEqual({ kind: 'exited', code: 127 })
    expect(stderr).toContain('not found')
  })

  it('refuses to paste a plugin option into code, and names the variable that holds it', async () => {
    const { ending } = await run(
      commandHook('curl -H "x: ${user_config.api-key}"', {}, { source: 'plugin', variables: { CLAUDE_PLUGIN_OPTION_API_KEY: '$(id)' } }),
    )
    expect(ending).toEqual({ kind: 'refused', why: expect.stringContaining('"$CLAUDE_PLUGIN_OPTION_API_KEY"') })
  })

  it('has its plugin in the environment', async () => {
    const hook = commandHook(
      'echo "$CLAUDE_PLUGIN_ROOT|${CLAUDE_PLUGIN_DATA}|$CLAUDE_PLUGIN_OPTION_COLOUR"',
      {},
      {
        source: 'plugin',
        variables: { CLAUDE_PLUGIN_ROOT: '/p/root', CLAUDE_PLUGIN_DATA: '/p/data', CLAUDE_PLUGIN_OPTION_COLOUR: 'red; rm -rf /' },
      },
    )
    expect((await run(hook)).stdout).toBe('/p/root|/p/data|red; rm -rf /\n')
  })

  it('goes through the wrapper that the host was started with', async () => {
    const wrapper = script('my wrapper', '#!/bin/sh\nprintf "wrapped(%s)" "$*"\n')
    const command = `echo "it's $HOME"`
    const result = await run(commandHook(command), {}, { env: { PATH: path, CLAUDE_CODE_SHELL_PREFIX: `${wrapper} -v --deep` } })
    expect(result.stdout).toBe(`wrapped(-v --deep ${command})`)
  })

  it('goes through no wrapper that only settings name', async () => {
    const hook = commandHook('echo plain', {}, { env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/false' } })
    expect((await run(hook)).stdout).toBe('plain\n')
  })
})

describe('a command in exec form', () => {
  const odd = ['$HOME', '`id`', '$(id)', "it's", '"', '\\', '*', '~', '${UNKNOWN}', '${', 'a b', '', ';', '|', '>x', 'ä€😀', '-n', '\n', '%PATH%']
  it('gets its arguments character by character, without a shell', async () => {
    expect((await run(commandHook('prints-args', { args: odd }))).stdout).toBe(odd.map((one) => `[${one}]\n`).join(''))
  })

  it('is without a shell also when it has no arguments', async () => {
    expect((await run(commandHook('prints-args; echo injected', { args: [] }))).ending).toEqual({
      kind: 'unspawnable',
      why: expect.stringMatching(/^ENOENT: /),
    })
  })

  it('is looked up on the PATH that the hook will have', async () => {
    const hook = commandHook('only-here', { args: [] }, { env: { PATH: `${root}/bin:/usr/bin:/bin` } })
    folder('bin')
    script('bin/only-here', '#!/bin/sh\necho found\n')
    expect((await run(hook)).stdout).toBe('found\n')
  })

  it('may lie below the working folder', async () => {
    folder('sub')
    script('sub/own', '#!/bin/sh\necho own\n')
    expect((await run(commandHook('./own', { args: [] }), { cwd: join(root, 'sub') })).stdout).toBe('own\n')
  })

  it('has its placeholders filled in as plain text, in the command and in each argument', async () => {
    script('show', '#!/bin/sh\nprintf "[%s]" "$@"\n')
    const hook = commandHook(
      '${CLAUDE_PROJECT_DIR}/show',
      { args: ['${CLAUDE_PROJECT_DIR}/a b', '--x=${CLAUDE_PLUGIN_ROOT}', '${user_config.token}'] },
      {
        source: 'plugin',
        variables: { CLAUDE_PLUGIN_ROOT: '/with blank', CLAUDE_PLUGIN_OPTION_TOKEN: '${CLAUDE_PROJECT_DIR} $(id)' },
      },
    )
    expect((await run(hook)).stdout).toBe(`[${root}/a b][--x=/with blank][\${CLAUDE_PROJECT_DIR} $(id)]`)
  })

  it.each([
    ['plugin', /the plugin has no value for its option "token"/],
    ['project', /only hooks of a plugin have options/],
  ] as const)('of a %s is refused when an option has no value', async (source, why) => {
    const { ending } = await run(commandHook('echo', { args: ['${user_config.token}'] }, { source }))
    expect(ending).toEqual({ kind: 'refused', why: expect.stringMatching(why) })
  })

  it('says what is wrong when it cannot start', async () => {
    const result = await run(commandHook(program('not-executable'), { args: [] }))
    expect(result).toEqual({ ending: { kind: 'unspawnable', why: expect.stringMatching(/^EACCES: .*chmod \+x/) } })
  })

  it('ignores the shell it asks for', async () => {
    expect((await run(commandHook('prints-args', { args: ['x'], shell: 'powershell' }))).stdout).toBe('[x]\n')
  })
})

describe('a command for PowerShell', () => {
  it('is run by pwsh, with placeholders in its own spelling', async () => {
    folder('pwsh-bin')
    script('pwsh-bin/pwsh', '#!/bin/sh\nprintf "[%s]" "$@"\n')
    script('pwsh-bin/powershell', '#!/bin/sh\necho the older one\n')
    const { stdout } = await run(commandHook('& "${CLAUDE_PROJECT_DIR}/x.ps1" $HOME', { shell: 'powershell' }), {}, { env: { PATH: join(root, 'pwsh-bin') } })
    expect(stdout).toBe('[-NoProfile][-NonInteractive][-Command][& "${env:CLAUDE_PROJECT_DIR}/x.ps1" $HOME]')
  })

  it('is run by the older powershell where there is no pwsh', async () => {
    folder('old-bin')
    script('old-bin/powershell', '#!/bin/sh\necho the older one\n')
    expect((await run(commandHook('1', { shell: 'powershell' }), {}, { env: { PATH: join(root, 'old-bin') } })).stdout).toBe('the older one\n')
  })

  it('says so where there is neither', async () => {
    const { ending } = await run(commandHook('1', { shell: 'powershell' }), {}, { env: { PATH: '/no/such/folder' } })
    expect(ending).toEqual({ kind: 'unspawnable', why: expect.stringMatching(/^ENOENT: PowerShell is not installed/) })
  })
})

describe('what a command hook reads', () => {
  it('is the event as one line of JSON', async () => {
    const input = { hook_event_name: 'PreToolUse', text: 'ä€😀 "quoted"\n' }
    expect((await run(commandHook('echoes-stdin'), { input })).stdout).toBe(`${JSON.stringify(input)}\n`)
  })

  it('is whole for a shell that reads a line', async () => {
    expect((await run(commandHook('read -r line && echo "${#line}"'), { payload: new TextEncoder().encode('{"a":1}') })).stdout).toBe('7\n')
  })

  it('has no second line end', async () => {
    expect((await run(commandHook('counts-stdin'), { payload: new TextEncoder().encode('{}\n') })).stdout).toBe('3')
  })

  it('may be 10 MiB, and unread', async () => {
    const payload = new Uint8Array(10 * 1_048_576)
    expect((await run(commandHook('counts-stdin'), { payload })).stdout).toBe('10485761')
    expect(await run(commandHook('exec closes-stdin'), { payload })).toMatchObject({ ending: { kind: 'exited', code: 0 }, stdout: 'closed' })
  })

  it('that cannot be made is an ending, not a throw', async () => {
    const context = makeContext()
    Object.defineProperty(context, 'payload', {
      get: () => {
        throw new TypeError('Do not know how to serialize a BigInt')
      },
    })
    expect((await createCommandHandler().run(commandHook('silent'), context)).ending).toEqual({ kind: 'refused', why: expect.stringContaining('BigInt') })
  })
})

describe('where a command hook runs', () => {
  it('is where the event stands, also for a program that asks the environment', async () => {
    const cwd = folder('elsewhere')
    expect((await run(commandHook('/bin/pwd; printenv PWD; /bin/echo "$PWD"'), { cwd }, { env: { PATH: path, PWD: '/stale' } })).stdout).toBe(
      `${cwd}\n`.repeat(3),
    )
  })

  it.each<[name: string, context: Partial<RunContext>, startDir: string, where: string]>([
    ['the folder the host began in', {}, root, root],
    ['the project when that is gone too', { projectDir: tmpdir() }, '/no/start', tmpdir()],
    ['home when the project is gone too', { projectDir: '/no/project' }, '/no/start', homedir()],
  ])('is, when its folder is gone, %s, and that is told', async (_name, context, startDir, where) => {
    const result = await run(commandHook('pwd -P', {}, { label: 'guard.sh' }), { cwd: '/no/such folder', ...context }, { startDir })
    expect(result.stdout).toBe(`${realpathSync(where)}\n`)
    expect(result.warnings).toEqual([
      {
        severity: 'warning',
        code: 'working-folder-gone',
        message: `The working folder "/no/such folder" is gone; hook "guard.sh" ran in "${where}" instead.`,
        hook: 'project:PreToolUse:0:0',
      },
    ])
  })

  it('is told by nobody when all is well', async () => {
    expect(await run(commandHook('true'))).not.toHaveProperty('warnings')
  })
})

describe('the output of a command hook', () => {
  it('is shown while it runs for longer than a second, and only then', async () => {
    const shown: string[] = []
    const output = (stream: string, text: string) => shown.push(`${stream} ${text}`)
    await run(commandHook('echo quick'), { output })
    expect(shown).toEqual([])
    await run(commandHook('exec prints-slowly'), { output })
    expect(shown[0]).toMatch(/^stdout early /)
    expect(shown.join('')).toContain('late')
  })

  it('is kept when the hook is ended for taking too long, complete as it was', async () => {
    expect(await run(commandHook('exec denies-then-hangs'), { timeoutMs: 1_000 })).toEqual({
      ending: { kind: 'timedOut', afterMs: 1_000 },
      stdout: '{"decision":"block","reason":"no"}\n',
      stderr: '',
    })
  })
})

describe('what a command hook leaves behind', () => {
  it('is nothing of `sleep & sleep` after its timeout', async () => {
    const token = newToken()
    const { ending } = await run(commandHook('sleep 3600 & sleep 3600'), { timeoutMs: 300 }, { env: { PATH: path, [token.name]: token.value } })
    expect(ending).toEqual({ kind: 'timedOut', afterMs: 300 })
    expect(survivors(token)).toEqual([])
  })

  it('is nothing of a tree that ignores being asked, two seconds after its timeout', async () => {
    const token = newToken()
    const began = performance.now()
    await run(commandHook('ignores-sigterm & ignores-sigterm'), { timeoutMs: 300 }, { env: { PATH: path, [token.name]: token.value } })
    expect(performance.now() - began).toBeLessThan(23_000)
    expect(survivors(token)).toEqual([])
  })

  it('is a child in the background that holds its output, without waiting for it', async () => {
    const token = newToken()
    const result = await run(commandHook('exec holds-stdout'), {}, { env: { PATH: path, [token.name]: token.value } })
    const left = survivors(token)
    for (const pid of left) process.kill(pid, 'SIGKILL')
    expect(result).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: 'done', stderr: '' })
    expect(left).toHaveLength(1)
  })

  it('is no descriptor of 200 hooks that ran side by side', async () => {
    const handler = createCommandHandler({ env: { PATH: path } })
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => runHook(handler, commandHook('cat >/dev/null; exit 2'), makeContext())))
    await many(5)
    const before = openDescriptors()
    const results = await many(200)
    expect(results.filter((result) => result.ending.kind === 'exited' && result.ending.code === 2)).toHaveLength(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(openDescriptors()).toBeLessThanOrEqual(before)
  })

  it('is nothing of those that wait for their turn when the host aborts', async () => {
    const token = newToken()
    const handler = createCommandHandler({ env: { PATH: path, [token.name]: token.value }, limit: 2 })
    const host = new AbortController()
    const runs = Array.from({ length: 6 }, () => runHook(handler, commandHook('sleep-forever'), makeContext({ signal: host.signal })))
    await started(token, 2)
    host.abort()
    expect((await Promise.all(runs)).map((result) => result.ending.kind)).toEqual(Array(6).fill('aborted'))
    expect(survivors(token)).toEqual([])
  })
})

describe('a command handler', () => {
  it('says that it reads the payload, so that an input that cannot be serialised is found first', () => {
    expect(createCommandHandler()).toMatchObject({ type: 'command', readsPayload: true })
  })

  it.each(['async', 'asyncRewake'] as const)('does not let %s hooks in the background keep others waiting, and ends them when it is closed', async (flag) => {
    const token = newToken()
    const handler = createCommandHandler({ env: { PATH: path, [token.name]: token.value }, limit: 1 })
    const background = Array.from({ length: 3 }, () => runHook(handler, commandHook('sleep-forever', {}, { flags: [flag] }), makeContext()))
    await started(token, 1)
    expect((await handler.run(commandHook('exec exit-2'), makeContext())).ending).toEqual({ kind: 'exited', code: 2 })
    await handler.close?.()
    expect((await Promise.all(background)).map((result) => result.ending.kind)).toEqual(['aborted', 'aborted', 'aborted'])
    expect(survivors(token)).toEqual([])
  })

  it('starts nothing for a hook of another type', async () => {
    const { ending } = await run(makeHook({ spec: { type: 'http', url: 'http://localhost' } }))
    expect(ending).toEqual({ kind: 'refused', why: expect.stringContaining('cannot run') })
  })

  it('takes the environment of its own process as it is when a hook starts', async () => {
    const handler = createCommandHandler()
    process.env['HOOKLINE_TEST_LATER'] = 'set after the handler was made'
    try {
      expect(await handler.run(commandHook('echo "$HOOKLINE_TEST_LATER"'), makeContext())).toMatchObject({ stdout: 'set after the handler was made\n' })
    } finally {
      delete process.env['HOOKLINE_TEST_LATER']
    }
  })
})
