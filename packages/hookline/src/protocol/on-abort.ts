/** One listener per abort signal, however many hooks wait for it: a signal that fifty hooks share must not look like a leak. */

interface Waiting {
  readonly acts: Set<() => void>
  readonly listener: () => void
}

const waiting = new WeakMap<AbortSignal, Waiting>()

/** Calls `act` when the signal fires, at once if it has. The returned function takes it back. `act` must not throw. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act()
    return () => {}
  }
  const here = waiting.get(signal) ?? listen(signal)
  // A wrapper of its own, so that the same function may wait twice.
  const entry = () => act()
  here.acts.add(entry)
  return () => {
    here.acts.delete(entry)
    if (here.acts.size > 0 || waiting.get(signal) !== here) return
    waiting.delete(signal)
    signal.removeEventListener('abort', here.listener)
  }
}

function listen(signal: AbortSignal): Waiting {
  const acts = new Set<() => void>()
  const listener = () => {
    waiting.delete(signal)
    for (const act of acts) act()
  }
  const here = { acts, listener }
  waiting.set(signal, here)
  signal.addEventListener('abort', listener, { once: true })
  return here
}
