/** Module hooks in real workers: what a file may export, what it may do wrong, and what is left of it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createModuleHandler, type ModuleOptions } from '../../src/handlers/module.ts'
import { events } from '../../src/protocol/events.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { createTestHookline, example } from '../../src/testing.ts'
import { allGone, newToken, program, started } from '../fixtures/programs.ts'
import { HookFolder } from '../hook/script.ts'
import { makeContext, makeHook } from './make-run.ts'

let root: string
let handler: HandlerRunner
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline module ')))
  handler = createModuleHandler()
})
afterEach(async () => {
  await handler.close?.()
  rmSync(root, { recursive: true })
})
async function remake(options: ModuleOptions): Promise<void> {
  await handler.close?.()
  handler = createModuleHandler(options)
}

/** A hook of a file with this text. */
function moduleHook(text: string, name = 'hook.mjs', parts: Parameters<typeof makeHook>[0] = {}): RunnableHook {
  writeFileSync(join(root, name), text)
  return makeHook({ ...parts, spec: { type: 'module', path: name } })
}
async function ask(hook: RunnableHook, context: Partial<RunContext> = {}): Promise<RawResult> {
  return await handler.run(hook, makeContext({ projectDir: root, ...context }))
}
const say = (text: string, context: Partial<RunContext> = {}) => ({
  ...context,
  input: { session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: text },
})
const returned = (value?: unknown) => ({ ending: { kind: 'returned' }, ...(value === undefined ? {} : { value }) })
const whyOf = ({ ending }: RawResult) => ('why' in ending ? `${ending.kind}: ${ending.why}` : ending.kind)

describe('a large event', () => {
  it('is handed over in parts, so that nobody waits while it is copied, and arrives whole', async () => {
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    try {
      const hook = moduleHook(`export default ({ prompt }) => ({ message: prompt.length + prompt.slice(-3) })`)
      const texts = ['é'.repeat(3_000_000), 'x'.repeat(1_048_576), 'short']
      const answers = await Promise.all(texts.map((text) => ask(hook, say(`${text}end`))))
      expect(answers).toEqual(texts.map((text) => returned({ message: `${text.length + 3}end` })))
      const lengths = sent.mock.calls.map(([one]) => (one as { part?: Uint8Array; payload?: Uint8Array }).part ?? (one as { payload?: Uint8Array }).payload)
      expect(Math.max(...lengths.map((bytes) => bytes?.length ?? 0))).toBeLessThanOrEqual(1_048_576)
      expect(lengths.filter((bytes) => bytes !== undefined).length).toBeGreaterThan(6)
    } finally {
      sent.mockRestore()
    }
  })

  it('whose hook is ended meanwhile is not handed over to its end, and the next one arrives whole', async () => {
    const hook = moduleHook(`export default ({ prompt }) => ({ message: prompt.length })`)
    await ask(hook, say('warm'))
    const abort = new AbortController()
    const first = ask(hook, { ...say('x'.repeat(20_000_000)), signal: abort.signal })
    setImmediate(() => abort.abort())
    expect(await first).toMatchObject({ ending: { kind: 'aborted' } })
    expect(await ask(hook, say('y'.repeat(2_000_000)))).toEqual(returned({ message: 2_000_000 }))
  })
})

