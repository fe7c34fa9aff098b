/** Bash with real processes: output, failures, the folder it follows, time-outs, aborts and background commands. */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bash } from '../../src/tools/bash.ts'
import { isSilent } from '../../src/tools/shell-script.ts'
import { openBench } from './bench.ts'

const quiet = { stderr: '', interrupted: false, isImage: false, noOutputExpected: false }

describe('a command in front', () => {
  it.each([
    ['gives its output without the last line break', 'echo main', { ...quiet, stdout: 'main' }, 'main'],
    ['keeps what stands inside the output', "printf '\\n\\n a\\n\\nb \\n\\n'", { ...quiet, stdout: ' a\n\nb' }, ' a\n\nb'],
    ['says when there is no output', 'true', { ...quiet, stdout: '', noOutputExpected: true }, '(Bash completed with no output)'],
    ['gives the error stream beside the output', 'echo out; echo err >&2', { ...quiet, stdout: 'out', stderr: 'err' }, 'out\nerr'],
    ['has no input', 'cat; echo end', { ...quiet, stdout: 'end' }, 'end'],
    ['reads bytes that are not UTF-8 as replacement characters', "printf 'a\\377b'", { ...quiet, stdout: 'a\uFFFDb' }, 'a\uFFFDb'],
    ['takes quotes and several lines as they are', 'x="it\'s"\necho "$x" \'a "b" $c\'', { ...quiet, stdout: 'it\'s a "b" $c' }, 'it\'s a "b" $c'],
    [
      'knows that a search without hits is no failure',
      'echo a | grep b',
      { ...quiet, stdout: '', returnCodeInterpretation: 'No matches found' },
      'No matches found',
    ],
  ])('%s', async (_title, command, response, text) => {
    const bench = await openBench()
    expect(await bench.run(bash, { command })).toEqual({ response, text })
  })

  it.each([
    ['with its code and both outputs', 'echo out; echo err >&2; exit 3', 'Exit code 3\nout\nerr'],
    ['with its code alone when it said nothing', 'exit 4', 'Exit code 4'],
    ['with 128 and the number of the signal that ended it', 'kill -9 $$', 'Exit code 137'],
    ['with the shell’s words for a mistake in its syntax', 'echo "a', expect.stringMatching(/^Exit code \d+\n.*(unexpected|unterminated)/is)],
    ['with the shell’s words for a program that is not there', 'nosuchprogram-x', expect.stringMatching(/^Exit code 127\n.*nosuchprogram-x/s)],
  ])('fails %s', async (_title, command, message) => {
    const bench = await openBench()
    expect(await bench.fails(bash, { command })).toEqual(message)
  })

  it('that is too long for the system is a failure of the tool', async () => {
    const bench = await openBench()
    expect(await bench.fails(bash, { command: `echo ${'x'.repeat(300_000)}` })).toContain('E2BIG')
  })

  it('cuts long output in the middle and says where the whole of it is', async () => {
    const bench = await openBench({ env: { BASH_MAX_OUTPUT_LENGTH: '1000' } })
    const { text, response } = await bench.run(bash, { command: 'seq 1 5000' })
    expect(text.length).toBeLessThan(1300)
    expect(text).toMatch(/^1\n2\n[\s\S]*characters left out[\s\S]*\n5000$/)
    const file = (response as { persistedOutputPath: string }).persistedOutputPath
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(5000)
    expect((await stat(file)).mode & 0o077).toBe(0)
  })

  it('does not wait for children that hold its output open', async () => {
    const bench = await openBench()
    const began = Date.now()
    expect((await bench.run(bash, { command: 'sleep 30 & echo started; kill_later=$!; (sleep 5; kill $kill_later) >/dev/null 2>&1 &' })).text).toBe('started')
    expect(Date.now() - began).toBeLessThan(20_000)
  })

  it('reports its last line while it runs', async () => {
    const bench = await openBench()
    await bench.run(bash, { command: 'echo working; sleep 1.5' })
    expect(bench.progress).toContain('working')
  })
})

