/** The shell pool: every run gives what a process of its own gives, and nothing passes from one to the next. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunOptions } from '../../src/process/run.ts'
import { allGone, newToken, openDescriptors, programs, started, survivors } from '../fixtures/programs.ts'
import { folderOf, home, openPool, processesOf, shellOptions, until } from './pooled.ts'

const root = mkdtempSync(join(tmpdir(), "hookline pool's "))
const pool = openPool()
afterAll(async () => {
  pool.backend.close()
  rmSync(root, { recursive: true })
})
const bytes = (text: string) => new TextEncoder().encode(text)
const unmarked = (text: string | undefined) => text?.replace(/HOOKLINE_RUN=\S+/, 'HOOKLINE_RUN=…')
const odd = `ä€😀 ā\u0301 "double" 'single' \\ \\n $HOME \`id\` $(id) * ~ ! # ; & | < > %\ttab\rreturn\u0001\u007f`

describe('a command in the pool gives what a process of its own gives', () => {
  it.each<[name: string, command: string, more?: Partial<RunOptions>]>([
    ['for silence', ':'],
    ['for nothing at all', ''],
    ['for success with an answer', `read -r line; echo '{"continue":true}'`, { input: [bytes('{"a":1}\n')] }],
    ['for a block', 'echo "not on a Friday" >&2; exit 2'],
    ['for every stream', 'echo out; echo err >&2; exit 3'],
    ['for a code above 128 that is no signal', 'exit 137'],
    ['for 130, which could be a signal', 'exit 130'],
    ['for 141, which could be a signal', 'exit 141'],
    ['for 143, which could be a signal', 'exit 143'],
    ['for 255', 'exit 255'],
    ['for SIGKILL', 'printf "last words"; kill -9 $$'],
    ['for SIGTERM', 'kill -TERM $$'],
    ['for SIGINT, of which a shell says nothing', 'kill -INT $$'],
    ['for SIGPIPE, of which a shell says nothing', 'kill -s PIPE $$'],
    ['for SIGSEGV', 'ulimit -c 0; kill -SEGV $$'],
    ['for SIGABRT', 'ulimit -c 0; kill -ABRT $$'],
    ['for SIGUSR1', 'kill -USR1 $$'],
    ['for a child that was killed', 'sh -c "kill -9 \\$\\$"; exit $?'],
    ['for a child whose death the shell reports last', 'kills-itself'],
    ['for one that only says it was killed', 'echo Killed >&2; exit 137'],
    ['for a signal to its whole group', 'kill -TERM 0; sleep 20'],
    ['for a signal to its whole group that it ignores', 'trap "" TERM; kill -TERM 0; echo here; exit 4'],
    ['for a signal to its whole group that it catches', 'trap "echo caught; exit 5" TERM; kill -TERM 0; sleep 1'],
    ['for SIGKILL to its whole group', 'kill -9 0; sleep 20'],
    ['for a program that is missing', 'no-such-program'],
    ['for a program that may not be executed', './not-executable', { cwd: programs }],
    ['for a mistake in its first line', 'if'],
    ['for a mistake in its first line that begins like a separator', '; true'],
    ['for a mistake in a later line', 'echo first\nif; then'],
    ['for a mistake that names its line', 'true\n\nno-such-program'],
    ['for an unknown variable under set -u', 'set -u; echo $NO_SUCH_NAME'],
    ['for a comment', '# nothing'],
    ['for a text in place', 'cat <<END\none\ntwo $((1 + 1))\nEND'],
    ['for two lines', 'echo one\necho two'],
    ['for carriage returns', 'echo one\r\nexit 6\r'],
    ['for the name and the flags of the shell', 'echo "$0 $- $#"'],
    ['for its variables', 'env | sort', { env: { PATH: '/usr/bin:/bin', A: odd, B: '', C: 'one\ntwo\n', _: '/x', IFS: ':', LC_ALL: 'xx_XX', PS1: '$ ' } }],
    ['for the variables of the shell itself', 'echo "$OLDPWD|$PATH|$IFS|$PPID" | tr -d 0-9; set | grep -c HOOKLINE_RUN', { env: {} }],
    ['for a variable that no shell can name', 'env | sort', { env: { PATH: '/usr/bin:/bin', 'a.b': '1', 'c-d': '2' } }],
    ['for variables that shells use themselves', 'env | sort', { env: { PATH: '/usr/bin:/bin', OPTIND: 'x', PPID: '7', LINENO: '9', UID: '3' } }],
    ['for hooks in hooks', 'echo "$HOOKLINE_RUN" | tr -cd :', { env: { PATH: '/usr/bin:/bin', HOOKLINE_RUN: 'outer-1:outer-2' } }],
    ['for odd characters in the command', `printf '%s' '${odd.replaceAll("'", "'\\''")}' | od -c`],
    ['for a quote, a blank and a line end in the folder', 'pwd; echo "$PWD"', { cwd: join(root, 'a\n"b"') }],
    ['for its umask', 'umask'],
    ['for its limits', 'ulimit -a'],
    // Of a host with more descriptors, those of a process of its own lead nowhere, and a worker closed them.
    ['for its descriptors', 'for one in /proc/$$/fd/*; do [ "${one##*/}" -gt 2 ] && [ "$(readlink "$one")" = /dev/null ] || echo "${one##*/}"; done', {}],
    ['for its terminal, which it has not', 'cut -d " " -f 7 /proc/self/stat; echo x >/dev/tty'],
    ['for the signals it ignores', 'grep -E "^Sig(Ign|Blk)" /proc/self/status'],
    ['for input that is not there', 'cat', {}],
    ['for input it does not read', 'exit 2', { input: [new Uint8Array(200_000)] }],
    ['for input in pieces', 'cat', { input: [bytes('one '), bytes('two'), bytes('\n')] }],
    ['for 3 MiB of input', 'wc -c', { input: [new Uint8Array(3 * 1_048_576)] }],
    ['for bytes that are not UTF-8', 'not-utf8'],
    ['for half a code point', 'half-utf8'],
    ['for a code point in two pieces', 'split-utf8'],
    ['for more than a pipe holds', 'head -c 300000 /dev/zero | tr "\\0" x; head -c 200000 /dev/zero | tr "\\0" y >&2'],
    ['for as much as is kept', 'head -c 1048576 /dev/zero | tr "\\0" x'],
    ['for one byte more', 'head -c 1048577 /dev/zero | tr "\\0" x'],
    ['for too much on stderr', 'floods-stderr'],
    ['for a small cap, reached at once', 'yes € | head -c 2000', { capBytes: 1000 }],
    ['for output that stays open', 'exec holds-stdout'],
    ['for a child that answers a moment later', 'exec late-child'],
    ['for closed output', 'exec >&- 2>&-; sleep 0.1; exit 2'],
    ['for a deadline', 'exec denies-then-hangs', { timeoutMs: 1_000 }],
    ['for a deadline after which it tidies up', 'exec tidies-up', { timeoutMs: 1_000 }],
    ['for a folder that is gone', 'echo never', { cwd: '/no/such/folder' }],
    ['for a NUL in the command', 'echo a\0b'],
    ['for a NUL in a variable', 'echo', { env: { A: 'a\0b' } }],
    ['for a command that is too long for the system', `echo ${'x'.repeat(140_000)}`],
    ['for a command that is long', `echo ${'x'.repeat(100_000)} | wc -c`],
    ['for a variable that is long', 'echo "$A" | wc -c', { env: { PATH: '/usr/bin:/bin', A: 'x'.repeat(100_000) } }],
  ])('%s', async (_name, command, more) => {
    if (more?.cwd?.startsWith(root)) mkdirSync(more.cwd, { recursive: true })
    const token = newToken()
    const options = { ...more, env: { ...shellOptions(more).env, [token.name]: token.value } }
    const [pooled, alone] = [await pool.run(command, options), await pool.alone(command, options)]
    for (const pid of survivors(token)) process.kill(pid, 'SIGKILL')
    const shown = (result: typeof alone) => ({ ...result, stdout: unmarked(result.stdout) })
    expect(shown(pooled)).toEqual(shown(alone))
  })

  it('really in the pool', async () => {
    await pool.worker()
    expect((await pool.alone('echo $PPID')).stdout).toBe(`${process.pid}\n`)
  })

  it('in the session and the group of its worker, which has no terminal', async () => {
    const [pid, group, session, terminal] = (await pool.run('exec prints-session')).stdout?.trim().split(' ') ?? []
    expect([group === session, group === pid, terminal]).toEqual([true, false, '0'])
  })

  it('and can write to /dev/stderr, which it cannot where its output is a socket', async () => {
    expect(await pool.run('echo one >&2; echo two >/dev/stderr; echo three >/dev/stdout')).toEqual({
      ending: { kind: 'exited', code: 0 },
      stdout: 'three\n',
      stderr: 'one\ntwo\n',
    })
  })
})

