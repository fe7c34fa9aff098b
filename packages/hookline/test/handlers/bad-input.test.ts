/** What can go wrong around a hook, each through the public door: its own ending, and a message that says who, where, what, and what next. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookline } from '../../src/node.ts'
import { programs } from '../fixtures/programs.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-bad-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
let places = 0

interface Setting {
  readonly hook: object
  /** Prepares the folder. */
  readonly prepare?: (cwd: string) => void
  readonly prompt?: string
  readonly cwd?: (cwd: string) => string
  readonly managed?: object
}

/** Fires one hook that is written in a settings file of a project. */
async function fire({ hook, prepare, prompt = 'x', cwd: elsewhere, managed }: Setting) {
  const cwd = join(base, `p${++places}`)
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }, null, 2))
  prepare?.(cwd)
  const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: join(cwd, 'home'), XDG_STATE_HOME: join(cwd, 'state') }
  await using hookline = await createHookline({ cwd, env, sources: ['project'], ...(managed === undefined ? {} : { managed }) })
  const verdict = await hookline.fire('UserPromptSubmit', { prompt, ...(elsewhere === undefined ? {} : { cwd: elsewhere(cwd) }) })
  const [report] = verdict.hooks
  return {
    verdict,
    ending: report?.status === 'ran' ? report.ending : undefined,
    told: verdict.warnings.map(({ message, hint = '' }) => `${message} ${hint}`).join('\n'),
  }
}

const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more })
const exec = (program: string) => command(program, { args: [] })
const file = (name: string, text: string, mode: number) => (cwd: string) => writeFileSync(join(cwd, name), text, { mode })
const where = /\(project settings, \.claude\/settings\.json:\d+, UserPromptSubmit\)/

