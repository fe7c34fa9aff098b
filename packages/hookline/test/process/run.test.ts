/** One run of one program: every way to end, to be fed, to be heard, and not to start. */
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type RunOptions, startRun } from '../../src/process/run.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import { newToken, program, programs, survivors } from '../fixtures/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline run '))
afterAll(() => rmSync(root, { recursive: true }))

const path = `${programs}:/usr/bin:/bin`
const run = (name: string, args: readonly string[] = [], options: Partial<RunOptions> = {}): Promise<RawResult> =>
  startRun(name, args, { cwd: root, env: { PATH: path }, timeoutMs: 20_000, ...options }).done
const closeOnExec = 0o2000000
const isInheritable = (descriptor: string): boolean => {
  try {
    return (Number.parseInt(/flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '', 8) & closeOnExec) === 0
  } catch {
    return false
  }
}
const commandOf = (pid: number) => (existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim() : '')
const bytes = (text: string) => new TextEncoder().encode(text)

describe('how a run ends', () => {
  it.each<[name: string, hook: string, result: RawResult]>([
    ['with code 0 and nothing said', 'silent', { ending: { kind: 'exited', code: 0 }, stdout: '', stderr: '' }],
    ['with the code it chose', 'exit-2', { ending: { kind: 'exited', code: 2 }, stdout: '', stderr: 'not on a Friday\n' }],
    ['by a signal, without an invented code', 'kills-itself', { ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: 'last words', stderr: '' }],
    ['with its input unread', 'closes-stdin', { ending: { kind: 'exited', code: 0 }, stdout: 'closed', stderr: '' }],
    ['with half a code point, replaced and flagged', 'half-utf8', { ending: { kind: 'exited', code: 0 }, stdout: 'half \uFFFD', stderr: '', notUtf8: true }],
    ['with a code point that came in two pieces', 'split-utf8', { ending: { kind: 'exited', code: 0 }, stdout: 'a€b', stderr: '' }],
    ['with a byte order mark left for the reader', 'utf8-mark', { ending: { kind: 'exited', code: 0 }, stdout: '\uFEFF{}', stderr: '' }],
  ])('%s', async (_name, hook, result) => {
    expect(await run(hook)).toEqual(result)
  })

  it('does not call stderr in another encoding a fault', async () => {
    expect(await run('sh', ['-c', "printf 'ein M\\344rchen' >&2"])).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: '', stderr: 'ein M\uFFFDrchen' })
  })

  it('by its timeout, with what it had said until then', async () => {
    expect(await run('denies-then-hangs', [], { timeoutMs: 1_000 })).toEqual({
      ending: { kind: 'timedOut', afterMs: 1_000 },
      stdout: '{"decision":"block","reason":"no"}\n',
      stderr: '',
    })
  })

  it('by its timeout, even when it tidies up and ends with success', async () => {
    expect(await run('tidies-up', [], { timeoutMs: 1_000 })).toEqual({ ending: { kind: 'timedOut', afterMs: 1_000 }, stdout: 'started tidied', stderr: '' })
  })

  it('as aborted, when the abort came before the timeout', async () => {
    const one = startRun('ignores-sigterm', [], { cwd: root, env: { PATH: path }, timeoutMs: 400 })
    setTimeout(one.abort, 100)
    expect((await one.done).ending).toEqual({ kind: 'aborted' })
  })

  it('by its timeout, when the abort came while it was being ended', async () => {
    const one = startRun('ignores-sigterm', [], { cwd: root, env: { PATH: path }, timeoutMs: 300 })
    setTimeout(one.abort, 700)
    expect((await one.done).ending).toEqual({ kind: 'timedOut', afterMs: 300 })
  })

  it('by itself, when the abort came after the exit', async () => {
    const token = newToken()
    const one = startRun('holds-stdout', [], { cwd: root, env: { PATH: path, [token.name]: token.value }, timeoutMs: 20_000 })
    // Until the child in the background alone is left; it keeps the output open, so the run drains for a while after the exit.
    const onlyChildLeft = () => survivors(token).map(commandOf).join() === 'sleep'
    for (let tries = 0; !onlyChildLeft() && tries < 2000; tries++) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 50))
    one.abort()
    expect((await one.done).ending).toEqual({ kind: 'exited', code: 0 })
    for (const pid of survivors(token)) process.kill(pid, 'SIGKILL')
  })

  it('by itself, when the host was too busy to see that it ended before its deadline was due', async () => {
    const ended = join(root, 'ended')
    const one = run('sh', ['-c', 'cat >/dev/null; echo in time; touch "$1"', 'sh', ended], { timeoutMs: 300 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    // From here the loop comes to its timers before it comes to what the system has to tell.
    await new Promise((resolve) => setImmediate(resolve))
    const began = performance.now()
    while (!existsSync(ended) && performance.now() - began < 20_000);
    const until = performance.now() + 600
    while (performance.now() < until);
    expect(await one).toMatchObject({ ending: { kind: 'exited', code: 0 }, stdout: 'in time\n' })
  })

  it('never at once for a timeout longer than a timer can wait', async () => {
    expect((await run('sh', ['-c', 'sleep 0.1'], { timeoutMs: 99_999_999_000 })).ending).toEqual({ kind: 'exited', code: 0 })
  })
})