describe('what one hook did to its shell', () => {
  it('is not there for the next', async () => {
    const one = openPool(1)
    const plain = await one.run('pwd; umask; trap; echo "$-|${LEAK-unset}|$(type leak 2>&1)|$PATH"; alias; ulimit -n', { cwd: '/' })
    const worker = await one.worker()
    await one.run(
      'cd /usr; export LEAK=1 PATH=/nowhere; leak() { :; }; alias leak=x; trap "echo trapped" EXIT INT; umask 077; ulimit -n 50; set -ef; exec 9>&1; exit 7',
    )
    expect(await one.run('pwd; umask; trap; echo "$-|${LEAK-unset}|$(type leak 2>&1)|$PATH"; alias; ulimit -n', { cwd: '/' })).toEqual(plain)
    expect(await one.worker()).toBe(worker)
    one.backend.close()
  })

  it('is not in its environment, which is exactly what it was given', async () => {
    const one = openPool(1)
    await one.worker()
    for (const env of [{ A: '1', B: '2', OLDPWD: '/old' }, { B: '3', PWD: home }, {}, { HOOKLINE_RUN: 'outer' }]) {
      const command = '/usr/bin/env | sort'
      expect(unmarked((await one.run(command, { env })).stdout)).toBe(unmarked((await one.alone(command, { env })).stdout))
    }
    one.backend.close()
  })
})

