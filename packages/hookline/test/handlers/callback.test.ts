/** Hooks in code: answers at once or later, deadlines, aborts, and what they must not cost. */
import { spawnSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { createCallbackHandler } from '../../src/handlers/callback.ts'
import type { HookContext } from '../../src/protocol/answering.ts'
import type { RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { countingContext } from './conformance.ts'
import { makeContext, makeHook } from './make-run.ts'

const hook = (callback: (input: never, context: HookContext) => unknown): RunnableHook => makeHook({ callback: callback as RunnableHook['callback'] & {} })
const run = (callback: Parameters<typeof hook>[0], context: Partial<RunContext> = {}) => createCallbackHandler().run(hook(callback), makeContext(context))
/** Hangs, and keeps the signals it was given. */
const hangs = () => {
  const signals: AbortSignal[] = []
  const callback = (_input: never, context: HookContext) => {
    signals.push(context.signal)
    return new Promise(() => {})
  }
  return { signals, callback }
}
/** An object that is, or looks like, a promise of another library. */
const thenable = (then: unknown): object => Object.defineProperty({}, 'then', { value: then, enumerable: true })
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('a hook in code', () => {
  it.each<[name: string, callback: () => unknown, result: RawResult]>([
    ['a value', () => ({ block: 'no' }), { ending: { kind: 'returned' }, value: { block: 'no' } }],
    ['nothing', () => undefined, { ending: { kind: 'returned' } }],
    ['null', () => null, { ending: { kind: 'returned' }, value: null }],
    [
      'a throw',
      () => {
        throw new TypeError('wrong')
      },
      { ending: { kind: 'threw', error: 'wrong' } },
    ],
    [
      'a thrown text',
      () => {
        throw 'plain'
      },
      { ending: { kind: 'threw', error: 'plain' } },
    ],
    [
      'a throw without words',
      () => {
        throw new RangeError()
      },
      { ending: { kind: 'threw', error: 'RangeError' } },
    ],
    [
      'a thrown nothing',
      () => {
        throw undefined
      },
      { ending: { kind: 'threw', error: 'undefined' } },
    ],
    [
      'a throw that cannot be shown',
      () => {
        throw Object.create(null)
      },
      { ending: { kind: 'threw', error: 'a value that cannot be shown' } },
    ],
    [
      'a throw of endless words',
      () => {
        throw new Error('x'.repeat(1_000_000))
      },
      { ending: { kind: 'threw', error: 'x'.repeat(10_000) } },
    ],
    ['an object whose `then` is no function', () => thenable(1), { ending: { kind: 'returned' }, value: thenable(1) }],
    [
      'an object whose `then` throws when looked at',
      () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error('touchy')
          },
        }),
      { ending: { kind: 'threw', error: 'touchy' } },
    ],
  ])('that answers at once is answered for at once: %s', (_name, callback, result) => {
    expect(run(callback)).toEqual(result)
  })

  it.each<[name: string, callback: () => unknown, result: RawResult]>([
    ['a value', async () => ({ block: 'no' }), { ending: { kind: 'returned' }, value: { block: 'no' } }],
    ['nothing', async () => {}, { ending: { kind: 'returned' } }],
    ['a value much later', () => later(50).then(() => 1), { ending: { kind: 'returned' }, value: 1 }],
    ['a rejection', () => Promise.reject(new Error('wrong')), { ending: { kind: 'threw', error: 'wrong' } }],
    ['a rejection without a reason', () => Promise.reject(), { ending: { kind: 'threw', error: 'undefined' } }],
    ['a promise of another kind', () => thenable((resolve: (value: unknown) => void) => resolve(7)), { ending: { kind: 'returned' }, value: 7 }],
    [
      'a promise of another kind that throws',
      () =>
        thenable(() => {
          throw new Error('no promise')
        }),
      { ending: { kind: 'threw', error: 'no promise' } },
    ],
    [
      'a promise of another kind that answers twice',
      () =>
        thenable((yes: (value: unknown) => void, no: (error: unknown) => void) => {
          yes(1)
          no(2)
          yes(3)
        }),
      { ending: { kind: 'returned' }, value: 1 },
    ],
  ])('that answers later is waited for: %s', async (_name, callback, result) => {
    const answer = run(callback)
    expect(answer).toHaveProperty('then')
    expect(await answer).toEqual(result)
  })

  it('receives the input itself and what it may know of the call', () => {
    const locals = { messages: () => [1] }
    const input = { tool_use_id: 'toolu_7', deep: {} }
    const seen: unknown[] = []
    run((given, context) => void seen.push(given, context.callId, context.sessionId, context.toolUseId, context.locals), {
      input,
      locals,
      callId: 'c-7',
      sessionId: 's-7',
    })
    expect(seen).toEqual([input, 'c-7', 's-7', 'toolu_7', locals])
    expect(seen[0]).toBe(input)
    expect(seen[4]).toBe(locals)
  })

  it('has no tool-use id where the event has none', () => {
    expect(run((_input, context) => 'toolUseId' in context, { input: {} })).toMatchObject({ value: false })
  })
})

describe('a hook in code costs nothing it does not use', () => {
  it.each<[name: string, callback: () => unknown]>([
    ['answers at once', () => 1],
    [
      'throws',
      () => {
        throw new Error('x')
      },
    ],
    ['answers in a promise that has settled', async () => 1],
  ])('no payload and no signal when it %s', async (_name, callback) => {
    const { context, reads } = countingContext()
    await createCallbackHandler().run(hook(callback), context)
    await later(20)
    expect(reads).toEqual({ payload: 0, signal: 0 })
  })

  it('a signal, but no payload, when it takes its time', async () => {
    const { context, reads } = countingContext()
    await createCallbackHandler().run(
      hook(() => later(30)),
      context,
    )
    expect(reads.payload).toBe(0)
    expect(reads.signal).toBeGreaterThan(0)
  })

  it('no timer that keeps the host awake, once it has answered', () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    for (let count = 0; count < 10; count++) run((_input, context) => context.signal.aborted)
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before)
  })
})