describe('a hook that fails says who, where, what and what next', () => {
  it.each<[what: string, setting: Setting, ending: object, told: RegExp]>([
    [
      'a command that is not there',
      { hook: command('no-such-guard') },
      { kind: 'exited', code: 127 },
      /"no-such-guard" .*command not found.*Check the spelling/,
    ],
    [
      'a program that is not there',
      { hook: exec('no-such-guard') },
      { kind: 'unspawnable' },
      /no program "no-such-guard" on PATH.*Check that the command exists/,
    ],
    [
      'a script that is not there',
      { hook: command('./gone.sh now') },
      { kind: 'exited', code: 127 },
      /could not be started: ENOENT: there is no file "\.\/gone\.sh"/,
    ],
    [
      'a script that may not be executed',
      { hook: command('"$CLAUDE_PROJECT_DIR"/g.sh'), prepare: file('g.sh', '#!/bin/sh\n', 0o644) },
      { kind: 'exited', code: 126 },
      /not executable.*Make the file executable[\s\S]*run: chmod \+x/,
    ],
    [
      'a program that may not be executed',
      { hook: exec('./g.sh'), prepare: file('g.sh', '#!/bin/sh\n', 0o644) },
      { kind: 'unspawnable' },
      /EACCES: "\.\/g\.sh" may not be executed; run: chmod \+x/,
    ],
    ['a folder', { hook: command('./.claude') }, { kind: 'exited', code: 126 }, /EACCES: "\.\/\.claude" is a folder, not a program/],
    ['a folder as a program', { hook: exec('./.claude') }, { kind: 'unspawnable' }, /EACCES: "\.\/\.claude" is a folder, not a program/],
    [
      'a script whose interpreter is not there',
      { hook: command('./g.sh'), prepare: file('g.sh', '#!/no/such\n', 0o755) },
      { kind: 'exited', code: 127 },
      /the interpreter "\/no\/such" that "\.\/g\.sh" names in its first line does not exist/,
    ],
    [
      'a program whose interpreter is not there',
      { hook: exec('./g.sh'), prepare: file('g.sh', '#!/no/such\n', 0o755) },
      { kind: 'unspawnable' },
      /ENOENT: the interpreter "\/no\/such"/,
    ],
    [
      'a script with the line ends of Windows',
      { hook: exec('./g.sh'), prepare: file('g.sh', '#!/bin/sh\r\n', 0o755) },
      { kind: 'unspawnable' },
      /ends in CR LF.*save the file with LF line ends/,
    ],
    [
      'a full disk',
      { hook: command('echo answer > /dev/full') },
      { kind: 'exited' },
      /ended with code \d+.*It wrote: .*(?:No space left|I\/O error).*End with 2 to block/i,
    ],
    ['a signal', { hook: command('kill -SEGV $$') }, { kind: 'signalled', signal: 'SIGSEGV' }, /was killed by SIGSEGV.*Hookline did not do it/],
    [
      'an answer that is not UTF-8',
      { hook: command(`printf '{"decision":"block","reason":"\\377"'`) },
      { kind: 'exited', code: 0 },
      /JSON that is not complete|UTF-8/,
    ],
    [
      'a deadline',
      { hook: command('sleep 60', { timeout: 0.3 }) },
      { kind: 'timedOut', afterMs: 300 },
      /timed out after 0\.3 s and was killed\. Raise "timeout"/,
    ],
    ['too much output', { hook: command('head -c 3000000 /dev/zero') }, { kind: 'overflowed', stream: 'stdout' }, /more than 1 MiB to stdout.*Write less/],
    ['an argument that no program can be given', { hook: command('echo', { args: ['a\u0000b'] }) }, { kind: 'unspawnable' }, /EINVAL: .*NUL character/],
    ['a URL that is refused', { hook: { type: 'http', url: 'http://127.0.0.1:9999/' } }, { kind: 'refused' }, /refused \(loopback\).*allowedHttpOrigins/],
    ['nobody who listens', { hook: { type: 'http', url: 'http://127.0.0.1:9/' }, managed: {} }, { kind: 'refused' }, /blocked-port/],
    [
      'an endpoint that is down',
      { hook: { type: 'http', url: 'http://127.0.0.1:64999/' }, managed: { allowedHttpOrigins: ['http://127.0.0.1:64999'] } },
      { kind: 'unspawnable' },
      /ECONNREFUSED: nothing listens at 127\.0\.0\.1, port 64999; start the endpoint/,
    ],
    [
      'a name that has no address',
      { hook: { type: 'http', url: 'https://no-such-host.invalid/' } },
      { kind: 'unspawnable' },
      /(?:ENOTFOUND: the host no-such-host\.invalid has no address; check|EAI_AGAIN: the name server did not say where .*check the network)/,
    ],
  ])('%s', async (_what, setting, ending, told) => {
    const got = await fire(setting)
    expect(got.ending).toMatchObject(ending)
    expect(got.told).toMatch(told)
    expect(got.told).toMatch(where)
    expect(got.told).not.toMatch(/\n\s+at /)
    expect(got.verdict).toMatchObject({ blocked: false })
  })

  it('a certificate that nobody vouches for', async () => {
    // Made for this test, valid for a hundred years, trusted by nobody.
    const pem = (name: string) => readFileSync(new URL(`../fixtures/self-signed/${name}.pem`, import.meta.url))
    const server = createServer({ key: pem('key'), cert: pem('cert') }, (_, response) => response.end('{"decision":"block","reason":"x"}')).listen(
      0,
      '127.0.0.1',
    )
    await new Promise((resolve) => server.once('listening', resolve))
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const got = await fire({ hook: { type: 'http', url: `${origin}/hook` }, managed: { allowedHttpOrigins: [origin] } })
      expect(got.ending).toMatchObject({
        kind: 'unspawnable',
        why: expect.stringMatching(/^DEPTH_ZERO_SELF_SIGNED_CERT: no authority .*127\.0\.0\.1; name the authority's file in NODE_EXTRA_CA_CERTS/),
      })
      expect(got.told).toMatch(where)
      const wrong = await fire({
        hook: { type: 'http', url: origin.replace('https', 'http') },
        managed: { allowedHttpOrigins: [origin.replace('https', 'http')] },
      })
      expect(wrong.ending?.kind).toMatch(/^(?:threw|replied)$/)
    } finally {
      server.close()
    }
  })
})

