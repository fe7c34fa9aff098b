/** Stories of trust.json about races, self-modification, policy, the environment and the store. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadSnapshot } from '../../src/config/load.ts'
import { findPlaces } from '../../src/platform/places.ts'
import { nodePorts } from '../../src/platform/ports.ts'
import { command, type Story } from './trust-stories-consent.ts'
import { person, ranAt, running, type TrustWorld } from './trust-world.ts'

const mark = (name: string) => `touch "$CLAUDE_PROJECT_DIR/${name}"`

/** Loads with a policy folder of the test's own. */
function loadWithPolicy(world: TrustWorld) {
  const root = join(world.root, 'etc')
  const found = findPlaces({ cwd: world.project, env: world.env })
  const managed = [{ path: join(root, 'managed-settings.json'), root, folder: join(root, 'managed-settings.d') }]
  return loadSnapshot({ places: { ...found, managed, policyOwners: [process.getuid?.() ?? 0] } }, nodePorts())
}

export const otherStories: Readonly<Record<string, Story>> = {
  'trust-016': async (world) => {
    const path = world.settings(running({ Stop: 'echo good' }))
    await world.accept()
    const hookline = await world.open()
    const versions = [running({ Stop: 'echo good' }), running({ Stop: mark('evil') })].map((one) => JSON.stringify(one))
    const source =
      "const { writeFileSync, renameSync } = require('node:fs'); const [p, a, b] = process.argv.slice(1); for (let i = 0; ; i++) { writeFileSync(p + '.x', i % 2 ? a : b); renameSync(p + '.x', p); if (i % 32 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1) }"
    const helper = spawn(process.execPath, ['-e', source, path, ...versions], { stdio: 'ignore' })
    let ran = 0
    let left = 0
    for (let at = 0; at < 200; at++) {
      await hookline.reload()
      const now = (await ranAt(hookline, 'Stop')).length
      ran += now
      left += 1 - now
    }
    helper.kill('SIGKILL')
    expect(world.has('project/evil')).toBe(false)
    expect(ran).toBeGreaterThan(0)
    expect(left).toBeGreaterThan(0)
  },
  'trust-018': async (world) => {
    world.settings(running({ Stop: 'echo good' }))
    await world.accept()
    const hookline = await world.open()
    const whole = JSON.stringify(running({ Stop: 'echo good' }, { note: 'x'.repeat(200_000) }))
    const path = join(world.project, '.claude/settings.json')
    writeFileSync(path, '')
    let reported = 0
    for (let at = 0; at < 8; at++) {
      appendFileSync(path, whole.slice((at * whole.length) / 8, ((at + 1) * whole.length) / 8))
      const { diagnostics } = await hookline.reload()
      if (diagnostics.some(({ code }) => code === 'kept-last-good')) reported += 1
      expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    }
    expect(reported).toBeGreaterThan(0)
  },
  'trust-037': async (world) => {
    world.settings(running({ Stop: 'echo old' }))
    await world.accept()
    const { ask, asked } = person('no')
    const hookline = await world.open({ trust: ask })
    world.settings(running({ Stop: ['echo old', mark('marker')] }))
    expect((await hookline.reload()).needTrust).toEqual(['project:Stop:0:1'])
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    expect(asked).toHaveLength(1)
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-039': async (world) => {
    world.settings(running({ Stop: 'echo old' }))
    await world.accept()
    const hookline = await world.open()
    for (const file of ['.claude/settings.local.json', '.hookline/settings.json', '.hookline/settings.local.json'])
      world.settings(running({ Stop: mark('marker') }), `project/${file}`)
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    expect(await ranAt(await world.open(), 'Stop')).toEqual(['project:Stop:0:0'])
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-041': async (world) => {
    const users = 'home/.claude/settings.json'
    const planted = running({ Stop: ['echo own', mark('marker')] })
    world.settings(running({ Stop: 'echo own' }), users)
    world.settings(running({ SessionStart: 'true' }))
    const { ask, asked } = person('once', 'no')
    const hookline = await world.open({ trust: ask })
    await ranAt(hookline, 'SessionStart')
    // Its tools are refused, however they are called.
    const path = join(world.root, users)
    const calls = [
      { name: 'Write', input: { file_path: path, content: JSON.stringify(planted) } },
      { name: 'Bash', input: { command: `cp next.json ${JSON.stringify(path)}` } },
      { name: 'mcp__fs__move_file', input: { source: 'next.json', destination: path } },
    ]
    for (const [at, call] of calls.entries()) expect(await hookline.permit({ ...call, id: `t-${at}` })).toMatchObject({ behavior: 'deny', cause: 'hook' })
    // A program that nobody could read did it all the same.
    world.settings(planted, users)
    expect((await hookline.reload()).needTrust).toEqual(['user:Stop:0:1'])
    expect(await ranAt(hookline, 'Stop')).toEqual(['user:Stop:0:0'])
    expect(asked.at(-1)?.items).toContainEqual(expect.objectContaining({ change: 'added', text: mark('marker'), hook: 'user:Stop:0:1' }))
    expect(asked).toHaveLength(2)
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-044': async (world) => {
    const early = ['home/.local/bin', 'project/bin'].map((folder) => {
      mkdirSync(join(world.root, folder), { recursive: true })
      return join(world.root, folder)
    })
    const env = { ...world.env, PATH: [...early, '', 'tools', world.env.PATH].join(':') }
    world.settings(running({ Stop: `node -e "require('fs').writeFileSync('trusted', '')"` }))
    await world.accept('always', { env })
    const hookline = await world.open({ env })
    // The folder is early on the path, and no tool may put a program of that name there.
    const own = join(early[0] as string, 'node')
    for (const [at, call] of [
      { name: 'Write', input: { file_path: own, content: '#!/bin/sh\n' } },
      { name: 'Bash', input: { command: `cp evil ${JSON.stringify(own)} && chmod +x ${JSON.stringify(own)}` } },
      { name: 'Bash', input: { command: `ln -s "$PWD"/evil ~/.local/bin/node` } },
    ].entries())
      expect(await hookline.permit({ ...call, id: `t-${at}` })).toMatchObject({
        behavior: 'deny',
        reason: expect.stringContaining('the program node of the hook'),
      })
    expect((await hookline.permit({ name: 'Write', input: { file_path: join(early[0] as string, 'other'), content: '' }, id: 'x' })).behavior).toBe(
      'passthrough',
    )
    // What the folder has itself, and what depends on where an event stands, is no place for programs.
    for (const folder of ['project/bin', 'project', 'project/tools']) world.write(`${folder}/node`, `#!/bin/sh\n${mark('marker')}\n`)
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    expect([world.has('project/trusted'), world.has('project/marker')]).toEqual([true, false])
  },
  'trust-042': async (world) => {
    const next = JSON.stringify(running({ Stop: mark('marker') }))
    world.write('project/next.json', next)
    world.settings(running({ Stop: 'cp "$CLAUDE_PROJECT_DIR"/next.json "$CLAUDE_PROJECT_DIR"/.claude/settings.json' }))
    await world.accept()
    const { ask, asked } = person('no')
    const hookline = await world.open({ trust: ask })
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    await hookline.reload()
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(asked[0]?.items).toMatchObject([{ change: 'changed', text: mark('marker') }])
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-046': async (world) => {
    world.settings({ disableAllHooks: true })
    const managed = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: mark('managed') }] }] } }
    expect(await ranAt(await world.open({ managed }), 'PreToolUse')).toEqual(['managed:PreToolUse:0:0'])
    expect(world.has('project/managed')).toBe(true)
  },
  'trust-047': async (world) => {
    chmodSync(world.settings(running({ Stop: 'true' }), 'etc/managed-settings.json'), 0o666)
    await expect(loadWithPolicy(world)).rejects.toMatchObject({
      code: 'policy-unreadable',
      message: expect.stringMatching(/managed-settings\.json cannot be relied on: other users can write it/),
    })
  },
  'trust-049': async (world) => {
    // The administrator may read every file, so what cannot be read is a folder here.
    mkdirSync(join(world.root, 'etc/managed-settings.json'), { recursive: true })
    await expect(loadWithPolicy(world)).rejects.toMatchObject({ code: 'policy-unreadable' })
  },
  'trust-054': async (world) => {
    const names = ['LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'BASH_ENV', 'ENV', 'PYTHONSTARTUP', 'PERL5OPT', 'GIT_SSH_COMMAND', 'PATH']
    const env = Object.fromEntries(names.map((name) => [name, '/evil']))
    world.settings(running({ Stop: 'env > "$CLAUDE_PROJECT_DIR"/seen' }, { env: { ...env, HARMLESS: 'yes' } }))
    const { items } = await world.accept()
    expect(items.filter(({ kind }) => kind === 'env').map(({ text }) => text)).toEqual(['HARMLESS=yes'])
    const hookline = await world.open()
    expect(hookline.diagnostics.filter(({ code }) => code === 'reserved-env')).toHaveLength(names.length)
    await ranAt(hookline, 'Stop')
    expect(world.text('project/seen')).toContain('HARMLESS=yes')
    expect(world.text('project/seen')).not.toContain('/evil')
  },
  'trust-056': async (world) => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(JSON.stringify(request.headers))
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const hook = { type: 'http', url: origin, headers: { 'X-Token': '$TOKEN' }, allowedEnvVars: ['TOKEN'] }
    world.settings({ hooks: { Stop: [{ hooks: [hook] }] } })
    const options = { managed: { allowedHttpOrigins: [origin] } }
    await world.accept('always', options)
    const fired = async (token: string) => {
      const hookline = await world.open({ ...options, env: { ...world.env, TOKEN: token } })
      return (await hookline.fire('Stop', { last_assistant_message: '' })).hooks
    }
    expect(await fired('secret\r\nX-Second: 1')).toMatchObject([{ status: 'ran', ending: { kind: 'refused' } }])
    expect(seen).toEqual([])
    expect(await fired('secret')).toMatchObject([{ status: 'ran', ending: { kind: 'replied', status: 200 } }])
    expect(seen).toHaveLength(1)
    server.close()
  },
  'trust-059': async (world) => {
    world.settings(running({ Stop: mark('marker') }))
    await world.accept()
    const [name = ''] = world.records()
    writeFileSync(join(world.state, 'hookline/trust', name), Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 151) % 256)))
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual([])
    expect(asked).toHaveLength(1)
    expect(world.notices).toMatchObject([{ code: 'trust-store-broken', message: expect.stringContaining('set aside as') }])
    expect(world.records()).toEqual([])
  },
  'trust-061': async (world) => {
    world.settings(running({ Stop: 'echo one' }))
    expect(command(world, ['trust', 'approve', '--yes']).code).toBe(0)
    const old = world.text(`state/hookline/trust/${world.records()[0]}`)
    world.settings(running({ Stop: 'echo two' }))
    // No file may grow: what a full disk does to a new one.
    const done = command(world, ['trust', 'approve', '--yes'], 'ulimit -f 0; ')
    expect(done.code).toBe(1)
    expect(done.stderr).toMatch(/holds for this session only: the record could not be written/)
    expect(world.text(`state/hookline/trust/${world.records()[0]}`)).toBe(old)
    expect(command(world, ['trust', 'approve', '--yes']).code).toBe(0)
  },
}