describe('what a run reads', () => {
  it('is given in order and then ends', async () => {
    expect((await run('echoes-stdin', [], { input: [bytes('one '), bytes('two\n')] })).stdout).toBe('one two\n')
  })

  it('may be 10 MiB', async () => {
    expect((await run('counts-stdin', [], { input: [new Uint8Array(10 * 1_048_576)] })).stdout).toBe('10485760')
  })

  it.each(['closes-stdin', 'exit-2'])('may be 10 MiB that %s does not read', async (hook) => {
    const { ending } = await run(hook, [], { input: [new Uint8Array(10 * 1_048_576)] })
    expect(ending.kind).toBe('exited')
  })
})

describe('how much of its output is kept', () => {
  const cap = 1_048_576
  it('is all of it up to the cap', async () => {
    const { ending, stdout, cut } = await run('sh', ['-c', `head -c ${cap} /dev/zero | tr '\\0' x`])
    expect([ending, stdout?.length, cut]).toEqual([{ kind: 'exited', code: 0 }, cap, undefined])
  })

  it('is the cap and no more for one byte over, whether the process is still there or not', async () => {
    const { ending, stdout, cut } = await run('sh', ['-c', `head -c ${cap + 1} /dev/zero | tr '\\0' x`])
    expect([ending, stdout?.length, cut]).toEqual([{ kind: 'overflowed', stream: 'stdout', limit: cap }, cap, 'stdout'])
  })

  it.each([
    ['floods-stdout', 'stdout'],
    ['floods-stderr', 'stderr'],
    ['floods-and-leaves', 'stdout'],
  ] as const)('is the cap for %s, which is ended', async (hook, stream) => {
    const result = await run(hook)
    expect(result.ending).toEqual({ kind: 'overflowed', stream, limit: cap })
    expect(result.cut).toBe(stream)
    expect(result[stream]).toHaveLength(cap)
  })

  it('never ends in the middle of a code point, and such an end is not called a fault', async () => {
    const result = await run('sh', ['-c', 'yes € | tr -d "\\n"'], { capBytes: 1000 })
    expect(result).toMatchObject({ ending: { kind: 'overflowed' }, stdout: '€'.repeat(333) })
    expect(result).not.toHaveProperty('notUtf8')
  })
})

describe('what is shown while it runs', () => {
  it('is everything, once it has run for long enough', async () => {
    const shown: { stream: string; text: string; at: number }[] = []
    const began = performance.now()
    await run('prints-slowly', [], { live: { afterMs: 1000, show: (stream, text) => shown.push({ stream, text, at: performance.now() - began }) } })
    expect(shown.map(({ text }) => text).join('')).toBe('early late')
    expect(shown[0]).toMatchObject({ stream: 'stdout', text: expect.stringMatching(/^early /) })
    expect(shown[0]?.at).toBeGreaterThanOrEqual(995)
  })

  it('is nothing for a run that ends before', async () => {
    const shown: string[] = []
    await run('exit-2', [], { live: { afterMs: 1000, show: (_stream, text) => shown.push(text) } })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(shown).toEqual([])
  })

  it('is never half a code point', async () => {
    const shown: string[] = []
    await run('split-utf8', [], { live: { afterMs: 0, show: (_stream, text) => shown.push(text) } })
    expect(shown.join('')).toBe('a€b')
  })

  it('costs no answer when the viewer throws', async () => {
    const show = () => {
      throw new Error('broken viewer')
    }
    expect((await run('split-utf8', [], { live: { afterMs: 0, show } })).stdout).toBe('a€b')
  })
})