describe('what is none of the hook’s fault is no failure', () => {
  it('a working folder that vanished: it runs where the project is, and that is told', async () => {
    const got = await fire({ hook: command('pwd -P >&2'), cwd: (cwd) => join(cwd, 'gone') })
    expect(got.ending).toEqual({ kind: 'exited', code: 0 })
    expect(got.told).toMatch(/The working folder ".*gone" is gone; hook "pwd" ran in /)
  })

  it('an input of 10 MiB that is not read', async () => {
    const got = await fire({ hook: exec('closes-stdin'), prompt: 'x'.repeat(10 * 1_048_576) })
    expect(got.ending).toEqual({ kind: 'exited', code: 0 })
    expect(got.verdict).toMatchObject({ blocked: false, warnings: [], context: [{ text: 'closed' }] })
  })

  it('a context that is not UTF-8: it is shown as well as it can be', async () => {
    const got = await fire({ hook: command("printf 'caf\\351'") })
    expect(got.ending).toEqual({ kind: 'exited', code: 0 })
    expect(got.verdict.context[0]?.text).toBe('caf\uFFFD')
  })
})

describe('a host at its limits', () => {
  const host = join(base, 'host.mjs')
  beforeAll(async () => {
    const entry = join(base, 'host.ts')
    writeFileSync(
      entry,
      `import { createHookline } from ${JSON.stringify(fileURLToPath(new URL('../../src/node.ts', import.meta.url)))}
       const settings = [{ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo', args: ['hello'] }] }] } }]
       const hookline = await createHookline({ cwd: ${JSON.stringify(base)}, sources: [], settings, env: { PATH: '/usr/bin:/bin', HOME: ${JSON.stringify(base)} }, pool: 'off' })
       const fire = async () => { const v = await hookline.fire('UserPromptSubmit', { prompt: 'x' }); return { ending: v.hooks[0].ending, told: v.toUser } }
       await fire()
       console.log('ready')
       for await (const _ of process.stdin) console.log(JSON.stringify(await fire()))
       await hookline.close()`,
    )
    await build({
      entryPoints: [entry],
      outfile: host,
      bundle: true,
      mainFields: ['module', 'main'],
      platform: 'node',
      format: 'esm',
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(`file://${base}/x.js`)})` },
    })
  })

  it.each<[code: string, limit: string, says: RegExp]>([
    ['EMFILE', '--nofile=12:12', /this process has too many files open.*raise the limit on open files/],
    ['EAGAIN', '--nproc=1:1', /no room for another process; raise the limit on processes or run fewer hooks at once/],
  ])('cannot start another process (%s), and says so; when there is room again, it can', async (code, limit, says) => {
    // The number of processes is not limited for root.
    const own = process.geteuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
    if (own.length > 0) spawnSync('chmod', ['-R', 'a+rX', base])
    const [program = '', ...args] = [...own, process.execPath, host]
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines: string[] = []
    const next = async () => {
      for (let tries = 0; lines.length === 0 && tries < 2_000; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
      return lines.shift() ?? 'nothing was said'
    }
    child.stdout.on('data', (chunk: Buffer) =>
      lines.push(
        ...chunk
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      ),
    )
    expect(await next()).toBe('ready')
    const set = (words: string) => {
      const { status, stderr } = spawnSync('/usr/bin/env', [...own, 'prlimit', '--pid', String(child.pid), words], { encoding: 'utf8' })
      expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' })
    }
    const [name = ''] = limit.split('=')
    set(`${limit.replace(/:\d+$/, '')}:`)
    child.stdin.write('go\n')
    const failed = JSON.parse(await next())
    expect(failed).toMatchObject({ ending: { kind: 'unspawnable', why: expect.stringMatching(new RegExp(`^${code}: `)) }, told: expect.stringMatching(says) })
    set(`${name}=4096:`)
    child.stdin.write('go\n')
    expect(JSON.parse(await next())).toMatchObject({ ending: { kind: 'exited', code: 0 } })
    const over = new Promise((resolve) => child.once('exit', resolve))
    child.stdin.end()
    await over
  })
})