describe('what a module exports', () => {
  const folder = new HookFolder()
  beforeAll(() => folder.compile())
  afterAll(() => folder.remove())
  const defined = (body: string) => `import { defineHook, deny, block } from ${JSON.stringify(pathToFileURL(join(folder.path, 'hook.mjs')).href)}\n${body}`
  const answers = (name: string) => `${name} = (input, context) => ({ message: input.tool_name + ' ' + context.callId })`

  it.each<[name: string, text: string, file?: string]>([
    ['a function as default', `${answers('const it')}; export default it`],
    ['a function called hook', `export ${answers('const hook')}`],
    [
      'what defineHook gives, under any name',
      defined(`export const guard = defineHook('PreToolUse', { matcher: 'Bash' }, (input, context) => ({ message: input.tool_name + ' ' + context.callId }))`),
    ],
    [
      'the one hook for the event, beside hooks for others',
      defined(
        `export const a = defineHook('Stop', () => block('no')); export default defineHook('PreToolUse', (input, context) => ({ message: input.tool_name + ' ' + context.callId }))`,
      ),
    ],
    [
      'a hook twice, which is one',
      defined(`export const a = defineHook('PreToolUse', (input, context) => ({ message: input.tool_name + ' ' + context.callId })); export default a`),
    ],
    ['CommonJS', answers('module.exports'), 'hook.cjs'],
    ['CommonJS with a name', answers('exports.hook'), 'hook.cjs'],
    [
      'a function that answers later',
      `export default async (input, context) => { await new Promise((done) => setTimeout(done, 20)); return { message: input.tool_name + ' ' + context.callId } }`,
    ],
  ])('may be %s', async (_name, text, file) => {
    expect(await ask(moduleHook(text, file))).toEqual(returned({ message: 'Bash c-1' }))
  })

  it.each<[name: string, text: string, why: RegExp]>([
    ['nothing', 'export const limit = 3', /^refused: hook\.mjs exports no hook: export what defineHook gives/],
    [
      'hooks for other events',
      defined(`export default defineHook('Stop', () => {})`),
      /^refused: hook\.mjs answers Stop, but was run for PreToolUse: correct the event/,
    ],
    [
      'two hooks for one event',
      defined(`export const a = defineHook('PreToolUse', () => {}); export const b = defineHook('PreToolUse', () => {})`),
      /^refused: hook\.mjs exports 2 hooks for PreToolUse/,
    ],
    [
      'a mistake in its syntax',
      'export const hook = (',
      /^unspawnable: the module "hook\.mjs" could not be loaded: SyntaxError: Unexpected end of input \("node --check" with this file says where\)$/,
    ],
    ['an import of something that is not there', `import 'no-such-package'`, /^unspawnable: .*Cannot find package 'no-such-package'/],
    ['a throw while it is loaded', `\nthrow new Error('no config')`, /^unspawnable: .*could not be loaded: no config at hook\.mjs:2:7$/],
  ])('when it is %s, is told', async (_name, text, why) => {
    expect(whyOf(await ask(moduleHook(text)))).toMatch(why)
  })

  it('is tried anew for the next event when it could not be loaded', async () => {
    const hook = moduleHook(`import { message } from './part.mjs'\nexport default () => ({ message })`)
    expect(whyOf(await ask(hook))).toMatch(/^unspawnable: .*part\.mjs/)
    writeFileSync(join(root, 'part.mjs'), `export const message = 'whole'`)
    expect(await ask(hook)).toEqual(returned({ message: 'whole' }))
  })

  it.each([
    ['fails closed where the event can', events.PreToolUse, returned({ block: 'hook.mjs failed: no database (at hook.mjs:2:79)' })],
    ['fails as any other where it cannot', events.Stop, { ending: { kind: 'threw', error: 'no database (at hook.mjs:2:73)' } }],
  ])('and says onFailure "block" %s', async (_name, row, result) => {
    const hook = moduleHook(defined(`export default defineHook('${row.name}', { onFailure: 'block' }, () => { throw new Error('no database') })`))
    expect(await ask(hook, { row })).toEqual(result)
  })
})