describe('what a process is given', () => {
  it('is three descriptors, and none that this process has opened', async () => {
    const held = Array.from({ length: 20 }, () => openSync('/dev/null', 'r'))
    const server = createServer().listen(0, '127.0.0.1')
    const { stdout = '' } = await run('prints-descriptors')
    server.close()
    for (const one of held) closeSync(one)
    // The fourth is the folder that is being listed. What this process was itself handed to pass on, by whoever started it, is not ours to take away.
    const handedOn = readdirSync('/proc/self/fd').filter((name) => Number(name) > 3 && isInheritable(name))
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((name) => !handedOn.includes(name)),
    ).toEqual(['0', '1', '2', '3'])
  })

  it('is a group and a session of its own, without a terminal', async () => {
    const [pid, group, session, terminal] = (await run('prints-session')).stdout?.trim().split(' ') ?? []
    expect([group, session, terminal]).toEqual([pid, pid, '0'])
  })

  it('is its arguments, character by character', async () => {
    const odd = ['', ' ', '$HOME', '`id`', '$(id)', "it's", '"', '\\', '*', '~', '-n', 'ä€😀', 'a\tb', ';', '&&', '%PATH%']
    expect((await run('prints-args', odd)).stdout).toBe(odd.map((one) => `[${one}]\n`).join(''))
  })

  it('is nothing that a prototype holds', async () => {
    const proto = Object.prototype as Record<string, unknown>
    proto['POLLUTED'] = 'yes'
    try {
      expect((await run('env')).stdout).not.toContain('POLLUTED')
    } finally {
      delete proto['POLLUTED']
    }
  })
})

describe('a program that cannot be started', () => {
  const put = (name: string, text: string, mode = 0o755) => {
    writeFileSync(join(root, name), text)
    chmodSync(join(root, name), mode)
    return join(root, name)
  }
  it.each<[name: string, program: string, args: string[], options: Partial<RunOptions>, why: RegExp]>([
    ['is not on PATH', 'no-such-program', [], {}, /^ENOENT: there is no program "no-such-program" on PATH$/],
    ['is not at its path', '/no/such/program', [], {}, /^ENOENT: there is no file "\/no\/such\/program"$/],
    [
      'is a whole command line',
      'echo hello there',
      ['x'],
      {},
      /^ENOENT: there is no program "echo hello there" on PATH; a command with "args" is the name of one program: write "echo" and put "hello", "there", "x" into "args"$/,
    ],
    ['may not be executed', program('not-executable'), [], {}, /^EACCES: ".*not-executable" may not be executed; run: chmod \+x /],
    ['is a folder', '/usr', [], {}, /^EACCES: "\/usr" is a folder, not a program$/],
    [
      'names an interpreter that is not there',
      program('no-interpreter'),
      [],
      {},
      /^ENOENT: the interpreter "\/no\/such\/interpreter" that ".*" names in its first line does not exist$/,
    ],
    ['has CR LF line ends', put('crlf', '#!/bin/sh\r\nexit 2\r\n'), [], {}, /^ENOENT: the first line of ".*crlf" ends in CR LF/],
    ['holds a NUL', 'a\0b', [], {}, /^(EINVAL|ENOENT): /],
    ['has an argument that holds a NUL', 'echo', ['a\0b'], {}, /^EINVAL: .*NUL/],
    ['has a variable that holds a NUL', 'echo', [], { env: { PATH: path, A: 'a\0b' } }, /^EINVAL: .*NUL/],
    ['is empty', '', [], {}, /^EINVAL: the command is empty$/],
    ['has too long an argument', 'echo', ['x'.repeat(200_000)], {}, /^E2BIG: the command line and the environment together are larger/],
    ['has too long a name', `/${'x'.repeat(5000)}`, [], {}, /^ENAMETOOLONG: /],
    ['would start in a folder that is gone', 'echo', [], { cwd: '/no/such/folder' }, /^ENOENT: the working folder "\/no\/such\/folder" does not exist$/],
    ['would start in a file', 'echo', [], { cwd: put('file', '') }, /^ENOTDIR: the working folder ".*file" is not a folder$/],
    ['lies below a file', '/etc/passwd/x', [], {}, /^ENOTDIR: a part of the path "\/etc\/passwd\/x" is not a folder$/],
  ])('%s', async (_name, file, args, options, why) => {
    const result = await run(file, args, options)
    expect(Object.keys(result)).toEqual(['ending'])
    expect(result.ending).toEqual({ kind: 'unspawnable', why: expect.stringMatching(why) })
  })

  it('finds no free descriptor', async () => {
    const held: number[] = []
    try {
      for (;;) held.push(openSync('/dev/null', 'r'))
    } catch {
      // Now there is none.
    }
    try {
      expect((await run('/bin/sh', ['-c', 'exit 0'])).ending).toEqual({ kind: 'unspawnable', why: expect.stringMatching(/^EMFILE: /) })
    } finally {
      for (const one of held) closeSync(one)
    }
    expect((await run('/bin/sh', ['-c', 'exit 0'])).ending).toEqual({ kind: 'exited', code: 0 })
  })
})
