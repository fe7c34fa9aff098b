/** One listener per abort signal, however many hooks wait for it: a signal that fifty hooks share must not look like a leak. */

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `act` when the signal fires, at once if it has. The returned function takes it back. `act` must not throw. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act()
    return () => {}
  }
  const acts = waiting.get(signal) ?? listen(signal)
  // A wrapper of its own, so that the same function may wait twice.
  const entry = () => act()
  acts.add(entry)
  return () => {
    acts.delete(entry)
  }
}

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>()
  waiting.set(signal, acts)
  signal.addEventListener(
    'abort',
    () => {
      waiting.delete(signal)
      for (const act of acts) act()
    },
    { once: true },
  )
  return acts
}
