/** Processes behind a fence: run for real where this machine lets us make namespaces; where it does not, the refusal is what is tried. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { startRun } from '../../src/process/run.ts'
import { restrictedRules } from '../../src/process/sandbox-rules.ts'
import { fencersOf, sandboxFault, tryFencer } from '../../src/process/sandbox-tools.ts'
import { createStarter } from '../../src/process/starter.ts'
import type { Ending } from '../../src/protocol/ending.ts'
import type { Sandbox } from '../../src/protocol/sandbox.ts'
import { allGone, newToken, openDescriptors, programs, started } from '../fixtures/programs.ts'

const contained: Sandbox = { mode: 'contained' }
const restricted: Sandbox = { mode: 'restricted' }

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-sandbox-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
let places = 0

/** A project in a home, with a secret beside it. */
function place() {
  const root = join(base, `p${++places}`)
  const home = join(root, 'home')
  const projectDir = join(home, 'work')
  mkdirSync(join(projectDir, '.git', 'hooks'), { recursive: true })
  writeFileSync(join(projectDir, '.git', 'config'), '[core]\n')
  mkdirSync(join(home, '.ssh'))
  writeFileSync(join(home, '.ssh', 'id'), 'secret')
  return { root, home, projectDir }
}

interface Options {
  readonly at?: ReturnType<typeof place>
  readonly env?: Record<string, string>
  readonly timeoutMs?: number
  readonly readable?: readonly string[]
  readonly guarded?: readonly string[]
}

/** Runs a program behind a fence. Where there can be none, says so, tries that nothing runs then, and leaves. */
async function behind(ctx: TestContext, sandbox: Sandbox, [program = '', ...args]: readonly string[], options: Options = {}) {
  const { at = place(), env = {}, timeoutMs = 20_000, ...more } = options
  const fence = { sandbox, projectDir: at.projectDir, home: at.home, ...more }
  const run = startRun(program, args, { cwd: at.projectDir, env: { PATH: `${programs}:/usr/bin:/bin`, HOME: at.home, ...env }, timeoutMs, fence })
  const fault = sandboxFault(sandbox)
  if (fault === undefined) return { run, at }
  expect((await run.done).ending).toMatchObject({ kind: 'unspawnable', why: expect.stringContaining(fault) })
  console.log(`NOT RUN here: ${ctx.task.name}: ${fault}`)
  return ctx.skip(fault)
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1_000) throw new Error('it should be so by now')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe.each([contained, restricted])('a $mode program', (sandbox) => {
  it('reads its input, answers, and ends with its own code', async (ctx) => {
    const at = place()
    const fence = { sandbox, projectDir: at.projectDir, home: at.home }
    const { run } = await behind(ctx, sandbox, ['sh', '-c', 'exit 0'], { at })
    await run.done
    const env = { PATH: '/usr/bin:/bin' }
    const told = startRun('sh', ['-c', 'cat; echo oops >&2; exit 2'], { cwd: at.projectDir, env, timeoutMs: 20_000, fence, input: [Buffer.from('hello')] })
    expect(await told.done).toEqual({ ending: { kind: 'exited', code: 2 }, stdout: 'hello', stderr: 'oops\n' })
  })

  it('leaves nothing behind when it ends, not even who left its session and forgot its variables', async (ctx) => {
    const token = newToken()
    const line = `setsid env -i ${token.name}=${token.value} sleep 3600 >/dev/null 2>&1 & until [ -e go ]; do sleep 0.05; done; echo done`
    const { run, at } = await behind(ctx, sandbox, ['sh', '-c', line])
    await started(token, 1)
    writeFileSync(join(at.projectDir, 'go'), '')
    expect(await run.done).toMatchObject({ ending: { kind: 'exited', code: 0 }, stdout: 'done\n' })
    expect(await allGone(token)).toBe(true)
  })

  it('is asked to end, and may tidy up, before it is made to', async (ctx) => {
    const { run, at } = await behind(ctx, sandbox, ['sh', '-c', 'trap "echo tidy > tidied; exit 0" TERM; sleep 3600 & wait'], { timeoutMs: 1_000 })
    expect((await run.done).ending).toEqual({ kind: 'timedOut', afterMs: 1_000 })
    expect(readFileSync(join(at.projectDir, 'tidied'), 'utf8')).toBe('tidy\n')
  })

  it('is gone at its deadline, with all it started, though they ignore being asked', async (ctx) => {
    const token = newToken()
    const line = `(setsid env -i ${token.name}=${token.value} sleep 3600 &); ${programs}/ignores-sigterm & wait`
    const { run } = await behind(ctx, sandbox, ['sh', '-c', line], { env: { [token.name]: token.value }, timeoutMs: 1_500, readable: [programs] })
    await started(token, 3)
    expect((await run.done).ending).toEqual({ kind: 'timedOut', afterMs: 1_500 })
    expect(await allGone(token)).toBe(true)
  })

  it('has the three usual descriptors and no other of the host', async (ctx) => {
    const before = openDescriptors()
    const { run } = await behind(ctx, sandbox, ['sh', '-c', 'exec 3>&- 2>/dev/null; ls -l /proc/self/fd | grep -c socket'])
    // Standard output is a pipe of Node, which is a socket; its own descriptor for the fence must not be among what is inherited.
    expect(Number((await run.done).stdout)).toBeLessThanOrEqual(3)
    expect(openDescriptors()).toBeLessThanOrEqual(before + 3)
  })

  it.for<[what: string, line: string[], why: RegExp]>([
    ['a program that is not there', ['./missing'], /^ENOENT: there is no file "\.\/missing"/],
    ['a program that is not on PATH', ['no-such-program-here'], /^ENOENT: there is no program "no-such-program-here" on PATH/],
    ['a folder', ['./.git'], /^EACCES: "\.\/\.git" is a folder, not a program/],
    ['a script without its interpreter', ['./odd'], /^ENOENT: the interpreter "\/no\/such" /],
  ])('that is %s ends as it would without a fence', async ([_what, line, why], ctx) => {
    const at = place()
    writeFileSync(join(at.projectDir, 'odd'), '#!/no/such\n', { mode: 0o755 })
    const { run } = await behind(ctx, sandbox, line, { at })
    expect((await run.done).ending).toMatchObject({ kind: 'unspawnable', why: expect.stringMatching(why) })
  })
})