describe('the current folder', () => {
  it('is followed from call to call, and the change is told before the command’s end', async () => {
    const bench = await openBench()
    await bench.put("sub/it's/x", '')
    await bench.run(bash, { command: 'cd "sub/it\'s"' })
    expect((await bench.run(bash, { command: 'pwd' })).text).toBe(bench.path("sub/it's"))
    expect(bench.moves).toEqual([[bench.root, bench.path("sub/it's")]])
    expect(bench.workspace.cwd).toBe(bench.path("sub/it's"))
  })

  it.each([
    ['also by a command that fails', 'cd sub; exit 3', true],
    ['not by a subshell', '(cd sub)', false],
    ['not by a command that does not move', 'cd sub; cd ..', false],
  ])('is followed %s', async (_title, command, moved) => {
    const bench = await openBench()
    await bench.put('sub/x', '')
    await bench.run(bash, { command }).catch(() => undefined)
    expect(bench.workspace.cwd).toBe(moved ? bench.path('sub') : bench.root)
  })

  it('goes back to the start when it was removed', async () => {
    const bench = await openBench()
    await bench.put('sub/x', '')
    await bench.run(bash, { command: 'cd sub' })
    await bench.run(bash, { command: `rm -r ${bench.path('sub')}` })
    expect((await bench.run(bash, { command: 'pwd' })).text).toBe(bench.root)
  })
})

describe('the environment', () => {
  it('holds what hooks exported for this session', async () => {
    const bench = await openBench()
    const file = await bench.put('env.sh', "export FROM_HOOK='a b'\n")
    Object.assign(bench.workspace, { scope: new Proxy(bench.engine, { get: (target, key) => (key === 'envFile' ? file : Reflect.get(target, key)) }) })
    expect((await bench.run(bash, { command: 'echo "$FROM_HOOK $CLAUDECODE"' })).text).toBe('a b 1')
  })

  it('starts anew with each call', async () => {
    const bench = await openBench()
    await bench.run(bash, { command: 'export A=1' })
    expect((await bench.run(bash, { command: 'echo "[$A]"' })).text).toBe('[]')
  })
})

describe('an end from outside', () => {
  it('by the time-out ends the whole tree and keeps what was said', async () => {
    const bench = await openBench()
    const message = await bench.fails(bash, { command: 'echo begun; (trap "" TERM; echo $BASHPID > pid; sleep 60) & wait', timeout: 400 })
    expect(message).toBe('Exit code 143\nCommand timed out after 400ms\nbegun')
    const pid = Number(await readFile(bench.path('pid'), 'utf8'))
    for (let left = 100; left > 0 && isAlive(pid); left--) await sleep(50)
    expect(isAlive(pid)).toBe(false)
  })

  it('by an abort rejects with the reason of the signal and leaves nothing running', async () => {
    const bench = await openBench()
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 300)
    await expect(bench.run(bash, { command: 'echo $$ > pid; sleep 60; touch late' }, { signal: stop.signal })).rejects.toThrow('enough')
    const pid = Number(await readFile(bench.path('pid'), 'utf8'))
    for (let left = 100; left > 0 && isAlive(pid); left--) await sleep(50)
    expect([isAlive(pid), existsSync(bench.path('late'))]).toEqual([false, false])
  })

  it('before its start runs nothing', async () => {
    const bench = await openBench()
    await expect(bench.run(bash, { command: 'touch ran' }, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(existsSync(bench.path('ran'))).toBe(false)
  })
})

describe('a command in the background', () => {
  it('is in the list while it runs, and its output is in its file', async () => {
    const bench = await openBench()
    const { response, text } = await bench.run(bash, { command: 'echo one; sleep 0.3; echo two >&2', run_in_background: true, description: 'counts' })
    const [task] = bench.background
    expect(task).toMatchObject({ kind: 'shell', status: 'running', description: 'counts', command: 'echo one; sleep 0.3; echo two >&2' })
    expect(response).toMatchObject({ stdout: '', backgroundTaskId: task!.id })
    expect(text).toBe(`Command running in background with ID: ${task!.id}. Output is being written to: ${task!.outputFile}`)
    await task!.done
    expect([task!.status, task!.exitCode, await readFile(task!.outputFile!, 'utf8')]).toEqual(['completed', 0, 'one\ntwo\n'])
  })

  it.each([
    ['that fails', 'exit 5', false, 'failed', 5],
    ['that is stopped', 'sleep 60', true, 'killed', 143],
  ])('%s says so', async (_title, command, stopped, status, code) => {
    const bench = await openBench()
    await bench.run(bash, { command, run_in_background: true })
    const [task] = bench.background
    if (stopped) task!.stop()
    await task!.done
    expect([task!.status, task!.exitCode]).toEqual([status, code])
  })

  it('is refused where nobody keeps a list', async () => {
    const bench = await openBench({ services: { background: undefined as never } })
    expect(await bench.fails(bash, { command: 'sleep 60', run_in_background: true })).toContain('without run_in_background')
  })
})

it.each([
  ['cd sub', true],
  ['touch t.txt', true],
  ['mkdir a && cd a', true],
  ['echo one > one.txt', false],
  ['cd a; ls', false],
  ['', false],
])('of %s no output is expected: %s', (command, expected) => {
  expect(isSilent(command)).toBe(expected)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
