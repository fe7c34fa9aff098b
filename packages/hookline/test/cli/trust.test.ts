/** `hookline trust`: what would run is shown whole, a yes is kept for exactly that, and nothing is accepted without somebody who says so. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bin, documentOf, type Project, project } from './start.ts'

const run = (command: string) => ({ hooks: [{ type: 'command', command }] })
const stop = (...commands: string[]) => ({ hooks: { Stop: commands.map(run) } })
const digestOf = async (here: Project) => String(documentOf(await here.hookline(['trust', 'status', '--json']))['digest'])
const recordsOf = (here: Project) => {
  const folder = join(here.home, '.local/state/hookline/trust')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

describe('without a terminal', () => {
  const here = project()
  here.script('.claude/hooks/guard.sh', 'echo guarded >&2; exit 2')
  here.write('.claude/settings.json', {
    hooks: { Stop: [run('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh')] },
    permissions: { allow: ['Bash(npm *)'] },
    env: { A: '1' },
  })

  test('trust and trust show print everything that would run, with places, and say how it stands', async () => {
    for (const [words, code] of [
      [['trust'], 1],
      [['trust', 'show'], 0],
    ] as const) {
      const done = await here.hookline(words)
      expect(done.code).toBe(code)
      expect(done.stdout).toContain(`${here.folder}: not accepted, 4 changes to read, digest ${await digestOf(here)}\n`)
      expect(done.stdout).toContain('+ command  Stop  .claude/settings.json:6\n    "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh\n')
      expect(done.stdout).toMatch(/\+ script {2}\.claude\/hooks\/guard\.sh\n {4}#!\/bin\/sh\n {4}echo guarded >&2; exit 2\n/)
      expect(done.stdout).toContain('+ env\n    A=1\n')
      expect(done.stdout).toMatch(/\+ rule {2}\.claude\/settings\.json:\d+\n {4}allow Bash\(npm \*\)\n$/)
    }
  })

  test('approve refuses, and says how; a run leaves the hook out, and says so', async () => {
    const done = await here.hookline(['trust', 'approve'])
    expect(done).toMatchObject({ code: 64, stdout: '' })
    expect(done.stderr).toContain('trust approve --yes --digest')
    const fired = await here.hookline(['fire', 'Stop'])
    expect(fired.code).toBe(0)
    expect(fired.stderr).toMatch(/left out, because nobody vouched for it:[\s\S]*hookline trust[\s\S]*--trust/)
    expect(recordsOf(here)).toEqual([])
  })

  test('approve --yes --digest accepts what was reviewed, and nothing else', async () => {
    const wrong = await here.hookline(['trust', 'approve', '--yes', '--digest', '0'.repeat(64)])
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain(await digestOf(here))
    expect(recordsOf(here)).toEqual([])
    const done = await here.hookline(['trust', 'approve', '--yes', '--digest', await digestOf(here)])
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('accepted for')
    expect(recordsOf(here)).toHaveLength(1)
    expect(await here.hookline(['fire', 'Stop'])).toMatchObject({ code: 2, stderr: '' })
    expect((await here.hookline(['list'])).stdout).toMatch(/^project {2}\.claude\/settings\.json {2}loaded, trusted$/m)
    expect(await here.hookline(['trust', 'status'])).toMatchObject({ code: 0 })
    expect(await here.hookline(['trust', 'approve', '--yes'])).toMatchObject({ code: 0 })
  })

  test('a changed script is told line by line, waits, and is accepted again', async () => {
    here.script('.claude/hooks/guard.sh', 'echo friendly >&2; exit 0')
    const shown = (await here.hookline(['trust', 'show'])).stdout
    expect(shown).toMatch(/: changed since \d+ \w{3}, 1 change to read/)
    expect(shown).toMatch(/^ {2}command {2}Stop/m)
    expect(shown).toMatch(/^~ script {2}\.claude\/hooks\/guard\.sh\n {6}#!\/bin\/sh\n {4}- echo guarded >&2; exit 2\n {4}\+ echo friendly >&2; exit 0\n/m)
    expect(await here.hookline(['fire', 'Stop'])).toMatchObject({ code: 0 })
    const explained = await here.hookline(['explain', 'Stop'])
    expect(explained.stdout).toMatch(/trusted: no, changed since \d+ \w{3} \(hookline trust shows the difference\)/)
    expect((await here.hookline(['list'])).stdout).toContain('changed since it was trusted')
    await here.hookline(['trust', 'approve', '--yes'])
    expect(await here.hookline(['trust'])).toMatchObject({ code: 0 })
  })

  test('revoke forgets', async () => {
    expect((await here.hookline(['trust', 'revoke'])).stdout).toContain('is forgotten')
    expect(await here.hookline(['trust', 'status'])).toMatchObject({ code: 1 })
    expect(recordsOf(here)).toEqual([])
  })

  test('revoke says so when there is no such folder, which may be misspelt', async () => {
    const { code, stdout } = await here.hookline(['trust', 'revoke', 'srcc'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/srcc is forgotten\. There is no such folder now/)
    expect((await here.hookline(['trust', 'revoke', '.'])).stdout).toMatch(/is forgotten\.\n$/)
  })

  test('documents say the same', async () => {
    expect(documentOf(await here.hookline(['trust', '--json']))).toMatchObject({
      version: 1,
      kind: 'trust',
      state: 'untrusted',
      folder: here.folder,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      items: [{ kind: 'command', change: 'added' }, { kind: 'script' }, { kind: 'env' }, { kind: 'rule' }],
    })
    expect(documentOf(await here.hookline(['trust', 'approve', '--yes', '--json']))).toMatchObject({ kind: 'trust', state: 'trusted', accepted: true })
    expect(documentOf(await here.hookline(['trust', 'revoke', '--json']))).toMatchObject({ kind: 'trust-revoked', folder: here.folder })
  })
})

describe('--trust=DIGEST', () => {
  const here = project()
  here.write('.claude/settings.json', stop('echo mine >&2; exit 2'))

  test('runs what has this digest, keeps nothing, and leaves out what has another', async () => {
    const digest = await digestOf(here)
    expect(await here.hookline(['fire', 'Stop', `--trust=${digest}`])).toMatchObject({ code: 2, stderr: '' })
    expect(recordsOf(here)).toEqual([])
    here.write('.claude/settings.json', stop('echo other >&2; exit 2'))
    const done = await here.hookline(['fire', 'Stop', `--trust=${digest}`])
    expect(done.code).toBe(0)
    expect(done.stderr).toContain(`--trust was given another digest; the folder has ${await digestOf(here)} now.`)
    expect(await here.hookline(['explain', 'Stop', `--trust=${digest}`])).toMatchObject({ code: 0 })
  })

  test('must be a digest', async () => {
    const done = await here.hookline(['fire', 'Stop', '--trust=abc'])
    expect(done).toMatchObject({ code: 64, stdout: '' })
    expect(done.stderr).toContain('is no digest')
  })
})

describe('a folder that is never accepted for good', () => {
  test('the home folder', async () => {
    const here = project()
    here.writeHome('.claude/settings.local.json', stop('true'))
    const done = await here.hookline(['trust', 'approve', '--yes'], { cwd: here.home })
    expect(done).toMatchObject({ code: 1, stdout: '' })
    expect(done.stderr).toMatch(/never accepted for good, because it is the home folder/)
    expect(recordsOf(here)).toEqual([])
  })

  test('one whose record cannot be written: the answer does not count, and says why', async () => {
    const here = project()
    here.write('.claude/settings.json', stop('true'))
    here.writeHome('.local/state', 'a file')
    const done = await here.hookline(['trust', 'approve', '--yes'])
    expect(done.code).toBe(1)
    expect(done.stderr).toMatch(/holds for this session only: .*a file stands where its folder should be/)
    expect(await here.hookline(['trust', 'status'])).toMatchObject({ code: 1 })
  })

  test('a folder that brings nothing needs no answer', async () => {
    const done = await project().hookline(['trust'])
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain('brings nothing that needs consent')
  })
})

test('hidden characters are shown, and long texts are whole', async () => {
  const here = project()
  const long = `echo ${'x'.repeat(5_000)}end`
  here.write('.claude/settings.json', stop('echo \u001b[2K\u202egnp.\u200b\u00a0a\u{e0041}\r', long))
  const { stdout } = await here.hookline(['trust', 'show'])
  expect(stdout).toContain('    echo <U+001B>[2K<U+202E>gnp.<U+200B><U+00A0>a<U+E0041><U+000D>\n')
  expect(stdout).toContain(`    ${long}\n`)
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/)
})

test('a record that was damaged is set aside, said, and counts as none', async () => {
  const here = project()
  here.write('.claude/settings.json', stop('exit 2'))
  await here.hookline(['trust', 'approve', '--yes'])
  const [name = ''] = recordsOf(here)
  const path = join(here.home, '.local/state/hookline/trust', name)
  writeFileSync(path, Buffer.from([0xff, 0x00, 0x17, 0x80]))
  const done = await here.hookline(['trust', 'status'])
  expect(done.code).toBe(1)
  expect(done.stderr).toMatch(/trust-store-broken[\s\S]*set aside as/)
  expect(recordsOf(here)).toEqual([])
  expect(await here.hookline(['fire', 'Stop'])).toMatchObject({ code: 0 })
  expect(await here.hookline(['trust', 'approve', '--yes'])).toMatchObject({ code: 0 })
})

describe('the lock file', () => {
  const here = project()
  const file = () => readFileSync(join(here.folder, '.hookline/hooks.lock'), 'utf8')
  here.script('.claude/hooks/a.sh', 'true')
  here.write('.claude/settings.json', { hooks: { Stop: [run('.claude/hooks/a.sh')], SessionStart: [run('echo b')] }, permissions: { allow: ['Read'] } })
  here.write('.claude/settings.local.json', stop('echo of this machine only'))

  test('is missing at first, which verify tells', async () => {
    const done = await here.hookline(['trust', 'verify'])
    expect(done).toMatchObject({ code: 1, stderr: '' })
    expect(done.stdout).toContain('there is no lock file')
  })

  test('holds what the repository runs, sorted, and nothing of this machine', async () => {
    const done = await here.hookline(['trust', 'lock'])
    expect(done.stdout).toMatch(/^wrote \.hookline\/hooks\.lock: 2 hooks, 1 script, digest [0-9a-f]{64}\n/)
    const lock = JSON.parse(file()) as Record<string, unknown>
    expect(lock).toEqual({
      version: 1,
      digest: expect.any(String),
      hooks: [
        { when: 'SessionStart', command: 'echo b', file: '.claude/settings.json' },
        { when: 'Stop', command: '.claude/hooks/a.sh', file: '.claude/settings.json' },
      ],
      scripts: { '.claude/hooks/a.sh': expect.stringMatching(/^[0-9a-f]{64}$/) },
      env: [],
      rules: ['allow Read'],
    })
    expect(file()).not.toContain(here.folder)
    expect(await here.hookline(['trust', 'verify'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('stays the same when only blanks and the order of keys change, and is no consent', async () => {
    const before = file()
    here.write(
      '.claude/settings.json',
      JSON.stringify({ permissions: { allow: ['Read'] }, hooks: { SessionStart: [run('echo b')], Stop: [run('.claude/hooks/a.sh')] } }, undefined, 4),
    )
    await here.hookline(['trust', 'lock'])
    expect(file()).toBe(before)
    expect(await here.hookline(['trust', 'status'])).toMatchObject({ code: 1 })
  })

  test('verify names every difference', async () => {
    here.script('.claude/hooks/a.sh', 'echo changed')
    here.write('.claude/settings.json', { hooks: { Stop: [run('.claude/hooks/a.sh')], SessionEnd: [run('echo new')] } })
    const done = await here.hookline(['trust', 'verify'])
    expect(done.code).toBe(1)
    expect(done.stdout).toMatch(/\+ command {2}SessionEnd/)
    expect(done.stdout).toMatch(/~ script {2}\.claude\/hooks\/a\.sh/)
    expect(done.stdout).toMatch(/- command {2}SessionStart/)
    expect(done.stdout).toMatch(/- rule\n {4}allow Read/)
    const document = documentOf(await here.hookline(['trust', 'verify', '--json']))
    expect(document).toMatchObject({ kind: 'trust-verification', ok: false, lock: 'sound' })
    expect((document['differences'] as unknown[]).length).toBe(4)
  })

  test('that was edited by hand, or is none, does not pass', async () => {
    await here.hookline(['trust', 'lock'])
    here.write('.hookline/hooks.lock', file().replace(/"digest": "[0-9a-f]+"/, `"digest": "${'0'.repeat(64)}"`))
    expect((await here.hookline(['trust', 'verify'])).stdout).toContain('somebody edited it by hand')
    here.write('.hookline/hooks.lock', 'x')
    expect(await here.hookline(['trust', 'verify'])).toMatchObject({ code: 1, stdout: expect.stringContaining('this is no lock file') })
  })
})

/** Runs the command in a terminal of its own, types `keys`, and gives what the screen showed. */
function inTerminal(here: Project, keys: string): Promise<{ code: number | null; screen: string }> {
  const env = { PATH: process.env.PATH, HOME: here.home, TERM: 'xterm', NO_COLOR: '1' }
  const child = spawn('/usr/bin/script', ['-qec', `stty cols 100 rows 40; "${process.execPath}" "${bin}" trust`, '/dev/null'], { cwd: here.folder, env })
  let screen = ''
  let typed = false
  child.stdout.on('data', (data: Buffer) => {
    screen += data.toString()
    if (typed || !/Accept all of this\?[\s\S]*No/.test(screen)) return
    typed = true
    child.stdin.write(keys)
  })
  return new Promise((done) => child.on('close', (code) => done({ code, screen })))
}