describe.each([contained, restricted])('a $mode program that a signal ends', (sandbox) => {
  it.for<[how: string, line: string, ending: Ending]>([
    ['is told as that signal', 'kill -KILL $$', { kind: 'signalled', signal: 'SIGKILL' }],
    ['is told as that signal, when it was asked to end', 'kill -TERM $$', { kind: 'signalled', signal: 'SIGTERM' }],
    ['is not one that ends with such a code', 'exit 137', { kind: 'exited', code: 137 }],
    ['is not one whose child a signal ended', 'sh -c "kill -KILL \\$\\$"; exit $?', { kind: 'exited', code: 137 }],
    ['is not one that speaks of such an end', 'echo Killed >&2; exit 137', { kind: 'exited', code: 137 }],
  ])('%s', async ([_how, line, ending], ctx) => {
    const { run } = await behind(ctx, sandbox, ['/bin/sh', '-c', line])
    expect((await run.done).ending).toEqual(ending)
  })

  it('may signal its whole group, and is alone in that', async (ctx) => {
    const { run } = await behind(ctx, sandbox, ['/bin/sh', '-c', "trap '' TERM; kill -TERM 0; echo still here; exit 3"])
    expect(await run.done).toEqual({ ending: { kind: 'exited', code: 3 }, stdout: 'still here\n', stderr: '' })
  })

  it('has what it said before, and nothing that its fence says', async (ctx) => {
    const { run } = await behind(ctx, sandbox, ['/bin/sh', '-c', 'echo out; echo err >&2; kill -KILL $$'])
    expect(await run.done).toEqual({ ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: 'out\n', stderr: 'err\n' })
  })
})

describe('what a fence hands on', () => {
  it('are all variables, also those that a shell would drop', async (ctx) => {
    const env = { 'odd-name': 'kept', 'BASH_FUNC_x%%': '() { echo hi; }', PLAIN: 'p' }
    const { run } = await behind(ctx, contained, ['env'], { env })
    const lines = (await run.done).stdout?.split('\n') ?? []
    expect(lines).toEqual(expect.arrayContaining(['odd-name=kept', 'BASH_FUNC_x%%=() { echo hi; }', 'PLAIN=p']))
  })

  it('are signals as they were: none is ignored or blocked that was not', async (ctx) => {
    const masks = ['sh', '-c', 'grep -E "^Sig(Blk|Ign)" /proc/self/status']
    const { run, at } = await behind(ctx, contained, masks)
    const plain = startRun('sh', masks.slice(1), { cwd: at.projectDir, env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000 })
    expect((await run.done).stdout).toBe((await plain.done).stdout)
  })
})

