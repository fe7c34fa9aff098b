/** The digest of a hook: what trust is tied to. It covers everything that decides what runs and when, and nothing else. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Fields that only people read. */
const shownOnly = ['statusMessage']

/** What a digest is made of. */
export interface Digested {
  readonly event: string
  readonly matcher: string | undefined
  readonly spec: Readonly<Record<string, unknown>>
}

/** SHA-256 in lower-case hex. The order of keys, blanks and comments of the file do not count. */
export function digestOf({ event, matcher, spec }: Digested): string {
  const parts = Object.fromEntries(Object.entries(spec).filter(([key]) => !shownOnly.includes(key)))
  return bytesToHex(sha256(utf8ToBytes(canonical({ event, matcher: matcher ?? '', hook: parts }))))
}

/** JSON with sorted keys; what JSON cannot say is left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}