describe('what one hook wrote to its input', () => {
  it.each([
    ['of an event', [new TextEncoder().encode('event')]],
    ['where there was none', []],
  ])('%s is not there for the next', async (_name, input) => {
    const one = openPool(1)
    await one.worker()
    await one.run('echo written >>/proc/self/fd/0', { input })
    expect((await one.run('cat', { input })).stdout).toBe(input.length === 0 ? '' : 'event')
    expect((await one.run('cat', { input: [new Uint8Array([120])] })).stdout).toBe('x')
    one.backend.close()
  })
})

describe('what the host became', () => {
  it('is what hooks inherit: a changed umask holds for the next one', async () => {
    const one = openPool(1)
    await one.worker()
    const before = process.umask(0o027)
    try {
      expect((await one.run('umask')).stdout).toBe('0027\n')
      await one.worker()
      expect((await one.run('umask')).stdout).toBe('0027\n')
    } finally {
      process.umask(before)
      one.backend.close()
    }
  })
})

describe('a worker', () => {
  it('that a hook kills takes its hook with it, and another one serves the next', async () => {
    const token = newToken()
    const before = await pool.worker()
    const result = await pool.run('echo said; kill -9 $PPID; sleep 30', { env: { PATH: '/usr/bin:/bin', [token.name]: token.value } })
    expect(result).toEqual({ ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: 'said\n', stderr: '' })
    expect(await allGone(token)).toBe(true)
    expect(await pool.worker()).not.toBe(before)
  })

  it('that is killed between two hooks is not missed', async () => {
    const one = openPool(1)
    const worker = await one.worker()
    process.kill(worker, 'SIGKILL')
    // At once, before the host can know.
    expect((await one.run('echo here')).stdout).toBe('here\n')
    expect(await one.worker()).not.toBe(worker)
    one.backend.close()
  })

  it('cannot be spoken for by its hook', async () => {
    const forge = 'for n in $(seq 0 60); do for fd in /proc/$PPID/fd/*; do [ -p "$fd" ] || echo "$n 0" >>"$fd"; done; done 2>/dev/null; exit 2'
    expect((await pool.run(forge)).ending).toEqual({ kind: 'exited', code: 2 })
    const listen = (await pool.run('ls -l /proc/$PPID/fd')).stdout ?? ''
    expect(listen.match(/socket:/g)?.length).toBeGreaterThan(0)
    expect((await pool.run('for fd in /proc/$PPID/fd/*; do [ -S "$fd" ] && (echo x >"$fd") 2>&1; done | grep -c "No such device"')).stdout?.trim()).not.toBe(
      '0',
    )
  })

  it('whose hook left somebody in the background does not serve the next, and whoever was left goes on', async () => {
    const token = newToken()
    const one = openPool(1)
    const env = { PATH: '/usr/bin:/bin', [token.name]: token.value }
    const left = await one.run('echo $PPID; sleep 3600 >/dev/null 2>&1 </dev/null &', { env })
    expect(left.ending).toEqual({ kind: 'exited', code: 0 })
    const worker = Number(left.stdout)
    expect(survivors(token)).toHaveLength(1)
    expect(await one.worker()).not.toBe(worker)
    await until('the worker left', () => !existsSync(`/proc/${worker}/cmdline`) || readFileSync(`/proc/${worker}/cmdline`, 'utf8') === '')
    expect((await one.run('kill -9 0', { env })).ending).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
    const still = survivors(token)
    for (const pid of still) process.kill(pid, 'SIGKILL')
    expect(still).toHaveLength(1)
    one.backend.close()
  })

  it('that could not begin a hook does not serve the next: what it has exported is not sure', async () => {
    const one = openPool(1)
    const worker = await one.worker()
    expect((await one.run('echo never', { cwd: '/no/such/folder', env: { LEFT: 'over' } })).ending.kind).toBe('unspawnable')
    expect((await one.run('echo "${LEFT-none} ${PATH-none}"')).stdout).toBe(`none ${programs}:/usr/bin:/bin\n`)
    expect(await one.worker()).not.toBe(worker)
    one.backend.close()
  })

  it('stays when its hooks have children that end', async () => {
    const one = openPool(1)
    const worker = await one.worker()
    for (let round = 0; round < 5; round++) await one.run('echo x | cat | tr x y; (true &); sleep 0.2')
    expect(await one.worker()).toBe(worker)
    one.backend.close()
  })
})