describe('many hooks behind fences', () => {
  it('are all told as they ended, those that waited for their turn too', async (ctx) => {
    const { run, at } = await behind(ctx, contained, ['/bin/sh', '-c', 'exit 2'])
    expect((await run.done).ending).toEqual({ kind: 'exited', code: 2 })
    const starter = createStarter({ limit: 2 })
    const fence = { sandbox: contained, projectDir: at.projectDir, home: at.home }
    const options = { cwd: at.projectDir, env: { PATH: '/usr/bin:/bin', HOME: at.home }, timeoutMs: 20_000, fence }
    const all = await Promise.all(Array.from({ length: 8 }, () => starter.start('/bin/sh', ['-c', 'exit 2'], options).done))
    expect(all.map(({ ending }) => ending)).toEqual(all.map(() => ({ kind: 'exited', code: 2 })))
    await starter.close()
  })
})

describe('every way to contain that works here', () => {
  const working = fencersOf('contained').filter((one) => tryFencer(one) === undefined)

  it('says that the program was run, and passes its code on', (ctx) => {
    if (working.length === 0) return ctx.skip(String(sandboxFault(contained)))
    for (const { program, before, between } of working) {
      const ended = (line: string) =>
        spawnSync(program, [...before, ...between, 'sh', '-c', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] })
      const seven = ended('echo $$; exit 7')
      expect({ program, status: seven.status, told: seven.output[3] }).toEqual({ program, status: 7, told: 'begun\nexit-code 7\n' })
      // Not the first of its namespace: that one cannot be asked to end.
      expect(Number(seven.stdout)).toBeGreaterThan(1)
      expect(ended('kill -KILL $$').status).toBe(137)
    }
  })

  it('says nothing of a program that never was', (ctx) => {
    if (working.length === 0) return ctx.skip(String(sandboxFault(contained)))
    for (const { program, before } of working)
      expect(spawnSync(program, [...before, '--no-such-option'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] }).output[3]?.length).toBe(0)
  })
})

