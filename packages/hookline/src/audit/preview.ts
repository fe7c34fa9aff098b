/** A short, masked look at the input of a call, so that a person who reads the log knows what was decided about. */
import { keptText, namesSecret } from './mask.ts'

/** Fields that every input has; they say nothing about this call, or stand in the record already. */
const common: ReadonlySet<string> = new Set([
  'session_id',
  'transcript_path',
  'cwd',
  'hook_event_name',
  'permission_mode',
  'agent_id',
  'agent_type',
  'prompt_id',
  'effort',
  'tool_use_id',
])
const deepest = 5

/** At most about `limit` characters of JSON; a large input is not read beyond that. */
export function previewOf(input: Readonly<Record<string, unknown>>, limit: number): string {
  const own = Object.fromEntries(Object.entries(input).filter(([key, value]) => !common.has(key) && value !== undefined))
  const text = new Sketch(limit).draw(own, 0)
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Writes JSON until it has enough. */
class Sketch {
  #left: number

  constructor(limit: number) {
    this.#left = limit
  }

  draw(value: unknown, depth: number): string {
    if (typeof value === 'string') return this.#spend(JSON.stringify(keptText(value, Math.max(this.#left, 8))))
    if (typeof value === 'bigint') return this.#spend(String(value))
    if (typeof value !== 'object' || value === null) return this.#spend(JSON.stringify(value) ?? 'null')
    if (depth >= deepest) return this.#spend(Array.isArray(value) ? '[…]' : '{…}')
    const parts: string[] = []
    if (Array.isArray(value)) {
      for (const item of value) {
        if (this.#left <= 0) break
        parts.push(this.draw(item, depth + 1))
      }
      return `[${parts.join(',')}]`
    }
    for (const key in value) {
      if (this.#left <= 0) break
      const name = this.#spend(`${JSON.stringify(keptText(key, 64))}:`)
      const member = (value as Record<string, unknown>)[key]
      parts.push(
        `${name}${namesSecret(key) && typeof member !== 'number' && typeof member !== 'boolean' ? this.#spend('"***"') : this.draw(member, depth + 1)}`,
      )
    }
    return `{${parts.join(',')}}`
  }

  #spend(text: string): string {
    this.#left -= text.length + 1
    return text
  }
}
