/** The first line by which a command goes on in the background, run for real. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asyncTimeoutOf } from '../../src/handlers/async-line.ts'
import { type CommandOptions, createCommandHandler } from '../../src/handlers/command.ts'
import type { HandlerRunner, RawResult, RunContext } from '../../src/protocol/runner.ts'
import { createTestHookline, example } from '../../src/testing.ts'
import { newToken, programs, started, survivors, type Token } from '../fixtures/programs.ts'
import { commandHook, makeContext, runHook } from './make-run.ts'

let root: string
let token: Token
let handler: HandlerRunner
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-async-')))
  token = newToken()
  handler = make()
})
afterEach(async () => {
  await handler.close?.()
  expect(survivors(token)).toEqual([])
  rmSync(root, { recursive: true })
})

function make(options: CommandOptions = {}): HandlerRunner {
  return createCommandHandler({ env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value }, ...options })
}

/** What the host was handed. */
interface Taken {
  later: Promise<RawResult>
  cancel(): void
}

/** A call whose host takes runs over. */
function taking(parts: Partial<RunContext> = {}): { context: RunContext; taken: Taken[] } {
  const taken: Taken[] = []
  const context = makeContext({
    projectDir: root,
    cwd: root,
    ...parts,
    defer(later, cancel) {
      taken.push({ later, cancel })
      return { ending: { kind: 'deferred', jobId: 'job-1' } }
    },
  })
  return { context, taken }
}

const deferred = { ending: { kind: 'deferred', jobId: 'job-1' } }

describe('a command that asks for the background in its first line', () => {
  it.each([
    ['alone', `echo '{"async":true}'`, '{"async":true}\n'],
    ['with a deadline', `echo '{"async": true, "asyncTimeout": 5000}'`, '{"async": true, "asyncTimeout": 5000}\n'],
    ['without ending the line', `printf '{"async":true}'`, '{"async":true}'],
    ['after blank lines', `printf '\\n \\n{"async":true}\\r\\n'`, '\n \n{"async":true}\r\n'],
    ['in two pieces', `printf '{"asy'; sleep 0.2; printf 'nc":true}\\n'`, '{"async":true}\n'],
  ])('%s, and goes on, is handed over with all it says', async (_name, line, printed) => {
    const { context, taken } = taking()
    const result = await runHook(handler, commandHook(`${line}; sleep 0.5; echo '{"systemMessage":"done"}'; echo note >&2`), context)
    expect(result).toEqual(deferred)
    expect(taken).toHaveLength(1)
    expect(await taken[0]?.later).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: `${printed}{"systemMessage":"done"}\n`, stderr: 'note\n' })
  })

  // On a busy machine even the end of a shell may take a moment.
  it('and ends right after is a hook that has answered', { retry: 3 }, async () => {
    const { context, taken } = taking()
    const result = await runHook(handler, commandHook(`echo '{"async":true}'; echo '{"systemMessage":"done"}'`), context)
    expect(result).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: '{"async":true}\n{"systemMessage":"done"}\n', stderr: '' })
    expect(taken).toEqual([])
  })

  it('is ended with all it started when the time it asked for is over', async () => {
    const { context, taken } = taking()
    const began = performance.now()
    expect(await runHook(handler, commandHook(`echo '{"async":true,"asyncTimeout":600}'; sleep 3600 & sleep 3600`), context)).toEqual(deferred)
    const handedOver = performance.now() - began
    expect(await taken[0]?.later).toEqual({ ending: { kind: 'timedOut', afterMs: 600 }, stdout: '{"async":true,"asyncTimeout":600}\n', stderr: '' })
    expect(performance.now() - began - handedOver).toBeGreaterThanOrEqual(595)
    expect(survivors(token)).toEqual([])
  })

  it('is measured by that time and no longer by the timeout of the hook', async () => {
    const { context, taken } = taking({ timeoutMs: 1_500 })
    expect(await runHook(handler, commandHook(`echo '{"async":true}'; sleep 2.5; echo done`), context)).toEqual(deferred)
    expect((await taken[0]?.later)?.ending).toEqual({ kind: 'exited', code: 0 })
  })

  it('is ended by its host, and by nobody who only gives up the call', async () => {
    const host = new AbortController()
    const { context, taken } = taking({ signal: host.signal })
    expect(await runHook(handler, commandHook(`echo '{"async":true}'; exec sleep-forever`), context)).toEqual(deferred)
    host.abort()
    await started(token, 1)
    taken[0]?.cancel()
    expect((await taken[0]?.later)?.ending).toEqual({ kind: 'aborted' })
  })

  it('is ended when the handler is closed', async () => {
    const { context, taken } = taking()
    await runHook(handler, commandHook(`echo '{"async":true}'; exec sleep-forever`), context)
    await handler.close?.()
    expect((await taken[0]?.later)?.ending).toEqual({ kind: 'aborted' })
  })

  it('takes no place from hooks that are waited for', async () => {
    handler = make({ limit: 1 })
    const { context } = taking()
    expect(await runHook(handler, commandHook(`echo '{"async":true}'; exec sleep-forever`), context)).toEqual(deferred)
    expect((await runHook(handler, commandHook('exec exit-2'), makeContext())).ending).toEqual({ kind: 'exited', code: 2 })
  })

  it('is told the folder it ran in with its result', async () => {
    const { context, taken } = taking({ cwd: '/no/such folder' })
    await runHook(handler, commandHook(`echo '{"async":true}'; sleep 0.3`), context)
    expect((await taken[0]?.later)?.warnings?.[0]?.code).toBe('working-folder-gone')
  })
})