describe('a pooled run that is ended', () => {
  it.each<[name: string, command: string, processes: number]>([
    ['that hangs', 'exec sleep-forever', 1],
    ['with children', 'exec spawns-child', 3],
    ['that ignores being asked', 'ignores-sigterm & ignores-sigterm', 6],
    ['with a child in a session of its own', 'exec leaves-session', 3],
    ['with an orphan in a session of its own', '(setsid sleep 3600 &) ; sleep 3600', 2],
    ['with a grandchild that ignores being asked in a session of its own', 'setsid ignores-sigterm & sleep 3600', 4],
    ['that is stopped', 'sleep 3600 & kill -STOP $!; wait', 2],
  ])('%s leaves nothing', async (_name, command, processes) => {
    const token = newToken()
    const one = pool.begin(command, { env: { ...shellOptions().env, [token.name]: token.value } })
    await started(token, processes)
    one.abort()
    expect((await one.done).ending).toEqual({ kind: 'aborted' })
    expect(survivors(token)).toEqual([])
  })

  it('by its deadline leaves nothing either, and its worker is replaced', async () => {
    const token = newToken()
    const one = openPool(1)
    const worker = await one.worker()
    const began = performance.now()
    const { ending } = await one.run('ignores-sigterm & ignores-sigterm', { timeoutMs: 300, env: { ...shellOptions().env, [token.name]: token.value } })
    expect(ending).toEqual({ kind: 'timedOut', afterMs: 300 })
    expect(performance.now() - began).toBeLessThan(23_000)
    expect(survivors(token)).toEqual([])
    expect(await one.worker()).not.toBe(worker)
    one.backend.close()
  })

  it('while it waits for a worker never starts', async () => {
    const one = openPool(1)
    const first = one.begin('sleep 0.5')
    const second = one.begin(`touch '${home}/pool-never'`)
    second.abort()
    expect((await second.done).ending).toEqual({ kind: 'aborted' })
    await first.done
    expect(existsSync(join(home, 'pool-never'))).toBe(false)
    one.backend.close()
  })

  it('may be followed from its first line into the background', async () => {
    const lines: string[] = []
    const result = await pool.run(`echo '{"async":true}'; sleep 1; echo done`, {
      timeoutMs: 700,
      onFirstLine: (line) => {
        lines.push(line)
        return 20_000
      },
    })
    expect(lines).toEqual(['{"async":true}'])
    expect(result).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: '{"async":true}\ndone\n', stderr: '' })
  })

  it('is shown while it goes on', async () => {
    const shown: string[] = []
    await pool.run('echo early; echo aside >&2; sleep 0.6; echo late', {
      live: { afterMs: 200, show: (stream, text) => shown.push(`${stream} ${text.trim()}`) },
    })
    expect(shown).toEqual(['stdout early', 'stderr aside', 'stdout late'])
  })
})

