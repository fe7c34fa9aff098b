/** Command hooks that stay, run for real: the exchange of lines, what a process may do wrong, and when it is started anew. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandOptions, createCommandHandler } from '../../src/handlers/command.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { allGone, newToken, programs, started, survivors, type Token } from '../fixtures/programs.ts'
import { event, HookFolder } from '../hook/script.ts'
import { commandHook, makeContext } from './make-run.ts'
import { warmHook } from './warm-hook.ts'

let root: string
let handler: HandlerRunner
let token: Token
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline warm ')))
  token = newToken()
  handler = make()
})
afterEach(async () => {
  await handler.close?.()
  expect(await allGone(token)).toBe(true)
  rmSync(root, { recursive: true })
})

const path = `${programs}:/usr/bin:/bin`
function make(options: CommandOptions = {}): HandlerRunner {
  return createCommandHandler({ env: { PATH: path, HOME: root, [token.name]: token.value }, ...options })
}

/** Writes an executable below the test's folder; `text` is the body of a shell script. */
function script(name: string, text: string): string {
  const file = join(root, name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

/** Sends one event whose prompt is `say`. */
async function send(hook: RunnableHook, say = '', context: Partial<RunContext> = {}): Promise<RawResult> {
  const input = { session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: say }
  return await handler.run(hook, makeContext({ input, projectDir: root, cwd: root, ...context }))
}

const returned = (stdout: string) => ({ ending: { kind: 'returned' }, stdout, stderr: '' })
const said = (result: RawResult) => (JSON.parse(result.stdout ?? '') as { systemMessage: string }).systemMessage
const answer = (text: string) => `printf '{"systemMessage":"%s"}\\n' "${text}"`
const exists = async (file: string) => {
  for (let tries = 0; !existsSync(file); tries++) {
    if (tries > 1000) throw new Error(`${file} should have been written`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a hook that stays', () => {
  it('answers a thousand events from one process, in order', async () => {
    const hook = warmHook(`n=0; while read -r _; do n=$((n+1)); ${answer('$$ $n')}; done`)
    const told: string[] = []
    for (let count = 0; count < 1000; count++) told.push(said(await send(hook, `event ${count}`)))
    const pid = told[0]?.split(' ')[0]
    expect(told).toEqual(Array.from({ length: 1000 }, (_, count) => `${pid} ${count + 1}`))
  })

  it('answers two events that come at once one after the other, each with its own answer', async () => {
    const hook = warmHook(`while read -r line; do sleep 0.1; ${answer('$$ ${#line}')}; done`)
    const [one, two, three] = (await Promise.all([send(hook, 'a'), send(hook, 'abc'), send(hook, '')])).map(said)
    const [pid, length] = (one ?? '').split(' ')
    expect([two, three]).toEqual([`${pid} ${Number(length) + 2}`, `${pid} ${Number(length) - 1}`])
  })

  it('gets the whole event in one line, and answers in any script', async () => {
    const file = script('echo.sh', `while IFS= read -r line; do printf '%s\\n' "$line"; done`)
    const text = '登録 é 🚀 \u2028 \u0085 "quoted"\n\ttab \\ \u0000 end'
    const { stdout } = await send(warmHook(file, { args: [] }), text)
    expect(JSON.parse(stdout ?? '').prompt).toBe(text)
  })

  it('may be handed 1 MiB and more, again and again', async () => {
    const hook = warmHook(
      `exec python3 -c 'import sys, json\nfor line in sys.stdin: print(json.dumps({"systemMessage": str(len(json.loads(line)["prompt"]))}), flush=True)'`,
    )
    for (const length of [1_048_576, 3, 5_000_000]) expect(said(await send(hook, 'x'.repeat(length)))).toBe(String(length))
  })

  it('has no other descriptors than any command hook', async () => {
    const list = 'read -r _; echo $(ls /proc/self/fd)'
    const plain = await send(commandHook(list))
    expect((await send(warmHook(list))).stdout).toBe(plain.stdout)
    expect(plain.stdout).toMatch(/^0 1 /)
  })

  it('has what it wrote to stderr with the event it wrote it for', async () => {
    const hook = warmHook(`n=0; while read -r _; do n=$((n+1)); echo "note $n" >&2; echo '{}'; done`)
    for (const count of [1, 2, 3]) expect((await send(hook)).stderr).toBe(`note ${count}\n`)
  })

  it('is shown while it thinks for longer than a second', async () => {
    const shown: string[] = []
    const hook = warmHook(`while read -r _; do echo early >&2; sleep 1.3; echo '{}'; done`)
    await send(hook, '', { output: (stream, text) => shown.push(`${stream} ${text}`) })
    expect(shown).toEqual(['stderr early\n', 'stdout {}\n'])
  })

  it('keeps nobody waiting who has another hook', async () => {
    const slow = send(warmHook('while read -r _; do sleep 3600; done'), '', { timeoutMs: 2_000 })
    expect(await send(warmHook('exec warm-answers'))).toEqual(returned('{"systemMessage":"seen"}\n'))
    expect((await slow).ending.kind).toBe('timedOut')
  })
})

describe('where and with what a hook that stays runs', () => {
  const shows = (name: string) => warmHook(`while read -r _; do ${answer(`\${${name}-unset}`)}; done`)

  it.each([
    ['HOOKLINE_PERSISTENT', '1'],
    ['CLAUDECODE', '1'],
    ['CLAUDE_CODE_SESSION_ID', 'unset'],
    ['CLAUDE_EFFORT', 'unset'],
    ['NODE_OPTIONS', 'unset'],
  ])('%s is %s', async (name, value) => {
    await handler.close?.()
    handler = make({ env: { PATH: path, [token.name]: token.value, NODE_OPTIONS: '--no-warnings', CLAUDE_EFFORT: 'high' } })
    expect(said(await send(shows(name), '', { input: { effort: { level: 'high' }, prompt: '' } }))).toBe(value)
  })

  it('is the folder the session began in, wherever the event stands, in the same process', async () => {
    mkdirSync(join(root, 'deep'))
    const hook = warmHook(`while read -r _; do ${answer('$$ $(pwd -P)')}; done`)
    const [here, there] = [said(await send(hook)), said(await send(hook, '', { cwd: join(root, 'deep') }))]
    expect(here).toBe(there)
    expect(here).toMatch(new RegExp(` ${root}$`))
  })

  it('is a process of its own for each environment', async () => {
    const hook = (colour: string) => warmHook(`while read -r _; do ${answer('$$ $COLOUR')}; done`, {}, { env: { COLOUR: colour } })
    const [red, blue, again] = [said(await send(hook('red'))), said(await send(hook('blue'))), said(await send(hook('red')))]
    expect([red, blue].map((one) => one.split(' ')[1])).toEqual(['red', 'blue'])
    expect(again).toBe(red)
    expect(red.split(' ')[0]).not.toBe(blue.split(' ')[0])
  })

  it('is a process of its own for each session that has an environment file', async () => {
    const hook = warmHook(`while read -r _; do ${answer('$CLAUDE_CODE_SESSION_ID $CLAUDE_ENV_FILE')}; done`)
    expect(said(await send(hook, '', { envFile: '/e/1', sessionId: 's-1' }))).toBe('s-1 /e/1')
    expect(said(await send(hook, '', { envFile: '/e/2', sessionId: 's-2' }))).toBe('s-2 /e/2')
  })

  it('is not told to a hook that was started by one', async () => {
    await handler.close?.()
    handler = make({ env: { PATH: path, HOOKLINE_PERSISTENT: '1' } })
    const result = await send(commandHook('echo "${HOOKLINE_PERSISTENT-unset}"', {}, { env: { HOOKLINE_PERSISTENT: '1' } }))
    expect(result.stdout).toBe('unset\n')
  })
})

describe('a process that fails', () => {
  it.each([
    ['ends with a code', 'exit 3', { ending: { kind: 'exited', code: 3 }, stdout: '', stderr: '' }],
    ['blocks with code 2', 'echo no >&2; exit 2', { ending: { kind: 'exited', code: 2 }, stdout: '', stderr: 'no\n' }],
    ['is killed', 'kill -TERM $$', { ending: { kind: 'signalled', signal: 'SIGTERM' }, stdout: '', stderr: '' }],
    ['has begun an answer', 'printf "{\\"decision\\""; exit 1', { ending: { kind: 'exited', code: 1 }, stdout: '{"decision"', stderr: '' }],
    ['ends with 0 and says nothing to its first event', 'exit 0', { ending: { kind: 'exited', code: 0 }, stdout: '', stderr: '' }],
  ])('and %s ends the event just so, and the next event has a new one', async (_name, body, result) => {
    const hook = warmHook(`while read -r line; do case $line in *now*) ${body};; esac; ${answer('$$')}; done`)
    const before = body === 'exit 0' ? undefined : said(await send(hook))
    expect(await send(hook, 'now')).toEqual(result)
    const after = said(await send(hook))
    expect(after).not.toBe(before)
  })

  it('that leaves with 0 instead of answering was leaving already: the event is put to a new one', async () => {
    const hook = warmHook(`read -r _; ${answer('first of $$')}; read -r _; exit 0`)
    const [one, two] = [said(await send(hook)), said(await send(hook))]
    expect(two).toMatch(/^first of /)
    expect(two).not.toBe(one)
  })

  it('again and again is started less and less often, and after an answer at once again', async () => {
    const hook = warmHook('read -r line; [ -e broken ] && exit 9; while :; do echo "{}"; read -r line || exit; [ -e broken ] && exit 9; done')
    writeFileSync(join(root, 'broken'), '')
    const fails = async () => expect((await send(hook)).ending).toEqual({ kind: 'exited', code: 9 })
    const began = performance.now()
    for (let count = 0; count < 4; count++) await fails()
    expect(performance.now() - began).toBeGreaterThanOrEqual(690)
    rmSync(join(root, 'broken'))
    expect((await send(hook)).ending).toEqual({ kind: 'returned' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_490)
    writeFileSync(join(root, 'broken'), '')
    await fails()
    const again = performance.now()
    await fails()
    const took = performance.now() - again
    expect(took).toBeGreaterThanOrEqual(95)
    expect(took).toBeLessThan(1_200)
  })

  it('is not waited for when the host aborts', async () => {
    const hook = warmHook('read -r _; exit 9')
    for (let count = 0; count < 3; count++) await send(hook)
    const host = new AbortController()
    const run = send(hook, '', { signal: host.signal })
    host.abort()
    expect((await run).ending).toEqual({ kind: 'aborted' })
  })

  it('that cannot be started says why', async () => {
    expect((await send(warmHook('no-such-program', { args: [] }))).ending).toEqual({ kind: 'unspawnable', why: expect.stringMatching(/^ENOENT: /) })
    expect((await send(warmHook('echo ${user_config.token}'))).ending).toEqual({ kind: 'refused', why: expect.stringContaining('token') })
  })

  it('between two events is replaced, and that is told unless it ended well', async () => {
    const hook = warmHook(
      `read -r line; ${answer('$$')}; case $line in *bad*) sleep 0.2; echo "lost the database" >&2; touch left; exit 4;; *) touch left; exit 0;; esac`,
      {},
      { label: 'guard' },
    )
    const left = async () => {
      await exists(join(root, 'left'))
      rmSync(join(root, 'left'))
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await send(hook, 'bad')
    await left()
    const after = await send(hook, 'good')
    expect(after.ending).toEqual({ kind: 'returned' })
    expect(after.warnings).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'persistent-restarted',
        message: 'The process of hook "guard" ended with code 4 between two events and wrote: lost the database; it was started anew.',
        hook: 'project:PreToolUse:0:0',
      }),
    ])
    await left()
    expect(await send(hook, 'bad')).not.toHaveProperty('warnings')
  })
})

describe('a process that hangs', () => {
  it('is gone with all it started when its deadline has passed, and the next event has a new one', async () => {
    const hook = warmHook(`while read -r line; do case $line in *slow*) sleep 3600 & sleep 3600;; esac; ${answer('$$')}; done`)
    const before = said(await send(hook))
    expect(await send(hook, 'slow', { timeoutMs: 300 })).toEqual({ ending: { kind: 'timedOut', afterMs: 300 }, stdout: '', stderr: '' })
    expect(survivors(token)).toEqual([])
    expect(said(await send(hook))).not.toBe(before)
  })

  it('never answers the next event with what it would have said to this one', async () => {
    const hook = warmHook(`while read -r line; do case $line in *slow*) sleep 0.6; ${answer('the late one')};; *) ${answer('the right one')};; esac; done`)
    const late = send(hook, 'slow', { timeoutMs: 300 })
    const next = send(hook)
    expect((await late).ending).toEqual({ kind: 'timedOut', afterMs: 300 })
    expect(said(await next)).toBe('the right one')
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(said(await send(hook))).toBe('the right one')
  })

  it('keeps a denial that it gave without ending the line', async () => {
    const result = await send(warmHook(`read -r _; printf '{"decision":"block","reason":"no"}'; sleep 3600`), '', { timeoutMs: 2_000 })
    expect(result).toEqual({ ending: { kind: 'timedOut', afterMs: 2_000 }, stdout: '{"decision":"block","reason":"no"}', stderr: '' })
  })

  it('does not take time from those who wait behind it', async () => {
    const hook = warmHook(`while read -r line; do case $line in *slow*) sleep 3600;; esac; ${answer('$$')}; done`)
    const [slow, next] = await Promise.all([send(hook, 'slow', { timeoutMs: 2_500 }), send(hook, '', { timeoutMs: 2_400 })])
    expect([slow.ending.kind, next.ending.kind]).toEqual(['timedOut', 'returned'])
  })

  it('leaves its line to the others when one of those who wait is aborted', async () => {
    const hook = warmHook(`while read -r line; do sleep 0.3; ${answer('$$')}; done`)
    const host = new AbortController()
    const [first, second, third] = [send(hook), send(hook, '', { signal: host.signal }), send(hook)]
    host.abort()
    expect((await second).ending).toEqual({ kind: 'aborted' })
    expect(said(await third)).toBe(said(await first))
  })
})

describe('a process out of step', () => {
  it('whose first line is no answer is ended, so that the line behind it answers no other event', async () => {
    const hook = warmHook(`while read -r _; do echo loading; sleep 0.2; ${answer('$$')}; done`)
    expect(await send(hook)).toEqual(returned('loading\n'))
    expect(await send(hook)).toEqual(returned('loading\n'))
  })

  it('that writes two lines at once is heard whole, and ended', async () => {
    const hook = warmHook(`while read -r _; do printf '{"systemMessage":"%s"}\\n{}\\n' $$; done`)
    const [one, two] = [await send(hook), await send(hook)]
    expect(one.stdout).toMatch(/^\{"systemMessage":"\d+"\}\n\{\}\n$/)
    expect(two.stdout).not.toBe(one.stdout)
  })

  it('that writes when nobody asked is replaced, and that is told', async () => {
    const hook = warmHook(`while read -r _; do ${answer('$$')}; sleep 0.1; echo stray; touch strayed; done`, {}, { label: 'guard' })
    const before = said(await send(hook))
    await exists(join(root, 'strayed'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const after = await send(hook)
    expect(said(after)).not.toBe(before)
    expect(after.warnings?.[0]?.message).toBe('The process of hook "guard" wrote to stdout between two events; it was started anew.')
  })

  it('is none that ends its lines like Windows, or leaves blank lines', async () => {
    const hook = warmHook(`while read -r _; do printf '\\n  \\n{"systemMessage":"%s"}\\r\\n\\n' $$; done`)
    expect(said(await send(hook))).toBe(said(await send(hook)))
  })

  it.each(['\\000', '\\001', '\\017', '\\033', '\\033\\007'])(
    'is an answer, if a bad one, when it is nothing but characters that no screen shows: %s',
    async (bytes) => {
      const hook = warmHook(`while read -r _; do printf '${bytes}\\n'; done`, { timeout: 20 })
      const began = performance.now()
      expect((await send(hook)).ending).toEqual({ kind: 'returned' })
      expect(performance.now() - began).toBeLessThan(15_000)
    },
  )

  it.each([
    ['stdout', "head -c 3000000 /dev/zero | tr '\\0' y"],
    ['stderr', "head -c 3000000 /dev/zero | tr '\\0' y >&2"],
  ] as const)('that floods %s is ended, keeps what fits, and has a successor', async (stream, flood) => {
    const hook = warmHook(`while read -r line; do case $line in *flood*) ${flood};; esac; ${answer('$$')}; done`)
    await send(hook)
    const result = await send(hook, 'flood')
    expect({ ...result, [stream]: result[stream]?.length }).toEqual({
      ending: { kind: 'overflowed', stream, limit: 1_048_576 },
      stdout: '',
      stderr: '',
      [stream]: 1_048_576,
      cut: stream,
    })
    expect((await send(hook)).ending).toEqual({ kind: 'returned' })
  })
})

describe('a program that changes', () => {
  const answers = (text: string) => `while read -r _; do ${answer(`${text} $$`)}; done`
  const word = (result: RawResult) => said(result).split(' ')[0]

  it.each<[name: string, hook: () => RunnableHook]>([
    ['in shell form', () => warmHook('exec "$CLAUDE_PROJECT_DIR"/hooks/guard.sh --strict')],
    ['in shell form behind a redirection', () => warmHook('exec sh ${CLAUDE_PROJECT_DIR}/hooks/guard.sh 2>>log.txt')],
    ['at home', () => warmHook('exec ~/hooks/guard.sh')],
    ['in exec form', () => warmHook('${CLAUDE_PROJECT_DIR}/hooks/guard.sh', { args: ['--strict'] })],
    ['behind an interpreter', () => warmHook('sh', { args: ['hooks/guard.sh'] })],
  ])('is started anew: %s', async (_name, makeOne) => {
    await handler.close?.()
    handler = make({ env: { PATH: path, HOME: root, [token.name]: token.value } })
    // The folder of the test has a blank in its name, which an unquoted variable would split.
    const folder = mkdtempSync(join(tmpdir(), 'hookline-warm-'))
    mkdirSync(join(folder, 'hooks'))
    mkdirSync(join(root, 'hooks'))
    const hook = makeOne()
    const write = (text: string) => {
      for (const place of [folder, root]) {
        writeFileSync(join(place, 'hooks/guard.sh'), `#!/bin/sh\n${answers(text)}\n`)
        chmodSync(join(place, 'hooks/guard.sh'), 0o755)
      }
    }
    const ask = () => send(hook, '', { projectDir: folder })
    write('old')
    expect(word(await ask())).toBe('old')
    write('new')
    expect(word(await ask())).toBe('new')
    rmSync(folder, { recursive: true })
  })

  it('in place and keeps its size and its time is still noticed', async () => {
    const file = script('guard.sh', answers('old'))
    const hook = warmHook(file, { args: [] })
    const then = new Date('2026-01-01')
    utimesSync(file, then, then)
    expect(word(await send(hook))).toBe('old')
    writeFileSync(file, readFileSync(file, 'utf8').replace('old', 'new'))
    utimesSync(file, then, then)
    expect(word(await send(hook))).toBe('new')
  })

  it('is started at once though it kept failing before', async () => {
    const file = script('guard.sh', 'read -r _; exit 9')
    const hook = warmHook(file, { args: [] })
    for (let count = 0; count < 6; count++) await send(hook)
    script('guard.sh', answers('mended'))
    const began = performance.now()
    expect(word(await send(hook))).toBe('mended')
    expect(performance.now() - began).toBeLessThan(2_900)
  })

  it('is not one whose log or data change', async () => {
    script('guard.sh', `while read -r _; do echo x >>state.db; ${answer('$$')}; done`)
    writeFileSync(join(root, 'state.db'), '')
    const hook = warmHook('sh', { args: ['guard.sh', 'state.db'] })
    expect(said(await send(hook))).toBe(said(await send(hook)))
  })
})

describe('closing', () => {
  it('leaves no process, idle, at work or in the background, and may be done twice', async () => {
    await send(warmHook('exec warm-answers'))
    await send(warmHook(`sleep 3600 & trap '' TERM; while :; do read -r _ && echo '{}' || sleep 1; done`))
    const working = send(warmHook('exec warm-hangs'))
    await started(token, 7)
    await handler.close?.()
    expect(survivors(token)).toEqual([])
    expect((await working).ending).toEqual({ kind: 'aborted' })
    await handler.close?.()
    expect((await send(warmHook('exec warm-answers'))).ending).toEqual({ kind: 'aborted' })
  })

  it('lets a process put things in order once its input ends', async () => {
    await send(warmHook(`while read -r _; do echo '{}'; done; echo tidy >"$CLAUDE_PROJECT_DIR"/tidy`))
    await handler.close?.()
    expect(readFileSync(join(root, 'tidy'), 'utf8')).toBe('tidy\n')
  })
})

describe('a hook written with defineHook', () => {
  const folder = new HookFolder()
  afterAll(() => folder.remove())

  it('stays, answers, and ends its process when it throws or when a line cannot say no', async () => {
    await folder.compile()
    const file = folder.write(
      'warm.mjs',
      `let count = 0
defineHook('PreToolUse', (input) => { count++; if (input.tool_input.command === 'throw') throw new Error('no database'); return input.tool_input.command === 'ls' ? undefined : deny('no ' + count) })
defineHook('WorktreeRemove', () => block('still in use'))`,
    )
    const hook = warmHook(process.execPath, { args: [file] })
    const ask = (name: string, fields: Record<string, unknown>) => handler.run(hook, makeContext({ payload: new TextEncoder().encode(event(name, fields)) }))
    const tool = (command: string) => ask('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' })
    const denial = (reason: string) =>
      `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } })}\n`
    expect(await tool('rm')).toEqual(returned(denial('no 1')))
    expect(await tool('ls')).toEqual(returned('{}\n'))
    expect(await tool('rm')).toEqual(returned(denial('no 3')))
    expect(await tool('throw')).toEqual({
      ending: { kind: 'exited', code: 1 },
      stdout: '',
      stderr: expect.stringMatching(/^warm\.mjs failed at .*: no database\n$/),
    })
    expect(await tool('rm')).toEqual(returned(denial('no 1')))
    expect(await ask('WorktreeRemove', { worktree_path: '/w' })).toEqual({ ending: { kind: 'exited', code: 2 }, stdout: '', stderr: 'still in use\n' })
  })
})
