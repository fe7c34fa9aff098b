/** Many who wait for one abort signal. */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { onAbort } from '../../src/protocol/on-abort.ts'

describe('waiting for an abort', () => {
  it('calls everybody who waits, once, in order', () => {
    const host = new AbortController()
    const called: number[] = []
    for (const one of [1, 2, 3]) onAbort(host.signal, () => called.push(one))
    host.abort()
    host.abort()
    expect(called).toEqual([1, 2, 3])
  })

  it('calls at once when the signal has fired', () => {
    let called = 0
    onAbort(AbortSignal.abort(), () => called++)
    expect(called).toBe(1)
  })

  it('calls nobody who took it back, and the same function as often as it waits', () => {
    const host = new AbortController()
    let called = 0
    const act = () => called++
    onAbort(host.signal, act)
    const undo = onAbort(host.signal, act)
    onAbort(host.signal, act)
    undo()
    undo()
    host.abort()
    expect(called).toBe(2)
  })

  it('puts one listener on a signal, however many wait', () => {
    const { signal } = new AbortController()
    for (let count = 0; count < 100; count++) onAbort(signal, () => {})
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  })
})