describe('a restricted program', () => {
  it.for<[what: string, line: string, says: RegExp]>([
    ['reads no secret of the home folder', 'cat ~/.ssh/id', /No such file/],
    ['sees an empty home folder beside the project', 'ls -A ~ | grep -v work', /^$/],
    ['makes no settings where there are none', 'echo x > .claude/settings.json', /Read-only/],
    ['makes no settings of ours', 'echo x > .hookline/settings.json', /Read-only/],
    ['changes no git hook', 'echo x > .git/hooks/pre-commit', /Read-only/],
    ['changes no git configuration', 'git config core.pager evil || echo x > .git/config', /Read-only|busy|failed/i],
    ['does not put another git folder in the place of this one', 'mv .git other', /busy/],
    ['does not put other settings in the place of these', 'rmdir .claude && mkdir .claude', /busy|Read-only/],
    ['writes nothing outside of the project', 'touch /usr/x', /Read-only/],
    ['mounts nothing anew', 'mount -o remount,rw / && touch /usr/x', /permission denied|must be superuser|Operation not permitted/i],
    ['finds no sockets of services', 'ls -A /run', /^$/],
  ])('%s', async ([_what, line, says], ctx) => {
    const at = place()
    const { run } = await behind(ctx, restricted, ['sh', '-c', `{ ${line}; } 2>&1; true`], { at })
    expect((await run.done).stdout).toMatch(says)
    expect(existsSync('/usr/x')).toBe(false)
    expect(readFileSync(join(at.projectDir, '.git', 'config'), 'utf8')).toBe('[core]\n')
    expect(readdirSync(join(at.projectDir, '.git', 'hooks'))).toEqual([])
  })

  it('writes to the project, and to a folder for temporary files that is its own', async (ctx) => {
    const { run, at } = await behind(ctx, restricted, [
      'sh',
      '-c',
      'echo 1 > made; mkdir -p sub/x; echo 2 > "$TMPDIR/hookline-private"; cat "$TMPDIR/hookline-private"',
    ])
    expect((await run.done).stdout).toBe('2\n')
    expect(readFileSync(join(at.projectDir, 'made'), 'utf8')).toBe('1\n')
    expect(existsSync('/tmp/hookline-private')).toBe(false)
  })

  it('leaves no folder behind that was made to keep it from making one, and those that were there', async (ctx) => {
    const at = place()
    rmSync(join(at.projectDir, '.git', 'hooks'), { recursive: true })
    mkdirSync(join(at.projectDir, '.hookline'))
    const look = async () => {
      const { run } = await behind(ctx, restricted, ['sh', '-c', 'ls -A .claude .hookline .git/hooks; until [ -e go ]; do sleep 0.05; done'], { at })
      return run.done
    }
    const all = [look(), look()]
    await until(() => existsSync(join(at.projectDir, '.claude')))
    writeFileSync(join(at.projectDir, 'go'), '')
    for (const { stdout } of await Promise.all(all)) expect(stdout).toBe('.claude:\n\n.git/hooks:\n\n.hookline:\n')
    expect(readdirSync(at.projectDir).sort()).toEqual(['.git', '.hookline', 'go'])
    expect(readdirSync(join(at.projectDir, '.git'))).toEqual(['config'])
    expect(readdirSync(join(at.projectDir, '.hookline'))).toEqual([])
  })

  it('keeps editor folders that are there, and what is guarded', async (ctx) => {
    const at = place()
    mkdirSync(join(at.projectDir, '.vscode'))
    mkdirSync(join(at.projectDir, 'kept'))
    const { run } = await behind(ctx, restricted, ['sh', '-c', 'echo x > .vscode/tasks.json; echo x > kept/log'], {
      at,
      guarded: [join(at.projectDir, 'kept')],
    })
    expect((await run.done).stderr).toMatch(/Read-only[\s\S]*Read-only/)
  })

  it('reads and writes what is listed', async (ctx) => {
    const at = place()
    mkdirSync(join(at.home, 'cache'))
    const { run } = await behind(
      ctx,
      { mode: 'restricted', read: ['~/.ssh/'], write: ['~/cache'] },
      ['sh', '-c', 'cat ~/.ssh/id; echo x > ~/.ssh/id; echo y > ~/cache/y'],
      { at },
    )
    expect(await run.done).toMatchObject({ stdout: 'secret', stderr: expect.stringContaining('Read-only') })
    expect(readFileSync(join(at.home, 'cache', 'y'), 'utf8')).toBe('y\n')
  })

  it('reaches this machine over the network only when that is listed', async (ctx) => {
    const seen: string[] = []
    const server = createServer((socket) => {
      seen.push('connected')
      socket.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const dial = [
      process.execPath,
      '-e',
      `require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(9)).on('connect', () => process.exit(0))`,
    ]
    try {
      const { run } = await behind(ctx, restricted, dial, { readable: [process.execPath] })
      expect((await run.done).ending).toEqual({ kind: 'exited', code: 9 })
      expect(seen).toEqual([])
      const { run: open } = await behind(ctx, { mode: 'restricted', network: true }, dial, { readable: [process.execPath] })
      expect((await open.done).ending).toEqual({ kind: 'exited', code: 0 })
      expect(seen).toEqual(['connected'])
    } finally {
      server.close()
    }
  })
})

describe('rules that cannot be had', () => {
  const rules = (fence: Parameters<typeof restrictedRules>[0]) => restrictedRules(fence, { cwd: fence.projectDir, path: '/usr/bin' })

  it('are those of a project that holds the home folder, or of a home that may be written to', () => {
    const { home, projectDir } = place()
    expect(rules({ sandbox: restricted, projectDir: home, home })).toMatchObject({ kind: 'fault', why: expect.stringContaining('holds the home folder') })
    expect(rules({ sandbox: { mode: 'restricted', write: ['/'] }, projectDir, home })).toMatchObject({ kind: 'fault' })
  })

  it('are those of settings that are a link', () => {
    const { home, projectDir } = place()
    symlinkSync('/nowhere', join(projectDir, '.claude'))
    expect(rules({ sandbox: restricted, projectDir, home })).toMatchObject({ kind: 'fault', why: expect.stringContaining('symbolic link') })
  })

  it('keep the program from running at all', async () => {
    const { home, projectDir } = place()
    symlinkSync('/nowhere', join(projectDir, '.claude'))
    const fence = { sandbox: restricted, projectDir, home }
    const run = startRun('sh', ['-c', 'echo ran > ran'], { cwd: projectDir, env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000, fence })
    expect((await run.done).ending).toMatchObject({ kind: 'unspawnable', why: expect.stringMatching(/^the sandbox could not be built: /) })
    expect(existsSync(join(projectDir, 'ran'))).toBe(false)
  })
})
