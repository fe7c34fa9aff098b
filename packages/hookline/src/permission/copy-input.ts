/** Copies a tool's input, so that what is looked at is what runs, whoever changes the given object meanwhile. */

// Deeper than any tool's input goes.
const deepest = 100
const odd = Symbol('no plain data')

/** A copy that nobody else holds. Of an input that holds something that is no data, such as a function, there is none: it is the host's own affair. */
export function copyInput<T>(input: T): T {
  // By hand, because inputs are small and nearly always plain: `structuredClone` takes longer to begin.
  const copy = copyPlain(input, 0)
  if (copy !== odd) return copy as T
  try {
    return structuredClone(input)
  } catch {
    return input
  }
}

function copyPlain(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? odd : value
  if (depth > deepest) return odd
  return Array.isArray(value) ? copyList(value, depth) : copyRecord(value as Record<string, unknown>, depth)
}

function copyList(list: readonly unknown[], depth: number): unknown {
  const out: unknown[] = []
  for (let at = 0; at < list.length; at++) {
    const item = copyPlain(list[at], depth + 1)
    if (item === odd) return odd
    out.push(item)
  }
  return out
}

function copyRecord(record: Readonly<Record<string, unknown>>, depth: number): unknown {
  const prototype = Object.getPrototypeOf(record)
  if (prototype !== Object.prototype && prototype !== null) return odd
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    const item = copyPlain(record[key], depth + 1)
    if (item === odd) return odd
    // A key of that name would set the prototype.
    if (key === '__proto__') Object.defineProperty(out, key, { value: item, enumerable: true, configurable: true, writable: true })
    else out[key] = item
  }
  return out
}