describe('where a module is', () => {
  const at = async (path: string, parts: Parameters<typeof makeHook>[0] = {}) => await ask(makeHook({ ...parts, spec: { type: 'module', path } }))
  const write = (...parts: string[]) => {
    const file = join(root, ...parts)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, `export default () => ({ message: ${JSON.stringify(parts.join('/'))} })`)
  }

  it('is told from the project, from the home folder, by placeholders or whole', async () => {
    await remake({ env: { HOME: join(root, 'home') } })
    write('hooks', 'a b.mjs')
    write('home', 'b.mjs')
    for (const path of ['hooks/a b.mjs', './hooks/a b.mjs', '${CLAUDE_PROJECT_DIR}/hooks/a b.mjs', join(root, 'hooks/a b.mjs')]) {
      expect(await at(path)).toEqual(returned({ message: 'hooks/a b.mjs' }))
    }
    expect(await at('~/b.mjs')).toEqual(returned({ message: 'home/b.mjs' }))
  })

  it('is told from the plugin for a hook of a plugin', async () => {
    write('plugin', 'c.mjs')
    const variables = { CLAUDE_PLUGIN_ROOT: join(root, 'plugin'), CLAUDE_PLUGIN_OPTION_FILE: 'c.mjs' }
    for (const path of ['c.mjs', '${CLAUDE_PLUGIN_ROOT}/c.mjs', '${user_config.file}']) {
      expect(await at(path, { source: 'plugin', variables })).toEqual(returned({ message: 'plugin/c.mjs' }))
    }
    expect(whyOf(await at('${user_config.other}', { source: 'plugin', variables }))).toMatch(/^refused: .*no value for its option "other"/)
  })

  it('is said with the whole path when there is no such file', async () => {
    expect(whyOf(await at('hooks/none.mjs'))).toBe(`unspawnable: ENOENT: there is no file "${join(root, 'hooks/none.mjs')}"`)
    expect(whyOf(await at('a\0b'))).toMatch(/^refused: .*NUL/)
    expect(whyOf(await at(tmpdir()))).toMatch(/^unspawnable: .*could not be loaded/)
  })
})

describe('a module', () => {
  it('is loaded once for all its hooks and a thousand events', async () => {
    const text = `import { threadId } from 'node:worker_threads'\nlet count = 0\nexport default (input) => ({ message: threadId + ' ' + ++count })`
    const [one, two] = [moduleHook(text), moduleHook(text)]
    const told: unknown[] = []
    for (let count = 0; count < 1000; count++) told.push((await ask(count % 2 === 0 ? one : two)).value)
    const [thread] = String((told[0] as { message: string }).message).split(' ')
    expect(Number(thread)).toBeGreaterThan(0)
    expect(told).toEqual(Array.from({ length: 1000 }, (_, count) => ({ message: `${thread} ${count + 1}` })))
  })

  it('answers events side by side, each with its own answer', async () => {
    const hook = moduleHook(
      `export default async ({ prompt }) => { await new Promise((done) => setTimeout(done, Number(prompt))); return { message: prompt } }`,
    )
    const order: string[] = []
    const one = async (ms: string) => {
      const { value } = await ask(hook, say(ms))
      order.push(ms)
      return value
    }
    expect(await Promise.all(['900', '600', '1', '300'].map(one))).toEqual(['900', '600', '1', '300'].map((message) => ({ message })))
    expect(order).toEqual(['1', '300', '600', '900'])
  })

  it('gets what a process would get, in any script and of any size', async () => {
    const hook = moduleHook(`export default ({ prompt }) => ({ message: prompt.length > 100 ? String(prompt.length) : prompt })`)
    for (const text of ['登録 é 🚀 \u2028 \ud800 "quoted"\n', 'x'.repeat(5_000_000)]) {
      expect((await ask(hook, say(text))).value).toEqual({ message: text.length > 100 ? String(text.length) : text })
    }
  })

  it('is told the ids of the call', async () => {
    const hook = moduleHook(
      `export default (_, c) => ({ message: [c.callId, c.sessionId, c.toolUseId, c.signal.aborted, JSON.stringify(c.locals)].join(' ') })`,
    )
    expect((await ask(hook, { callId: 'c-7', sessionId: 's-7' })).value).toEqual({ message: 'c-7 s-7 toolu_1 false {}' })
  })

  it('has the environment of a hook, without what belongs to one session, and no hand on its host', async () => {
    await remake({ env: { PATH: '/bin', NODE_OPTIONS: '--no-warnings', CLAUDE_CODE_SESSION_ID: 'outer' } })
    const hook = moduleHook(`process.env.HOOKLINE_TEST_MODULE = 'set'\nexport default () => ({ context: JSON.stringify(process.env) })`, 'hook.mjs', {
      env: { COLOUR: 'red' },
    })
    const { HOOKLINE_RUN, ...seen } = JSON.parse(((await ask(hook)).value as { context: string }).context)
    expect(seen).toEqual({
      PATH: '/bin',
      SHLVL: '1',
      COLOUR: 'red',
      CLAUDE_PROJECT_DIR: root,
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_PID: String(process.pid),
      HOOKLINE_TEST_MODULE: 'set',
    })
    expect(process.env['HOOKLINE_TEST_MODULE']).toBeUndefined()
  })

  it('has a worker of its own for each environment', async () => {
    const text = `export default () => ({ message: process.env.COLOUR })`
    const results = await Promise.all(['red', 'blue'].map((COLOUR) => ask(moduleHook(text, 'hook.mjs', { env: { COLOUR } }))))
    expect(results).toEqual([returned({ message: 'red' }), returned({ message: 'blue' })])
  })

  it('that changed is loaded anew; who was asked before still gets an answer', async () => {
    const text = (word: string) =>
      `export default async ({ prompt }) => { if (prompt === 'slow') await new Promise((done) => setTimeout(done, 500)); return { message: '${word}' } }`
    const hook = moduleHook(text('old'))
    const before = new Date('2026-01-01')
    utimesSync(join(root, 'hook.mjs'), before, before)
    expect(await ask(hook)).toEqual(returned({ message: 'old' }))
    const slow = ask(hook, say('slow'))
    moduleHook(text('new'))
    utimesSync(join(root, 'hook.mjs'), before, before)
    expect(await ask(hook)).toEqual(returned({ message: 'new' }))
    expect(await slow).toEqual(returned({ message: 'old' }))
  })

  it('that no event comes for is unloaded after a while', async () => {
    await remake({ idleMs: 200 })
    const hook = moduleHook(`import { threadId } from 'node:worker_threads'\nexport default () => ({ message: String(threadId) })`)
    const first = await ask(hook)
    expect(await ask(hook)).toEqual(first)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await ask(hook)).not.toEqual(first)
  })
})

