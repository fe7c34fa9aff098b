/** Calls a listener of the host so that nothing it does can hurt the engine: a throw and a rejection are both told once. */

/** Tells a listener; `failed` hears of a throw at once and of a rejection later. */
export function tell<T>(listener: (value: T) => unknown, value: T, failed: (error: unknown) => void): void {
  try {
    const said = listener(value)
    if (typeof said === 'object' && said !== null && 'then' in said) Promise.resolve(said).catch(failed)
  } catch (error) {
    failed(error)
  }
}
