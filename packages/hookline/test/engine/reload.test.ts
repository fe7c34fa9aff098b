/** Reloading: what changes, who may refuse, what calls in flight see, and what a broken file cannot do. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Diagnostic, TraceLine } from '../../src/index.ts'
import { createTestHookline, example, type TestHookline, type TestHooklineOptions } from '../../src/testing.ts'
import { turn } from './opened.ts'

const opened: TestHookline[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const file = '.claude/settings.json'
const stops = (...commands: string[]) => JSON.stringify({ hooks: { Stop: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] } })

/** A Hookline whose project settings are `text`, and a way to write them anew. */
async function open(text: string, options: TestHooklineOptions = {}): Promise<{ h: TestHookline; rewrite: (next: string) => void }> {
  const h = await createTestHookline({ ...options, files: { [file]: text, ...options.files } })
  opened.push(h)
  return { h, rewrite: (next) => writeFileSync(join(h.cwd, file), next) }
}

test('the hooks in force are replaced as a whole, and what changed is said', async () => {
  const { h, rewrite } = await open(stops('true 1', 'true 2'))
  rewrite(stops('true 1', 'exit 2'))
  const reload = await h.reload()
  expect(reload).toMatchObject({ applied: true, added: ['project:Stop:0:1'], removed: ['project:Stop:0:1'], needTrust: [] })
  expect(reload).not.toHaveProperty('vetoedBy')
  expect((await h.fire('Stop', {})).blocked).toBe(true)
})

test('nothing changed is nothing changed', async () => {
  const { h } = await open(stops('true 1'))
  expect(await h.reload()).toMatchObject({ applied: true, added: [], removed: [] })
})

test('a Hookline without files has nothing to reload, and hooks in code stay', async () => {
  const { h, rewrite } = await open(stops('true 1'))
  h.on('Stop', () => ({ context: 'from code' }))
  rewrite('{}')
  await h.reload()
  expect((await h.fire('Stop', {})).context).toHaveLength(1)
  expect(h.list().map((hook) => hook.id)).toEqual(['code:Stop:0:0'])
})

describe('a hook of the change', () => {
  const guarded = (event: object) => JSON.stringify({ hooks: { ConfigChange: [event], Stop: [{ hooks: [{ type: 'command', command: 'true 1' }] }] } })
  const refusing = guarded({ hooks: [{ type: 'command', command: 'cat > change.json; exit 2' }] })

  test('of the settings in force may refuse it: the old ones stay', async () => {
    const { h, rewrite } = await open(refusing)
    rewrite(stops('exit 2'))
    expect(await h.reload()).toMatchObject({ applied: false, vetoedBy: 'project:ConfigChange:0:0' })
    expect((await h.fire('Stop', {})).blocked).toBe(false)
    expect(h.list().map((hook) => hook.event)).toEqual(['ConfigChange', 'Stop'])
  })

  test('in code may refuse it too, and sees which kind of file changed', async () => {
    const { h, rewrite } = await open(stops('true 1'))
    const seen: unknown[] = []
    h.on('ConfigChange', { matcher: 'project_settings' }, (input) => {
      seen.push(input.source, input.file_path)
      return { block: 'not now' }
    })
    rewrite(stops('exit 2'))
    expect(await h.reload()).toMatchObject({ applied: false, vetoedBy: 'code:ConfigChange:0:0' })
    expect(seen).toEqual(['project_settings', join(h.cwd, file)])
  })

  test('is not asked when nothing changed', async () => {
    const { h } = await open(stops('true 1'))
    let asked = 0
    h.on('ConfigChange', () => void asked++)
    await h.reload()
    expect(asked).toBe(0)
  })

  test('cannot refuse what policy changes', async () => {
    const { h } = await open(stops('true 1'))
    h.on('ConfigChange', () => ({ block: 'never' }))
    const verdict = await h.fire('ConfigChange', { source: 'policy_settings' })
    expect(verdict).toMatchObject({ blocked: false, warnings: [{ code: 'block-ignored' }] })
    expect((await h.fire('ConfigChange', { source: 'user_settings' })).blocked).toBe(true)
  })
})

