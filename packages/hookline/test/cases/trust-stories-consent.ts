/** Stories of trust.json about the question: what runs before it, what it shows, what a yes covers, and what changes it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bin } from '../cli/start.ts'
import { person, ranAt, running, type TrustWorld } from './trust-world.ts'

/** One story, played in a world of its own. */
export type Story = (world: TrustWorld) => Promise<void>

const mark = (name: string) => `touch "$CLAUDE_PROJECT_DIR/${name}"`

/** A server that counts who calls. */
async function sink(): Promise<{ origin: string; calls: () => number; close: () => void }> {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.end('{}')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls, close: () => server.close() }
}

/** Runs the built command in the project of a world. */
export function command(world: TrustWorld, args: readonly string[], prefix = ''): { code: number | null; stdout: string; stderr: string } {
  const words = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ')
  const done = spawnSync('sh', ['-c', `${prefix}${words}`], { cwd: world.project, env: world.env, encoding: 'utf8' })
  return { code: done.status, stdout: done.stdout, stderr: done.stderr }
}

export const consentStories: Readonly<Record<string, Story>> = {
  'trust-001': async (world) => {
    const server = await sink()
    world.settings({ allowedHttpOrigins: [server.origin] }, 'home/.claude/settings.json')
    world.settings({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: mark('marker') }] }],
        PreToolUse: [{ hooks: [{ type: 'http', url: `${server.origin}/x` }] }],
      },
    })
    let asked = 0
    const hookline = await world.open({
      trust: () => {
        asked += 1
        return new Promise(() => undefined)
      },
    })
    const waiting = [ranAt(hookline, 'SessionStart'), ranAt(hookline, 'PreToolUse')].map((one) => one.catch((error: { code: string }) => error.code))
    await new Promise((done) => setTimeout(done, 1_000))
    expect({ asked, marker: world.has('project/marker'), network: server.calls() }).toEqual({ asked: 1, marker: false, network: 0 })
    await hookline.close()
    expect(await Promise.all(waiting)).toEqual(['closed', 'closed'])
    expect(world.has('project/marker')).toBe(false)
    server.close()
  },
  'trust-003': async (world) => {
    world.settings(running({ SessionStart: mark('marker') }))
    const { ask } = person('always')
    expect(await ranAt(await world.open({ trust: ask }), 'SessionStart')).toEqual(['project:SessionStart:0:0'])
    expect(world.has('project/marker')).toBe(true)
    expect(world.records()).toHaveLength(1)
    const record = JSON.parse(world.text(`state/hookline/trust/${world.records()[0]}`)) as Record<string, unknown>
    expect(record).toMatchObject({
      folder: { path: world.project, device: expect.any(String), inode: expect.any(String) },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  },
  'trust-004': async (world) => {
    const long = `echo ${'y'.repeat(20_000)}`
    world.settings({
      env: { TEAM: 'a', LEVEL: 'b' },
      permissions: { allow: ['Read', 'Bash(npm test)', 'WebFetch(domain:example.com)'] },
      hooks: {
        PreToolUse: [
          {
            hooks: [
              { type: 'command', command: long },
              { type: 'command', command: 'echo two' },
              { type: 'http', url: 'https://example.com/hook' },
            ],
          },
        ],
        Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done? $ARGUMENTS' }] }],
      },
    })
    const hookline = await world.open({ trust: 'ask' })
    const items = hookline.trust.pending[0]?.items ?? []
    const texts = (kind: string) => items.filter((item) => item.kind === kind).map(({ text }) => text)
    expect(texts('command')).toEqual([long, 'echo two'])
    expect(texts('url')).toEqual(['https://example.com/hook'])
    expect(texts('prompt')).toEqual(['Is it done? $ARGUMENTS'])
    expect(texts('rule')).toHaveLength(3)
    expect(texts('env')).toEqual(['TEAM=a', 'LEVEL=b'])
    expect(await ranAt(hookline, 'PreToolUse')).toEqual([])
  },
  'trust-006': async (world) => {
    world.settings({ disableAllHooks: true }, 'home/.claude/settings.json')
    world.settings(running({ Stop: mark('marker') }, { disableAllHooks: false }))
    await world.accept()
    const hookline = await world.open()
    expect(await ranAt(hookline, 'Stop')).toEqual([])
    expect(hookline.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'warning', message: expect.stringContaining('disableAllHooks: false has no effect') }),
    )
  },
  'trust-007': async (world) => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: world.project, env: world.env, stdio: 'ignore' })
    git('init')
    world.write('project/monitor.sh', `#!/bin/sh\ntouch '${join(world.root, 'marker')}'\n`)
    git('config', 'core.fsmonitor', './monitor.sh')
    world.settings(running({ Stop: 'true' }))
    const hookline = await world.open({ trust: 'ask' })
    expect(hookline.trust.pending[0]?.folder).toBe(world.project)
    await ranAt(hookline, 'Stop')
    hookline.list()
    await hookline.reload()
    expect(command(world, ['trust']).code).toBe(1)
    expect(world.has('marker')).toBe(false)
    // The trap is a real one.
    git('status')
    expect(world.has('marker')).toBe(true)
  },
  'trust-009': async (world) => {
    world.settings(running({ Stop: 'echo one' }))
    await world.accept()
    world.settings(running({ Stop: mark('marker') }))
    const { ask, asked } = person('no')
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toEqual([])
    expect(asked[0]?.items).toMatchObject([{ change: 'changed', before: 'echo one', text: mark('marker') }])
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-011': async (world) => {
    const hook = { type: 'command', command: 'echo one', timeout: 5 }
    world.settings({ permissions: { deny: ['Read(x)'] }, hooks: { Stop: [{ hooks: [hook] }] } })
    await world.accept()
    world.write(
      'project/.claude/settings.json',
      '{\n\n "hooks":   {"Stop":[ {"hooks":[{"timeout":5,"command":"echo one","type":"command"}]} ]},\t"permissions":{"deny":["Read(x)"]}}\n',
    )
    const { ask, asked } = person()
    expect(await ranAt(await world.open({ trust: ask }), 'Stop')).toHaveLength(1)
    expect(asked).toEqual([])
  },
  'trust-012': async (world) => {
    world.settings(running({ Stop: 'echo one' }))
    await world.accept()
    world.settings(running({ Stop: 'echo one', PreToolUse: mark('marker') }))
    const { ask, asked } = person('no')
    const hookline = await world.open({ trust: ask })
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
    expect(asked).toEqual([])
    expect(await ranAt(hookline, 'PreToolUse')).toEqual([])
    expect(asked[0]?.items.filter(({ change }) => change === 'added')).toMatchObject([{ text: mark('marker') }])
    expect(await ranAt(hookline, 'Stop')).toEqual(['project:Stop:0:0'])
  },
  'trust-014': async (world) => {
    world.settings(running({ Stop: 'echo one' }))
    await world.accept()
    world.settings(running({ Stop: 'echo one' }, { permissions: { deny: ['Bash(rm *)'] } }))
    const { ask, asked } = person()
    const hookline = await world.open({ trust: ask })
    expect(await hookline.permit({ name: 'Bash', input: { command: 'rm x' }, id: '1' })).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(await ranAt(hookline, 'Stop')).toHaveLength(1)
    expect(asked).toEqual([])
  },
  'trust-034': async (world) => {
    world.settings(running({ Stop: 'exit 2' }))
    const digest = (JSON.parse(command(world, ['trust', 'status', '--json']).stdout) as { digest: string }).digest
    expect(command(world, ['fire', 'Stop', `--trust=${digest}`]).code).toBe(2)
    world.settings(running({ Stop: mark('marker') }))
    expect(command(world, ['fire', 'Stop', `--trust=${digest}`]).code).toBe(0)
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-036': async (world) => {
    const names = {
      HOOKLINE_TRUST: 'implicit',
      HOOKLINE_TRUSTED: '1',
      CLAUDE_CODE_TRUST_WORKSPACE: '1',
      XDG_STATE_HOME: join(world.project, 'state'),
      HOME: world.project,
    }
    world.settings(running({ Stop: mark('marker') }, { env: names }))
    await world.accept()
    world.settings(running({ Stop: `${mark('marker')} # new` }, { env: names }))
    world.write(
      'project/.env',
      Object.entries(names)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    expect(await ranAt(await world.open(), 'Stop')).toEqual([])
    expect(command(world, ['fire', 'Stop']).code).toBe(0)
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-057': async (world) => {
    world.settings(running({ Stop: 'echo \u001b[2K\u202edaolnwod\u200b\u2066' }))
    const { stdout } = command(world, ['trust'])
    expect(stdout).toContain('echo <U+001B>[2K<U+202E>daolnwod<U+200B><U+2066>')
    // A program gets the text itself, to show it its own way.
    expect((await world.open()).trust.pending[0]?.items[0]?.text).toContain('\u202e')
  },
}
