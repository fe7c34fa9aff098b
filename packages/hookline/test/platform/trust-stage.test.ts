/** Scripts of accepted hooks: what was compared is what runs, whoever writes the file meanwhile, and a script still finds its neighbours. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { HookReport } from '../../src/index.ts'
import type { Hookline } from '../../src/node.ts'
import { person, ranAt, running, TrustWorld } from '../cases/trust-world.ts'

const script = (...lines: string[]) => `#!/bin/sh\n${lines.join('\n')}\n`
const helpers: ChildProcess[] = []
afterAll(() => {
  for (const helper of helpers) helper.kill('SIGKILL')
})

async function stop(hookline: Hookline, more: object = {}): Promise<HookReport[]> {
  return [...(await hookline.fire('Stop', { last_assistant_message: '', ...more } as never)).hooks]
}
const stdoutOf = ([hook]: readonly HookReport[]) => (hook?.status === 'ran' ? hook.stdout : undefined)
const whyOf = ([hook]: readonly HookReport[]) => (hook?.status === 'ran' && hook.ending.kind === 'refused' ? hook.ending.why : undefined)

describe('a script that a hook names', () => {
  const forms: [string, object | string][] = [
    ['relative', '.claude/hooks/a.sh'],
    ['by the project folder', '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh'],
    ['through a shell', 'sh "${CLAUDE_PROJECT_DIR}/.claude/hooks/a.sh"'],
    ['after a change of folder', 'cd "$CLAUDE_PROJECT_DIR"/.claude && hooks/a.sh'],
    ['in another shell', 'bash -c \'"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh\''],
    ['through git', '"$(echo "$CLAUDE_PROJECT_DIR")/.claude/hooks/a.sh"'],
    ['as a program', { command: '${CLAUDE_PROJECT_DIR}/.claude/hooks/a.sh', args: [] }],
    ['as an argument', { command: 'sh', args: ['.claude/hooks/a.sh'] }],
  ]
  test.each(forms)('%s: runs while it is as it was accepted, and is refused when it changed', async (_, form) => {
    const world = new TrustWorld()
    world.write('project/.claude/hooks/a.sh', script('echo good'))
    world.settings({ hooks: { Stop: [{ hooks: [{ type: 'command', ...(typeof form === 'string' ? { command: form } : form) }] }] } })
    const { items } = await world.accept()
    expect(items.filter(({ kind }) => kind === 'script')).toMatchObject([{ text: script('echo good'), file: '.claude/hooks/a.sh' }])
    const hookline = await world.open()
    expect(stdoutOf(await stop(hookline))).toBe('good\n')
    expect(stdoutOf(await stop(hookline))).toBe('good\n')
    world.write('project/.claude/hooks/a.sh', script('echo evil'))
    expect(whyOf(await stop(hookline))).toMatch(/a\.sh changed since it was accepted/)
    await hookline.reload()
    expect(hookline.list()).toMatchObject([{ trust: 'changed' }])
    expect(hookline.trust.pending[0]?.items.find(({ kind }) => kind === 'script')).toMatchObject({
      change: 'changed',
      before: script('echo good'),
      text: script('echo evil'),
    })
    world.write('project/.claude/hooks/a.sh', script('echo good'))
    await hookline.reload()
    expect(stdoutOf(await stop(hookline))).toBe('good\n')
  })

  test('that was not there when it was accepted does not run when it appears, nor one that is gone', async () => {
    const world = new TrustWorld()
    world.settings(running({ Stop: './a.sh' }))
    await world.accept()
    const hookline = await world.open()
    world.write('project/a.sh', script('touch evil'))
    expect(whyOf(await stop(hookline))).toMatch(/was not there when the hook was accepted/)
    expect(world.has('project/evil')).toBe(false)
    await world.accept()
    const second = await world.open()
    world.remove('project/a.sh')
    expect(whyOf(await stop(second))).toMatch(/was accepted and is gone/)
  })

  test('that means another file where the event stands is refused', async () => {
    const world = new TrustWorld()
    world.write('project/a.sh', script('echo good'))
    world.write('project/vendor/a.sh', script('echo evil'))
    world.settings(running({ Stop: './a.sh' }))
    await world.accept()
    const hookline = await world.open()
    expect(whyOf(await stop(hookline, { cwd: join(world.project, 'vendor') }))).toMatch(/another file where this event stands/)
    symlinkSync(world.project, join(world.root, 'link'))
    expect(stdoutOf(await stop(hookline, { cwd: join(world.root, 'link') }))).toBe('good\n')
  })

  test('is asked about again as soon as a run found it changed', async () => {
    const world = new TrustWorld()
    world.write('project/a.sh', script('echo good'))
    world.settings(running({ Stop: './a.sh' }))
    const { ask, asked } = person('once', 'once')
    const hookline = await world.open({ trust: ask })
    expect(stdoutOf(await stop(hookline))).toBe('good\n')
    world.write('project/a.sh', script('echo better'))
    expect(whyOf(await stop(hookline))).toMatch(/changed/)
    while (hookline.trust.pending.length === 0) await new Promise((done) => setTimeout(done, 10))
    expect(stdoutOf(await stop(hookline))).toBe('better\n')
    expect(asked).toHaveLength(2)
  })

  test('needs no execute bit to count, and a data file is none', async () => {
    const world = new TrustWorld()
    world.write('project/notes.txt', 'one')
    world.write('project/tool', script('true'))
    world.settings(running({ Stop: 'cat notes.txt; touch marker; : tool' }))
    const { items } = await world.accept()
    expect(items.filter(({ kind }) => kind === 'script').map(({ file }) => file)).toEqual(['tool'])
    const hookline = await world.open()
    expect(stdoutOf(await stop(hookline))).toBe('one')
    world.write('project/notes.txt', 'two')
    await hookline.reload()
    expect(stdoutOf(await stop(hookline))).toBe('two')
    chmodSync(join(world.project, 'marker'), 0o755)
    await hookline.reload()
    expect(hookline.list()).toMatchObject([{ trust: 'changed' }])
  })
})

describe('a copy', () => {
  test('finds what stands beside the original, above it, and in the project', async () => {
    const world = new TrustWorld()
    world.write('project/.claude/hooks/lib.sh', 'word=neighbour\n')
    world.write('project/.claude/hooks/deep/x.txt', 'deep\n')
    world.write('project/src/main.txt', 'main\n')
    world.write(
      'project/.claude/hooks/a.sh',
      script(
        'here=$(cd "$(dirname "$0")" && pwd)',
        '. "$here/lib.sh"',
        'echo $word',
        'cat "$here/deep/x.txt" "$(dirname "$0")/../../src/main.txt"',
        'basename "$0"; pwd',
      ),
    )
    world.settings(running({ Stop: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh' }))
    await world.accept()
    expect(stdoutOf(await stop(await world.open()))).toBe(`neighbour\ndeep\nmain\na.sh\n${world.project}\n`)
  })

  test('of a JavaScript hook finds its imports', async () => {
    const world = new TrustWorld()
    world.write('project/package.json', { type: 'module' })
    world.write('project/.claude/hooks/part.js', 'export const word = "imported"\n')
    world.write('project/.claude/hooks/a.js', 'import { word } from "./part.js"\nconsole.log(word)\n')
    world.settings(running({ Stop: `${process.execPath} .claude/hooks/a.js` }))
    await world.accept()
    expect(stdoutOf(await stop(await world.open()))).toBe('imported\n')
  })

  test('leaves what it makes beside itself where people look for it', async () => {
    const world = new TrustWorld()
    world.write('project/.claude/hooks/count', '1\n')
    world.write(
      'project/.claude/hooks/a.sh',
      script(
        'cd "$(dirname "$0")"',
        'echo line >> hook.log',
        'mkdir -p made && echo in > made/x',
        'echo 2 > count.new && mv count.new count',
        'cat hook.log | wc -l',
      ),
    )
    world.settings(running({ Stop: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh' }))
    await world.accept()
    const hookline = await world.open()
    await stop(hookline)
    expect(world.text('project/.claude/hooks/hook.log')).toBe('line\n')
    expect(world.text('project/.claude/hooks/made/x')).toBe('in\n')
    expect(world.text('project/.claude/hooks/count')).toBe('2\n')
    expect(Number(stdoutOf(await stop(hookline)))).toBe(2)
    await hookline.close()
    expect(Number(stdoutOf(await stop(await world.open())))).toBe(3)
    expect(world.text('project/.claude/hooks/a.sh')).toContain('hook.log')
  })

  test('goes with the Hookline', async () => {
    const world = new TrustWorld()
    world.write('project/a.sh', script('echo good'))
    world.settings(running({ Stop: './a.sh' }))
    await world.accept()
    const hookline = await world.open()
    const folder = join(world.state, 'hookline/trust-run')
    await stop(hookline)
    expect(readdirSync(folder)).toHaveLength(1)
    await hookline.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is made anew when somebody touched it', async () => {
    const world = new TrustWorld()
    world.write('project/a.sh', script('chmod u+w "$0"; echo "echo evil" >> "$0"; echo good'))
    world.settings(running({ Stop: './a.sh' }))
    await world.accept()
    const hookline = await world.open()
    expect(stdoutOf(await stop(hookline))).toContain('good\n')
    // The script changed its own copy; that copy never runs again.
    expect(stdoutOf(await stop(hookline))).toBe(stdoutOf(await stop(hookline)))
    expect(world.text('project/a.sh')).not.toContain('\necho evil')
  })
})

/** Swaps two versions as fast as it can: by renaming and by writing in place, in turns. */
function startSwapping(world: TrustWorld, path: string, versions: readonly [string, string]): ChildProcess {
  const source = `
    const { writeFileSync, renameSync } = require('node:fs')
    const [path, a, b] = process.argv.slice(1)
    for (let at = 0; ; at++) {
      const text = at % 2 ? a : b
      if (at % 4 < 2) writeFileSync(path, text)
      else { writeFileSync(path + '.new', text, { mode: 0o755 }); renameSync(path + '.new', path) }
      if (at % 64 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }`
  const helper = spawn(process.execPath, ['-e', source, join(world.root, path), ...versions], { stdio: 'ignore' })
  helpers.push(helper)
  return helper
}

