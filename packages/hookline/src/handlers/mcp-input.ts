/** Fills the arguments of an MCP tool: `${path.to.field}` in a string stands for a field of the event (protocol §2.4). */

/** The longest arguments that are sent, in UTF-16 units of their texts. */
const longestInput = 1_048_576

/** The arguments, or `undefined` when they would be too long. */
export function fillInput(written: Readonly<Record<string, unknown>>, event: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  let length = 0
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = length > longestInput ? '' : value.replace(/\$\{([^{}]+)\}/g, (_, path: string) => textOf(fieldAt(event, path.trim())))
      length += text.length
      return text
    }
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  const filled = fill(written) as Record<string, unknown>
  return length > longestInput ? undefined : filled
}

/** The field that a path names; own fields alone, so that no path leads out of the data. */
function fieldAt(event: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = event
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** As it reads inside a text; what is not there is nothing. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
}