describe('the signal of a hook in code', () => {
  it('fires at the deadline, and says that it was one', async () => {
    const { callback, signals } = hangs()
    const result = await run(callback, { timeoutMs: 50 })
    expect(result).toEqual({ ending: { kind: 'timedOut', afterMs: 50 } })
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('fires when the host aborts, with the reason of the host', async () => {
    const host = new AbortController()
    const { callback, signals } = hangs()
    const result = run(callback, { signal: host.signal })
    host.abort('enough')
    expect(await result).toEqual({ ending: { kind: 'aborted' } })
    expect(signals[0]?.reason).toBe('enough')
  })

  it('fires when the handler is closed', async () => {
    const handler = createCallbackHandler()
    const { callback, signals } = hangs()
    const result = handler.run(hook(callback), makeContext())
    await handler.close?.()
    expect(await result).toEqual({ ending: { kind: 'aborted' } })
    expect(signals[0]?.aborted).toBe(true)
  })

  it('has fired for a hook that looks at it only after the deadline', async () => {
    let aborted: boolean | undefined
    const result = await run(
      async (_input, context) => {
        await later(100)
        aborted = context.signal.aborted
      },
      { timeoutMs: 30 },
    )
    expect(result).toEqual({ ending: { kind: 'timedOut', afterMs: 30 } })
    await later(150)
    expect(aborted).toBe(true)
  })

  it('has fired for a hook that looks at it after the host aborted', async () => {
    expect(run((_input, context) => context.signal.aborted, { signal: AbortSignal.abort() })).toMatchObject({ value: true })
  })

  it('is the same each time, and never fires after the answer', async () => {
    const host = new AbortController()
    const signals: AbortSignal[] = []
    await run(async (_input, context) => void signals.push(context.signal, context.signal), { signal: host.signal, timeoutMs: 30 })
    host.abort()
    await later(60)
    expect(signals[0]).toBe(signals[1])
    expect(signals[0]?.aborted).toBe(false)
  })

  it('lets a hook answer that the abort made it give up: the first cause stands', async () => {
    const host = new AbortController()
    const result = run((_input, context) => new Promise((_resolve, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason))), {
      signal: host.signal,
    })
    host.abort(new Error('stop'))
    expect(await result).toEqual({ ending: { kind: 'aborted' } })
  })
})

describe('a hook in code that fails after it was ended', () => {
  it('is heard by nobody: no rejection is left unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const result = await run(() => later(80).then(() => Promise.reject(new Error('late'))), { timeoutMs: 20 })
    await later(150)
    process.off('unhandledRejection', note)
    expect(result).toEqual({ ending: { kind: 'timedOut', afterMs: 20 } })
    expect(unhandled).toEqual([])
  })

  it('keeps the listener of the handler off the signal of the host only as long as needed', async () => {
    const host = new AbortController()
    for (let count = 0; count < 50; count++) await run(() => later(2), { signal: host.signal })
    expect(getEventListeners(host.signal, 'abort').length).toBeLessThanOrEqual(1)
  })
})

describe('a hook in code that has answered', () => {
  it('is forgotten, however long the signal of the host lives', async () => {
    const host = new AbortController()
    const handler = createCallbackHandler()
    const runOne = async () => {
      const context = makeContext({ signal: host.signal })
      await handler.run(
        hook(() => later(30)),
        context,
      )
      return new WeakRef(context)
    }
    const left = await runOne()
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    // A weak reference holds until the turn it was made or read in is over.
    await later(20)
    collect()
    expect(left.deref()).toBeUndefined()
    expect(host.signal.aborted).toBe(false)
  })
})

describe('a host that has nothing else to do', () => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-callback-'))
  afterAll(() => rmSync(root, { recursive: true }))
  // Built for no platform: an import of Node's modules would not resolve, and the build would fail.
  buildSync({
    entryPoints: [fileURLToPath(new URL('../../src/handlers/function.ts', import.meta.url))],
    outfile: join(root, 'function.mjs'),
    bundle: true,
    platform: 'neutral',
    format: 'esm',
  })

  it('still learns that a hook timed out, and then ends', () => {
    writeFileSync(
      join(root, 'host.mjs'),
      `import { createFunctionHandler } from './function.mjs'
       const context = { input: {}, signal: new AbortController().signal, timeoutMs: 200, locals: {} }
       const result = await createFunctionHandler().run({ callback: () => new Promise(() => {}) }, context)
       console.log(JSON.stringify(result))`,
    )
    const { stdout, status } = spawnSync(process.execPath, [join(root, 'host.mjs')], { encoding: 'utf8', timeout: 20_000 })
    expect([stdout, status]).toEqual(['{"ending":{"kind":"timedOut","afterMs":200}}\n', 0])
  })

  it('ends as soon as a hook has answered, whatever deadline it had', () => {
    writeFileSync(
      join(root, 'host.mjs'),
      `import { createFunctionHandler } from './function.mjs'
       const context = { input: {}, signal: new AbortController().signal, timeoutMs: 600000, locals: {} }
       await createFunctionHandler().run({ callback: () => new Promise((resolve) => setTimeout(resolve, 50)) }, context)`,
    )
    expect(spawnSync(process.execPath, [join(root, 'host.mjs')], { timeout: 20_000 }).status).toBe(0)
  })
})
