/** A hook defined once: as a script, as a persistent script, imported, and in process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineHook, deny } from '../../src/hook.ts'
import { event, HookFolder } from './script.ts'

const folder = new HookFolder()
beforeAll(() => folder.compile())
afterAll(() => folder.remove())

const rm = event('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm -rf /' }, tool_use_id: 'toolu_1' })
const ls = event('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_2' })
const guard = `export const hook = defineHook('PreToolUse', { matcher: 'Bash' }, (input) => input.tool_input.command.startsWith('rm') ? deny('no rm here') : undefined)`
const denial = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no rm here' } }

describe('as a command', () => {
  test('an answer is printed as one wire object', async () => {
    const { code, stdout, stderr } = await folder.run(folder.write('guard.mjs', guard), rm)
    expect({ code, answer: JSON.parse(stdout), stderr }).toEqual({ code: 0, answer: denial, stderr: '' })
  })

  test('no opinion prints nothing', async () => {
    expect(await folder.run(folder.write('silent.mjs', guard), ls)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('an empty answer prints nothing', async () => {
    expect(await folder.run(folder.write('empty.mjs', `defineHook('Stop', () => ({}))`), event('Stop'))).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('a wire object goes out as it is', async () => {
    const wire = { decision: 'block', reason: 'not yet', suppressOutput: true }
    const { code, stdout } = await folder.run(folder.write('wire.mjs', `defineHook('Stop', async () => (${JSON.stringify(wire)}))`), event('Stop'))
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: wire })
  })

  test('a block leaves in print and as exit code 2 with its reason on stderr', async () => {
    const { code, stdout, stderr } = await folder.run(folder.write('block.mjs', `defineHook('Stop', () => block('tests fail'))`), event('Stop'))
    expect({ code, answer: JSON.parse(stdout), stderr }).toEqual({ code: 2, answer: { decision: 'block', reason: 'tests fail' }, stderr: 'tests fail\n' })
  })

  test('on an event that reads no JSON a block is the exit code alone', async () => {
    const script = folder.write('remove.mjs', `defineHook('WorktreeRemove', () => block('still in use'))`)
    expect(await folder.run(script, event('WorktreeRemove', { worktree_path: '/w' }))).toEqual({ code: 2, stdout: '', stderr: 'still in use\n' })
  })

  test('the callback sees the input, the ids and a signal', async () => {
    const script = folder.write(
      'sees.mjs',
      `defineHook('PreToolUse', (input, c) => ({ context: JSON.stringify([input.tool_name, c.sessionId, c.toolUseId, typeof c.callId, c.signal.aborted, c.locals]) }))`,
    )
    const answer = JSON.parse((await folder.run(script, ls)).stdout)
    expect(JSON.parse(answer.hookSpecificOutput.additionalContext)).toEqual(['Bash', 's-1', 'toolu_2', 'string', false, {}])
  })

  test('the hook of the event runs when a file defines hooks for several', async () => {
    const script = folder.write('two.mjs', `${guard}\ndefineHook('Stop', () => ({ message: 'bye' }))`)
    expect(JSON.parse((await folder.run(script, event('Stop'))).stdout)).toEqual({ systemMessage: 'bye' })
    expect(JSON.parse((await folder.run(script, rm)).stdout)).toEqual(denial)
  })

  test('a script reached over a symbolic link, or named without its extension, answers', async () => {
    const script = folder.write('linked.mjs', guard)
    symlinkSync(script, join(folder.path, 'link.mjs'))
    expect(JSON.parse((await folder.run(join(folder.path, 'link.mjs'), rm)).stdout)).toEqual(denial)
    folder.write('plain.js', guard)
    expect(JSON.parse((await folder.run(join(folder.path, 'plain'), rm)).stdout)).toEqual(denial)
  })

  test('text outside ASCII comes and goes whole', async () => {
    const script = folder.write('unicode.mjs', `defineHook('UserPromptSubmit', (input) => context(input.prompt))`)
    const answer = JSON.parse((await folder.run(script, event('UserPromptSubmit', { prompt: '登録 é 🚀'.repeat(20_000) }))).stdout)
    expect(answer.hookSpecificOutput.additionalContext).toBe('登録 é 🚀'.repeat(20_000))
  })

  test('what else is printed goes to stderr, so that a denial stays an answer', async () => {
    const body = `console.log('at start')\ndefineHook('PreToolUse', () => { console.log('debug'); process.stdout.write('raw '); return deny('no rm here') })`
    const { code, stdout, stderr } = await folder.run(folder.write('chatty.mjs', body), rm)
    expect({ code, answer: JSON.parse(stdout.replace('at start\n', '')), stderr }).toEqual({ code: 0, answer: denial, stderr: 'debug\nraw ' })
  })

  test('an answer larger than a pipe holds arrives whole', async () => {
    const script = folder.write('large.mjs', `defineHook('UserPromptSubmit', () => context('x'.repeat(900_000)))`)
    expect(JSON.parse((await folder.run(script, event('UserPromptSubmit', { prompt: 'p' }))).stdout).hookSpecificOutput.additionalContext).toHaveLength(900_000)
  })

  test('a standard input that does not wait is read to its end', async () => {
    const script = folder.write('guard.mjs', guard)
    const server = createServer((socket) => {
      setTimeout(() => socket.write(rm.slice(0, 40)), 50)
      setTimeout(() => socket.end(rm.slice(40)), 100)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const child = spawn('sh', ['-c', `exec "${process.execPath}" "${script}" <&3`], { stdio: ['ignore', 'pipe', 'inherit', socket] })
    socket.unref()
    let stdout = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    await once(child, 'close')
    socket.destroy()
    server.close()
    expect(JSON.parse(stdout)).toEqual(denial)
  })

  test('on SIGTERM the signal fires, so that the hook can put things in order', async () => {
    const script = folder.write(
      'slow.mjs',
      `defineHook('Stop', (_, { signal }) => new Promise((done) => { const idle = setInterval(() => {}, 1000); console.error('ready'); signal.addEventListener('abort', () => { clearInterval(idle); done({ message: signal.reason.name }) }) }))`,
    )
    const child = spawn(process.execPath, [script], { cwd: folder.path })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stdin.end(event('Stop'))
    await new Promise((ready) => child.stderr.once('data', ready))
    child.kill('SIGTERM')
    await new Promise((closed) => child.once('close', closed))
    expect(JSON.parse(stdout)).toEqual({ systemMessage: 'AbortError' })
  })
})

describe('a failing command', () => {
  const failures: [name: string, body: (options: string) => string, stdin: string, says: RegExp][] = [
    [
      'a callback that throws',
      (options) => `defineHook('Stop', ${options}, () => {\n  throw new Error('no database')\n})`,
      event('Stop'),
      /^fails\.mjs failed at fails\.mjs:3:9: no database\n$/,
    ],
    [
      'a callback that rejects',
      (options) => `defineHook('Stop', ${options}, async () => { throw new Error('no database') })`,
      event('Stop'),
      /fails\.mjs:2:\d+: no database/,
    ],
    [
      'a throw outside the callback',
      (options) => `defineHook('Stop', ${options}, () => new Promise(() => setTimeout(() => { throw new Error('late') }, 5)))`,
      event('Stop'),
      /failed at .*: late/,
    ],
    ['a promise that never settles', (options) => `defineHook('Stop', ${options}, () => new Promise(() => {}))`, event('Stop'), /ended without an answer/],
    ['an answer that is no object', (options) => `defineHook('Stop', ${options}, () => 'block')`, event('Stop'), /answered with a string: return an object/],
    ['an answer that is a list', (options) => `defineHook('Stop', ${options}, () => [1])`, event('Stop'), /answered with a list/],
    [
      'an answer that cannot be written',
      (options) => `defineHook('Stop', ${options}, () => { const it = {}; it.message = it; return it })`,
      event('Stop'),
      /circular/,
    ],
    [
      'another event',
      (options) => `defineHook('Stop', ${options}, () => {})`,
      event('SessionEnd'),
      /answers Stop, but was run for SessionEnd: correct the event in the settings file/,
    ],
    [
      'two hooks for one event',
      (options) => `defineHook('Stop', ${options}, () => {}); defineHook('Stop', ${options}, () => {})`,
      event('Stop'),
      /defines 2 hooks for Stop/,
    ],
    ['an unknown event', (options) => `defineHook('Stopp', ${options}, () => ({ message: 'x' }))`, event('Stopp'), /Stopp, which is no event/],
    ['no input', (options) => `defineHook('Stop', ${options}, () => {})`, '', /got no event on stdin/],
    ['input that is not JSON', (options) => `defineHook('Stop', ${options}, () => {})`, '{"hook', /that is not JSON/],
    ['input that is no event', (options) => `defineHook('Stop', ${options}, () => {})`, '[]', /no hook_event_name/],
  ]
  test.each(failures)('%s is a message on stderr and exit code 1, or 2 when it must block', async (_, body, stdin, says) => {
    const open = await folder.run(folder.write('fails.mjs', body('{}')), stdin)
    expect(open).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(says) })
    const closed = await folder.run(folder.write('fails.mjs', body(`{ onFailure: 'block' }`)), stdin)
    expect(closed).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(says) })
  })

  test('its message is one line, without a stack', async () => {
    const { stderr } = await folder.run(folder.write('fails.mjs', `defineHook('Stop', () => { throw new Error('no') })`), event('Stop'))
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('as a persistent command', () => {
  const persistent = { HOOKLINE_PERSISTENT: '1' }

  test('every line is answered with a line, in order, and the end of input ends it', async () => {
    const script = folder.write(
      'warm.mjs',
      `let count = 0\nsetInterval(() => {}, 1000)\ndefineHook('PreToolUse', async (input) => { const at = ++count; await new Promise((done) => setTimeout(done, at === 1 ? 30 : 0)); return { context: at + ' ' + input.tool_input.command } })`,
    )
    const { code, stdout } = await folder.run(script, `${rm}\n${ls}\n\n${rm}`, persistent)
    const said = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).hookSpecificOutput.additionalContext)
    expect({ code, said }).toEqual({ code: 0, said: ['1 rm -rf /', '2 ls', '3 rm -rf /'] })
  })

  test('no opinion is an empty object, so that the host is not left waiting', async () => {
    expect((await folder.run(folder.write('warm.mjs', guard), `${ls}\n${rm}\n`, persistent)).stdout).toBe(`{}\n${JSON.stringify(denial)}\n`)
  })

  test('a failure ends the process: it is never taken for silence', async () => {
    const script = folder.write(
      'warm.mjs',
      `defineHook('PreToolUse', { onFailure: 'block' }, (input) => { if (input.tool_input.command === 'ls') throw new Error('broken') })`,
    )
    const { code, stdout, stderr } = await folder.run(script, `${rm}\n${ls}\n${rm}\n`, persistent)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '{}\n' })
    expect(stderr).toContain('broken')
  })

  test('what else is printed is no answer', async () => {
    const script = folder.write('warm.mjs', `defineHook('PreToolUse', () => { console.log('debug'); return deny('no rm here') })`)
    expect(await folder.run(script, `${rm}\n${rm}\n`, persistent)).toEqual({
      code: 0,
      stdout: `${JSON.stringify(denial)}\n`.repeat(2),
      stderr: 'debug\ndebug\n',
    })
  })

  test('a block that no line can say ends the process with code 2', async () => {
    const script = folder.write('warm.mjs', `defineHook('WorktreeRemove', () => block('still in use'))`)
    expect(await folder.run(script, `${event('WorktreeRemove', { worktree_path: '/w' })}\n`, persistent)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'still in use\n',
    })
  })
})

describe('imported', () => {
  test('it does nothing but hand over the hook', async () => {
    const hookFile = folder.write('imported.mjs', guard)
    const script = folder.write(
      'importer.mjs',
      `const { hook } = await import(${JSON.stringify(pathToFileURL(hookFile).href)})\nconsole.log(JSON.stringify([hook.event, hook.options, typeof hook.callback]))`,
    )
    expect(await folder.run(script, rm)).toEqual({ code: 0, stdout: '["PreToolUse",{"matcher":"Bash"},"function"]\n', stderr: '' })
  })

  test('a worker that imports it gets the hook, and its stdin stays untouched', async () => {
    const hookFile = folder.write('imported.mjs', guard)
    const script = folder.write(
      'parent.mjs',
      `import { Worker } from 'node:worker_threads'
new Worker('import(${JSON.stringify(pathToFileURL(hookFile).href)}).then(({ hook }) => require("node:worker_threads").parentPort.postMessage(hook.callback({ tool_input: { command: "rm x" } })))', { eval: true }).once('message', (said) => console.log(JSON.stringify(said)))`,
    )
    expect((await folder.run(script, '')).stdout).toBe('{"permission":"deny","reason":"no rm here"}\n')
  })

  test('the hook is frozen, and options may be left out', () => {
    const hook = defineHook('Stop', () => undefined)
    expect(hook).toEqual({ event: 'Stop', options: {}, callback: expect.any(Function) })
    expect(Object.isFrozen(hook)).toBe(true)
  })

  test('a hook without a function is refused where it is defined', () => {
    // @ts-expect-error an object is no callback
    expect(() => defineHook('Stop', {}, {})).toThrow('defineHook: the hook must be a function, not object.')
  })

  test('the callback sees the input that its matcher narrows', () => {
    const hook = defineHook('PreToolUse', { matcher: 'Bash', onFailure: 'block' }, (input) => (input.tool_input.command === '' ? deny('empty') : undefined))
    expect(hook.options).toEqual({ matcher: 'Bash', onFailure: 'block' })
  })
})

test('importing the door loads neither the event table nor anything outside the protocol', () => {
  const loaded = folder.loadedAtOnce
  expect(loaded).toContain('src/hook.ts')
  expect(loaded).not.toContain('src/protocol/events.ts')
  expect(loaded.filter((file) => file !== 'src/hook.ts' && !file.startsWith('src/protocol/'))).toEqual([])
})
