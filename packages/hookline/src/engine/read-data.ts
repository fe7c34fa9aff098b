/** Finds what JSON could not hold in a value from code, so that what a hook rewrote is what rules, hooks and the log can see. */

/** Deeper than any input of a tool; a longer chain is a cycle or an attack. */
const deepest = 1_000

/** What in the value JSON does not know, in words; `undefined` when all of it is data. */
export function misfitForJson(value: unknown): string | undefined {
  return look(value, new Set(), 0)
}

function look(value: unknown, around: Set<object>, depth: number): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return undefined
  if (around.has(value)) return 'an object that holds itself'
  if (depth > deepest) return `more than ${deepest} levels`
  around.add(value)
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    const found = look(one, around, depth + 1)
    if (found !== undefined) return found
  }
  around.delete(value)
  return undefined
}