describe('many at once', () => {
  it('all give their own answers', async () => {
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => pool.run(`read -r line; echo "$line ${index}"; exit ${index % 100}`, { input: [bytes(`event ${index}\n`)] })),
    )
    expect(results.map(({ ending, stdout }) => [ending, stdout])).toEqual(
      results.map((_, index) => [{ kind: 'exited', code: index % 100 }, `event ${index} ${index}\n`]),
    )
  })

  it('read one file, when they read the same event', async () => {
    const event = new Uint8Array(10 * 1_048_576).fill(120)
    const folder = folderOf(await pool.worker())
    await until('no other file is left', () => inputs(folder).length === 0)
    let most = 0
    const look = setInterval(() => {
      most = Math.max(most, inputs(folder).length)
    }, 1)
    const input = [event, bytes('\n')]
    const results = await Promise.all(Array.from({ length: 5 }, () => pool.run('wc -c; sleep 0.2', { input: [...input] })))
    clearInterval(look)
    expect(results.map(({ stdout }) => stdout?.trim())).toEqual(Array(5).fill('10485761'))
    expect(most).toBe(1)
    await until('the file is gone', () => inputs(folder).length === 0)
  })

  it('that take long keep no other waiting', async () => {
    const one = openPool(2)
    const long = [one.begin('sleep 60'), one.begin('sleep 60')]
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(Number((await one.run('echo $PPID')).stdout)).toBe(process.pid)
    for (const run of long) run.abort()
    await Promise.all(long.map((run) => run.done))
    one.backend.close()
  })

  it('keep no descriptor, over 500 runs', async () => {
    const round = () => Promise.all(Array.from({ length: 20 }, (_, index) => pool.run(index % 2 === 0 ? 'exit 2' : 'sleep 0.03', { input: [bytes('x')] })))
    for (let warm = 0; warm < 3; warm++) await round()
    const before = openDescriptors()
    for (let rounds = 0; rounds < 25; rounds++) await round()
    await new Promise((resolve) => setTimeout(resolve, 100))
    // A worker more or fewer has a handful.
    expect(openDescriptors()).toBeLessThan(before + 40)
  })
})

describe('the files of a pool', () => {
  it('are private, and gone when it is closed, as are its processes', async () => {
    const one = openPool(1)
    const folder = folderOf(await one.worker())
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const held = one.begin('sleep 0.3', { input: [bytes('x')] })
    await until('the event is written', () => inputs(folder).length === 1)
    const modes = readdirSync(folder)
      .map((name) => lstatSync(join(folder, name)))
      .filter((stat) => !stat.isSymbolicLink())
      .map((stat) => stat.mode & 0o777)
    expect(modes.length).toBeGreaterThan(2)
    expect(modes.every((mode) => mode === 0o600)).toBe(true)
    await held.done
    expect(inputs(folder)).toEqual([])
    one.backend.close()
    one.backend.close()
    expect(existsSync(folder)).toBe(false)
    await until('its processes are gone', () => processesOf(folder).length === 0)
  })

  it('may vanish: hooks go on as if nothing were, and a new folder is made', async () => {
    const one = openPool(1)
    const folder = folderOf(await one.worker())
    rmSync(folder, { recursive: true })
    const again = await Promise.all([one.run('cat; exit 2', { input: [bytes('x')] }), one.run('cat', { input: [bytes('y')] })])
    expect(again.map(({ ending, stdout }) => [ending, stdout])).toEqual([
      [{ kind: 'exited', code: 2 }, 'x'],
      [{ kind: 'exited', code: 0 }, 'y'],
    ])
    await one.run('true')
    expect(folderOf(await one.worker())).not.toBe(folder)
    one.backend.close()
  })

  it('may lose one pipe: the hook runs once, and gives what it gives', async () => {
    const one = openPool(1)
    const folder = folderOf(await one.worker())
    for (const name of readdirSync(folder)) if (name.endsWith('.e')) rmSync(join(folder, name))
    const count = join(root, 'count')
    writeFileSync(count, '')
    expect(await one.run('echo x >>"$COUNT"; echo out; exit 2', { env: { COUNT: count } })).toEqual({
      ending: { kind: 'exited', code: 2 },
      stdout: 'out\n',
      stderr: '',
    })
    expect(readFileSync(count, 'utf8')).toBe('x\n')
    await one.worker()
    one.backend.close()
  })
})

function inputs(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('i') && (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0)
}