describe('what a module prints', () => {
  it('is the stderr of the event it was printed for, though events run side by side', async () => {
    const hook = moduleHook(
      `export default async ({ prompt }) => { console.log('one %s', prompt); await new Promise((done) => setTimeout(done, 30)); process.stderr.write('two ' + prompt + '\\n'); process.stdout.write(Buffer.from('drei ä\\n')) }`,
    )
    const results = await Promise.all(['a', 'b'].map((text) => ask(hook, say(text))))
    expect(results).toEqual(['a', 'b'].map((text) => ({ ...returned(), stderr: `one ${text}\ntwo ${text}\ndrei ä\n` })))
  })

  it('while it is loaded, or as a warning, is told, too', async () => {
    const hook = moduleHook(
      `console.log('loading')\nexport default () => { process.emitWarning('careful'); return new Promise((done) => setTimeout(done, 50)) }`,
    )
    expect(await ask(hook)).toEqual({ ...returned(), stderr: 'loading\nWarning: careful\n' })
  })

  it('is shown while it runs for longer than a second', async () => {
    const shown: string[] = []
    const hook = moduleHook(`export default async () => { console.log('early'); await new Promise((done) => setTimeout(done, 1300)); console.log('late') }`)
    await ask(hook, { output: (stream, text) => shown.push(`${stream} ${text}`) })
    expect(shown).toEqual(['stderr early\n', 'stderr late\n'])
  })

  it('is kept when it hangs, even in a loop that never ends', async () => {
    const hook = moduleHook(`export default ({ prompt }) => { if (prompt === 'loop') { console.error('stuck'); for (;;); } }`)
    await ask(hook)
    expect(await ask(hook, say('loop', { timeoutMs: 1_000 }))).toEqual({ ending: { kind: 'timedOut', afterMs: 1_000 }, stderr: 'stuck\n' })
  })

  it('without end ends it, and is kept as far as there is room', async () => {
    const result = await ask(moduleHook(`export default () => { for (;;) console.log('ä'.repeat(1000)) }`))
    expect({ ...result, stderr: Buffer.byteLength(result.stderr ?? '') <= 1_048_579 && (result.stderr ?? '').length > 500_000 }).toEqual({
      ending: { kind: 'overflowed', stream: 'stderr', limit: 1_048_576 },
      stderr: true,
      cut: 'stderr',
    })
  })
})