test('1,000 events while the script is swapped: never once the other version', async () => {
  const world = new TrustWorld()
  const [good, evil] = [script('echo g >> "$CLAUDE_PROJECT_DIR"/good'), script('echo e >> "$CLAUDE_PROJECT_DIR"/evil')]
  world.write('project/a.sh', good)
  world.settings(running({ Stop: './a.sh' }))
  await world.accept()
  const hookline = await world.open()
  const helper = startSwapping(world, 'project/a.sh', [good, evil])
  const counts = { ran: 0, refused: 0, skipped: 0 }
  for (let at = 0; at < 1_000; at++) {
    const [hook] = await stop(hookline)
    if (hook?.status === 'skipped') {
      counts.skipped += 1
      await hookline.reload()
    } else if (hook?.ending.kind === 'refused') counts.refused += 1
    else counts.ran += 1
  }
  helper.kill('SIGKILL')
  expect(world.has('project/evil')).toBe(false)
  expect(counts.ran + counts.refused + counts.skipped).toBe(1_000)
  // Otherwise nothing was put to the test.
  expect(counts.ran).toBeGreaterThan(0)
  expect(counts.refused + counts.skipped).toBeGreaterThan(0)
  console.log(`1,000 events: ${counts.ran} ran what was accepted, ${counts.refused} refused, ${counts.skipped} left out, 0 ran anything else`)
}, 300_000)

