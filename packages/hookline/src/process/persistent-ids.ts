/** The ids by which an event and its answer belong together, on a line each: put in, looked for, and taken out again. */

/** The member that carries the id, of a request and of its answer. */
export const idName = 'hookline_id'

/** Whose answer a line is: of this request, of another one, or of one that does not say so. */
export type Ownership = 'mine' | 'foreign' | 'plain'

const brace = 0x7b
const encoder = new TextEncoder()

/** The request with its id as the first member. What is no object is left alone. */
export function withId([first, ...rest]: readonly Uint8Array[], id: string): readonly Uint8Array[] {
  if (first === undefined || first[0] !== brace) return first === undefined ? [] : [first, ...rest]
  const isEmpty = first[1] === 0x7d
  return [encoder.encode(`{"${idName}":"${id}"${isEmpty ? '' : ','}`), first.subarray(1), ...rest]
}

/** Whose answer a line is. */
export function ownerOf(line: string, id: string): Ownership {
  // How `defineHook` writes it; most lines need no closer look.
  if (line.startsWith(`{"${idName}":"${id}"`)) return 'mine'
  if (!line.includes(idName)) return 'plain'
  try {
    const said: unknown = JSON.parse(line)
    if (typeof said !== 'object' || said === null || !Object.hasOwn(said, idName)) return 'plain'
    return (said as Record<string, unknown>)[idName] === id ? 'mine' : 'foreign'
  } catch {
    // Broken, but it says whose it would be.
    const written = new RegExp(`^\\{\\s*"${idName}"\\s*:\\s*"([^"]*)"`).exec(line)?.[1]
    return written === undefined ? 'plain' : written === id ? 'mine' : 'foreign'
  }
}

const member = new RegExp(`(,\\s*)?"${idName}"\\s*:\\s*"([^"]*)"(\\s*,)?`, 'g')

/** The answer without its id, otherwise as it was written: how it was spelt may matter to its reader. */
export function withoutId(line: string, id: string): string {
  const first = `{"${idName}":"${id}",`
  if (line.startsWith(first) && line.lastIndexOf(idName) < first.length) return `{${line.slice(first.length)}`
  const [only, ...more] = [...line.matchAll(member)].filter(([, , own]) => own === id)
  if (only === undefined || more.length > 0) return line
  const [text, before, , after] = only
  return line.slice(0, only.index) + (before !== undefined && after !== undefined ? ',' : '') + line.slice(only.index + text.length)
}