describe('a module that misbehaves', () => {
  it.each<[name: string, body: string, ending: object]>([
    ['rejects', `return Promise.reject(new TypeError('no'))`, { kind: 'threw', error: expect.stringMatching(/^no \(at hook\.mjs:1:/) }],
    ['throws nothing in particular', 'throw undefined', { kind: 'threw', error: 'undefined' }],
    ['throws what cannot be shown', `throw { toString() { throw 1 } }`, { kind: 'threw', error: 'a value that cannot be shown' }],
    ['answers with what cannot leave the worker', 'return { message: () => {} }', { kind: 'threw', error: expect.stringContaining('could not be cloned') }],
    ['ends its worker', 'process.exit(3)', { kind: 'threw', error: 'the module ended its worker with process.exit(3)' }],
    [
      'throws outside of its hook',
      `setTimeout(() => { throw new Error('late') }); return new Promise(() => {})`,
      { kind: 'threw', error: 'outside of its hook: late' },
    ],
    ['lets a promise reject', `Promise.reject(new Error('lost')); return new Promise(() => {})`, { kind: 'threw', error: 'outside of its hook: lost' }],
    ['answers with more than 1 MiB', `return { context: 'x'.repeat(1_048_577) }`, { kind: 'overflowed', stream: 'body', limit: 1_048_576 }],
    [
      'speaks on the line of its worker',
      `(await import('node:worker_threads')).parentPort.postMessage({ id: 1, kind: 'answered', bytes: 7 }); throw new Error('still heard')`,
      { kind: 'threw', error: expect.anything() },
    ],
  ])('%s', async (_name, body, ending) => {
    const hook = moduleHook(`export default async ({ prompt }) => { if (prompt === 'now') { ${body} } else return { message: 'well' } }`)
    expect(await ask(hook)).toEqual(returned({ message: 'well' }))
    expect((await ask(hook, say('now'))).ending).toEqual(ending)
    expect(await ask(hook)).toEqual(returned({ message: 'well' }))
  })

  it('and uses more memory than it may does not take the host along', async () => {
    await remake({ resourceLimits: { maxOldGenerationSizeMb: 32 } })
    const { ending } = await ask(moduleHook(`export default () => { const all = []; for (;;) all.push(new Array(1e5).fill(0).map(() => ({}))) }`))
    expect(ending).toEqual({ kind: 'threw', error: 'the module used more memory than it may (32 MiB)' })
  })

  it.each([
    ['in a loop that never ends', 'for (;;);'],
    ['asynchronously', 'return new Promise(() => {})'],
    ['while it is loaded', undefined],
  ])('and hangs %s is ended at its deadline, and the host goes on meanwhile', async (_name, body) => {
    let turns = 0
    const turning = setInterval(() => turns++, 5)
    const hook = moduleHook(
      body === undefined ? 'await new Promise((done) => setTimeout(done, 1e9))' : `export default ({ prompt }) => { if (prompt === 'hang') { ${body} } }`,
    )
    expect((await ask(hook, say('hang', { timeoutMs: 600 }))).ending).toEqual({ kind: 'timedOut', afterMs: 600 })
    clearInterval(turning)
    expect(turns).toBeGreaterThan(10)
    if (body !== undefined) expect(await ask(hook)).toEqual(returned())
  })

  it('does not take others of its file along: they are asked anew', async () => {
    const hook = moduleHook(
      `export default async ({ prompt }) => { if (prompt === 'loop') for (;;); await new Promise((done) => setTimeout(done, 100)); return { message: prompt } }`,
    )
    const looping = ask(hook, say('loop', { timeoutMs: 500 }))
    const others = Promise.all([ask(hook, say('a')), ask(hook, say('b'))])
    expect((await looping).ending.kind).toBe('timedOut')
    expect(await others).toEqual([returned({ message: 'a' }), returned({ message: 'b' })])
  })

  it('may take others along once, but not again and again', async () => {
    const hook = moduleHook(`export default async ({ prompt }) => { if (prompt === 'loop') for (;;); return new Promise(() => {}) }`)
    const other = ask(hook, say('', { timeoutMs: 10_000 }))
    for (let count = 0; count < 2; count++) expect((await ask(hook, say('loop', { timeoutMs: 300 }))).ending.kind).toBe('timedOut')
    expect((await other).ending).toEqual({ kind: 'threw', error: expect.stringContaining('ended twice') })
  })

  it('that answers after its deadline is not heard, by this event or the next', async () => {
    const hook = moduleHook(
      `export default async ({ prompt }) => { await new Promise((done) => setTimeout(done, prompt === 'slow' ? 500 : 0)); return { message: prompt } }`,
    )
    expect((await ask(hook, say('slow', { timeoutMs: 250 }))).ending.kind).toBe('timedOut')
    expect(await ask(hook, say('next'))).toEqual(returned({ message: 'next' }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await ask(hook, say('after'))).toEqual(returned({ message: 'after' }))
  })

  it.each(['its deadline', 'closing'] as const)('leaves no process it started, at %s', async (when) => {
    const token = newToken()
    await remake({ env: { [token.name]: token.value } })
    const hook = moduleHook(
      `import { spawn } from 'node:child_process'\nexport default () => { spawn(${JSON.stringify(program('spawns-child'))}, { detached: true, env: { ...process.env, PATH: '/usr/bin:/bin' } }); return new Promise(() => {}) }`,
    )
    const run = ask(hook, when === 'closing' ? {} : { timeoutMs: 5_000 })
    await started(token, 3)
    if (when === 'closing') await handler.close?.()
    expect((await run).ending.kind).toBe(when === 'closing' ? 'aborted' : 'timedOut')
    expect(await allGone(token)).toBe(true)
  })

  it('is ended by closing, which may be done twice, and after which nothing starts', async () => {
    const hook = moduleHook('export default () => { for (;;); }')
    const run = ask(hook)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await handler.close?.()
    expect((await run).ending).toEqual({ kind: 'aborted' })
    await handler.close?.()
    expect((await ask(hook)).ending).toEqual({ kind: 'aborted' })
  })

  it('whose input cannot be written down is an ending, not a throw', async () => {
    const context = makeContext({ projectDir: root })
    Object.defineProperty(context, 'payload', {
      get: () => {
        throw new TypeError('Do not know how to serialize a BigInt')
      },
    })
    expect((await handler.run(moduleHook('export default () => {}'), context)).ending).toEqual({ kind: 'refused', why: expect.stringContaining('BigInt') })
  })
})

describe('a host with modules, bundled into one file', () => {
  it('ends when it has nothing more to do, and has nothing of theirs on its own output', async () => {
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/handlers/module.ts', import.meta.url))],
      outfile: join(root, 'module.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    })
    moduleHook(
      `console.log('loading'); process.emitWarning('careful'); export default () => { console.log('printed'); setInterval(() => {}, 1000); return { message: 'seen' } }`,
    )
    writeFileSync(
      join(root, 'host.cjs'),
      `const run = { row: { name: 'Stop' }, payload: Buffer.from('{}'), input: {}, callId: 'c', sessionId: 's', timeoutMs: 60000, signal: new AbortController().signal, projectDir: ${JSON.stringify(root)} }
       require('./module.cjs').createModuleHandler().run({ info: { source: {} }, spec: { type: 'module', path: 'hook.mjs' } }, run).then((result) => console.log(JSON.stringify(result.value)))`,
    )
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'host.cjs')], { encoding: 'utf8', timeout: 20_000 })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{"message":"seen"}\n', stderr: '' })
  })
})

describe('in an engine', () => {
  it('a module denies like any hook', async () => {
    await using hookline = await createTestHookline({
      files: { 'guard.mjs': `export default ({ tool_input }) => (tool_input.command.startsWith('rm') ? { permission: 'deny', reason: 'no rm' } : undefined)` },
      settings: [{ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'module', path: 'guard.mjs' }] }] } }],
    })
    const fire = (command: string) => hookline.fire('PreToolUse', example('PreToolUse', { tool_name: 'Bash', tool_input: { command } }))
    expect((await fire('rm -rf /')).permission).toMatchObject({ behavior: 'deny', reason: 'no rm' })
    expect((await fire('ls')).permission).toMatchObject({ behavior: 'passthrough' })
  })
})
