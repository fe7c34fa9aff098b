/** What every way of answering must do, whatever it is made of. One suite; each handler brings its own way to misbehave. */
import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { makeContext, makeHook, runHook } from './make-run.ts'

/** A hook that behaves in a certain way, and the result that such a run must have. */
export interface Behaviour {
  readonly hook: RunnableHook
  readonly result: RawResult
}

/** One handler, with hooks that behave in every way that matters. */
export interface Subject {
  readonly runner: HandlerRunner
  readonly silent: Behaviour
  readonly answers: Behaviour
  readonly blocks: Behaviour
  /** Says something that is no answer, though it begins like one. Reading it is not the handler's work. */
  readonly garbage: Behaviour
  readonly crashes: Behaviour
  /** Says more than anybody should. */
  readonly huge: Behaviour
  /** Says what is not UTF-8; absent where there are no bytes. */
  readonly notUtf8?: Behaviour
  /** Never ends by itself. */
  readonly hangs: RunnableHook
  /** Settles when so many hanging hooks are really at work. */
  atWork(count: number): Promise<void>
  /** How many hooks of this subject are still at work. */
  leftovers(): number
}

/** Describes what a handler of this name must do. `makeSubject` is called once per test, so that a closed handler harms no other. */
export function describeConformance(name: string, makeSubject: () => Subject): void {
  describe(`a ${name} hook, like every hook,`, () => {
    const faults: unknown[] = []
    const note = (fault: unknown) => faults.push(fault)
    beforeAll(() => {
      process.on('unhandledRejection', note)
      process.on('uncaughtException', note)
      process.on('warning', note)
    })
    afterAll(async () => {
      await later(20)
      process.off('unhandledRejection', note)
      process.off('uncaughtException', note)
      process.off('warning', note)
      expect(faults).toEqual([])
    })

    it.each(['silent', 'answers', 'blocks', 'garbage', 'crashes', 'huge', 'notUtf8'] as const)('ends with what it said, unread: %s', async (behaviour) => {
      const subject = makeSubject()
      const one = subject[behaviour]
      if (one !== undefined) expect(await subject.runner.run(one.hook, makeContext())).toEqual(one.result)
      expect(subject.leftovers()).toBe(0)
    })

    it('is ended at its deadline and leaves nothing', async () => {
      const subject = makeSubject()
      const began = performance.now()
      const result = await subject.runner.run(subject.hangs, makeContext({ timeoutMs: 250 }))
      const took = performance.now() - began
      expect(result.ending).toEqual({ kind: 'timedOut', afterMs: 250 })
      expect(took).toBeGreaterThanOrEqual(245)
      expect(took).toBeLessThan(22_500)
      expect(subject.leftovers()).toBe(0)
    })

    it('is aborted when the host had aborted before it started', async () => {
      const subject = makeSubject()
      const result = await subject.runner.run(subject.hangs, makeContext({ signal: AbortSignal.abort() }))
      expect(result.ending).toEqual({ kind: 'aborted' })
      expect(subject.leftovers()).toBe(0)
    })

    it('is aborted when the host aborts while it runs', async () => {
      const subject = makeSubject()
      const host = new AbortController()
      const run = subject.runner.run(subject.hangs, makeContext({ signal: host.signal }))
      await subject.atWork(1)
      host.abort()
      expect((await run).ending).toEqual({ kind: 'aborted' })
      expect(subject.leftovers()).toBe(0)
    })

    it('keeps the first cause: an abort before the deadline', async () => {
      const subject = makeSubject()
      const host = new AbortController()
      const run = subject.runner.run(subject.hangs, makeContext({ signal: host.signal, timeoutMs: 10_000 }))
      await subject.atWork(1)
      host.abort()
      expect((await run).ending).toEqual({ kind: 'aborted' })
    })

    it('keeps the first cause: a deadline before the abort', async () => {
      const subject = makeSubject()
      const host = new AbortController()
      const run = subject.runner.run(subject.hangs, makeContext({ signal: host.signal, timeoutMs: 100 }))
      const result = await run
      host.abort()
      expect(result.ending).toEqual({ kind: 'timedOut', afterMs: 100 })
    })

    it('keeps its answer when the host aborts afterwards', async () => {
      const subject = makeSubject()
      const host = new AbortController()
      const result = await subject.runner.run(subject.answers.hook, makeContext({ signal: host.signal }))
      host.abort()
      await later(20)
      expect(result).toEqual(subject.answers.result)
    })

    it('shares a signal with many others, and leaves at most one listener on it', async () => {
      const subject = makeSubject()
      const host = new AbortController()
      const runs = Array.from({ length: 30 }, () => subject.runner.run(subject.hangs, makeContext({ signal: host.signal })))
      await subject.atWork(30)
      expect(getEventListeners(host.signal, 'abort').length).toBe(1)
      host.abort()
      for (const run of runs) expect((await run).ending).toEqual({ kind: 'aborted' })
      expect(subject.leftovers()).toBe(0)
    })

    it('does not take part in what becomes of others', async () => {
      const subject = makeSubject()
      const context = makeContext({ timeoutMs: 2_000 })
      const results = await Promise.all(
        [subject.hangs, subject.crashes.hook, subject.answers.hook, subject.silent.hook].map((hook) => runHook(subject.runner, hook, context)),
      )
      expect(results[0]?.ending.kind).toBe('timedOut')
      expect(results.slice(1)).toEqual([subject.crashes.result, subject.answers.result, subject.silent.result])
    })

    it('that has nothing to run ends as data, too', async () => {
      const subject = makeSubject()
      const { ending } = await subject.runner.run(makeHook({}), makeContext())
      expect(ending).toEqual({ kind: 'refused', why: expect.stringContaining('cannot run') })
    })

    it('is ended when its handler is closed, which leaves nothing and may be done twice', async () => {
      const subject = makeSubject()
      const runs: (RawResult | PromiseLike<RawResult>)[] = Array.from({ length: 3 }, () => subject.runner.run(subject.hangs, makeContext()))
      await subject.atWork(3)
      await subject.runner.close?.()
      expect(subject.leftovers()).toBe(0)
      for (const run of runs) expect((await run).ending).toEqual({ kind: 'aborted' })
      await subject.runner.close?.()
    })
  })
}

/** A call that counts which of its costly parts were read. */
export function countingContext(parts: Partial<RunContext> = {}): { context: RunContext; reads: Record<'payload' | 'signal', number> } {
  const plain = makeContext(parts)
  const reads = { payload: 0, signal: 0 }
  const context: RunContext = {
    ...plain,
    get payload() {
      reads.payload++
      return plain.payload
    },
    get signal() {
      reads.signal++
      return plain.signal
    },
  }
  return { context, reads }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