describe('in a terminal', () => {
  const keys: [string, string, boolean][] = [
    ['Enter alone accepts nothing', '\r', false],
    ['Ctrl-C accepts nothing', '\u0003', false],
    ['n accepts nothing', 'n', false],
    ['y accepts', 'y', true],
  ]
  test.each(keys)('everything is shown before the question, and %s', async (_, typed, accepted) => {
    const here = project()
    here.write('.claude/settings.json', stop('echo shown first'))
    const { code, screen } = await inTerminal(here, typed)
    expect(screen.indexOf('echo shown first')).toBeGreaterThan(-1)
    expect(screen.indexOf('echo shown first')).toBeLessThan(screen.indexOf('Accept all of this?'))
    expect({ code, records: recordsOf(here).length }).toEqual(accepted ? { code: 0, records: 1 } : { code: 1, records: 0 })
  })
})

test('records are for this user alone', async () => {
  const here = project()
  here.write('.claude/settings.json', stop('exit 2'))
  await here.hookline(['trust', 'approve', '--yes'])
  const [name = ''] = recordsOf(here)
  chmodSync(join(here.home, '.local/state/hookline/trust', name), 0o666)
  const done = await here.hookline(['fire', 'Stop'])
  expect(done.code).toBe(0)
  expect(recordsOf(here)).toEqual([])
})
