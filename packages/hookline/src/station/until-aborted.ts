/** Waits for a host's function under the signals that may end the wait: the call's own, and the closing of its scope. */
import type { ScopeCore } from '../engine/scope.ts'
import type { Awaitable } from '../protocol/answering.ts'

/** Runs with one signal that fires when either does; nothing stays attached to them afterwards. */
export async function withSignal<T>(scope: ScopeCore, signal: AbortSignal | undefined, run: (signal: AbortSignal) => Awaitable<T>): Promise<T> {
  if (signal === undefined) return await run(scope.closing)
  const abort = new AbortController()
  const forward = (event: Event) => abort.abort((event.target as AbortSignal).reason)
  const sources = [signal, scope.closing]
  for (const source of sources) {
    if (source.aborted) abort.abort(source.reason)
    else source.addEventListener('abort', forward)
  }
  try {
    return await run(abort.signal)
  } finally {
    for (const source of sources) source.removeEventListener('abort', forward)
  }
}

/** As `withSignal`, and waits no longer once it fires: an answer that comes later is no answer. */
export function untilAborted<T>(scope: ScopeCore, signal: AbortSignal | undefined, run: (signal: AbortSignal) => Awaitable<T>): Promise<T> {
  return withSignal(scope, signal, async (both) => {
    both.throwIfAborted()
    let stop = () => {}
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(both.reason)
      both.addEventListener('abort', stop)
    })
    try {
      const answer = await Promise.race([run(both), aborted])
      both.throwIfAborted()
      return answer
    } finally {
      both.removeEventListener('abort', stop)
    }
  })
}