describe('a command is waited for', () => {
  it.each([
    ['whose first line says something else, too', `echo '{"async":true,"systemMessage":"x"}'; sleep 0.3`],
    ['that asks in its second line', `echo 'text'; echo '{"async":true}'; sleep 0.3`],
    ['that says it is not asynchronous', `echo '{"async":false}'; sleep 0.3`],
    ['that says so in a word', `echo '{"async":"true"}'; sleep 0.3`],
    ['whose first line is long', `printf '{"async":true%300s}\\n' ''; sleep 0.3`],
  ])('%s', async (_name, command) => {
    const { context, taken } = taking()
    expect((await runHook(handler, commandHook(command), context)).ending).toEqual({ kind: 'exited', code: 0 })
    expect(taken).toEqual([])
  })

  it('where nothing can run in the background', async () => {
    expect((await runHook(handler, commandHook(`echo '{"async":true}'; sleep 0.3`), makeContext())).ending).toEqual({ kind: 'exited', code: 0 })
  })

  it.each(['async', 'asyncRewake'] as const)('by the host, when it runs in the background already (%s)', async (flag) => {
    const { context, taken } = taking({ timeoutMs: 20_000 })
    const hook = commandHook(`echo '{"async":true,"asyncTimeout":100}'; sleep 0.4; echo done`, {}, { flags: [flag] })
    expect(await runHook(handler, hook, context)).toMatchObject({ ending: { kind: 'exited', code: 0 }, stdout: expect.stringContaining('done') })
    expect(taken).toEqual([])
  })
})

describe('the time that a first line asks for', () => {
  it.each<[line: string, ms: number | undefined]>([
    ['{"async":true}', 15_000],
    ['{"async":true,"asyncTimeout":2500}', 2_500],
    ['{"async":true,"asyncTimeout":0.2}', 1],
    ['{"async":true,"asyncTimeout":0}', 15_000],
    ['{"async":true,"asyncTimeout":-5}', 15_000],
    ['{"async":true,"asyncTimeout":"9"}', 15_000],
    ['{"async":true,"asyncTimeout":null}', 15_000],
    ['{"async":true,"asyncTimeout":1e300}', 3_600_000],
    ['{"async":true,"asyncTimeout":1e999}', 3_600_000],
    ['{"async":1}', undefined],
    ['{"async":true,"decision":"block"}', undefined],
    ['{"asyncTimeout":5}', undefined],
    ['[true]', undefined],
    ['null', undefined],
    ['{"async":true', undefined],
    ['', undefined],
  ])('%s', (line, ms) => {
    expect(asyncTimeoutOf(line)).toBe(ms)
  })
})

describe('in an engine', () => {
  it('the call goes on at once, and what came later is drained once', async () => {
    await using hookline = await createTestHookline({
      files: { 'tests.sh': `echo '{"async":true}'; sleep 0.5; echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"tests pass"}}'` },
      settings: [{ hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'sh tests.sh' }] }] } }],
    })
    const verdict = await hookline.fire('PostToolUse', example('PostToolUse', {}))
    expect(verdict.hooks).toMatchObject([{ status: 'ran', ending: { kind: 'deferred' } }])
    expect(verdict.toModel).toBe('')
    expect(hookline.background).toHaveLength(1)
    const late = await hookline.settle()
    expect(late.map(({ ending, toModel }) => ({ ending, toModel }))).toEqual([
      { ending: { kind: 'exited', code: 0 }, toModel: expect.stringContaining('tests pass') },
    ])
    expect(hookline.drain()).toEqual([])
  })
})