test('1,000 events while the settings are swapped and loaded anew: never once the other version', async () => {
  const world = new TrustWorld()
  const [good, evil] = [running({ Stop: 'echo g' }), running({ Stop: 'touch "$CLAUDE_PROJECT_DIR"/evil' })].map((one) => JSON.stringify(one)) as [
    string,
    string,
  ]
  const path = 'project/.claude/settings.json'
  world.write(path, good)
  await world.accept()
  const hookline = await world.open()
  const helper = startSwapping(world, path, [good, evil])
  let ran = 0
  for (let at = 0; at < 1_000; at++) {
    if (at % 4 === 0) await hookline.reload()
    ran += (await ranAt(hookline, 'Stop')).length
  }
  helper.kill('SIGKILL')
  expect(world.has('project/evil')).toBe(false)
  expect(ran).toBeGreaterThan(0)
}, 300_000)

test('a folder in place of a script, a pipe, and a script of many neighbours hold nothing up', async () => {
  const world = new TrustWorld()
  world.write('project/many/a.sh', script('echo good'))
  for (let at = 0; at < 2_100; at++) world.write(`project/many/n${at}`, '')
  world.write('project/folder.sh/x', '')
  world.settings(running({ Stop: ['./many/a.sh', './folder.sh'] }))
  await world.accept()
  const hookline = await world.open()
  const hooks = await stop(hookline)
  expect(stdoutOf(hooks)).toBe('good\n')
  expect(hooks[1]).toMatchObject({ status: 'ran', ending: { kind: 'exited' } })
  renameSync(join(world.project, 'many/a.sh'), join(world.project, 'many/b.sh'))
  expect(whyOf(await stop(hookline))).toMatch(/is gone/)
  expect(existsSync(join(world.project, 'many/a.sh'))).toBe(false)
})
