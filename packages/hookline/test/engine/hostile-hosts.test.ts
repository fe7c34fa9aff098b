/** Host code that misbehaves never opens a gate, never hangs an event and never ends the process. */
import { describe, expect, test } from 'vitest'
import { createEngine, type Diagnostic } from '../../src/index.ts'

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }
const never = () => new Promise<never>(() => {})

describe('a person who answers with something else than allow', () => {
  test.each([false, true, 0, 'deny', {}, [], { behavior: 'DENY' }, { behavior: 'Allow' }, { decision: 'deny' }, { behavior: 'allow', updatedInput: 5 }])(
    '%j lets no tool run',
    async (answer) => {
      const engine = createEngine({ permissions: { ask: (() => answer) as never } })
      engine.on('PreToolUse', () => ({ permission: 'ask' }))
      const run = await engine
        .runTool({ name: 'Bash', input: { command: 'x' }, id: '1' }, () => 'ran')
        .catch((error: unknown) => ({ kind: `threw ${String(error)}` }))
      expect(run.kind).not.toBe('ran')
    },
  )
})

describe('an input that is changed after the rules looked', () => {
  test('by a hook, later: the tool gets what was judged', async () => {
    const engine = createEngine({ permissions: { rules: { deny: ['Bash(rm *)'] } } })
    engine.on('PreToolUse', (input) => {
      setImmediate(() => {
        ;(input.tool_input as { command: string }).command = 'rm -rf /'
      })
    })
    const run = await engine.runTool({ name: 'Bash', input: { command: 'ls' }, id: '1' }, async (input: { command: string }) => {
      await new Promise((done) => setTimeout(done, 20))
      return input.command
    })
    expect(run).toMatchObject({ kind: 'ran', output: 'ls' })
  })

  test('by the host, between two questions with one id: it is judged anew', async () => {
    const engine = createEngine({ permissions: { rules: { deny: ['Bash(rm *)'] } } })
    const input = { command: 'ls' }
    expect((await engine.permit({ name: 'Bash', input, id: '1' })).behavior).not.toBe('deny')
    input.command = 'rm -rf /'
    expect((await engine.permit({ name: 'Bash', input, id: '1' })).behavior).toBe('deny')
  })
})

describe('middleware', () => {
  test('that never settles ends with the abort, and with the close', async () => {
    const engine = createEngine()
    engine.use('PreToolUse', never)
    await expect(engine.fire('PreToolUse', call, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' })
    const pending = engine.fire('PreToolUse', call)
    pending.catch(() => undefined)
    await engine.close()
    await expect(pending).rejects.toMatchObject({ code: 'closed' })
  })

  test('that hands back something like a verdict is a denial', async () => {
    const engine = createEngine()
    engine.use('PreToolUse', async (one, next) => new Proxy(await next(one), {}))
    expect(await engine.fire('PreToolUse', call)).toMatchObject({ blocked: true })
  })
})

describe('listeners that reject', () => {
  test('are told once and never end the process', async () => {
    const rejected: unknown[] = []
    const note = (reason: unknown) => rejected.push(reason)
    process.on('unhandledRejection', note)
    const notices: Diagnostic[] = []
    const engine = createEngine({
      onNotice: (async (notice: Diagnostic) => {
        notices.push(notice)
        throw new Error('no')
      }) as never,
    })
    engine.trace.subscribe((async () => {
      throw new Error('no')
    }) as never)
    engine.on(
      'PreToolUse',
      {
        onSuccess: (async () => {
          throw new Error('no')
        }) as never,
      },
      () => {},
    )
    await engine.fire('PreToolUse', call)
    await new Promise((done) => setTimeout(done, 20))
    await engine.fire('PreToolUse', call)
    await new Promise((done) => setTimeout(done, 20))
    process.off('unhandledRejection', note)
    expect(rejected).toEqual([])
    expect(notices.filter(({ code }) => code === 'trace-listener-threw')).toHaveLength(1)
    expect(notices.some(({ code }) => code === 'on-success-threw')).toBe(true)
  })
})

test('many calls at once put one listener on a signal', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const engine = createEngine()
  engine.on('Stop', async (_, { signal }) => void signal.aborted)
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 40 }, () => engine.fire('Stop', {}, { signal })))
  await new Promise((done) => setTimeout(done, 5))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