describe('calls in flight', () => {
  test('finish on the settings they began with, the next sees the new ones', async () => {
    const { h, rewrite } = await open(stops('sleep 0.3; exit 2'))
    const old = h.fire('Stop', {})
    await turn()
    rewrite(stops('true 1'))
    await h.reload()
    expect((await h.fire('Stop', {})).blocked).toBe(false)
    expect((await old).blocked).toBe(true)
  })

  test('reloads that overlap happen one after the other', async () => {
    const { h, rewrite } = await open(stops('true 1'))
    const running: string[] = []
    h.on('ConfigChange', async () => {
      running.push('in')
      await new Promise((done) => setTimeout(done, 20))
      running.push('out')
    })
    rewrite(stops('true 2'))
    const first = h.reload()
    const second = first.then(() => undefined)
    rewrite(stops('true 3'))
    await Promise.all([first, second, h.reload()])
    expect(running.slice(0, 2)).toEqual(['in', 'out'])
    expect(h.list({ event: 'Stop' })).toHaveLength(1)
  })
})

describe('a file that does not parse', () => {
  test('keeps its last good state, says so, and is read again when it is whole', async () => {
    const notices: Diagnostic[] = []
    const { h, rewrite } = await open(stops('exit 2'), { onNotice: (notice) => notices.push(notice) })
    rewrite('{ "hooks": { "Stop": [')
    const { diagnostics } = await h.reload()
    expect(diagnostics.map((one) => one.code)).toContain('kept-last-good')
    expect(notices.map((one) => one.code)).toContain('kept-last-good')
    expect((await h.fire('Stop', {})).blocked).toBe(true)
    rewrite(stops('true 1'))
    await h.reload()
    expect(h.diagnostics).toEqual([])
    expect((await h.fire('Stop', {})).blocked).toBe(false)
  })

  test('that is gone is no settings any more', async () => {
    const { h } = await open(stops('exit 2'))
    rmSync(join(h.cwd, file))
    expect(await h.reload()).toMatchObject({ applied: true, removed: ['project:Stop:0:0'] })
    expect(h.has('Stop')).toBe(false)
  })
})

test('hooks that are new to a folder that was not answered for are named, and do not run', async () => {
  const { h, rewrite } = await open(stops('true 1'), { trust: 'pinned' })
  rewrite(stops('exit 2'))
  expect(await h.reload()).toMatchObject({ applied: true, needTrust: ['project:Stop:0:0'] })
  expect((await h.fire('Stop', {})).hooks).toMatchObject([{ skipped: { why: 'untrusted' } }])
})

test('the trace tells of a reload', async () => {
  const { h, rewrite } = await open(stops('true 1'))
  const lines: TraceLine[] = []
  h.trace.subscribe((line) => lines.push(line))
  rewrite(stops('true 2'))
  const reload = await h.reload()
  expect(lines.find((line) => line.kind === 'reloaded')).toMatchObject({ reload })
})

test('with watch, a change is picked up without being asked', async () => {
  const { h, rewrite } = await open(stops('true 1'), { watch: true })
  rewrite(stops('exit 2'))
  await expect.poll(async () => (await h.fire('Stop', {})).blocked, { timeout: 20_000, interval: 100 }).toBe(true)
})

test('a spent once stays spent over a reload, and a changed hook is another hook', async () => {
  const once = (command: string) => JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command, once: true }] }] } })
  const { h, rewrite } = await open(once('echo a'))
  const texts = async () => (await h.fire('SessionStart', example('SessionStart'))).context.map((one) => one.text.trim())
  expect([await texts(), await texts()]).toEqual([['a'], []])
  rewrite(`${once('echo a')}\n`)
  await h.reload()
  expect(await texts()).toEqual([])
  rewrite(once('echo b'))
  await h.reload()
  expect(await texts()).toEqual(['b'])
})
