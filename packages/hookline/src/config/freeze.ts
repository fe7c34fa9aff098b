/** Freezes what loading made, through and through, so that nobody can change what was judged. */

/** Freezes plain objects and lists in place; getters are not run, functions and shared tables are left alone. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  Object.freeze(value)
  for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) if ('value' in descriptor) freezeDeep(descriptor.value)
  return value
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Array.isArray(value)
}
