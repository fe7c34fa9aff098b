/** runTool: the permit, the tool with the rewritten input, and the event of its end. */
import { afterEach, describe, expect, test } from 'vitest'
import { createEngine, type EngineOptions, type Hookline } from '../../src/index.ts'

const open: Hookline[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
function engine(options: EngineOptions = {}): Hookline {
  const made = createEngine({ cwd: '/project', ...options })
  open.push(made)
  return made
}
const call = { name: 'Bash', input: { command: 'ls' }, id: 'toolu_1' }
const output = { stdout: 'a.txt', stderr: '', interrupted: false }

describe('a call that may run', () => {
  test('runs with the rewritten input; PostToolUse sees it with the output and the time', async () => {
    const seen: object[] = []
    const h = engine({ hooks: { PreToolUse: [() => ({ updatedInput: { command: 'ls -a' } })], PostToolUse: [(input) => void seen.push(input)] } })
    const given: unknown[] = []
    const run = await h.runTool(call, (input, { signal }) => {
      given.push(input, signal.aborted)
      return output
    })
    expect(run).toMatchObject({ kind: 'ran', output, permit: { behavior: 'passthrough' } })
    expect(given).toEqual([{ command: 'ls -a' }, false])
    expect(seen).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'ls -a' }, tool_response: output, tool_use_id: 'toolu_1', duration_ms: expect.any(Number) },
    ])
  })

  test('hands over the output that a hook rewrote, null included', async () => {
    const rewritten = { stdout: '***', stderr: '', interrupted: false }
    const h = engine({ hooks: { PostToolUse: [() => ({ updatedOutput: rewritten })] } })
    expect(await h.runTool(call, () => output)).toMatchObject({ kind: 'ran', output: rewritten })
    const empty = engine({ hooks: { PostToolUse: [() => ({ updatedOutput: null })] } })
    expect(await empty.runTool({ ...call, name: 'mcp__a__b' }, () => output)).toMatchObject({ kind: 'ran', output: null })
  })

  test('keeps the original when the rewrite is no output of that tool', async () => {
    const h = engine({ hooks: { PostToolUse: [() => ({ updatedOutput: 'text' })] } })
    expect(await h.runTool(call, () => output)).toMatchObject({ kind: 'ran', output })
  })

  test('gives the model what both events say, in order', async () => {
    const h = engine({ hooks: { PreToolUse: [() => ({ context: 'before' })], PostToolUse: [() => ({ block: 'after' })] } })
    const { toModel } = await h.runTool(call, () => output)
    expect(toModel.split('\n')).toEqual([expect.stringContaining('before'), expect.stringContaining('after')])
  })

  test('ends the turn when a hook after it says so, the earlier stop first', async () => {
    const h = engine({ hooks: { PostToolUse: [() => ({ stop: 'seen enough' })] } })
    expect(await h.runTool(call, () => output)).toMatchObject({ kind: 'ran', stop: { reason: 'seen enough' } })
  })

  test('that gives nothing back is a response of null', async () => {
    const seen: unknown[] = []
    const h = engine({ hooks: { PostToolUse: [(input) => void seen.push(input.tool_response)] } })
    expect(await h.runTool(call, () => undefined)).toMatchObject({ kind: 'ran', output: undefined })
    expect(seen).toEqual([null])
  })

  test('runs from a permit that the host got earlier, without asking again', async () => {
    let fired = 0
    const h = engine()
    h.on('PreToolUse', () => void fired++)
    const permit = await h.permit(call)
    expect(await h.runTool(permit, () => output)).toMatchObject({ kind: 'ran', permit })
    expect(fired).toBe(1)
  })
})

describe('a tool that fails', () => {
  test('fires PostToolUseFailure, and the error is handed back', async () => {
    const seen: object[] = []
    const h = engine({
      hooks: {
        PostToolUseFailure: [
          (input) => {
            seen.push(input)
            return { context: 'try make clean' }
          },
        ],
        PostToolUse: [() => ({ context: 'never' })],
      },
    })
    const error = new Error('Exit code 2')
    const run = await h.runTool(call, () => Promise.reject(error))
    expect(run).toMatchObject({ kind: 'failed', error, toModel: expect.stringContaining('try make clean') })
    expect(seen).toMatchObject([{ error: 'Exit code 2', tool_use_id: 'toolu_1' }])
    expect(seen[0]).toMatchObject({ is_interrupt: false })
  })

  test('because the host aborted is said to be interrupted, and its hooks still run', async () => {
    const seen: object[] = []
    const h = engine({ hooks: { PostToolUseFailure: [(input) => void seen.push(input)] } })
    const abort = new AbortController()
    const run = await h.runTool(
      call,
      (_, { signal }) => {
        abort.abort(new Error('Esc'))
        signal.throwIfAborted()
      },
      { signal: abort.signal },
    )
    expect(run).toMatchObject({ kind: 'failed', error: { message: 'Esc' } })
    expect(seen).toMatchObject([{ is_interrupt: true }])
  })
})

describe('a call that may not run', () => {
  const held: [kind: string, answer: object, more: object][] = [
    ['refused', { permission: 'deny', reason: 'no' }, { toModel: expect.stringContaining('no') }],
    ['refused', { stop: 'enough' }, { stop: { reason: 'enough' } }],
    ['refused', { permission: 'ask', reason: 'sure?' }, { permit: { cause: 'nobody-to-ask' } }],
    ['deferred', { permission: 'defer' }, { permit: { call } }],
  ]
  test.each(held)('is %s after %o, and the tool is not called', async (kind, answer, more) => {
    let ran = 0
    const h = engine({ hooks: { PreToolUse: [() => answer as never], PostToolUse: [() => void ran++] } })
    expect(await h.runTool(call, () => void ran++)).toMatchObject({ kind, ...more })
    expect(ran).toBe(0)
  })

  test('is refused while its question is open', async () => {
    const h = engine({ hooks: { PreToolUse: [() => ({ permission: 'ask' })] } })
    const permit = await h.permit(call, { ask: 'return' })
    expect(await h.runTool(permit, () => output)).toMatchObject({ kind: 'refused' })
    expect(await h.runTool(await permit.answer({ behavior: 'allow' }), () => output)).toMatchObject({ kind: 'ran' })
  })
})

test('calls of one turn run side by side', async () => {
  const h = engine()
  let running = 0
  let most = 0
  const slow = async () => {
    most = Math.max(most, ++running)
    await new Promise((done) => setTimeout(done, 10))
    running--
  }
  await Promise.all(['a', 'b', 'c'].map((id) => h.runTool({ ...call, id }, slow)))
  expect(most).toBe(3)
})

test('an output that cannot be written as JSON is no failure of the tool when only code looks at it', async () => {
  const seen: unknown[] = []
  const h = engine({ hooks: { PostToolUse: [(input) => void seen.push(input.tool_response)] } })
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  expect(await h.runTool({ ...call, name: 'Own' }, () => cyclic)).toMatchObject({ kind: 'ran' })
  expect(seen).toEqual([cyclic])
})
